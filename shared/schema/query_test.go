package schema

import (
	"encoding/json"
	"errors"
	"net/url"
	"reflect"
	"testing"
)

// when reads its own JSON, like an instant does.
type when string

func (w *when) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil || len(s) < 10 {
		return errors.New("must be a time")
	}
	*w = when(s)
	return nil
}

type list struct {
	ID     string   `path:"id"`
	Type   string   `query:"type" in:"enum=booking|order"`
	Limit  int      `query:"limit" in:"num=1..100,default=50"`
	Open   bool     `query:"open_only" in:"default=true"`
	Human  *bool    `query:"needs_human"`
	Size   *int     `query:"party_size" in:"num=1..1000"`
	From   when     `query:"from" in:"required"`
	To     *when    `query:"to"`
	Types  []string `query:"types" in:"items=1..3,len=1..5"`
	Counts []int    `query:"counts" in:"num=0..9"`
	Rate   float64  `query:"rate"`
	Q      string   `json:"-" query:"q" in:"trim,len=0..5"`
	Body   string   `json:"body" in:"required"`
}

func TestDecodeQueryTakes(t *testing.T) {
	no, size := false, 4
	to := when("2026-10-01T09:00:00+01:00")
	tests := map[string]struct {
		in   string
		want list
	}{
		"ok/defaults":             {"from=2026-10-01", list{From: "2026-10-01", Limit: 50, Open: true}},
		"ok/empty is absent":      {"from=2026-10-01&limit=&open_only=&types=&q=", list{From: "2026-10-01", Limit: 50, Open: true}},
		"ok/unknown dropped":      {"from=2026-10-01&x=1&id=7&body=b", list{From: "2026-10-01", Limit: 50, Open: true}},
		"ok/coerced":              {"from=2026-10-01&limit=7&open_only=0&needs_human=false&party_size=4&rate=1.5", list{From: "2026-10-01", Limit: 7, Human: &no, Size: &size, Rate: 1.5}},
		"ok/one is true":          {"from=2026-10-01&open_only=1&limit=100", list{From: "2026-10-01", Limit: 100, Open: true}},
		"ok/last one counts":      {"from=2026-10-01&limit=x&limit=9", list{From: "2026-10-01", Limit: 9, Open: true}},
		"ok/repeated":             {"from=2026-10-01&types=a&types=b&counts=1", list{From: "2026-10-01", Limit: 50, Open: true, Types: []string{"a", "b"}, Counts: []int{1}}},
		"ok/comma-separated":      {"from=2026-10-01&types=a,b&types=c&counts=1,2", list{From: "2026-10-01", Limit: 50, Open: true, Types: []string{"a", "b", "c"}, Counts: []int{1, 2}}},
		"ok/plus sign restored":   {"from=2026-10-01&to=2026-10-01T09:00:00+01:00", list{From: "2026-10-01", Limit: 50, Open: true, To: &to}},
		"ok/plus sign escaped":    {"from=2026-10-01&to=2026-10-01T09:00:00%2B01:00", list{From: "2026-10-01", Limit: 50, Open: true, To: &to}},
		"ok/text keeps its space": {"from=2026-10-01&q=+a+b", list{From: "2026-10-01", Limit: 50, Open: true, Q: "a b"}},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			q, err := url.ParseQuery(c.in)
			if err != nil {
				t.Fatal(err)
			}
			got, problems := DecodeQuery[list](q)
			if problems != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v %v\nwant %+v", got, problems, c.want)
			}
		})
	}
}

func TestDecodeQueryRefuses(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"fail/missing":       {"", "from missing"},
		"fail/enum":          {"from=2026-10-01&type=quote", "type invalid"},
		"fail/boolean":       {"from=2026-10-01&open_only=yes", "open_only invalid"},
		"fail/boolean case":  {"from=2026-10-01&open_only=TRUE", "open_only invalid"},
		"fail/number":        {"from=2026-10-01&limit=ten", "limit invalid"},
		"fail/plus":          {"from=2026-10-01&limit=%2B5", "limit invalid"},
		"fail/fraction":      {"from=2026-10-01&limit=5.0", "limit invalid"},
		"fail/under":         {"from=2026-10-01&limit=0", "limit invalid"},
		"fail/over":          {"from=2026-10-01&limit=101", "limit invalid"},
		"fail/pointer":       {"from=2026-10-01&party_size=1001", "party_size invalid"},
		"fail/own reader":    {"from=today", "from invalid"},
		"fail/too many":      {"from=2026-10-01&types=a,b,c,d", "types invalid"},
		"fail/entry":         {"from=2026-10-01&types=abcdef", "types invalid"},
		"fail/empty entry":   {"from=2026-10-01&types=a,,b", "types invalid"},
		"fail/entry number":  {"from=2026-10-01&counts=1,x", "counts invalid"},
		"fail/too long":      {"from=2026-10-01&q=abcdef", "q invalid"},
		"fail/control":       {"from=2026-10-01&q=%00", "q invalid"},
		"fail/not UTF-8":     {"from=2026-10-01&q=%ff", "q invalid"},
		"fail/not a number":  {"from=2026-10-01&rate=NaN", "rate invalid"},
		"fail/infinite":      {"from=2026-10-01&rate=Inf", "rate invalid"},
		"fail/hexadecimal":   {"from=2026-10-01&rate=0x1p2", "rate invalid"},
		"fail/all, in order": {"limit=0&type=x", "type invalid, limit invalid, from missing"},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			q, err := url.ParseQuery(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if _, problems := DecodeQuery[list](q); faults(problems) != c.want {
				t.Errorf("got  %s\nwant %s", faults(problems), c.want)
			}
		})
	}
}
