package decide

import (
	"net/http"

	"typedinbox/shared/inbox"
)

// outcome is what a decided transition writes and answers, or its refusal.
func (m *move) outcome(p *inbox.Problem) (Outcome, error) {
	if p != nil {
		return Outcome{}, p
	}
	f := after(m.f, &m.rec, m.offer, m.write.Entries)
	out := Outcome{Write: m.write, Status: http.StatusOK}
	if m.c.IsCustomer() {
		out.Body = inbox.CustomerResult{View: CustomerView(f, m.c, m.e)}
		return out, nil
	}
	result := inbox.TransitionResult{View: OwnerView(f, m.c, m.e), Converted: m.converted}
	if m.held {
		result.Held = heldAnswer()
	}
	out.Body = result
	return out, nil
}

func heldAnswer() *inbox.Held { return &inbox.Held{Breaches: []string{amountNamed}} }

// after is the facts as the write leaves them, for the view that is answered.
func after(f *Facts, rec *inbox.Record, offer *inbox.Offer, said []inbox.Entry) Facts {
	g := *f
	g.Record, g.Offer = rec, offer
	if len(said) > 0 {
		g.Thread = append(append(make([]inbox.Entry, 0, len(f.Thread)+len(said)), f.Thread...), said...)
	}
	return g
}
