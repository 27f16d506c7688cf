package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// payloadEffects are the effects that write into the payload, by the names on
// the rows; they run before the guards that see the payload after (01 §3 step
// 13, §7).
var payloadEffects = map[machine.Effect]func(*move) *inbox.Problem{
	machine.ApplyInput:    (*move).applyInput,
	machine.ApplyCounter:  (*move).applyInput,
	machine.ApplyProposal: (*move).applyProposal,
	machine.ApplyOffer:    (*move).applyOffer,
	machine.ApplyChange:   (*move).applyChange,
	machine.LinkItem:      (*move).planLink,
}

// applies are what an input writes into the payload, by its name on the row.
var applies = map[string]func(*move) *inbox.Problem{
	"proposeTime":  (*move).applyProposedTime,
	"counterTime":  (*move).applyCounterTime,
	"proposeOrder": (*move).applyProposedOrder,
	"counterOrder": (*move).applyCounterOrder,
	"quote":        (*move).applyQuote,
	"counterQuote": (*move).applyCounterQuote,
	"changeTime":   (*move).applyChangeTime,
	"changeOrder":  (*move).applyChangeOrder,

	"approve":      (*move).applyApprove,
	"disputeGoods": (*move).applyDispute,
	"goodsBack":    (*move).applyGoodsBack,
	"refund":       (*move).applyRefund,
	"settlement":   (*move).applySettlement,

	"payment":        (*move).applyPayment,
	"paymentRequest": (*move).applyPaymentRequest,
	"fulfil":         (*move).applyFulfil,
	"delivery":       (*move).applyDelivery,
}

// apply writes the input into the payload.
func (m *move) apply() *inbox.Problem {
	for _, name := range m.row.Effects {
		if write := payloadEffects[name]; write != nil {
			if p := write(m); p != nil {
				return p
			}
		}
	}
	return nil
}

func (m *move) applyInput() *inbox.Problem { return applies[m.row.Input](m) }

// maxPayload is the largest payload that is stored, in bytes (01 §19.10).
const maxPayload = 150 << 10

func oversized(p inbox.Payload, path string) *inbox.Problem {
	if len(mustJSON(p)) > maxPayload {
		return inbox.InvalidField(path, "must have at most 150 KB")
	}
	return nil
}

// checkSize: what is put forward fits beside what stands. What else a move writes
// is short, and is never refused for it.
func (m *move) checkSize() *inbox.Problem {
	if !m.makes() {
		return nil
	}
	p := oversized(m.rec.Item.Payload, "input")
	if p != nil {
		p.Fields[0].Message = "must leave the item at most 150 KB, with what stands beside it"
	}
	return p
}

// unpropose takes what the business put forward out of the payload (01 §5.1).
func unpropose(p inbox.Payload) {
	switch {
	case p.Booking != nil:
		p.Booking.Proposed = nil
	case p.Order != nil:
		p.Order.Proposed = nil
	case p.Quote != nil:
		p.Quote.Quote = nil
	}
}
