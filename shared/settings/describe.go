package settings

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Schema is the JSON Schema (2020-12) of the document, from [Table]: what a
// reader gets and what a patch may hold. In a patch every key may also be null.
func Schema() map[string]any {
	s := root.describe()
	networks := s["properties"].(map[string]any)["networks"].(map[string]any)
	entry := networks["properties"].(map[string]any)[origin]
	delete(networks, "properties")
	networks["additionalProperties"] = entry
	networks["maxProperties"] = maxNetworks
	networks["description"] = "by canonical https origin"
	return s
}

func (n *node) describe() map[string]any {
	if n.row != nil {
		return n.row.describe()
	}
	properties := map[string]any{}
	for _, c := range n.children {
		properties[c.name] = c.describe()
	}
	return map[string]any{"type": "object", "properties": properties}
}

func (r *Row) describe() map[string]any {
	s := map[string]any{"type": "string", "description": r.About}
	switch r.Kind {
	case KindBool:
		s["type"] = "boolean"
	case KindInt:
		s["type"], s["minimum"], s["maximum"] = "integer", r.Min, r.Max
	case KindNumber:
		s["type"], s["minimum"], s["maximum"] = "number", r.Min, r.Max
	case KindVersion:
		s["type"], s["const"] = "integer", 1
	case KindText:
		s["minLength"], s["maxLength"] = r.Min, r.Max
		if r.Secret {
			s["description"] = r.About + "; reads as " + Redacted
			delete(s, "minLength")
		}
	case KindOption:
		s["enum"] = r.Options
	case KindZone:
		s["maxLength"] = r.Max
	case KindCurrency:
		s["pattern"] = "^[A-Za-z]{3}$"
	case KindCountry:
		s["pattern"] = "^([A-Z]{2})?$"
	case KindURL:
		s["maxLength"] = r.Max
	case KindList:
		s["type"], s["maxItems"] = "array", r.Items
		s["items"] = map[string]any{"type": "string", "minLength": 1, "maxLength": r.Max}
	case KindHosts:
		s["type"], s["maxItems"] = "array", r.Items
		s["items"] = map[string]any{"type": "string"}
	case KindGeo:
		s["type"] = "object"
		s["required"] = []string{"latitude", "longitude"}
		s["properties"] = map[string]any{
			"latitude":  map[string]any{"type": "number", "minimum": -90, "maximum": 90},
			"longitude": map[string]any{"type": "number", "minimum": -180, "maximum": 180},
		}
	case KindRewards:
		s["type"] = "object"
	}
	if r.Default != nil && !r.Secret {
		s["default"] = r.Default
	}
	if r.Null {
		s["type"] = []string{s["type"].(string), "null"}
	}
	return s
}

// guardWords is what the page says of each guard.
var guardWords = map[Guarded]string{
	Free:        "",
	DataOut:     "owner in person, or a key naming `settings:write`",
	DataOutOn:   "switching on: owner in person, or a key naming `settings:write`",
	OwnerOnly:   "owner in person",
	OwnerOn:     "switching on: owner in person",
	LowerOnly:   "the owner's AI and keys may only lower it",
	LengthenAI:  "the owner's AI may only lengthen it while `negotiation.changes.customerCutoffMin` is unset",
	NotCurrency: "not the owner's AI; a key with `catalogue:write`",
}

//go:generate go run -C ../.. ./scripts/gen-settings

// Markdown is the page of every key, generated from [Table].
func Markdown() string {
	var b strings.Builder
	b.WriteString("# Settings\n\nGenerated from the table in `shared/settings`; `make generate` writes it again.\n\n")
	b.WriteString("`PUT /v1/owner/settings` takes a merge patch (RFC 7396): objects merge key by key, `null` removes a key so that its default applies again, lists and values replace.\n\n")
	b.WriteString("| Key | Values | Default | Who may change it | What it does |\n|---|---|---|---|---|\n")
	for i := range Table {
		r := &Table[i]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", r.Path, r.values(), r.defaultWords(), guardWords[r.Guard], r.About)
	}
	return b.String()
}

func (r *Row) values() string {
	words := map[Kind]string{
		KindBool: "true or false", KindZone: "IANA name", KindCurrency: "three letters",
		KindCountry: "two capital letters or empty", KindContact: "address or https URL", KindGeo: "`{latitude, longitude}`",
		KindRewards: "not available yet", KindVersion: "1", KindEmail: "address",
		KindInt:    fmt.Sprintf("%d–%d", r.Min, r.Max),
		KindNumber: fmt.Sprintf("%d–%d, fractions too", r.Min, r.Max),
		KindText:   fmt.Sprintf("%d–%d characters", r.Min, r.Max),
		KindURL:    fmt.Sprintf("http or https, at most %d characters", r.Max),
		KindOption: "`" + strings.Join(r.Options, "`, `") + "`",
		KindList:   fmt.Sprintf("at most %d of 1–%d characters", r.Items, r.Max),
		KindHosts:  fmt.Sprintf("at most %d `host[:port]`", r.Items),
	}
	s := words[r.Kind]
	if r.Blank {
		s += ", or empty"
	}
	if r.Null {
		s += ", or null"
	}
	if r.Later && r.Kind == KindBool {
		s += "; true is not available yet"
	}
	return s
}

func (r *Row) defaultWords() string {
	if r.Default == nil {
		return "unset"
	}
	b, err := json.Marshal(r.Default)
	if err != nil {
		panic(err)
	}
	return "`" + string(b) + "`"
}
