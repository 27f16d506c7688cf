package format

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
)

// TestMoney holds the golden table of 05 §2.2. A · is a blank that does not
// break.
func TestMoney(t *testing.T) {
	for _, c := range []struct {
		value    int64
		currency string
		en, pt   string
	}{
		{4500, "EUR", "€45.00", "45,00·€"},
		{50, "EUR", "€0.50", "0,50·€"},
		{5, "EUR", "€0.05", "0,05·€"},
		{0, "EUR", "€0.00", "0,00·€"},
		{100000, "EUR", "€1,000.00", "1000,00·€"},
		{123456, "EUR", "€1,234.56", "1234,56·€"},
		{999999, "EUR", "€9,999.99", "9999,99·€"},
		{1234567, "EUR", "€12,345.67", "12·345,67·€"},
		{inbox.MaxMoney, "EUR", "€90,071,992,547,409.91", "90·071·992·547·409,91·€"},
		{-4500, "EUR", "-€45.00", "-45,00·€"},
		{4500, "GBP", "£45.00", "45,00·£"},
		{123456, "USD", "US$1,234.56", "1234,56·US$"},
		{4500, "BRL", "R$45.00", "45,00·R$"},
		{4500, "CHF", "CHF·45.00", "45,00·CHF"},
		{-4500, "CHF", "-CHF·45.00", "-45,00·CHF"},
		{4500, "JPY", "JP¥4,500", "4500·JP¥"},
		{0, "JPY", "JP¥0", "0·JP¥"},
		{12345, "KWD", "KWD·12.345", "12,345·KWD"},
		{5, "KWD", "KWD·0.005", "0,005·KWD"},
		{4500, "INR", "₹45.00", "45,00·₹"},
		{4500, "KRW", "₩4,500", "4500·₩"},
		{4500, "CNY", "CN¥45.00", "45,00·CN¥"},
		{4500, "CAD", "CA$45.00", "45,00·CA$"},
		{4500, "AUD", "A$45.00", "45,00·AU$"},
		{4500, "NZD", "NZ$45.00", "45,00·NZ$"},
		{4500, "MXN", "MX$45.00", "45,00·MX$"},
		{4500, "HKD", "HK$45.00", "45,00·HK$"},
		{4500, "XOF", "XOF·4,500", "4500·XOF"},
		{12345678, "BHD", "BHD·12,345.678", "12·345,678·BHD"},
		{45000, "CLF", "CLF·4.5000", "4,5000·CLF"},
	} {
		for l, want := range map[Lang]string{En: c.en, Pt: c.pt} {
			want = strings.ReplaceAll(want, "·", "\u00a0")
			if got := Money(l, inbox.Money{Value: c.value, Currency: c.currency}); got != want {
				t.Errorf("ok/%s %d %s: %q, want %q", l, c.value, c.currency, got, want)
			}
		}
	}
}

// TestMoneyHasItsDigits: whatever the amount, the digits are its own and no
// blank in it breaks.
func TestMoneyHasItsDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Int64Range(0, inbox.MaxMoney).Draw(t, "value")
		l := rapid.SampledFrom(Langs).Draw(t, "lang")
		s := Money(l, inbox.Money{Value: v, Currency: rapid.SampledFrom([]string{"EUR", "CHF", "JPY", "KWD"}).Draw(t, "currency")})
		if strings.ContainsRune(s, ' ') {
			t.Fatalf("%q breaks", s)
		}
		var read int64
		for _, r := range s {
			if r >= '0' && r <= '9' {
				read = read*10 + int64(r-'0')
			}
		}
		if read != v {
			t.Fatalf("%d is written %s", v, s)
		}
	})
}

func TestRows(t *testing.T) {
	chain := inbox.Money{Value: 1850, Currency: "EUR"}
	two, err := chain.Times(2)
	if err != nil {
		t.Fatal(err)
	}
	for want, got := range map[string]string{
		"2 × Chain — €37.00":          Line(En, 2, "Chain", &two),
		"2 × Chain — 37,00\u00a0€":    Line(Pt, 2, "Chain", &two),
		"1 × Frame — price to follow": Line(En, 1, "Frame", nil),
		"1 × Frame — preço a indicar": Line(Pt, 1, "Frame", nil),
		"1 × A B — price to follow":   Line(En, 1, " A\r\nB ", nil),
		"Price: €18.50":               PriceRow(En, chain),
		"Preço: 18,50\u00a0€":         PriceRow(Pt, chain),
		"Total: €37.00":               TotalRow(En, two),
		"Total: 37,00\u00a0€":         TotalRow(Pt, two),
		"Reference: 7K3QXA":           ReferenceRow(En, "7K3QXA"),
		"Refer\u00eancia: 7K3QXA":     ReferenceRow(Pt, "7K3QXA"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
