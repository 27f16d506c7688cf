package settings

import (
	"math"
	"reflect"
	"strings"

	"typedinbox/shared/inbox"
)

// sections are the names of the settings page's parts, for people.
var sections = map[string]string{
	"business": "Business", "booking": "Bookings", "orders": "Orders", "negotiation": "Negotiation",
	"returns": "Returns", "commerce": "Legal", "notifications": "Notifications", "email": "Mail",
	"integrations": "Integrations", "security": "Security", "identity": "Identity", "customers": "Customers",
	"directory": "Directory", "networks": "Networks", "testMode": "Test mode",
}

// Guard judges a change of settings by comparing what held before with what
// would hold after (03 §11.4): nil, or 403 not_allowed with
// details.reason owner_in_person (owner_money for the currency) and the paths
// in details.settings. Anything unchanged passes, so a document written back as
// read always does.
func Guard(before, after Settings, c inbox.Caller) *inbox.Problem {
	var refused []string
	reason := ""
	refuse := func(path, why string) {
		refused = append(refused, path)
		if reason == "" {
			reason = why
		}
	}
	b, a := reflect.ValueOf(&before).Elem(), reflect.ValueOf(&after).Elem()
	for _, k := range keys {
		old, new := b.FieldByIndex(k.index).Interface(), a.FieldByIndex(k.index).Interface()
		if why := k.row.refusal(old, new, before, c); why != "" {
			refuse(k.row.Path, why)
		}
	}
	for _, o := range originsOf(before, after) {
		old, new := network(before, o), network(after, o)
		bn, an := reflect.ValueOf(&old).Elem(), reflect.ValueOf(&new).Elem()
		for _, k := range networkKeys {
			if why := k.row.refusal(bn.FieldByIndex(k.index).Interface(), an.FieldByIndex(k.index).Interface(), before, c); why != "" {
				refuse("networks."+o+"."+k.path, why)
			}
		}
	}
	if len(refused) == 0 {
		return nil
	}
	return refusal(refused, reason, c)
}

// refusal of one key: why the caller may not change it from old to new, "" when
// they may.
func (r *Row) refusal(old, new any, before Settings, c inbox.Caller) string {
	if reflect.DeepEqual(old, new) || r.allows(old, new, before, c) {
		return ""
	}
	if r.Guard == NotCurrency {
		return "owner_money"
	}
	return "owner_in_person"
}

// allows judges a change by the class of the key's guard.
func (r *Row) allows(old, new any, before Settings, c inbox.Caller) bool {
	switch r.Guard {
	case DataOut:
		return c.MayDirectDataOut(inbox.ScopeSettingsWrite)
	case DataOutOn:
		return new != true || c.MayDirectDataOut(inbox.ScopeSettingsWrite)
	case OwnerOnly:
		return c.IsOwnerInPerson()
	case OwnerOn:
		return new != true || c.IsOwnerInPerson()
	case LowerOnly:
		return c.IsPerson() || ceiling(new) < ceiling(old)
	case LengthenAI:
		return !c.IsAssistant() || before.Negotiation.Changes.CustomerCutoffMin != nil || new.(int) > old.(int)
	case NotCurrency:
		return c.MaySetCurrency()
	}
	return true
}

// ceiling is a limit in which 0 is none, so the highest.
func ceiling(v any) int64 {
	if n := v.(int64); n != 0 {
		return n
	}
	return math.MaxInt64
}

// originsOf lists the networks of both, in order.
func originsOf(a, b Settings) []string {
	all := map[string]bool{}
	for o := range a.Networks {
		all[o] = true
	}
	for o := range b.Networks {
		all[o] = true
	}
	return sortedKeys(all)
}

// network is a listed network, or one about which nothing is stored.
func network(s Settings, o string) Network {
	if n, ok := s.Networks[o]; ok {
		return n
	}
	return offNetwork
}

// refusal as the caller is told: to ask the owner (02 §2); an assistant also hears
// where the owner finds it (03 §2.4).
func refusal(paths []string, reason string, c inbox.Caller) *inbox.Problem {
	p := inbox.NotAllowed(reason, "%s may only be changed by the owner in person. Nothing was changed.", strings.Join(paths, ", "))
	p.With("settings", paths).With("ask_owner", true)
	if c.IsAssistant() {
		p.Detail += " Tell the owner."
		top, _, _ := strings.Cut(paths[0], ".")
		p.With("where", "Settings → "+sections[top])
	}
	return p
}
