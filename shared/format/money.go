package format

import (
	"fmt"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
)

// exponents are ISO 4217's digits after the point where they are not two.
var exponents = map[string]int{
	"JPY": 0, "KRW": 0, "CLP": 0, "VND": 0, "ISK": 0, "XOF": 0, "XAF": 0, "XPF": 0, "PYG": 0, "UGX": 0, "RWF": 0,
	"BIF": 0, "DJF": 0, "GNF": 0, "KMF": 0, "VUV": 0, "UYI": 0,
	"BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3, "IQD": 3, "LYD": 3,
	"CLF": 4, "UYW": 4,
}

// symbols stand for a currency; the others are written by their code (05 §2.4).
var symbols = map[string]string{
	"EUR": "€", "GBP": "£", "USD": "US$", "BRL": "R$", "JPY": "JP¥", "INR": "₹", "KRW": "₩", "CNY": "CN¥",
	"CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "MXN": "MX$", "HKD": "HK$",
}

// ptSymbols are those that differ in Portuguese.
var ptSymbols = map[string]string{"AUD": "AU$"}

// Money is an amount with its currency: "€1,234.56", "1234,56 €". Blanks in it
// do not break (05 §2.2).
func Money(l Lang, m inbox.Money) string {
	symbol, known := symbols[m.Currency]
	if s, ok := ptSymbols[m.Currency]; ok && l == Pt {
		symbol = s
	}
	if !known {
		symbol = m.Currency
	}
	sign, number := "", digits(l, m)
	if m.Value < 0 {
		sign = "-"
	}
	switch {
	case l == Pt:
		return sign + number + nbsp + symbol
	case !known:
		return sign + symbol + nbsp + number
	}
	return sign + symbol + number
}

// digits is the amount without sign and currency. Portuguese groups thousands
// only from five digits on.
func digits(l Lang, m inbox.Money) string {
	exponent, ok := exponents[m.Currency]
	if !ok {
		exponent = 2
	}
	all := strings.TrimPrefix(strconv.FormatInt(m.Value, 10), "-")
	if short := exponent + 1 - len(all); short > 0 {
		all = strings.Repeat("0", short) + all
	}
	whole, fraction := all[:len(all)-exponent], all[len(all)-exponent:]
	point, group, from := ".", ",", 4
	if l == Pt {
		point, group, from = ",", nbsp, 5
	}
	if len(whole) >= from {
		whole = grouped(whole, group)
	}
	if fraction == "" {
		return whole
	}
	return whole + point + fraction
}

func grouped(whole, separator string) string {
	var parts []string
	for len(whole) > 3 {
		parts = append([]string{whole[len(whole)-3:]}, parts...)
		whole = whole[:len(whole)-3]
	}
	return strings.Join(append([]string{whole}, parts...), separator)
}

// rows are the labels and phrases of amounts (05 §2.1).
var rows = map[Lang]struct{ price, total, reference, toFollow string }{
	En: {"Price: ", "Total: ", "Reference: ", "price to follow"},
	Pt: {"Preço: ", "Total: ", "Referência: ", "preço a indicar"},
}

// PriceRow is the line that names a price.
func PriceRow(l Lang, m inbox.Money) string { return rows[l].price + Money(l, m) }

// TotalRow is the line that names a total.
func TotalRow(l Lang, m inbox.Money) string { return rows[l].total + Money(l, m) }

// Line is one line of an order or quote: quantity, name on one line, and the
// line's total, or that its price follows when it is nil, not ours yet.
func Line(l Lang, quantity int64, name string, total *inbox.Money) string {
	price := rows[l].toFollow
	if total != nil {
		price = Money(l, *total)
	}
	return fmt.Sprintf("%d × %s — %s", quantity, OneLine(name), price)
}
