package settings

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// specTable is 03 §11.2 as it stands there: path, range, default. An upper end
// the document leaves open is "…".
const specTable = `
business.name | ≤200 | ""
business.timezone | zone | "UTC"
business.currency | currency | "EUR"
business.languages | list≤12 | ["en"]
booking.cancellationWindowMin | 0–… | 1440
booking.minNoticeMin | 0–10080 | 60
booking.holdOnPropose | bool | false
booking.maxHolds | 0–10 | 2
booking.autoExpireHours | 1–… | 72
booking.lateCancellation | record,refuse | "record"
booking.autoCompleteHours | 1–168 | 48
orders.maxValueWithoutApprovalMinor | 0–… | 0
orders.payDays | 1–90 | 14
orders.dueDays | 1–365 | 30
negotiation.offerValidHours | 1–2160 | 48
negotiation.counterValidHours | 1–2160 | 72
negotiation.maxRounds | 1–10 | 3
negotiation.binding | bool | true
negotiation.priceCounters | bool | false
negotiation.perCustomer.open | 1–20 | 3
negotiation.perCustomer.priceCounters | 0–20 | 3
negotiation.perCustomer.days | 1–365 | 30
negotiation.rewards | rewards | {}
negotiation.changes.maxPerItem | 0–3 | 3
negotiation.changes.customerCutoffMin | 0–43200 | null
negotiation.ai.maxDiscountPct | 0–50 | 0
negotiation.ai.mayPriceCustom | bool | false
negotiation.ai.maxTimeShiftMin | 0–43200 | 10080
negotiation.ai.maxDelayDays | 0–90 | 0
negotiation.ai.maxRefundMinor | 0–… | 0
negotiation.ai.mayAcceptChanges | bool | true
negotiation.ai.mayProposeChanges | bool | false
negotiation.ai.mayAuthorizeReturnsInPolicy | bool | true
returns.days | 14–365 | 14
returns.postage | customer,business | "customer"
returns.refundDays | 1–14 | 14
returns.respondHours | 1–336 | 48
returns.assumedTransitDays | 0–30 | 7
commerce.customers | consumers,businesses,both | "both"
commerce.legal.legalName | ≤200 | ""
commerce.legal.address | ≤500 | ""
commerce.legal.country | country | ""
commerce.legal.phone | ≤40 | ""
commerce.legal.email | email | ""
commerce.legal.vatId | ≤40 | ""
commerce.legal.complaintsUrl | url | ""
notifications.ownerEmail | email | unset
notifications.appUrl | url | unset
email.fromAddress | email | unset
email.replyTo | email | unset
email.fromName | ≤100 | unset
email.inboundSecret | 16–200 chars | unset
integrations.webhooks.enabled | bool | true
integrations.webhooks.timeoutMs | 1000–30000 | 10000
integrations.webhooks.maxAttempts | 1–12 | 8
integrations.webhooks.disableAfterDays | 1–30 | 5
integrations.webhooks.retainDeliveryDays | 1–90 | 30
integrations.webhooks.allowPrivateTargets | bool | false
integrations.feeds.enabled | bool | true
integrations.feeds.refreshHours | 1–168 | 6
integrations.feeds.maxProducts | 1–50000 | 5000
integrations.feeds.deactivateMissing | bool | true
integrations.connectors.enabled | bool | true
integrations.connectors.syncMinutes | 5–1440 | 15
integrations.connectors.retainEventDays | 1–90 | 30
security.enforceScopes | bool | true
security.aiMayCreateKeys | bool | false
security.contact | contact | unset
identity.extraAuthorities | hosts | []
customers.otp.ttlMinutes | 1–60 | 10
customers.otp.attempts | 1–10 | 5
customers.otp.sendsPerHour | 1–10 | 3
customers.otp.sendsPerDay | 1–50 | 5
customers.otp.guessesPerDay | 1–100 | 10
customers.emailKey | bool | true
directory.listed | bool | true
directory.description | ≤500 | ""
directory.categories | list≤60 | []
directory.geo | geo | null
directory.url | url | ""
networks.<origin>.enabled | bool | false
networks.<origin>.issue | bool | true
networks.<origin>.share.listing | bool | true
networks.<origin>.share.counts | bool | true
networks.<origin>.share.receipts | bool | true
testMode | bool | false
`

// beside is what the table has beyond the lines of 03 §11.2: the version, and
// the parts of the public address (03 §10.1).
var beside = map[string]bool{
	"schemaVersion": true, "directory.address.streetAddress": true, "directory.address.addressLocality": true,
	"directory.address.postalCode": true, "directory.address.addressCountry": true,
}

func rowOf(t *testing.T, path string) *Row {
	t.Helper()
	for i := range Table {
		if Table[i].Path == path {
			return &Table[i]
		}
	}
	t.Fatalf("no key %s", path)
	return nil
}

func TestTableIsTheSpec(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.SplitSeq(strings.TrimSpace(specTable), "\n") {
		parts := strings.Split(line, " | ")
		path, values, fallback := parts[0], parts[1], parts[2]
		seen[path] = true
		t.Run("ok/"+path, func(t *testing.T) {
			r := rowOf(t, path)
			if got := specRange(r); got != values {
				t.Errorf("range %s, want %s", got, values)
			}
			if got := specDefault(r); got != fallback {
				t.Errorf("default %s, want %s", got, fallback)
			}
		})
	}
	for i := range Table {
		if !seen[Table[i].Path] && !beside[Table[i].Path] {
			t.Errorf("%s is not in 03 §11.2", Table[i].Path)
		}
		if Table[i].About == "" {
			t.Errorf("%s says nothing of itself", Table[i].Path)
		}
	}
}

func specRange(r *Row) string {
	switch r.Kind {
	case KindInt, KindNumber:
		if r.Max == tenYearsMin || r.Max == tenYearsHours || r.Max == maxMinor {
			return fmt.Sprintf("%d–…", r.Min)
		}
		return fmt.Sprintf("%d–%d", r.Min, r.Max)
	case KindText:
		if r.Min > 0 {
			return fmt.Sprintf("%d–%d chars", r.Min, r.Max)
		}
		return fmt.Sprintf("≤%d", r.Max)
	case KindOption:
		return strings.Join(r.Options, ",")
	case KindList:
		return fmt.Sprintf("list≤%d", r.Max)
	}
	return string(r.Kind)
}

func specDefault(r *Row) string {
	if r.Default == nil && !r.Null {
		return "unset"
	}
	b, _ := json.Marshal(r.Default)
	return string(b)
}

// The effective settings of nothing are the table's defaults, each in its field.
func TestDefaults(t *testing.T) {
	written, err := json.Marshal(Effective(nil))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := parse(written)
	if err != nil {
		t.Fatal(err)
	}
	for i := range Table {
		r := &Table[i]
		path := strings.ReplaceAll(r.Path, origin, DefaultNetwork)
		var got any
		if rest, ok := strings.CutPrefix(path, "networks."+DefaultNetwork+"."); ok {
			got, _ = lookup(doc["networks"].(map[string]any)[DefaultNetwork].(map[string]any), rest)
		} else {
			got, _ = lookup(doc, path)
		}
		want := r.Default
		if want == "" && got == nil {
			continue // an address that is not given is left out
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		if string(g) != string(w) {
			t.Errorf("%s: %s, want %s", path, g, w)
		}
	}
}

// samples are, for each kind, values that are taken and values that are not,
// both as JSON. Ranges are tested at both ends and one past each.
func samples(r *Row) (good, bad []string) {
	text := func(n int64) string { return `"` + strings.Repeat("é", int(n)) + `"` }
	switch r.Kind {
	case KindBool:
		good, bad = []string{`true`, `false`}, []string{`"true"`, `1`, `[]`}
	case KindInt:
		good = []string{fmt.Sprint(r.Min), fmt.Sprint(r.Max)}
		bad = []string{fmt.Sprint(r.Min - 1), fmt.Sprint(r.Max + 1), fmt.Sprintf("%d.5", r.Min), fmt.Sprintf(`"%d"`, r.Min), `true`, `1e1`, `99999999999999999999`, `{}`}
	case KindNumber:
		good = []string{fmt.Sprint(r.Min), fmt.Sprint(r.Max), `12.5`}
		bad = []string{fmt.Sprint(r.Min - 1), `50.01`, `"5"`, `true`}
	case KindText:
		good = []string{text(r.Min), text(r.Max)}
		bad = []string{text(r.Max + 1), `5`, `[]`, `"a\u0000aaaaaaaaaaaaaaaaaaa"`}
		if r.Min > 0 {
			bad = append(bad, text(r.Min-1), `""`)
		}
	case KindOption:
		for _, o := range r.Options {
			good = append(good, `"`+o+`"`)
			bad = append(bad, `"`+strings.ToUpper(o)+`"`)
		}
		bad = append(bad, `""`, `true`)
	case KindList:
		entry := `"` + strings.Repeat("a", int(r.Max)) + `"`
		good = []string{`[]`, `["a"]`, `[` + entry + `]`, `[` + strings.TrimSuffix(strings.Repeat(`"a",`, r.Items), ",") + `]`}
		bad = []string{`["` + strings.Repeat("a", int(r.Max)+1) + `"]`, `[` + strings.TrimSuffix(strings.Repeat(`"a",`, r.Items+1), ",") + `]`, `[""]`, `["a",5]`, `"a"`, `{}`}
	case KindHosts:
		good = []string{`[]`, `["x.example","x.example:8443","localhost:80","127.0.0.1"]`, `["a.x","b.x","c.x","d.x","e.x","f.x","g.x","h.x"]`}
		bad = []string{`["a","b","c","d","e","f","g","h","i"]`, `["https://x.example"]`, `["x.example:0"]`, `["x.example:65536"]`, `["x.example:"]`, `["x example"]`, `[""]`, `[5]`, `"x.example"`}
	case KindZone:
		good = []string{`"UTC"`, `"Europe/Lisbon"`, `"America/Argentina/Buenos_Aires"`, `"Etc/GMT+3"`}
		bad = []string{`"Europe/Atlantis"`, `""`, `"Local"`, `"../../etc/passwd"`, `"` + strings.Repeat("A", 65) + `"`, `5`}
	case KindCurrency:
		good, bad = []string{`"EUR"`, `"gbp"`}, []string{`"EURO"`, `"E1R"`, `""`, `978`}
	case KindCountry:
		good, bad = []string{`""`, `"PT"`}, []string{`"pt"`, `"PRT"`, `"P"`, `5`}
	case KindEmail:
		good, bad = []string{`"a@mail.example"`}, []string{`"a"`, `"a@b"`, `"A <a@mail.example>"`, `5`}
	case KindURL:
		long := `"https://x.example/` + strings.Repeat("a", int(r.Max)-18)
		good, bad = []string{`"https://x.example/a"`, `"http://x.example"`, long + `"`}, []string{long + `a"`, `"x.example"`, `"ftp://x.example"`, `5`}
	case KindContact:
		good, bad = []string{`"a@mail.example"`, `"https://x.example/report"`}, []string{`"http://x.example"`, `"x"`, `""`, `5`}
	case KindGeo:
		good = []string{`{"latitude":-90,"longitude":180}`, `{"latitude":38.7,"longitude":-9.1}`}
		bad = []string{`{"latitude":90.1,"longitude":0}`, `{"latitude":0,"longitude":-180.1}`, `{"latitude":1}`, `{"latitude":"1","longitude":1}`, `[]`, `"here"`}
	case KindRewards:
		good, bad = []string{`{}`, `{"old":null}`}, []string{`{"vip":{"pct":5}}`, `[]`, `5`}
	}
	if r.Blank {
		good = append(good, `""`)
	}
	if r.Later && r.Kind == KindBool {
		good, bad = []string{`false`}, append(bad, `true`)
	}
	return good, bad
}

// nested writes one value at a path as a patch; the origin of a network is one
// of the document's names.
func nested(path, value string) string {
	out := value
	parts := strings.Split(path, ".")
	for i := len(parts) - 1; i >= 0; i-- {
		name := parts[i]
		if name == origin {
			name = "https://n.example"
		}
		out = `{"` + name + `":` + out + `}`
	}
	return out
}

func problemPath(path string) string {
	return "doc." + strings.ReplaceAll(path, origin, "https://n.example")
}

func TestEveryKey(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		if r.Kind == KindVersion {
			continue
		}
		good, bad := samples(r)
		if len(good) == 0 || len(bad) == 0 {
			t.Errorf("%s has no samples", r.Path)
		}
		for _, v := range append(good, `null`) {
			t.Run("ok/"+r.Path+"/"+short(v), func(t *testing.T) {
				if _, problems := Patch([]byte(`{}`), []byte(nested(r.Path, v)), "mail.example"); problems != nil {
					t.Errorf("refused: %v", problems)
				}
			})
		}
		for _, v := range bad {
			t.Run("fail/"+r.Path+"/"+short(v), func(t *testing.T) {
				next, problems := Patch([]byte(`{}`), []byte(nested(r.Path, v)), "mail.example")
				if len(problems) != 1 || problems[0].Path != problemPath(r.Path) || problems[0].Problem != inbox.Invalid || problems[0].Message == "" {
					t.Errorf("took it as %s, %v", next, problems)
				}
			})
		}
	}
}

func short(s string) string {
	if r := []rune(s); len(r) > 30 {
		return fmt.Sprintf("%s…%d", string(r[:20]), len(r))
	}
	return s
}

// What is taken by a patch is read; what is not falls back to its default alone.
func TestReadingIsLenient(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		if r.Kind == KindVersion || r.Kind == KindRewards || strings.HasPrefix(r.Path, "networks.") {
			continue
		}
		good, bad := samples(r)
		for _, v := range append(good, bad...) {
			if r.Later || v == `"Europe/Atlantis"` || v == `"a@b"` {
				continue // refused when written, for other reasons than their form
			}
			t.Run("ok/"+r.Path+"/"+short(v), func(t *testing.T) {
				raw := merged(t, `{"orders":{"dueDays":77},"negotiation":{"maxRounds":9}}`, nested(r.Path, v))
				got, want := Effective(raw), Defaults()
				if r.Path != "orders.dueDays" {
					want.Orders.DueDays = 77
				}
				if r.Path != "negotiation.maxRounds" {
					want.Negotiation.MaxRounds = 9
				}
				taken := readable(r, v)
				if same := reflect.DeepEqual(got, want); same && taken && !isDefaultText(r, v) || !same && !taken {
					t.Errorf("readable %v, same as the default %v", taken, same)
				}
			})
		}
	}
}

func merged(t *testing.T, target, patch string) []byte {
	t.Helper()
	a, err := parse([]byte(target))
	if err != nil {
		t.Fatal(err)
	}
	b, err := parse([]byte(patch))
	if err != nil {
		t.Fatal(err)
	}
	out, err := encode(merge(a, b))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readable(r *Row, v string) bool {
	doc, err := parse([]byte(`{"v":` + v + `}`))
	if err != nil {
		return false
	}
	_, message := r.read(doc["v"])
	return message == ""
}

func isDefaultText(r *Row, v string) bool {
	b, _ := json.Marshal(r.Default)
	return string(b) == v || r.Default == nil && v == `""` || v == `[]`
}

func TestPageIsFresh(t *testing.T) {
	page, err := os.ReadFile("../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != Markdown() {
		t.Error("docs/settings.md is stale; write it again with `make generate`")
	}
}
