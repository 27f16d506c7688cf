package canon

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func claim(jti string) LinkClaim {
	return LinkClaim{JTI: jti, ItemID: "01J0ITEM", Action: "accept_time", ExpiresMS: 1790845200000, TermsSHA: "sha"}
}

func TestLinkID(t *testing.T) {
	r := ring(t, newSecret+","+oldSecret)
	jti, kid := r.NewLinkID("ev:1:customer", "accept_time")
	again, _ := r.NewLinkID("ev:1:customer", "accept_time")
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`).MatchString(jti) || again != jti || len(kid) != 8 {
		t.Fatalf("%q %q %q", jti, again, kid)
	}
	for name, other := range map[string][2]string{
		"another action": {"ev:1:customer", "decline_time"}, "another mail": {"ev:2:customer", "accept_time"},
		"the border moved": {"ev:1:customera", "ccept_time"},
	} {
		if o, _ := r.NewLinkID(other[0], other[1]); o == jti {
			t.Error(name)
		}
	}
	want := base64.RawURLEncoding.EncodeToString(r.MAC(ActionLink, []byte("\x00\x07link-id\x00\x0dev:1:customer\x00\x0baccept_time")))[:22]
	if jti != want {
		t.Errorf("%q is not framed as 05 §6.1 says: %q", jti, want)
	}
	later := ring(t, "a-secret-that-came-still-later,"+newSecret+","+oldSecret)
	if got := later.LinkID(kid, "ev:1:customer", "accept_time"); got != jti {
		t.Errorf("under its kid it is %q", got)
	}
	if got := ring(t, oldSecret).LinkID(kid, "ev:1:customer", "accept_time"); got != "" {
		t.Errorf("without its key it is %q", got)
	}
	if jti, kid := (Ring{}).NewLinkID("a", "b"); jti != "" || kid != "" {
		t.Error("an id without a key")
	}
}

func TestLinkSecret(t *testing.T) {
	before := ring(t, oldSecret)
	jti, kid := before.NewLinkID("ev:1:customer", "accept_time")
	secret := before.LinkSecret(kid, claim(jti))
	rotated := ring(t, newSecret+","+oldSecret)
	changed := func(f func(*LinkClaim)) LinkClaim { c := claim(jti); f(&c); return c }
	for name, c := range map[string]struct {
		r      Ring
		kid    string
		claim  LinkClaim
		secret string
		want   bool
	}{
		"ok/ours":              {before, kid, claim(jti), secret, true},
		"ok/after a rotation":  {rotated, kid, claim(jti), secret, true},
		"fail/key taken away":  {ring(t, newSecret), kid, claim(jti), secret, false},
		"fail/named after the": {rotated, rotated.secrets[0].kid(), claim(jti), secret, false},
		"fail/no kid":          {before, "", claim(jti), secret, false},
		"fail/no key":          {Ring{}, kid, claim(jti), "", false},
		"fail/empty":           {before, kid, claim(jti), "", false},
		"fail/cut":             {before, kid, claim(jti), secret[:21], false},
		"fail/another item":    {before, kid, changed(func(c *LinkClaim) { c.ItemID = "01J0ITEN" }), secret, false},
		"fail/another action":  {before, kid, changed(func(c *LinkClaim) { c.Action = "cancel" }), secret, false},
		"fail/later":           {before, kid, changed(func(c *LinkClaim) { c.ExpiresMS++ }), secret, false},
		"fail/other terms":     {before, kid, changed(func(c *LinkClaim) { c.TermsSHA = "sh4" }), secret, false},
		"fail/another link":    {before, kid, claim(strings.Repeat("x", 22)), secret, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.r.VerifyLink(c.kid, c.claim, c.secret); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

func TestSplitLinkToken(t *testing.T) {
	half := "abcdefghijABCDEFGHIJ-_"
	for name, c := range map[string]struct {
		token string
		want  bool
	}{
		"ok/both":         {half + "." + half, true},
		"fail/one":        {half, false},
		"fail/empty":      {"", false},
		"fail/three":      {half + "." + half + "." + half, false},
		"fail/short":      {half + "." + half[:21], false},
		"fail/long":       {half + "." + half + "a", false},
		"fail/line break": {half + "." + half + "\n", false},
		"fail/slash":      {half + "." + half[:21] + "/", false},
		"fail/cut":        {half + ".…", false},
	} {
		t.Run(name, func(t *testing.T) {
			jti, secret, ok := SplitLinkToken(c.token)
			if ok != c.want || ok && (jti != half || secret != half) {
				t.Errorf("%q %q %v", jti, secret, ok)
			}
		})
	}
}

func TestCutLinks(t *testing.T) {
	a, b := strings.Repeat("a", 22), strings.Repeat("b", 22)
	kept := "Confirm: " + CutLinkURL("https://x.example", a) + "\nDecline: " + CutLinkURL("https://x.example", b) + "\n" + CutLinkURL("", a) + "\n"
	if ids := CutLinks(kept); !slices.Equal(ids, []string{a, b}) {
		t.Errorf("%q", ids)
	}
	sent := RestoreLinks(kept, func(jti string) string {
		if jti == a {
			return strings.Repeat("s", 22)
		}
		return ""
	})
	want := "Confirm: https://x.example/c/" + a + "." + strings.Repeat("s", 22) + "\nDecline: https://x.example/c/" + b + ".…\n/c/" + a + "." + strings.Repeat("s", 22) + "\n"
	if sent != want {
		t.Errorf("got %q\nwant %q", sent, want)
	}
	if got := HideLinks(sent); got != kept {
		t.Errorf("hidden %q", got)
	}
	if got := HideLinks("see /c/privacy and a/c/d"); got != "see /c/privacy and a/c/d" {
		t.Errorf("%q", got)
	}
	if CutLinks("no links, not even https://x.example/c/"+a) != nil {
		t.Error("found a link that is not cut")
	}
}
