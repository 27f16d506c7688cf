package format

import "testing"

func TestLanguage(t *testing.T) {
	for name, c := range map[string]struct {
		locale   string
		business []string
		want     Lang
	}{
		"ok/theirs":              {"pt", []string{"en"}, Pt},
		"ok/region":              {"pt-BR", []string{"en"}, Pt},
		"ok/underscore":          {"en_GB", []string{"pt"}, En},
		"ok/upper case":          {"PT-pt", nil, Pt},
		"ok/blanks":              {" en ", []string{"pt"}, En},
		"ok/longer tag is none":  {"ptx", []string{"en"}, En},
		"ok/not ours":            {"fr", []string{"pt", "en"}, Pt},
		"ok/none":                {"", []string{"en", "pt"}, En},
		"ok/first of ours":       {"", []string{"fr", "de", "pt-PT", "en"}, Pt},
		"ok/nobody":              {"fr", []string{"fr"}, En},
		"ok/nothing known":       {"", nil, En},
		"ok/three letters, none": {"por", []string{"eng"}, En},
	} {
		if got := Language(c.locale, c.business); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAcceptLanguage(t *testing.T) {
	for name, c := range map[string]struct {
		header   string
		business []string
		want     Lang
	}{
		"ok/one":                {"pt", []string{"en"}, Pt},
		"ok/first of equals":    {"en, pt", []string{"pt"}, En},
		"ok/highest q":          {"en;q=0.8, pt-PT;q=0.9", []string{"en"}, Pt},
		"ok/others skipped":     {"fr-FR, fr;q=0.9, pt;q=0.1", []string{"en"}, Pt},
		"ok/q zero is never":    {"en;q=0, fr", []string{"pt"}, Pt},
		"ok/q zero both":        {"en;q=0, pt;q=0.000", []string{"pt"}, Pt},
		"ok/blanks, case":       {" EN-us ; Q=0.5 ,pt ; q=0.4", []string{"pt"}, En},
		"ok/other parameters":   {"en;x=1;q=0.2,pt;q=0.3", nil, Pt},
		"ok/star says nothing":  {"*", []string{"pt"}, Pt},
		"ok/empty":              {"", []string{"pt"}, Pt},
		"ok/nothing known":      {"", nil, En},
		"fail/q unreadable":     {"en;q=high, pt;q=0.1", nil, Pt},
		"fail/q above one":      {"en;q=7, pt;q=0.1", nil, Pt},
		"fail/q below nothing":  {"en;q=-1, pt;q=0.1", nil, Pt},
		"fail/q is not number":  {"en;q=NaN, pt;q=0.1", nil, Pt},
		"fail/commas alone":     {",,;,", []string{"pt"}, Pt},
		"fail/two q, the first": {"en;q=0.1;q=1, pt;q=0.5", nil, Pt},
	} {
		if got := AcceptLanguage(c.header, c.business); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
