package words

import (
	"testing"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// TestSubjects: a subject that the inbox made in English is made anew in another
// language, one that a person chose is left alone (05 §1.3).
func TestSubjects(t *testing.T) {
	for name, c := range map[string]struct {
		typ     inbox.Type
		subject string
		en, pt  string
	}{
		"ok/named":           {booking, "Haircut", `"Haircut"`, `"Haircut"`},
		"ok/none":            {booking, " \n", "your booking", "a sua marcação"},
		"ok/booking":         {booking, "Booking", `"Booking"`, "a sua marcação"},
		"ok/order":           {order, "Order", `"Order"`, "a sua encomenda"},
		"ok/quote":           {quote, "Quote request", `"Quote request"`, "o seu pedido de orçamento"},
		"ok/return":          {inbox.TypeRefund, "Refund request", `"Refund request"`, "a sua devolução"},
		"ok/one more":        {order, "Chain and 1 more", `"Chain and 1 more"`, `"Chain e mais 1 artigo"`},
		"ok/more":            {order, "Salt and pepper and 12 more", `"Salt and pepper and 12 more"`, `"Salt and pepper e mais 12 artigos"`},
		"ok/of a return":     {refund, "Chain and 1 more", `"Chain and 1 more"`, `"Chain e mais 1 artigo"`},
		"ok/braces":          {order, "{more} and 2 more", `"{more} and 2 more"`, `"{more} e mais 2 artigos"`},
		"fail/none more":     {order, "Chain and 0 more", `"Chain and 0 more"`, `"Chain and 0 more"`},
		"fail/not an order":  {quote, "Chain and 2 more", `"Chain and 2 more"`, `"Chain and 2 more"`},
		"fail/in a sentence": {order, "Chain and 2 more rings", `"Chain and 2 more rings"`, `"Chain and 2 more rings"`},
	} {
		a := About{Type: c.typ, Subject: c.subject}
		if en, pt := a.what(format.En), a.what(format.Pt); en != c.en || pt != c.pt {
			t.Errorf("%s: %s, %s", name, en, pt)
		}
	}
}
