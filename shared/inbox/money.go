package inbox

import (
	"encoding/json"
	"errors"
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

// ErrTooLarge says that a sum or a product leaves the range of money.
func ErrTooLarge() error { return errTooLarge }

// UnmarshalJSON reads {value, currency}, refuses fractions, negative amounts
// and amounts past [MaxMoney], and upper-cases the currency.
func (m *Money) UnmarshalJSON(b []byte) error {
	var raw struct {
		Value    *json.Number `json:"value"`
		Currency *string      `json:"currency"`
	}
	if err := json.Unmarshal(b, &raw); err != nil || raw.Value == nil || raw.Currency == nil {
		return errMoney
	}
	v, err := raw.Value.Int64()
	if err != nil {
		if strings.ContainsAny(raw.Value.String(), ".eE-") {
			return errMoney
		}
		return errTooLarge
	}
	if v > MaxMoney {
		return errTooLarge
	}
	if v < 0 || !threeLetters(*raw.Currency) {
		return errMoney
	}
	*m = Money{Value: v, Currency: strings.ToUpper(*raw.Currency)}
	return nil
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
