package inbox

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// MaxMoney is the largest amount and the largest sum, 2^53−1 (02 §0.1).
const MaxMoney = 1<<53 - 1

// Money is an amount in minor units (cents), never negative, with its ISO 4217
// code in upper case (02 §0.1). There are no floats anywhere.
type Money struct {
	Value    int64  `json:"value"`
	Currency string `json:"currency"`
}

var (
	errMoney    = errors.New("must be {value: whole number of minor units, 0 or more, currency: three letters}")
	errTooLarge = errors.New("too large")
)

// moneyFault is what is wrong with one part of an amount; an input problem
// names that part.
type moneyFault struct {
	part    string // value or currency
	missing bool
	message string
}

func (f *moneyFault) Error() string { return f.message }

// Where names the part at fault, and whether it is missing.
func (f *moneyFault) Where() (name string, missing bool) { return f.part, f.missing }

// ErrTooLarge says that a sum or a product leaves the range of money.
func ErrTooLarge() error { return errTooLarge }

// UnmarshalJSON reads {value, currency}, refuses fractions, negative amounts
// and amounts past [MaxMoney], and upper-cases the currency.
func (m *Money) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage // names are case-sensitive, unlike a struct's
	if err := json.Unmarshal(b, &raw); err != nil {
		return errMoney
	}
	value, err := moneyValue(raw["value"])
	if err != nil {
		return err
	}
	var currency string
	switch {
	case absent(raw["currency"]):
		return &moneyFault{"currency", true, "is required"}
	case json.Unmarshal(raw["currency"], &currency) != nil || !threeLetters(currency):
		return &moneyFault{"currency", false, "must be the three letters of a currency"}
	}
	*m = Money{Value: value, Currency: strings.ToUpper(currency)}
	return nil
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// moneyValue reads digits alone: no sign, fraction, exponent or quotes.
func moneyValue(raw json.RawMessage) (int64, error) {
	if absent(raw) {
		return 0, &moneyFault{"value", true, "is required"}
	}
	digits := string(raw)
	if strings.Trim(digits, "0123456789") != "" {
		return 0, &moneyFault{"value", false, "must be a whole number of minor units, 0 or more"}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n > MaxMoney {
		return 0, &moneyFault{"value", false, errTooLarge.Error()}
	}
	return n, nil
}

func threeLetters(s string) bool {
	if len(s) != 3 {
		return false
	}
	for _, c := range []byte(s) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

// Same says whether two amounts are the same money.
func (m Money) Same(o Money) bool {
	return m.Value == o.Value && strings.EqualFold(m.Currency, o.Currency)
}

// Times multiplies by a count; past [MaxMoney] it answers [ErrTooLarge].
func (m Money) Times(n int64) (Money, error) {
	if n < 0 || (m.Value != 0 && n > MaxMoney/m.Value) {
		return Money{}, errTooLarge
	}
	return Money{Value: m.Value * n, Currency: m.Currency}, nil
}

// Plus adds an amount of the same currency; past [MaxMoney] it answers
// [ErrTooLarge]. Currencies are the caller's to compare first.
func (m Money) Plus(o Money) (Money, error) {
	if m.Value > MaxMoney-o.Value {
		return Money{}, errTooLarge
	}
	return Money{Value: m.Value + o.Value, Currency: m.Currency}, nil
}
