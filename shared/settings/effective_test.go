package settings

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestEffective(t *testing.T) {
	got := Effective([]byte(`{
		"business":{"currency":"gbp","languages":["pt","en"],"timezone":"Europe/Lisbon"},
		"booking":{"cancellationWindowMin":0,"maxHolds":"many","holdOnPropose":true},
		"orders":[],
		"negotiation":{"changes":{"customerCutoffMin":90},"ai":{"maxDiscountPct":12.5},"rewards":{"vip":{"pct":5},"odd":7}},
		"directory":{"categories":["a",5],"geo":{"latitude":38.5,"longitude":-9}},
		"identity":{"extraAuthorities":["x.example"]}, "testMode":"yes"}`))
	want := Defaults()
	want.Business = Business{Currency: "GBP", Languages: []string{"pt", "en"}, Timezone: "Europe/Lisbon"}
	want.Booking.CancellationWindowMin, want.Booking.HoldOnPropose = 0, true
	cutoff := 90
	want.Negotiation.Changes.CustomerCutoffMin = &cutoff
	want.Negotiation.AI.MaxDiscountPct = 12.5
	want.Negotiation.Rewards["vip"] = []byte(`{"pct":5}`)
	want.Directory.Geo = &Geo{38.5, -9}
	want.Identity.ExtraAuthorities = []string{"x.example"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got.CustomerCutoffMin() != 90 || want.Booking.CancellationWindowMin != 0 {
		t.Error("cutoff")
	}
	if Defaults().CustomerCutoffMin() != 1440 {
		t.Error("without a cutoff it is the cancellation window")
	}
}

func TestEffectiveOfBrokenDocuments(t *testing.T) {
	for _, raw := range []string{``, `{`, `[]`, `null`, `5`, `{} {}`, `{"booking":null}`, `{"business":{"languages":[]}}`, `{"schemaVersion":9}`} {
		if got := Effective([]byte(raw)); !reflect.DeepEqual(got, Defaults()) {
			t.Errorf("%s: %+v", raw, got)
		}
	}
}

// Nobody's copy changes another's.
func TestDefaultsAreFresh(t *testing.T) {
	a := Defaults()
	a.Business.Languages[0] = "xx"
	a.Networks[net1] = Network{}
	a.Negotiation.Rewards["x"] = nil
	if b := Defaults(); b.Business.Languages[0] != "en" || len(b.Networks) != 1 || len(b.Negotiation.Rewards) != 0 {
		t.Errorf("%+v", b)
	}
}

func TestEffectiveNetworks(t *testing.T) {
	on := offNetwork
	on.Enabled = true
	quiet := offNetwork
	quiet.Share.Counts = false
	tests := map[string]struct {
		raw  string
		want map[string]Network
	}{
		"ok/none stored":            {`{}`, map[string]Network{DefaultNetwork: offNetwork}},
		"ok/empty":                  {`{"networks":{}}`, map[string]Network{}},
		"ok/canonical":              {`{"networks":{"HTTPS://One.example:443/":{"enabled":true}}}`, map[string]Network{net1: on}},
		"ok/no origin is dropped":   {`{"networks":{"one":{"enabled":true},"` + net2 + `":{}}}`, map[string]Network{net2: offNetwork}},
		"ok/broken entry is off":    {`{"networks":{"` + net1 + `":true}}`, map[string]Network{net1: offNetwork}},
		"ok/broken value":           {`{"networks":{"` + net1 + `":{"enabled":"yes","share":{"counts":false,"listing":5}}}}`, map[string]Network{net1: quiet}},
		"ok/networks is no object":  {`{"networks":[]}`, map[string]Network{DefaultNetwork: offNetwork}},
		"ok/legacy":                 {`{"network":{"url":"https://one.example/api","join":true}}`, map[string]Network{net1: on}},
		"ok/legacy, not joined":     {`{"network":{"url":"https://one.example"}}`, map[string]Network{net1: offNetwork}},
		"ok/legacy without a url":   {`{"network":{"join":true}}`, map[string]Network{DefaultNetwork: on}},
		"ok/legacy, join is a text": {`{"network":{"join":"true"}}`, map[string]Network{DefaultNetwork: offNetwork}},
		"ok/legacy, unusable url":   {`{"network":{"url":"http://one.example","join":true}}`, map[string]Network{}},
		"ok/networks win":           {`{"network":{"join":true},"networks":{"` + net1 + `":{}}}`, map[string]Network{net1: offNetwork}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Effective([]byte(c.raw)).Networks; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestAtMostEightNetworks(t *testing.T) {
	var entries []string
	for i := range 12 {
		entries = append(entries, fmt.Sprintf(`"https://n%02d.example":{"enabled":%v}`, i, i >= 10))
	}
	got := Effective([]byte(`{"networks":{` + strings.Join(entries, ",") + `}}`)).Networks
	if len(got) != 8 || !got["https://n10.example"].Enabled || !got["https://n11.example"].Enabled || got["https://n00.example"] != offNetwork {
		t.Errorf("%v", got)
	}
}

func TestOrigin(t *testing.T) {
	for in, want := range map[string]string{
		"https://one.example":           net1,
		"https://one.example/":          net1,
		"HTTPS://ONE.EXAMPLE:443":       net1,
		" https://one.example ":         net1,
		"https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
	} {
		if got, ok := Origin(in); !ok || got != want {
			t.Errorf("%q: %q, %v", in, got, ok)
		}
	}
	for _, in := range []string{
		"", "one.example", "http://one.example", "https://", "https://one", "https://localhost", "https://one.example:8443",
		"https://one.example:", "https://one.example/a", "https://one.example?x", "https://one.example?", "https://one.example#x",
		"https://u:p@one.example", "https://127.0.0.1", "https://[::1]", "https://2130706433", "https://127.1", "https://0x7f.1",
		"https://printer.local", "https://db.internal", "https://x.localhost", "https://nas.lan", "https://router.home.arpa",
		"https://bücher.example", "https://one.example.", "https://one_two.example", "https:one.example", "javascript:x", "https://one\n.example",
	} {
		if got, ok := Origin(in); ok {
			t.Errorf("took %q as %q", in, got)
		}
	}
}

func BenchmarkEffective(b *testing.B) {
	raw := []byte(`{"booking":{"minNoticeMin":120,"cancellationWindowMin":720},"business":{"currency":"GBP"},"commerce":{"customers":"consumers","legal":{"legalName":"A","country":"PT"}},"email":{"fromName":"A"}}`)
	b.ReportAllocs()
	for b.Loop() {
		Effective(raw)
	}
}
