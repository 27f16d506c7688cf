package schema

import (
	"strings"
	"testing"
)

func TestFormats(t *testing.T) {
	label := strings.Repeat("a", 63)
	tests := map[string]struct {
		is   func(string) bool
		good []string
		bad  []string
	}{
		"email": {IsEmail,
			[]string{"a@b.example", "a.b+c_d-e=f@x-1.example", "o'hara@x.example", strings.Repeat("l", 64) + "@x.example", "a@bücher.example", "A@B.EXAMPLE"},
			[]string{"", "a", "@x.example", "a@", "a@localhost", "a@x.", "a@.example", "a@x..example", ".a@x.example", "a.@x.example", "a..b@x.example", "a b@x.example", "a@x .example", "a@-x.example", "a@x-.example", "Ann <a@x.example>", "a@x.example,b@x.example", "a\n@x.example", "é@x.example", strings.Repeat("l", 65) + "@x.example", `"a"@x.example`, "a@b@x.example", "a@[127.0.0.1]", "mailto:a@x.example"}},
		"domain": {IsDomain,
			[]string{"x.example", "a.b.c.d", "xn--bcher-kva.example", "1.2.example", label + ".example", "日本.example"},
			[]string{"", "example", "x..y", ".x.y", "x.y.", "x_y.example", "x y.example", label + "a.example", strings.Repeat(label+".", 4) + "xx", "x/y.example", "x:1.example", "x\u0080.example", "x\xff.example"}},
		"url": {func(s string) bool { return IsURL(s, maxURL) },
			[]string{"http://x.example", "https://x.example/a?b#c", "https://x.example:8443/", "HTTPS://x.example", "https://[::1]/"},
			[]string{"", "x.example", "//x.example", "ftp://x.example", "javascript:alert(1)", "https://", "https:///a", "https://x y.example", "https://x.example/ a", "https://x.example/\"", "https:x.example", "https://x.example/<b>"}},
		"date": {IsDate,
			[]string{"2026-10-01", "2028-02-29", "0001-01-01"},
			[]string{"", "2027-02-29", "2026-13-01", "2026-1-1", "2026-10-01T00:00:00Z", "01-10-2026", "2026-10-32"}},
		"currency": {IsCurrency,
			[]string{"EUR", "eur", "xXx"},
			[]string{"", "EU", "EURO", "E R", "E1R", "€€€", "ÄÖÜ"}},
	}
	for name, c := range tests {
		for _, s := range c.good {
			t.Run("ok/"+name+"/"+s, func(t *testing.T) {
				if !c.is(s) {
					t.Errorf("refused %q", s)
				}
			})
		}
		for _, s := range c.bad {
			t.Run("fail/"+name+"/"+s, func(t *testing.T) {
				if c.is(s) {
					t.Errorf("took %q", s)
				}
			})
		}
	}
}
