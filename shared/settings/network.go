package settings

import (
	"cmp"
	"maps"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"typedinbox/shared/schema"
)

// DefaultNetwork is listed, switched off, in a fresh inbox (03 §1).
const DefaultNetwork = "https://network.surfingdog.ai"

// maxNetworks is how many networks a document lists (03 §11.1).
const maxNetworks = 8

// offNetwork is a network about which nothing is stored.
var offNetwork = func() (n Network) {
	v := reflect.ValueOf(&n).Elem()
	for _, k := range networkRoot.leaves(nil) {
		k.set(v, k.row.Default)
	}
	return n
}()

// Origin is the canonical form of a network's address: https, the host in lower
// case and in its ASCII form, no port, no path. false for anything else: another
// scheme or port, a path, credentials, an address in digits, a host that is not
// public.
func Origin(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil || u.Scheme != "https" || u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || u.Opaque != "" {
		return "", false
	}
	if u.Path != "" && u.Path != "/" || u.Port() != "" && u.Port() != "443" || strings.HasSuffix(u.Host, ":") {
		return "", false
	}
	host := strings.ToLower(u.Hostname())
	if !publicHost(host) {
		return "", false
	}
	return "https://" + host, true
}

// privateSuffixes end names that are never public (RFC 6761, RFC 6762, RFC 8375).
var privateSuffixes = []string{".localhost", ".local", ".internal", ".home.arpa", ".lan", ".onion"}

func publicHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || !schema.IsDomain(host) {
		return false
	}
	for _, c := range []byte(host) {
		if c >= 0x80 {
			return false // to be written in its ASCII form, xn--…
		}
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	if strings.Trim(last, "0123456789") == "" {
		return false // an address in digits, however it is written
	}
	return !slices.ContainsFunc(privateSuffixes, func(s string) bool { return strings.HasSuffix(host, s) })
}

// effectiveNetworks reads the networks of a stored document, or what the older
// `network` says, or the default one (04 §4.4).
func effectiveNetworks(doc map[string]any) map[string]Network {
	stored, listed := doc["networks"].(map[string]any)
	if !listed {
		if legacy, ok := doc["network"].(map[string]any); ok {
			return legacyNetworks(legacy)
		}
		return map[string]Network{DefaultNetwork: offNetwork}
	}
	out := map[string]Network{}
	for _, key := range slices.Sorted(maps.Keys(stored)) {
		if o, ok := Origin(key); ok {
			if _, twice := out[o]; !twice {
				out[o] = readNetwork(stored[key])
			}
		}
	}
	return firstNetworks(out)
}

// firstNetworks keeps at most eight, those switched on first.
func firstNetworks(all map[string]Network) map[string]Network {
	if len(all) <= maxNetworks {
		return all
	}
	origins := slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		if all[a].Enabled != all[b].Enabled {
			if all[a].Enabled {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	for _, o := range origins[maxNetworks:] {
		delete(all, o)
	}
	return all
}

// readNetwork reads one entry; what is not one counts as off.
func readNetwork(v any) Network {
	n := offNetwork
	entry, ok := v.(map[string]any)
	if !ok {
		return n
	}
	networkRoot.readInto(reflect.ValueOf(&n).Elem(), entry)
	return n
}

// networkKey is one key of a network, with its path below the origin.
type networkKey struct {
	*node
	path string
}

var networkKeys = func() (out []networkKey) {
	for _, n := range networkRoot.leaves(nil) {
		out = append(out, networkKey{n, strings.TrimPrefix(n.row.Path, "networks."+origin+".")})
	}
	return out
}()

// legacyNetworks reads `network: {url, join}` of an older document.
func legacyNetworks(legacy map[string]any) map[string]Network {
	o := DefaultNetwork
	if u, ok := legacy["url"].(string); ok {
		if o, ok = originOfURL(u); !ok {
			return map[string]Network{}
		}
	}
	n := offNetwork
	n.Enabled = legacy["join"] == true
	return map[string]Network{o: n}
}

// originOfURL is the origin of an address, its path dropped.
func originOfURL(s string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(s))
	if err != nil {
		return "", false
	}
	return Origin((&url.URL{Scheme: u.Scheme, Host: u.Host}).String())
}
