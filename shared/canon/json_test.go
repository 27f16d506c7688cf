package canon

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

func TestCanonical(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"ok/empty object":               {` { } `, `{}`},
		"ok/empty array":                {"[\n]", `[]`},
		"ok/literals":                   {`[ true , false , null ]`, `[true,false,null]`},
		"ok/top-level string":           {` "a" `, `"a"`},
		"ok/top-level number":           {` 1.0 `, `1`},
		"ok/keys sorted at every level": {`{"b":{"z":1,"a":2},"a":[{"d":1,"c":2}]}`, `{"a":[{"c":2,"d":1}],"b":{"a":2,"z":1}}`},
		"ok/sorted keys stay":           {`{"a":1,"b":2}`, `{"a":1,"b":2}`},
		"ok/prefix before longer":       {`{"ab":1,"a":2,"":3}`, `{"":3,"a":2,"ab":1}`},
		"ok/UTF-16 order, RFC 8785 §3.2.3": {
			"{\"\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\ufb33\":\"Hebrew\",\"1\":\"One\",\"\U0001F600\":\"Emoji\",\"\u0080\":\"Control\",\"\u00f6\":\"o\"}",
			"{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"\u00f6\":\"o\",\"\u20ac\":\"Euro Sign\",\"\U0001F600\":\"Emoji\",\"\ufb33\":\"Hebrew\"}",
		},
		"ok/escapes undone":          {`"\u0061\/\u003c\u20ac\ud83d\ude00"`, `"a/<€😀"`},
		"ok/escapes kept":            {`"\u0022\u005c\u0008\u000c\u000a\u000d\u0009\u0000\u001F"`, `"\"\\\b\f\n\r\t\u0000\u001f"`},
		"ok/line separators are raw": {`"\u2028\u2029"`, "\"\u2028\u2029\""},
		"ok/delete is raw":           {`"\u007f"`, "\"\u007f\""},
		"ok/null kept":               {`{"b":null,"a":1}`, `{"a":1,"b":null}`},
		"ok/RFC 8785 §3.2.2": {
			`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
			`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Canonical([]byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestCanonicalRefuses(t *testing.T) {
	tests := map[string]string{
		"fail/nothing":                  ``,
		"fail/two texts":                `{} {}`,
		"fail/bare word":                `hello`,
		"fail/trailing comma":           `[1,]`,
		"fail/space inside a number":    `[1 2]`,
		"fail/hexadecimal":              `[0x10]`,
		"fail/infinity":                 `[Infinity]`,
		"fail/leading zero":             `[01]`,
		"fail/past every double":        `[1e400]`,
		"fail/key twice":                `{"a":1,"a":2}`,
		"fail/key twice, escaped":       `{"a":1,"\u0061":2}`,
		"fail/key twice, unsorted":      `{"b":1,"a":2,"b":3}`,
		"fail/high surrogate alone":     `"\ud83d"`,
		"fail/low surrogate alone":      `"\ude00"`,
		"fail/high twice":               `"\ud83d\ud83d"`,
		"fail/low before high":          `"\ude00\ud83d"`,
		"fail/high then another escape": `"\ud83d\n"`,
		"fail/bytes not UTF-8":          "\"\xff\"",
		"fail/surrogate in UTF-8":       "\"\xed\xa0\x80\"",
		"fail/key not UTF-8":            "{\"\xc0\xaf\":1}",
		"fail/control character raw":    "\"\x01\"",
		"fail/too deep":                 strings.Repeat("[", 200) + strings.Repeat("]", 200),
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := Canonical([]byte(in)); err == nil {
				t.Errorf("took %q as %s", in, got)
			}
		})
	}
}

// Numbers of RFC 8785, appendix B, and the edges of ECMAScript's notations.
func TestNumbers(t *testing.T) {
	tests := []struct {
		bits uint64
		want string
	}{
		{0x0000000000000000, "0"}, {0x8000000000000000, "0"},
		{0x0000000000000001, "5e-324"}, {0x8000000000000001, "-5e-324"},
		{0x7fefffffffffffff, "1.7976931348623157e+308"}, {0xffefffffffffffff, "-1.7976931348623157e+308"},
		{0x4340000000000000, "9007199254740992"}, {0xc340000000000000, "-9007199254740992"},
		{0x4430000000000000, "295147905179352830000"},
		{0x44b52d02c7e14af5, "9.999999999999997e+22"}, {0x44b52d02c7e14af6, "1e+23"}, {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
		{0x444b1ae4d6e2ef4e, "999999999999999700000"}, {0x444b1ae4d6e2ef4f, "999999999999999900000"}, {0x444b1ae4d6e2ef50, "1e+21"},
		{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"}, {0x3eb0c6f7a0b5ed8d, "0.000001"},
		{0x41b3de4355555553, "333333333.3333332"}, {0x41b3de4355555555, "333333333.3333333"},
		{0xbecbf647612f3696, "-0.0000033333333333333333"}, {0x43143ff3c1cb0959, "1424953923781206.2"},
	}
	for _, c := range tests {
		t.Run("ok/"+c.want, func(t *testing.T) {
			got, err := Canonical(strconv.AppendFloat(nil, math.Float64frombits(c.bits), 'g', -1, 64))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestIntegersStay(t *testing.T) {
	for _, n := range []int64{0, 1, -1, 10, 999999999999999, 1000000000000000, -999999999999999, 1<<53 - 1, 1 - 1<<53} {
		want := strconv.FormatInt(n, 10)
		if got, err := Canonical([]byte(want)); err != nil || string(got) != want {
			t.Errorf("%s became %s, %v", want, got, err)
		}
	}
}

func TestJSON(t *testing.T) {
	type line struct {
		Name   string  `json:"name"`
		SKU    string  `json:"sku,omitempty"`
		Amount *int    `json:"amount"`
		Extra  []int   `json:"extra"`
		Rate   float64 `json:"rate,omitzero"`
	}
	tests := map[string]struct {
		in   any
		want string
	}{
		"ok/struct order is not key order": {line{Name: "a <b> & c\u2028"}, "{\"amount\":null,\"extra\":null,\"name\":\"a <b> & c\u2028\"}"},
		"ok/map":                           {map[string]any{"b": 1, "a": nil}, `{"a":null,"b":1}`},
		"ok/raw message":                   {json.RawMessage(` {"z" : 1.50, "a" : "\u003c" }`), `{"a":"<","z":1.5}`},
		"ok/nil":                           {nil, `null`},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := JSON(c.in)
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s (%v)\nwant %s", got, err, c.want)
			}
		})
	}
	if _, err := JSON(math.Inf(1)); err == nil {
		t.Error("infinity has a canonical form")
	}
	if _, err := JSON(make(chan int)); err == nil {
		t.Error("a channel has a canonical form")
	}
}

// The library is right about what it takes from RFC 8785, so it is the judge of
// everything both take; what it takes beyond JSON is above, in
// TestCanonicalRefuses.
func TestAgainstLibrary(t *testing.T) {
	texts := []string{
		`{"a":[1,2.5,-0,1e21,1e-7,0.1,123456789012345680000],"é":"ü","😀":1,"ﬀ":2,"":{}}`,
		`[[],{},"",0,[[[[{"x":[null]}]]]]]`,
		`{"1":1,"10":2,"2":3,"A":4,"a":5,"_":6}`,
	}
	for _, s := range texts {
		want, err := jcs.Transform([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Canonical([]byte(s)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s\nours    %s (%v)\nlibrary %s", s, got, err, want)
		}
	}
}

// What the library takes and we refuse is why the form is ours (see
// docs/decisions/canonical-json.md). When one of these fails, look again.
func TestLibraryTakesMore(t *testing.T) {
	for name, s := range map[string]string{
		"two numbers as one": `[1 2]`, "hexadecimal": `[0x1p4]`, "half a pair": `"\ude00\ud83d"`, "bytes not UTF-8": "\"\xff\"",
	} {
		if _, err := jcs.Transform([]byte(s)); err != nil {
			t.Errorf("%s: the library refuses it now: %v", name, err)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, s := range []string{
		`{"b":1,"a":[true,null,"\ud83d\ude00"]}`, `[1e21,1e-7,-0,0.1,9007199254740993]`, `"\u0000\u2028"`,
		"{\"\U0001F600\":1,\"\ufb33\":2}", `{"a":{"a":{"a":{}}}}`, `"\ud800"`, `{"a":1,"a":2}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		before := bytes.Clone(in)
		once, err := Canonical(in)
		if !bytes.Equal(in, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			return
		}
		if !json.Valid(once) {
			t.Fatalf("%q is not JSON", once)
		}
		twice, err := Canonical(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("not idempotent: %q, then %q, %v", once, twice, err)
		}
		if want, err := jcs.Transform(bytes.TrimSpace(in)); err == nil && !bytes.Equal(once, want) {
			t.Fatalf("ours %q, the library's %q", once, want)
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	raw, err := os.ReadFile("testdata/request.json")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Canonical(raw); err != nil {
			b.Fatal(err)
		}
	}
}
