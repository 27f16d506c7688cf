package returns

import "typedinbox/shared/inbox"

// Kinds of a refund (01 §1.3). A price adjustment is reserved.
const (
	KindWithdrawal   = "withdrawal"
	KindFaulty       = "faulty"
	KindPolicy       = "policy"
	KindCancellation = "cancellation"
)

// ChangedMind is the reason code of a withdrawal after the goods went out.
const ChangedMind = "changed_mind"

// KindOf is the kind of a return that is asked for with a reason, the right of
// withdrawal running or not at the notice (02 §9.6).
func KindOf(reasonCode string, rightRuns bool) string {
	switch {
	case reasonCode == "faulty", reasonCode == "wrong_item", reasonCode == "not_as_described":
		return KindFaulty
	case rightRuns:
		return KindWithdrawal
	}
	return KindPolicy
}

// Promises says whether a refund is a promise: agreed, its date fixed, and not
// over (01 §5.5).
func Promises(r *inbox.Record) bool {
	p := r.Item.Payload.Refund
	if p == nil || p.RefundDue == nil {
		return false
	}
	return r.Item.State == inbox.StateApproved || r.Item.State == inbox.StateGoodsReceived
}
