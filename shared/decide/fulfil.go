package decide

import "typedinbox/shared/inbox"

// Fulfilment of an order (01 §5.2): when it was sent or handed over, and when it
// arrived. From the one or the other the right of withdrawal is counted (02 §9.3).

func (m *move) readFulfil() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.FulfilInput](m.r.Input)
	if v.DeliveredAt != nil {
		v.DeliveredAt, problems = m.delivered(v.DeliveredAt, problems)
	}
	in.secret = mask(&v.Note)
	in.value, in.note, in.reasonCode = v, v.Note, v.ReasonCode
	return in, problems
}

// readDelivery reads when an order arrived, now when nothing is said.
func (m *move) readDelivery() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.DeliveryInput](m.r.Input)
	v.DeliveredAt, problems = m.delivered(v.DeliveredAt, problems)
	in.secret = mask(&v.Note)
	in.value, in.note = v, v.Note
	return in, problems
}

// delivered is the moment goods are said to have arrived at, now when none is
// said; a little outside of what is possible it is moved inside (01 §4, 09).
func (m *move) delivered(said *inbox.Instant, problems []inbox.FieldProblem) (*inbox.Instant, []inbox.FieldProblem) {
	if said == nil {
		return &m.e.Now, problems
	}
	at, problem := m.happened("deliveredAt", *said, receivedAhead)
	if problem != nil {
		return nil, append(problems, *problem)
	}
	return &at, problems
}

// applyFulfil: the order is sent now; when it arrived is known at times.
func (m *move) applyFulfil() *inbox.Problem {
	o := m.ordered()
	o.FulfilledAt = &m.e.Now
	if at := m.in.value.(inbox.FulfilInput).DeliveredAt; at != nil {
		o.DeliveredAt = at
	}
	return nil
}

func (m *move) applyDelivery() *inbox.Problem {
	m.ordered().DeliveredAt = m.in.value.(inbox.DeliveryInput).DeliveredAt
	return nil
}
