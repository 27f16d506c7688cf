package decide

import "typedinbox/shared/inbox"

// validateQuote: a request that names a service names one that can be booked
// (03 §5.1).
func (b *birth) validateQuote() []inbox.FieldProblem {
	asked := b.r.Payload.Quote.ItemOffered.ServiceID
	if s := b.f.Service; asked == "" || s != nil && s.Active && s.ID == asked {
		return nil
	}
	return []inbox.FieldProblem{{Path: "payload.itemOffered.serviceId", Problem: inbox.Invalid, Message: "there is no such service"}}
}
