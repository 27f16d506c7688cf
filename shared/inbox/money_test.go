package inbox

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestMoneyTakes(t *testing.T) {
	for in, want := range map[string]Money{
		`{"value":0,"currency":"EUR"}`:                        {0, "EUR"},
		`{"currency":"eur","value":5000,"more":1}`:            {5000, "EUR"},
		`{"value":9007199254740991,"currency":"GBP"}`:         {MaxMoney, "GBP"},
		` { "value" : 1 , "currency" : "\u0055\u0053\u0044"}`: {1, "USD"},
	} {
		t.Run("ok/"+in, func(t *testing.T) {
			var m Money
			if err := json.Unmarshal([]byte(in), &m); err != nil || m != want {
				t.Errorf("got %v, %v", m, err)
			}
		})
	}
}

func TestMoneyRefuses(t *testing.T) {
	for in, want := range map[string]string{ // the part at fault, "" for the whole
		`5`:                               "",
		`[]`:                              "",
		`"5 EUR"`:                         "",
		`{}`:                              "value missing",
		`{"value":5}`:                     "currency missing",
		`{"value":5,"currency":null}`:     "currency missing",
		`{"value":null,"currency":"EUR"}`: "value missing",
		`{"value":-1,"currency":"EUR"}`:   "value",
		`{"value":-0,"currency":"EUR"}`:   "value",
		`{"value":5.0,"currency":"EUR"}`:  "value",
		`{"value":5e2,"currency":"EUR"}`:  "value",
		`{"value":"5","currency":"EUR"}`:  "value",
		`{"value":true,"currency":"EUR"}`: "value",
		`{"value":9007199254740992,"currency":"EUR"}`:        "value",
		`{"value":99999999999999999999999,"currency":"EUR"}`: "value",
		`{"value":5,"currency":"EURO"}`:                      "currency",
		`{"value":5,"currency":"€€€"}`:                       "currency",
		`{"value":5,"currency":"E1R"}`:                       "currency",
		`{"Value":5,"currency":"EUR"}`:                       "value missing",
		`{"value":5,"currency":978}`:                         "currency",
	} {
		t.Run("fail/"+in, func(t *testing.T) {
			m := Money{7, "EUR"}
			err := json.Unmarshal([]byte(in), &m)
			if err == nil {
				t.Fatalf("took it as %v", m)
			}
			var f *moneyFault
			got := ""
			if errors.As(err, &f) {
				part, missing := f.Where()
				got = part
				if missing {
					got += " missing"
				}
			}
			if got != want || m != (Money{7, "EUR"}) {
				t.Errorf("at %q, want %q; left %v", got, want, m)
			}
		})
	}
}

func TestMoneySums(t *testing.T) {
	eur := func(v int64) Money { return Money{v, "EUR"} }
	if got, err := eur(850).Times(3); err != nil || got != eur(2550) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := eur(MaxMoney - 1).Plus(eur(1)); err != nil || got != eur(MaxMoney) {
		t.Errorf("%v, %v", got, err)
	}
	for name, err := range map[string]error{
		"fail/product": second(eur(MaxMoney).Times(2)), "fail/negative count": second(eur(1).Times(-1)), "fail/sum": second(eur(MaxMoney).Plus(eur(1))),
	} {
		if !errors.Is(err, ErrTooLarge()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !eur(1).Same(Money{1, "eur"}) || eur(1).Same(eur(2)) || eur(1).Same(Money{1, "USD"}) {
		t.Error("Same")
	}
}

func second(_ Money, err error) error { return err }
