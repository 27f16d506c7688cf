package words

import (
	"strings"
	"testing"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// TestLaw: the words of a withdrawal are those of the law and the language
// (02 §9.9, 05 §3.3).
func TestLaw(t *testing.T) {
	for name, c := range map[string]struct {
		lang                   format.Lang
		country                string
		label, confirm, states string
	}{
		"ok/Union":               {format.En, "ES", "Withdraw from contract here", "Confirm withdrawal", "I withdraw from my contract of sale of"},
		"ok/no country":          {format.En, "", "Withdraw from contract here", "Confirm withdrawal", "I withdraw from my contract of sale of"},
		"ok/Britain":             {format.En, "GB", "Cancel this contract here", "Confirm cancellation", "I cancel my contract of sale of"},
		"ok/Britain as UK":       {format.En, "UK", "Cancel this contract here", "Confirm cancellation", "I cancel my contract of sale of"},
		"ok/Portugal":            {format.Pt, "PT", "Retrate-se do contrato aqui", "Confirmar retratação", "me retrato do meu contrato de compra e venda de"},
		"ok/Portuguese, Britain": {format.Pt, "GB", "Retrate-se do contrato aqui", "Confirmar retratação", "me retrato do meu contrato de compra e venda de"},
	} {
		label, confirm := WithdrawalLabels(c.lang, c.country)
		said := Statement(c.lang, About{Type: order, Subject: "2 × Chain", Reference: "7K3QXA"}, c.country)
		if label != c.label || confirm != c.confirm || !strings.Contains(said, c.states+` "2 × Chain"`) || !strings.Contains(said, "7K3QXA") {
			t.Errorf("%s: %q, %q, %q", name, label, confirm, said)
		}
		some := Statement(c.lang, About{Type: order, Subject: "2 × Chain", Reference: "7K3QXA"}, c.country, Line{Quantity: 1, Name: "Chain\n"}, Line{Quantity: 2, Name: "Oil"})
		if rest, ok := strings.CutPrefix(some, said+" "); !ok || !strings.HasSuffix(rest, ": 1 × Chain; 2 × Oil.") {
			t.Errorf("%s, in part: %q", name, some)
		}
	}
}

// TestWithdrawalReason: every reason there is no right has words, and by the law
// of Britain nobody withdraws.
func TestWithdrawalReason(t *testing.T) {
	for _, l := range format.Langs {
		for _, country := range []string{"", "PT", "GB"} {
			for _, why := range []string{"not_agreed", "business_customer", "not_paid", "started", "lapsed"} {
				if said := WithdrawalReason(l, why, "", country); said == "" || strings.ContainsAny(said, "{}") || l == format.En && country == "GB" && strings.Contains(strings.ToLower(said), "withdraw") {
					t.Errorf("%s %s %s: %q", l, country, why, said)
				}
			}
			for _, flag := range inbox.Withdrawals {
				said := WithdrawalReason(l, "excepted", flag, country)
				if (said == "") != (flag == inbox.WithdrawalStandard) || strings.ContainsAny(said, "{}") || l == format.En && (country == "GB") != strings.Contains(said, "right to cancel") && said != "" {
					t.Errorf("%s %s %s: %q", l, country, flag, said)
				}
			}
		}
	}
	if said := WithdrawalReason(format.En, "", "", ""); said != "" {
		t.Errorf("no reason: %q", said)
	}
}

// TestSummaryOfBritain: what is confirmed under the law of Britain can be
// cancelled, or not.
func TestSummaryOfBritain(t *testing.T) {
	c := Contract{Type: booking, Name: "Haircut", Start: &sampleStart, Total: *euros(4500), Country: "GB", Days: 14, StartsWithin: true}
	if s := Summary(format.En, c); strings.Contains(strings.ToLower(s), "withdraw") || !strings.Contains(s, "You may cancel the contract within 14 days of booking.") {
		t.Error(s)
	}
	c.Flag = "personalised"
	if s := Summary(format.En, c); !strings.Contains(s, "There is no right to cancel, since it is made to your order.") {
		t.Error(s)
	}
	c.Country = "PT"
	if s := Summary(format.Pt, c); !strings.Contains(s, "Não há direito de retratação, porque é feito por medida.") {
		t.Error(s)
	}
}

// TestLinksOf: the link that cancels comes with a mail that took the place of a
// confirmation, and with no other payment mail; every link has its label.
func TestLinksOf(t *testing.T) {
	has := func(list []inbox.LinkAction, a inbox.LinkAction) bool {
		for _, l := range list {
			if l == a {
				return true
			}
		}
		return false
	}
	for template := range mailLinks {
		if _, ok := mailRows()[template]; !ok {
			t.Errorf("%s has links and no words", template)
		}
		last := -1
		for _, a := range LinksOf(template, false) {
			at := index(a)
			if at <= last {
				t.Errorf("%s: %s is out of order", template, a)
			}
			last = at
			for l := range core {
				for _, typ := range []inbox.Type{booking, order} {
					if a == inbox.LinkWithdraw {
						continue // its label is the law's
					}
					if say(l, "link."+string(a), typ) == "" {
						t.Errorf("%s has no label in %s", a, l)
					}
				}
			}
		}
	}
	for _, template := range []string{"booking.paid", "order.paid", "order.awaiting_payment"} {
		if has(LinksOf(template, false), inbox.LinkCancel) || !has(LinksOf(template, true), inbox.LinkCancel) {
			t.Errorf("%s: %v, %v", template, LinksOf(template, false), LinksOf(template, true))
		}
	}
	if got := LinksOf("declined", true); got != nil {
		t.Errorf("declined has %v", got)
	}
}

func index(a inbox.LinkAction) int {
	for i, b := range inbox.LinkActions {
		if a == b {
			return i
		}
	}
	return -1
}
