package returns

import (
	"time"

	"typedinbox/shared/inbox"
)

// Days of the law (02 §9.8).
const (
	SendBackDays    = 14 // to send goods back, from the notice or the approval
	withdrawalDays  = 14 // to pay back after a withdrawal, from the notice
	afterGoodsDays  = 3  // to pay back after the goods of a withdrawal arrived, at least
	alertDays       = 3  // the owner is told so long before a refund is due
	alertHour       = 9  // at this hour of the local day
	portugueseAlert = 10 // in Portugal at the latest so long after the notice: a late refund is owed twice there
)

// ReturnBy is until when goods are sent back, counted from an instant.
func ReturnBy(from inbox.Instant) inbox.Instant { return from.Add(SendBackDays * inbox.Day) }

// Due is when a refund is due, once nothing more has to come back. settled is
// when the business agreed to it; the goods' arrival stands in its payload.
// refundDays is returns.refundDays (01 §14.3).
func Due(r *inbox.Refund, settled inbox.Instant, refundDays int) inbox.Instant {
	from := settled
	if r.EvidenceAt != nil {
		from = *r.EvidenceAt
	}
	if r.Kind != KindWithdrawal {
		return from.Add(int64(refundDays) * inbox.Day)
	}
	notice := settled
	if r.NoticeAt != nil {
		notice = *r.NoticeAt
	}
	due := notice.Add(withdrawalDays * inbox.Day)
	if r.EvidenceAt != nil {
		due = max(due, r.EvidenceAt.Add(afterGoodsDays*inbox.Day))
	}
	return due
}

// Alerts are the two moments at which the owner is told of a refund that is not
// paid: three days before it is due, for a withdrawal under Portuguese law ten
// days after the notice when that is earlier, and on the day; each at 09:00 of
// the business's local day (02 §9.8, 09). nil when no date is fixed or nothing is
// owed.
func Alerts(r *inbox.Refund, law Law, zone *time.Location) []inbox.Instant {
	if r.RefundDue == nil || r.Amount.Value == 0 {
		return nil
	}
	on := func(at inbox.Instant, days int) inbox.Instant {
		y, m, d := at.In(zone).Date()
		return inbox.InstantOf(time.Date(y, m, d+days, alertHour, 0, 0, 0, zone))
	}
	first := on(*r.RefundDue, -alertDays)
	if law == LawPT && r.Kind == KindWithdrawal && r.NoticeAt != nil {
		first = min(first, on(r.NoticeAt.Add(portugueseAlert*inbox.Day), 0))
	}
	return []inbox.Instant{first, on(*r.RefundDue, 0)}
}

// InTime says whether a refund paid at an instant honours its date: whole seconds
// count, and without a date it always does (01 §7).
func InTime(due *inbox.Instant, paidAt inbox.Instant) bool {
	return due == nil || int64(paidAt)/inbox.Second <= int64(*due)/inbox.Second
}
