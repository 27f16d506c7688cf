package format

import (
	"strings"
	"testing"
	"unicode/utf8"

	"typedinbox/shared/inbox"
)

func TestOneLine(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"ok/plain":            {"Ana Lima", "Ana Lima"},
		"ok/empty":            {"", ""},
		"ok/runs, ends":       {"  Ana \t  Lima ", "Ana Lima"},
		"ok/crlf":             {"Ana\r\nBcc: x@example.com", "Ana Bcc: x@example.com"},
		"ok/separators":       {"Ana\u2028Lima\u2029", "Ana Lima"},
		"ok/mixed run":        {"Ana \r\n\u2028\x00\x7f\u0085 Lima", "Ana Lima"},
		"ok/every C0":         {"a" + every(0, 0x20) + "b", "a b"},
		"ok/C1":               {"a" + every(0x80, 0xa1) + "b", "a b"},
		"ok/wide blanks":      {"a\u00a0\u2003\u3000b", "a b"},
		"ok/only controls":    {"\x01\x02\r\n", ""},
		"ok/accents stay":     {"José ção 日本 🙂", "José ção 日本 🙂"},
		"ok/broken bytes":     {"a\xff\xfeb", "a\uFFFDb"},
		"ok/vertical tab, ff": {"a\v\fb", "a b"},
		"ok/turned round":     {"Book \u202e", "Book"},
		"ok/every turn":       {"a" + every(0x202a, 0x202f) + every(0x2066, 0x206a) + "b", "ab"},
		"ok/turns in a run":   {"a \u2067 \u2069 b", "a b"},
		"ok/right to left":    {"ספר \u200f1", "ספר \u200f1"},
	} {
		got := OneLine(c.in)
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if OneLine(got) != got {
			t.Errorf("%s: not stable", name)
		}
	}
}

func every(from, to rune) string {
	var b strings.Builder
	for r := from; r < to; r++ {
		b.WriteRune(r)
	}
	return b.String()
}

// FuzzOneLine: nothing that a mail or a page could read as the end of a line
// comes through.
func FuzzOneLine(f *testing.F) {
	for _, s := range []string{"", "Ana\r\nBcc: x", "a\u2028b", "\xff\n", "\u0085", "\u202e €1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := OneLine(s)
		if strings.ContainsAny(got, "\r\n\v\f\t\x00\x7f\u0085\u2028\u2029\u202e\u2066\u2069") || strings.TrimSpace(got) != got || !utf8.ValidString(got) {
			t.Errorf("%q became %q", s, got)
		}
	})
}

func TestReference(t *testing.T) {
	for name, c := range map[string]struct {
		in, want string
		ok       bool
	}{
		"ok/as printed":        {"7K3QXA", "7K3QXA", true},
		"ok/lower case":        {"7k3qxa", "7K3QXA", true},
		"ok/blanks, hyphens":   {" 7k3-q x\u2013a\u00a0", "7K3QXA", true},
		"ok/O, I and L":        {"oIlOiL", "011011", true},
		"fail/U is no letter":  {"7K3QXU", "", false},
		"fail/too short":       {"7K3QX", "7K3QX", false},
		"fail/too long":        {"7K3QXAA", "7K3QXAA", false},
		"fail/empty":           {"", "", false},
		"fail/other alphabets": {"7К3QXA", "", false},
		"fail/signs":           {"7K3QX#", "", false},
	} {
		got, ok := Reference(c.in)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	const id = "01J9ZK3M5V8R2T4W6X7K3QXA00"
	if r := inbox.Reference(id); len(r) != 6 {
		t.Fatal(r)
	} else if got, ok := Reference(strings.ToLower(r)); !ok || got != r {
		t.Errorf("the reference of an id is read as %q", got)
	}
}

func TestCutAndCapital(t *testing.T) {
	for want, got := range map[string]string{
		"":      Cut("", 3),
		"abc":   Cut("abc", 3),
		"éé…":   Cut("éééé", 3),
		"Ébano": Capital("ébano"),
		"A sua": Capital("a sua"),
		"1 mês": Capital("1 mês"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if Capital("") != "" {
		t.Error("nothing becomes something")
	}
}
