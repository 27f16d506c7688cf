package words

import (
	"testing"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

func TestFill(t *testing.T) {
	get := func(name string) (string, bool) {
		facts := map[string]string{"name": "ana", "loop": "{name}{loop}", "empty": ""}
		fact, ok := facts[name]
		return fact, ok
	}
	for name, c := range map[string]struct{ in, want string }{
		"ok/none":                {"Hello", "Hello"},
		"ok/empty":               {"", ""},
		"ok/one":                 {"Hello {name}, bye", "Hello ana, bye"},
		"ok/capital":             {"{Name} {name}", "Ana ana"},
		"ok/side by side":        {"{name}{name}", "anaana"},
		"ok/in one pass":         {"{loop}", "{name}{loop}"},
		"ok/nothing":             {"a{empty}b", "ab"},
		"fail/no such fact":      {"{nobody}", "{nobody}"},
		"fail/not closed":        {"a {name", "a {name"},
		"fail/nameless":          {"{}", "{}"},
		"fail/a brace, a fact":   {"{ {name}", "{ ana"},
		"fail/closed by another": {"}{name}", "}ana"},
	} {
		if got := fill(c.in, get); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWritten(t *testing.T) {
	for asked, want := range map[format.Lang]format.Lang{format.En: format.En, format.Pt: format.Pt, "xx": format.En, "": format.En} {
		if got := Written(asked); got != want {
			t.Errorf("%q: %s", asked, got)
		}
	}
	if got := say(format.En, "no such key", inbox.TypeOrder); got != "" {
		t.Errorf("%q", got)
	}
}

func BenchmarkHuman(b *testing.B) {
	a := haircut(b, "confirmed")
	b.ReportAllocs()
	for b.Loop() {
		Human(format.En, a)
	}
}
