package settings

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// networks checks and rewrites what a patch says of networks: origins in their
// canonical form, the older `network` translated and never stored, entries that
// are only read kept (03 §11.1, 04 §4.4). The section's merge follows later, so
// it leaves stored and patch ready for it.
func (p *patcher) networks(patch map[string]any) {
	value, named := patch["networks"]
	entries, isObject := value.(map[string]any)
	if named && !isObject {
		p.invalid("doc.networks", "must be an object; switch a network off with enabled: false")
		delete(patch, "networks")
		return
	}
	before := effectiveNetworks(p.stored)
	legacy, hasLegacy := patch["network"]
	delete(patch, "network")
	if !named && (!hasLegacy || legacy == nil) {
		return
	}
	entries = p.canonical(entries)
	if hasLegacy && legacy != nil {
		entries = p.translate(legacy, entries, before)
	}
	listed := p.listed(before)
	for _, o := range slices.Sorted(maps.Keys(entries)) {
		p.network(o, entries, listed)
	}
	patch["networks"] = entries
	p.store(listed, entries, patch)
}

// canonical answers the entries of a patch by canonical origin.
func (p *patcher) canonical(entries map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		o, ok := Origin(key)
		_, twice := out[o]
		switch {
		case !ok:
			p.invalid("doc.networks."+key, "must be the https origin of a public host, such as "+DefaultNetwork)
		case twice:
			p.invalid("doc.networks."+key, "names the same origin as another entry")
		default:
			out[o] = entries[key]
		}
	}
	return out
}

// listed are the stored entries by canonical origin. Before networks were ever
// stored these are the ones a reader saw, without their defaults.
func (p *patcher) listed(before map[string]Network) map[string]any {
	out := map[string]any{}
	if stored, ok := p.stored["networks"].(map[string]any); ok {
		for _, key := range slices.Sorted(maps.Keys(stored)) {
			o, ok := Origin(key)
			if !ok {
				o = key // kept as it is, nobody reads it
			}
			if _, twice := out[o]; !twice {
				out[o] = stored[key]
			}
		}
		return out
	}
	for o, n := range before {
		entry := map[string]any{}
		if n.Enabled {
			entry["enabled"] = true
		}
		out[o] = entry
	}
	return out
}

// network checks one entry of a patch.
func (p *patcher) network(o string, entries, listed map[string]any) {
	path := "doc.networks." + o
	old, _ := listed[o].(map[string]any)
	switch v := entries[o].(type) {
	case nil:
		if readNetwork(listed[o]).Enabled {
			p.invalid(path, "is switched on; switch it off before it is removed")
		}
	case map[string]any:
		p.section(networkRoot, path, v, old)
	default:
		p.invalid(path, notObject)
	}
}

// store puts the listed entries where the merge will find them, counts what
// comes out, and forgets the older form.
func (p *patcher) store(listed, entries, patch map[string]any) {
	after := 0
	for o := range merge(listed, entries).(map[string]any) {
		if _, ok := Origin(o); ok {
			after++
		}
	}
	if after > maxNetworks {
		p.invalid("doc.networks", fmt.Sprintf("must have at most %d networks", maxNetworks))
	}
	_, stored := p.stored["networks"]
	_, legacy := p.stored["network"]
	if !stored && !legacy && onlyReads(listed, entries) {
		delete(patch, "networks")
		return
	}
	next := maps.Clone(p.stored)
	delete(next, "network")
	next["networks"] = listed
	p.stored = next
}

// onlyReads says whether a patch tells nothing but what a fresh inbox reads.
func onlyReads(listed, entries map[string]any) bool {
	for o, v := range entries {
		_, known := listed[o]
		entry, ok := v.(map[string]any)
		if !known || !ok || len(entry) > 0 {
			return false
		}
	}
	return true
}

// translate turns `network: {url, join}` into entries (03 §11.1): join false
// switches every network off; a url moves the single network there and switches
// the others off. Entries named in the same patch win.
func (p *patcher) translate(legacy any, entries map[string]any, before map[string]Network) map[string]any {
	m, ok := legacy.(map[string]any)
	if !ok {
		p.invalid("doc.network", notObject)
		return entries
	}
	join, hasJoin := m["join"].(bool)
	if v, named := m["join"]; named && v != nil && !hasJoin {
		p.invalid("doc.network.join", "must be true or false")
	}
	target, ok := p.legacyTarget(m["url"], before)
	if !ok {
		return entries
	}
	on := join
	if !hasJoin {
		on = slices.ContainsFunc(slices.Collect(maps.Values(before)), func(n Network) bool { return n.Enabled })
	}
	out := map[string]any{}
	for o, n := range before {
		if n.Enabled && (o != target || !on) {
			out[o] = map[string]any{"enabled": false}
		}
	}
	if on || m["url"] != nil {
		out[target] = map[string]any{"enabled": on}
	}
	for o, named := range entries {
		if old, ok := out[o]; ok && named != nil {
			named = merge(old, named)
		}
		out[o] = named
	}
	return out
}

// legacyTarget is the network that an older patch means: the url's, else the
// one switched on, else the default one.
func (p *patcher) legacyTarget(url any, before map[string]Network) (string, bool) {
	switch u := url.(type) {
	case string:
		o, ok := originOfURL(strings.TrimSpace(u))
		if !ok {
			p.invalid("doc.network.url", "must be the https address of a public host")
		}
		return o, ok
	case nil:
		for _, o := range slices.Sorted(maps.Keys(before)) {
			if before[o].Enabled || len(before) == 1 {
				return o, true
			}
		}
		return DefaultNetwork, true
	}
	p.invalid("doc.network.url", "must be a string")
	return "", false
}
