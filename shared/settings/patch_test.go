package settings

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// The examples of RFC 7396, appendix A.
func TestMerge(t *testing.T) {
	for _, c := range []struct{ target, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		t.Run("ok/"+c.target+" "+c.patch, func(t *testing.T) {
			target := value(t, c.target)
			if got := merge(target, value(t, c.patch)); !reflect.DeepEqual(got, value(t, c.want)) {
				t.Errorf("got %v", got)
			}
			if !reflect.DeepEqual(target, value(t, c.target)) {
				t.Error("the target was changed")
			}
		})
	}
}

func value(t *testing.T, s string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

const (
	net1 = "https://one.example"
	net2 = "https://two.example"
)

func TestPatchTakes(t *testing.T) {
	secret := `{"email":{"inboundSecret":"0123456789abcdef"}}`
	tests := map[string]struct{ stored, patch, want string }{
		"ok/nothing stored":                   {``, `{"booking":{"maxHolds":5}}`, `{"booking":{"maxHolds":5}}`},
		"ok/stored is broken":                 {`{`, `{"booking":{"maxHolds":5}}`, `{"booking":{"maxHolds":5}}`},
		"ok/empty patch":                      {`{"a":1}`, `{}`, `{"a":1}`},
		"ok/absent keys stay":                 {`{"booking":{"maxHolds":5}}`, `{"booking":{"minNoticeMin":0}}`, `{"booking":{"maxHolds":5,"minNoticeMin":0}}`},
		"ok/null removes":                     {`{"booking":{"maxHolds":5,"minNoticeMin":0}}`, `{"booking":{"maxHolds":null}}`, `{"booking":{"minNoticeMin":0}}`},
		"ok/null removes a section":           {`{"booking":{"maxHolds":5},"testMode":true}`, `{"booking":null}`, `{"testMode":true}`},
		"ok/null of what is not there":        {`{}`, `{"booking":{"maxHolds":null}}`, `{}`},
		"ok/list replaces":                    {`{"business":{"languages":["en","pt"]}}`, `{"business":{"languages":["fr"]}}`, `{"business":{"languages":["fr"]}}`},
		"ok/unknown stored keys stay":         {`{"old":{"x":[1.50]},"booking":{"y":1}}`, `{"testMode":true}`, `{"old":{"x":[1.50]},"booking":{"y":1},"testMode":true}`},
		"ok/unknown keys below are dropped":   {`{}`, `{"booking":{"maxHolds":5,"what":1},"directory":{"address":{"planet":"Mars"}}}`, `{"booking":{"maxHolds":5}}`},
		"ok/a bad stored value blocks naught": {`{"booking":{"maxHolds":"many"}}`, `{"booking":{"minNoticeMin":5}}`, `{"booking":{"maxHolds":"many","minNoticeMin":5}}`},
		"ok/a bad section is replaced":        {`{"booking":7}`, `{"booking":{"minNoticeMin":5}}`, `{"booking":{"minNoticeMin":5}}`},
		"ok/schemaVersion is ignored":         {`{}`, `{"schemaVersion":9,"testMode":true}`, `{"testMode":true}`},
		"ok/default not written back":         {`{}`, `{"booking":{"maxHolds":2,"minNoticeMin":61}}`, `{"booking":{"minNoticeMin":61}}`},
		"ok/default over a stored value":      {`{"booking":{"maxHolds":5}}`, `{"booking":{"maxHolds":2}}`, `{"booking":{"maxHolds":2}}`},
		"ok/default over a bad value":         {`{"booking":{"maxHolds":"x"}}`, `{"booking":{"maxHolds":2}}`, `{"booking":{"maxHolds":2}}`},
		"ok/redacted keeps the secret":        {secret, `{"email":{"inboundSecret":"(redacted)","fromName":"Ana"}}`, `{"email":{"inboundSecret":"0123456789abcdef","fromName":"Ana"}}`},
		"ok/redacted without a secret":        {`{}`, `{"email":{"inboundSecret":"(redacted)"}}`, `{}`},
		"ok/null removes the secret":          {secret, `{"email":{"inboundSecret":null}}`, `{"email":{}}`},
		"ok/a new secret":                     {secret, `{"email":{"inboundSecret":"fedcba9876543210"}}`, `{"email":{"inboundSecret":"fedcba9876543210"}}`},
		"ok/AI limits stay when absent":       {`{"negotiation":{"ai":{"maxDelayDays":3}}}`, `{"negotiation":{"maxRounds":4}}`, `{"negotiation":{"ai":{"maxDelayDays":3},"maxRounds":4}}`},
		"ok/from at the mail domain":          {`{}`, `{"email":{"fromAddress":"Hello@MAIL.example"}}`, `{"email":{"fromAddress":"Hello@MAIL.example"}}`},
		"ok/from at an old domain stays":      {`{"email":{"fromAddress":"a@old.example"}}`, `{"email":{"fromAddress":"a@old.example"}}`, `{"email":{"fromAddress":"a@old.example"}}`},
		"ok/no HTML escapes":                  {`{}`, `{"business":{"name":"A & B <c>"}}`, `{"business":{"name":"A & B <c>"}}`},
		"ok/rewards named and empty":          {`{}`, `{"negotiation":{"rewards":{},"priceCounters":false}}`, `{}`},
		"ok/name twice, the last counts":      {`{}`, `{"testMode":1,"testMode":true}`, `{"testMode":true}`},
		"ok/cutoff null again":                {`{"negotiation":{"changes":{"customerCutoffMin":5}}}`, `{"negotiation":{"changes":{"customerCutoffMin":null}}}`, `{"negotiation":{"changes":{}}}`},

		"ok/network added, the default one stays listed": {`{}`, `{"networks":{"` + net1 + `":{"enabled":true}}}`, `{"networks":{"` + DefaultNetwork + `":{},"` + net1 + `":{"enabled":true}}}`},
		"ok/network in another spelling":                 {`{"networks":{"` + net1 + `":{"issue":false}}}`, `{"networks":{"HTTPS://One.Example:443/":{"enabled":true}}}`, `{"networks":{"` + net1 + `":{"issue":false,"enabled":true}}}`},
		"ok/network stored in another spelling":          {`{"networks":{"https://ONE.example/":{"issue":false}}}`, `{"networks":{"` + net1 + `":{"enabled":true}}}`, `{"networks":{"` + net1 + `":{"issue":false,"enabled":true}}}`},
		"ok/network defaults not written":                {`{}`, `{"networks":{"` + net1 + `":{"enabled":false,"issue":true,"share":{"counts":true}}}}`, `{"networks":{"` + DefaultNetwork + `":{},"` + net1 + `":{}}}`},
		"ok/network as a fresh reader saw it":            {`{}`, `{"networks":{"` + DefaultNetwork + `":{"enabled":false,"issue":true,"share":{"listing":true,"counts":true,"receipts":true}}}}`, `{}`},
		"ok/no networks named":                           {`{}`, `{"networks":{}}`, `{}`},
		"ok/network off is removed":                      {`{"networks":{"` + net1 + `":{},"` + net2 + `":{"enabled":true}}}`, `{"networks":{"` + net1 + `":null}}`, `{"networks":{"` + net2 + `":{"enabled":true}}}`},
		"ok/network unknown keys dropped":                {`{"networks":{"` + net1 + `":{"x":1}}}`, `{"networks":{"` + net1 + `":{"y":2,"enabled":true}}}`, `{"networks":{"` + net1 + `":{"x":1,"enabled":true}}}`},
		"ok/network that is no object is replaced":       {`{"networks":{"` + net1 + `":true}}`, `{"networks":{"` + net1 + `":{"enabled":true}}}`, `{"networks":{"` + net1 + `":{"enabled":true}}}`},
		"ok/eight networks":                              {`{"networks":{}}`, eight(8), eight(8)},

		"ok/legacy joined":             {`{}`, `{"network":{"join":true}}`, `{"networks":{"` + DefaultNetwork + `":{"enabled":true}}}`},
		"ok/legacy left":               {`{"networks":{"` + net1 + `":{"enabled":true},"` + net2 + `":{"enabled":true}}}`, `{"network":{"join":false}}`, `{"networks":{"` + net1 + `":{"enabled":false},"` + net2 + `":{"enabled":false}}}`},
		"ok/legacy moved":              {`{"networks":{"` + net1 + `":{"enabled":true}}}`, `{"network":{"url":"` + net2 + `/api/v1"}}`, `{"networks":{"` + net1 + `":{"enabled":false},"` + net2 + `":{"enabled":true}}}`},
		"ok/legacy named, not joined":  {`{}`, `{"network":{"url":"` + net2 + `"}}`, `{"networks":{"` + DefaultNetwork + `":{},"` + net2 + `":{}}}`},
		"ok/legacy null":               {`{"testMode":true}`, `{"network":null}`, `{"testMode":true}`},
		"ok/legacy stored, translated": {`{"network":{"url":"` + net1 + `/x","join":true}}`, `{"networks":{"` + net2 + `":{}}}`, `{"networks":{"` + net1 + `":{"enabled":true},"` + net2 + `":{}}}`},
		"ok/legacy stored, untouched":  {`{"network":{"join":true}}`, `{"testMode":true}`, `{"network":{"join":true},"testMode":true}`},
		"ok/legacy and named, both":    {`{}`, `{"network":{"join":true},"networks":{"` + DefaultNetwork + `":{"issue":false}}}`, `{"networks":{"` + DefaultNetwork + `":{"enabled":true,"issue":false}}}`},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			next, problems := Patch([]byte(c.stored), []byte(c.patch), "mail.example")
			if problems != nil {
				t.Fatalf("problems %v", problems)
			}
			if !reflect.DeepEqual(value(t, string(next)), value(t, c.want)) {
				t.Errorf("got  %s\nwant %s", next, c.want)
			}
			if strings.Contains(string(next), `\u003c`) {
				t.Errorf("escaped: %s", next)
			}
		})
	}
}

func eight(n int) string {
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf(`"https://n%d.example":{"enabled":true}`, i))
	}
	return `{"networks":{` + strings.Join(entries, ",") + `}}`
}

func TestPatchRefuses(t *testing.T) {
	tests := map[string]struct{ stored, patch, want string }{
		"fail/no object":                {`{}`, `[]`, "doc"},
		"fail/null":                     {`{}`, `null`, "doc"},
		"fail/no JSON":                  {`{}`, `{`, "doc"},
		"fail/two texts":                {`{}`, `{} {}`, "doc"},
		"fail/not a setting":            {`{}`, `{"colour":"red"}`, "doc.colour"},
		"fail/case":                     {`{}`, `{"Booking":{}}`, "doc.Booking"},
		"fail/not a setting, null":      {`{}`, `{"colour":null}`, "doc.colour"},
		"fail/section is a value":       {`{}`, `{"booking":5}`, "doc.booking"},
		"fail/inner section is a list":  {`{}`, `{"negotiation":{"ai":[]}}`, "doc.negotiation.ai"},
		"fail/all at once":              {`{}`, `{"zzz":1,"testMode":"x","booking":{"maxHolds":11,"minNoticeMin":-1},"aaa":2}`, "doc.booking.minNoticeMin doc.booking.maxHolds doc.testMode doc.aaa doc.zzz"},
		"fail/from at another domain":   {`{}`, `{"email":{"fromAddress":"a@other.example"}}`, "doc.email.fromAddress"},
		"fail/from below the domain":    {`{}`, `{"email":{"fromAddress":"a@x.mail.example"}}`, "doc.email.fromAddress"},
		"fail/from ends like it":        {`{}`, `{"email":{"fromAddress":"a@evilmail.example"}}`, "doc.email.fromAddress"},
		"fail/bad value sent again":     {`{"booking":{"maxHolds":"x"}}`, `{"booking":{"maxHolds":"x"}}`, "doc.booking.maxHolds"},
		"fail/not yet":                  {`{}`, `{"negotiation":{"priceCounters":true,"rewards":{"vip":{"pct":5}}}}`, "doc.negotiation.priceCounters doc.negotiation.rewards"},
		"fail/networks null":            {`{"networks":{}}`, `{"networks":null}`, "doc.networks"},
		"fail/networks list":            {`{}`, `{"networks":[]}`, "doc.networks"},
		"fail/network key":              {`{}`, `{"networks":{"one.example":{}}}`, "doc.networks.one.example"},
		"fail/network twice":            {`{}`, `{"networks":{"https://one.example":{},"https://ONE.example":{}}}`, "doc.networks." + net1},
		"fail/network no object":        {`{}`, `{"networks":{"` + net1 + `":true}}`, "doc.networks." + net1},
		"fail/network value":            {`{}`, `{"networks":{"` + net1 + `":{"enabled":1,"share":{"counts":"yes"}}}}`, "doc.networks." + net1 + ".enabled doc.networks." + net1 + ".share.counts"},
		"fail/network share":            {`{}`, `{"networks":{"` + net1 + `":{"share":false}}}`, "doc.networks." + net1 + ".share"},
		"fail/network on is not lost":   {`{"networks":{"` + net1 + `":{"enabled":true}}}`, `{"networks":{"` + net1 + `":null}}`, "doc.networks." + net1},
		"fail/nine networks":            {`{"networks":{}}`, eight(9), "doc.networks"},
		"fail/nine with the stored":     {eight(8), `{"networks":{"` + net1 + `":{}}}`, "doc.networks"},
		"fail/nine with the default":    {`{}`, eight(8), "doc.networks"},
		"fail/legacy no object":         {`{}`, `{"network":true}`, "doc.network"},
		"fail/legacy join":              {`{}`, `{"network":{"join":"yes"}}`, "doc.network.join"},
		"fail/legacy url":               {`{}`, `{"network":{"url":"http://one.example"}}`, "doc.network.url"},
		"fail/legacy url no string":     {`{}`, `{"network":{"url":5}}`, "doc.network.url"},
		"fail/too large":                {`{"old":"` + strings.Repeat("a", MaxBytes) + `"}`, `{"testMode":true}`, "doc"},
		"fail/control in the document":  {`{}`, `{"business":{"name":"a\u0007"}}`, "doc.business.name"},
		"fail/half a pair":              {`{}`, `{"business":{"name":"a\ud800"}}`, "doc.business.name"},
		"fail/languages as one text":    {`{}`, `{"business":{"languages":"en"}}`, "doc.business.languages"},
		"fail/languages with no code":   {`{}`, `{"business":{"languages":["en US"]}}`, "doc.business.languages"},
		"fail/unknown inside a version": {`{}`, `{"schemaVersion":1,"version":2}`, "doc.version"},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			next, problems := Patch([]byte(c.stored), []byte(c.patch), "mail.example")
			var paths []string
			for _, p := range problems {
				paths = append(paths, p.Path)
				if p.Problem != inbox.Invalid || p.Message == "" {
					t.Errorf("%+v", p)
				}
			}
			if got := strings.Join(paths, " "); got != c.want || next != nil {
				t.Errorf("got  %s\nwant %s\nnext %.80s", got, c.want, next)
			}
		})
	}
}

func TestPatchWithoutMailDomain(t *testing.T) {
	if _, problems := Patch(nil, []byte(`{"email":{"fromAddress":"a@mail.example"}}`), ""); len(problems) != 1 {
		t.Errorf("%v", problems)
	}
}

func TestLargestDocument(t *testing.T) {
	const around = `{"old":"","testMode":true}`
	fits := `{"old":"` + strings.Repeat("a", MaxBytes-len(around)) + `"}`
	if next, problems := Patch([]byte(fits), []byte(`{"testMode":true}`), ""); problems != nil || len(next) != MaxBytes {
		t.Errorf("%d bytes: %v", len(next), problems)
	}
}

// Whatever is stored, whatever the reader may see: written back as read it
// changes no effective setting, is refused by no check and by no guard.
func TestWritingBackAsRead(t *testing.T) {
	stored := map[string]string{
		"ok/nothing":          ``,
		"ok/some":             `{"booking":{"maxHolds":5},"negotiation":{"ai":{"maxDelayDays":3},"changes":{"customerCutoffMin":60}},"email":{"inboundSecret":"0123456789abcdef","fromAddress":"a@old.example"},"testMode":true}`,
		"ok/bad values":       `{"booking":{"maxHolds":"x"},"business":5,"directory":{"categories":["a",1],"geo":{"latitude":1,"longitude":2}}}`,
		"ok/unknown":          `{"colour":"red","booking":{"shape":"round"}}`,
		"ok/networks":         `{"networks":{"https://ONE.example/":{"enabled":true,"share":{"counts":false}},"two":{}}}`,
		"ok/legacy":           `{"network":{"url":"https://one.example/x","join":true}}`,
		"ok/no networks":      `{"networks":{}}`,
		"ok/everything given": `{"business":{"name":"A","timezone":"Europe/Lisbon","currency":"gbp","languages":["pt","en"]},"commerce":{"customers":"consumers","legal":{"country":"PT","email":"a@b.example"}},"identity":{"extraAuthorities":["x.example:8443"]},"security":{"contact":"https://x.example/s"},"directory":{"listed":false,"address":{"addressCountry":"PT"},"url":"https://x.example"}}`,
	}
	for name, raw := range stored {
		for who, c := range callers() {
			t.Run(name+"/"+who, func(t *testing.T) {
				doc, _, _ := View([]byte(raw), c)
				next, problems := Patch([]byte(raw), doc, "mail.example")
				if problems != nil {
					t.Fatalf("refused: %v", problems)
				}
				before, after := Effective([]byte(raw)), Effective(next)
				if !reflect.DeepEqual(before, after) {
					t.Errorf("before %+v\nafter  %+v", before, after)
				}
				if p := Guard(before, after, c); p != nil {
					t.Errorf("guarded: %v", p)
				}
				again, _ := Patch(next, doc, "mail.example")
				if string(again) != string(next) {
					t.Errorf("once %s\ntwice %s", next, again)
				}
			})
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add([]byte(`{}`), []byte(`{"booking":{"maxHolds":5},"networks":{"https://a.example":{}}}`))
	f.Add([]byte(`{"networks":{"https://a.example":true},"network":{"url":5}}`), []byte(`{"network":{"join":false},"x":1}`))
	f.Add([]byte(`{"negotiation":{"changes":{"customerCutoffMin":5}}}`), []byte(`{"negotiation":{"changes":null,"ai":{"maxDiscountPct":1e2}}}`))
	f.Fuzz(func(t *testing.T, raw, patch []byte) {
		next, problems := Patch(raw, patch, "mail.example")
		if (problems == nil) == (next == nil) {
			t.Fatalf("next %s, problems %v", next, problems)
		}
		if problems != nil {
			return
		}
		doc, _, _ := View(next, inbox.Caller{})
		after, problems := Patch(next, doc, "mail.example")
		if problems != nil || !reflect.DeepEqual(Effective(next), Effective(after)) {
			t.Fatalf("%s read as %s, written back as %s: %v", next, doc, after, problems)
		}
	})
}
