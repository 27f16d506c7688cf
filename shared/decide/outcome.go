package decide

import (
	"net/http"
	"slices"

	"typedinbox/shared/inbox"
)

// outcome is what a decided transition writes and answers, or its refusal.
func (m *move) outcome(p *inbox.Problem) (Outcome, error) {
	if p != nil {
		return Outcome{}, p
	}
	m.f.Agreed = m.agreed
	f := m.f.become(&m.rec, m.offer, m.write.Entries)
	if m.refund != nil {
		f.Refunds = append(slices.Clip(f.Refunds), &m.refund.rec)
	}
	out := Outcome{Write: m.write, Status: http.StatusOK}
	if m.c.IsCustomer() {
		result := inbox.CustomerResult{View: customerView(f, m.c, m.e)}
		if l := m.linkedFacts(); l != nil {
			result.Linked = inbox.Ptr(customerView(l, m.c, m.e))
		}
		out.Body = result
		return out, nil
	}
	result := inbox.TransitionResult{View: ownerView(f, m.c, m.e), Converted: m.converted}
	if l := m.linkedFacts(); l != nil {
		result.Linked = inbox.Ptr(ownerView(l, m.c, m.e))
	}
	if m.held {
		result.Held = heldAnswer()
	}
	out.Body = result
	return out, nil
}

func heldAnswer() *inbox.Held { return &inbox.Held{Breaches: []string{amountNamed}} }

// become turns the facts, which are the decision's own copy, into what the write
// leaves, for the view that is answered. The lists of the caller's facts are not
// written to.
func (f *Facts) become(rec *inbox.Record, offer *inbox.Offer, said []inbox.Entry) *Facts {
	f.Record, f.Offer = rec, offer
	if len(said) > 0 {
		f.Thread = append(f.Thread[:len(f.Thread):len(f.Thread)], said...)
	}
	return f
}
