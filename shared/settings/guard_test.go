package settings

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// callers are one of each kind that can reach the settings.
func callers() map[string]inbox.Caller {
	at := func(k inbox.ActorKind, ch inbox.Channel) inbox.Actor {
		return inbox.Actor{Kind: k, ID: "x", Channel: ch}
	}
	all := []inbox.Scope{inbox.ScopeAll}
	return map[string]inbox.Caller{
		"owner":         {Actor: at(inbox.Owner, inbox.ChannelREST), Proven: true, Scopes: all},
		"owner on mcp":  {Actor: at(inbox.Owner, inbox.ChannelMCPOwner), Proven: true, Scopes: all},
		"staff":         {Actor: at(inbox.Staff, inbox.ChannelOwnerUI), Scopes: all},
		"assistant":     {Actor: at(inbox.OwnerAI, inbox.ChannelMCPOwner), Scopes: []inbox.Scope{inbox.ScopeSettingsWrite, inbox.ScopeCatalogueWrite}},
		"key":           {Actor: at(inbox.Integration, inbox.ChannelREST), Scopes: []inbox.Scope{inbox.ScopeSettingsWrite}},
		"key with all":  {Actor: at(inbox.Integration, inbox.ChannelREST), Scopes: all},
		"catalogue key": {Actor: at(inbox.Integration, inbox.ChannelREST), Scopes: []inbox.Scope{inbox.ScopeSettingsWrite, inbox.ScopeCatalogueWrite}},
		"key on mcp":    {Actor: at(inbox.Integration, inbox.ChannelMCPOwner), Scopes: []inbox.Scope{inbox.ScopeSettingsWrite}},
	}
}

// may lists who passes each class of guard, as 03 §11.4 and §2.4 say.
var may = map[Guarded]string{
	Free:        "owner, owner on mcp, staff, assistant, key, key with all, catalogue key, key on mcp",
	DataOut:     "owner, key, catalogue key",
	DataOutOn:   "owner, key, catalogue key",
	OwnerOnly:   "owner",
	OwnerOn:     "owner",
	LowerOnly:   "owner, staff",
	LengthenAI:  "owner, staff, key, key with all, catalogue key",
	NotCurrency: "owner, staff, key with all, catalogue key",
}

// spec is the class of every guarded path, from 03 §11.4.
func specGuard(path string) Guarded {
	for prefix, g := range map[string]Guarded{
		"notifications.": DataOut, "email.fromAddress": DataOut, "email.fromName": DataOut, "email.replyTo": DataOut,
		"integrations.webhooks.enabled": DataOutOn, "testMode": DataOutOn,
		"negotiation.": OwnerOnly, "returns.": OwnerOnly, "commerce.": OwnerOnly, "email.inboundSecret": OwnerOnly,
		"integrations.webhooks.allowPrivateTargets": OwnerOnly, "identity.": OwnerOnly, "customers.otp.": OwnerOnly, "security.": OwnerOnly,
		"networks.": OwnerOn, "directory.listed": OwnerOn,
		"orders.maxValueWithoutApprovalMinor": LowerOnly, "booking.cancellationWindowMin": LengthenAI, "business.currency": NotCurrency,
	} {
		if strings.HasPrefix(path, prefix) {
			return g
		}
	}
	return Free
}

// change is, for a key, a stored value and another that the guard minds.
func change(r *Row) (from, to string) {
	switch {
	case r.Guard == LowerOnly:
		return `100`, `200`
	case r.Guard == LengthenAI:
		return `200`, `100`
	case r.Guard == DataOutOn || r.Guard == OwnerOn:
		return `false`, `true`
	case r.Kind == KindBool:
		return `false`, `true`
	case r.Kind == KindRewards:
		return `{}`, `{"vip":{"pct":5}}`
	case r.Kind == KindList:
		return `["a"]`, `["b"]`
	case r.Kind == KindInt || r.Kind == KindNumber:
		a, _ := json.Marshal(r.Max)
		b, _ := json.Marshal(r.Min)
		return string(b), string(a)
	}
	good, _ := samples(r)
	for _, v := range good[1:] {
		if v != good[0] && v != `""` {
			return good[0], v
		}
	}
	return `null`, good[0]
}

func TestGuardOfEachKey(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		if r.Kind == KindVersion {
			continue
		}
		if want := specGuard(r.Path); r.Guard != want {
			t.Errorf("%s is guarded as %q, want %q", r.Path, r.Guard, want)
		}
		from, to := change(r)
		before, after := Effective([]byte(nested(r.Path, from))), Effective([]byte(nested(r.Path, to)))
		if reflect.DeepEqual(before, after) {
			t.Errorf("%s: %s to %s changes nothing", r.Path, from, to)
		}
		for who, c := range callers() {
			passes := strings.Contains(", "+may[r.Guard]+",", ", "+who+",")
			name := map[bool]string{true: "ok/", false: "fail/"}[passes] + r.Path + "/" + who
			t.Run(name, func(t *testing.T) {
				p := Guard(before, after, c)
				if (p == nil) != passes {
					t.Fatalf("%v", p)
				}
				if p != nil {
					checkRefusal(t, p, r, c)
				}
			})
		}
	}
}

func checkRefusal(t *testing.T, p *inbox.Problem, r *Row, c inbox.Caller) {
	t.Helper()
	reason := "owner_in_person"
	if r.Guard == NotCurrency {
		reason = "owner_money"
	}
	path := strings.ReplaceAll(r.Path, origin, "https://n.example")
	if p.Code != inbox.CodeNotAllowed || p.Details["reason"] != reason || !strings.Contains(p.Detail, path) {
		t.Errorf("%v %v", p, p.Details)
	}
	if !reflect.DeepEqual(p.Details["settings"], []string{path}) {
		t.Errorf("settings %v", p.Details["settings"])
	}
	where, _ := p.Details["where"].(string)
	if p.Details["ask_owner"] != true || c.IsAssistant() != strings.HasPrefix(where, "Settings → ") || where == "Settings → " {
		t.Errorf("details %v", p.Details)
	}
}

func TestGuardEdges(t *testing.T) {
	who := callers()
	tests := map[string]struct {
		before, after string
		caller        string
		refused       bool
	}{
		"ok/nothing changed":              {`{"negotiation":{"maxRounds":4}}`, `{"negotiation":{"maxRounds":4}}`, "assistant", false},
		"ok/a default written out":        {`{}`, `{"negotiation":{"maxRounds":3}}`, "assistant", false},
		"ok/a bad value replaced by it":   {`{"returns":{"days":1}}`, `{"returns":{"days":14}}`, "key", false},
		"fail/back to the default":        {`{"negotiation":{"maxRounds":4}}`, `{}`, "key", true},
		"ok/cap lowered":                  {`{"orders":{"maxValueWithoutApprovalMinor":100}}`, `{"orders":{"maxValueWithoutApprovalMinor":99}}`, "assistant", false},
		"ok/cap set for the first time":   {`{}`, `{"orders":{"maxValueWithoutApprovalMinor":99}}`, "key", false},
		"fail/cap taken away":             {`{"orders":{"maxValueWithoutApprovalMinor":100}}`, `{"orders":{"maxValueWithoutApprovalMinor":0}}`, "assistant", true},
		"fail/cap taken away by null":     {`{"orders":{"maxValueWithoutApprovalMinor":100}}`, `{}`, "key", true},
		"fail/cap raised by one":          {`{"orders":{"maxValueWithoutApprovalMinor":100}}`, `{"orders":{"maxValueWithoutApprovalMinor":101}}`, "key", true},
		"ok/window longer":                {`{}`, `{"booking":{"cancellationWindowMin":1441}}`, "assistant", false},
		"fail/window shorter":             {`{}`, `{"booking":{"cancellationWindowMin":1439}}`, "assistant", true},
		"fail/owner's key on the AI door": {`{}`, `{"booking":{"cancellationWindowMin":1439}}`, "owner on mcp", true},
		"ok/window shorter with a cutoff": {`{"negotiation":{"changes":{"customerCutoffMin":60}}}`, `{"negotiation":{"changes":{"customerCutoffMin":60}},"booking":{"cancellationWindowMin":5}}`, "assistant", false},
		"ok/webhooks off":                 {`{}`, `{"integrations":{"webhooks":{"enabled":false}}}`, "assistant", false},
		"ok/test mode off":                {`{"testMode":true}`, `{}`, "assistant", false},
		"ok/unlisted":                     {`{}`, `{"directory":{"listed":false}}`, "assistant", false},
		"ok/network off":                  {`{"networks":{"` + net1 + `":{"enabled":true}}}`, `{"networks":{"` + net1 + `":{"enabled":false}}}`, "key", false},
		"ok/network shares less":          {`{"networks":{"` + net1 + `":{}}}`, `{"networks":{"` + net1 + `":{"issue":false,"share":{"counts":false}}}}`, "assistant", false},
		"ok/network added, off":           {`{}`, `{"networks":{"` + net1 + `":{}}}`, "assistant", false},
		"fail/network added, on":          {`{}`, `{"networks":{"` + net1 + `":{"enabled":true}}}`, "staff", true},
		"fail/network shares more":        {`{"networks":{"` + net1 + `":{"share":{"counts":false}}}}`, `{"networks":{"` + net1 + `":{}}}`, "key", true},
		"fail/network forgets its limits": {`{"networks":{"` + net1 + `":{"issue":false}}}`, `{"networks":{}}`, "assistant", true},
		"ok/owner does it all":            {`{}`, `{"networks":{"` + net1 + `":{"enabled":true}},"testMode":true,"returns":{"days":30},"business":{"currency":"GBP"}}`, "owner", false},
		"ok/free keys":                    {`{}`, `{"booking":{"maxHolds":1,"minNoticeMin":5},"directory":{"description":"x"},"business":{"name":"x"}}`, "key", false},
		"ok/currency in lower case":       {`{"business":{"currency":"EUR"}}`, `{"business":{"currency":"eur"}}`, "assistant", false},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			if p := Guard(Effective([]byte(c.before)), Effective([]byte(c.after)), who[c.caller]); (p != nil) != c.refused {
				t.Errorf("%v", p)
			}
		})
	}
}

func TestGuardNamesAllPaths(t *testing.T) {
	p := Guard(Effective(nil), Effective([]byte(`{"business":{"currency":"GBP"},"returns":{"days":30},"networks":{"`+net1+`":{"enabled":true}}}`)), callers()["assistant"])
	want := []string{"business.currency", "returns.days", "networks." + net1 + ".enabled"}
	if p == nil || !reflect.DeepEqual(p.Details["settings"], want) || p.Details["reason"] != "owner_money" || p.Details["where"] != "Settings → Business" {
		t.Errorf("%v", p)
	}
	for top := range sections {
		if root.child(top) == nil {
			t.Errorf("no section %s", top)
		}
	}
	for _, n := range root.children {
		if sections[n.name] == "" && n.name != "schemaVersion" {
			t.Errorf("section %s has no name for people", n.name)
		}
	}
}
