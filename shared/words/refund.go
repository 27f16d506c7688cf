package words

import (
	"slices"
	"strconv"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Refund is what a sentence says of money that goes back, and of the goods that
// come back for it: of a refund itself, or of the one born with what happened
// (02 §9.6).
type Refund struct {
	Kind     string // withdrawal, faulty, policy, cancellation
	State    inbox.State
	Amount   *inbox.Money   // owed
	Due      *inbox.Instant // until when it is paid; nil while that is not fixed
	Goods    bool           // have to come back first
	ReturnBy *inbox.Instant // until when they are sent
	// How they are sent: post, drop_off, collection, "" for not said.
	Method, Address, Note string
	FreePostage           bool // the business pays for sending them back
	RespondHours          int  // within which the business answers
	Paid                  *inbox.Money
	Ref                   string // of the payment
	ComplaintsURL         string
}

// free says whether there is nothing to pay back.
func (r *Refund) free() bool { return r.Amount == nil || r.Amount.Value == 0 }

// pays says whether the money goes back by a date that is fixed.
func (r *Refund) pays() bool { return !r.free() && r.Due != nil }

// waits says whether the money waits for the goods.
func (r *Refund) waits() bool { return r.Goods && r.Due == nil && !r.free() }

// fact answers the placeholders that begin with "refund.".
func (r *Refund) fact(l format.Lang, zone *time.Location, name string) (string, bool) {
	if r == nil {
		r = &Refund{}
	}
	money := func(m inbox.Money) string { return format.Money(l, m) }
	switch name {
	case "amount":
		return written(r.Amount, money), true
	case "paid":
		if r.Paid == nil {
			return written(r.Amount, money), true
		}
		return money(*r.Paid), true
	case "due":
		return written(r.Due, func(i inbox.Instant) string { return format.Date(l, i, zone) }), true
	case "by":
		return written(r.ReturnBy, func(i inbox.Instant) string { return format.Date(l, i, zone) }), true
	case "address":
		return format.OneLine(r.Address), true
	case "note":
		return plain(r.Note), true
	case "ref":
		return format.OneLine(r.Ref), true
	case "hours":
		return strconv.Itoa(r.RespondHours), true
	case "complaints":
		return format.OneLine(r.ComplaintsURL), true
	}
	return "", false
}

// refund is what the mail says of money that goes back, empty for nothing.
func (in MailInput) refund() *Refund {
	if r := in.About.Refund; r != nil {
		return r
	}
	return &Refund{}
}

// ofRefund is the condition of a line about a refund that is there.
func ofRefund(holds func(*Refund) bool) func(MailInput) bool {
	return func(in MailInput) bool { return in.About.Refund != nil && holds(in.About.Refund) }
}

// Lines about money and goods that several mails share.
var (
	moneyBack = block{{"refund.money", "refund pays"}, {"refund.free", "refund free"}}
	sendBack  = block{
		{"refund.by", "refund by"}, {"refund.soon", "refund soon"}, {"refund.post", "refund post"}, {"refund.drop_off", "refund drop off"},
		{"refund.collection", "refund collection"}, {"refund.address", "refund address"}, {"refund.note", "refund note"},
		{"refund.postage.ours", "refund ours"}, {"refund.postage.theirs", "refund theirs"},
	}
	onArrival = block{{"refund.proof", "refund proof"}, {"refund.arrival", "refund arrival"}, {"refund.arrival.free", "refund arrival free"}}
)

// returned is a mail about a return.
func returned(blocks ...block) mailRow {
	return customer(either("subject.refund", "refund goods", "subject.refund.money", "refund no goods"), blocks...)
}

// saying is a mail about a return whose reason is the business's own words, which
// come before what can be done.
func saying(key string, next ...block) mailRow {
	row := returned()
	row.blocks = slices.Concat([]block{greeting, says(key), own}, next, []block{byReply, footer, sender})
	return row
}

// refundRows are the mails about returns and refunds (05 §3.2).
func refundRows() map[string]mailRow {
	return map[string]mailRow{
		"refund.withdrawn": withdrawn(),
		"refund.received":  returned(says("refund.received"), block{{"refund.answer.hour", "refund in an hour"}, {"refund.answer", "refund answers"}, {"refund.faulty", "refund faulty"}}),
		"refund.approved": returned(
			block{{"refund.approved", "refund goods"}, {"refund.approved.money", "refund no goods"}}, sendBack, onArrival, moneyBack),
		"refund.goods_back": returned(says("refund.goods_back"), moneyBack),
		"refund.disputed":   saying("refund.disputed", says("refund.held")),
		"refund.refunded": returned(
			block{
				{"refund.refunded", "refund paid"}, {"refund.nothing", "refund closed free"},
				{"refund.settled", "refund settled"}, {"refund.settled.due", "refund settled due"}, {"refund.ref", "refund ref"},
			}),
		"refund.rejected":  saying("refund.rejected", block{{"refund.disagree", ""}, {"refund.complaints", "complaints"}}),
		"refund.cancelled": returned(says("cancelled.as_asked")),
	}
}

// refundConditions are what a line about a refund may depend on.
func refundConditions() map[string]func(MailInput) bool {
	return map[string]func(MailInput) bool{
		"refund goods":        ofRefund(func(r *Refund) bool { return r.Goods }),
		"refund no goods":     func(in MailInput) bool { return !in.refund().Goods },
		"refund pays":         ofRefund((*Refund).pays),
		"refund free":         ofRefund(func(r *Refund) bool { return r.free() && !r.Goods }),
		"refund open":         ofRefund(func(r *Refund) bool { return r.State == "requested" }),
		"refund by":           ofRefund(func(r *Refund) bool { return r.Goods && r.ReturnBy != nil && r.Method != "collection" }),
		"refund soon":         ofRefund(func(r *Refund) bool { return r.Goods && r.ReturnBy == nil && r.Method != "collection" }),
		"refund post":         ofRefund(func(r *Refund) bool { return r.Goods && r.Method == "post" }),
		"refund drop off":     ofRefund(func(r *Refund) bool { return r.Goods && r.Method == "drop_off" }),
		"refund collection":   ofRefund(func(r *Refund) bool { return r.Goods && r.Method == "collection" }),
		"refund address":      ofRefund(func(r *Refund) bool { return r.Goods && format.OneLine(r.Address) != "" }),
		"refund note":         ofRefund(func(r *Refund) bool { return r.Goods && plain(r.Note) != "" }),
		"refund ours":         ofRefund(func(r *Refund) bool { return r.Goods && r.FreePostage }),
		"refund theirs":       ofRefund(func(r *Refund) bool { return r.Goods && !r.FreePostage }),
		"refund proof":        ofRefund(func(r *Refund) bool { return r.waits() && r.Kind == "withdrawal" }),
		"refund arrival":      ofRefund(func(r *Refund) bool { return r.waits() && r.Kind != "withdrawal" }),
		"refund arrival free": ofRefund(func(r *Refund) bool { return r.Goods && r.Due == nil && r.free() }),
		"refund answers":      ofRefund(func(r *Refund) bool { return r.RespondHours > 1 }),
		"refund in an hour":   ofRefund(func(r *Refund) bool { return r.RespondHours == 1 }),
		"refund faulty":       ofRefund(func(r *Refund) bool { return r.Kind == "faulty" }),
		"refund paid":         ofRefund(func(r *Refund) bool { return r.State == "refunded" && !(r.free() && r.Paid == nil) }),
		"refund closed free":  ofRefund(func(r *Refund) bool { return r.State == "refunded" && r.free() && r.Paid == nil }),
		"refund ref":          ofRefund(func(r *Refund) bool { return r.State == "refunded" && format.OneLine(r.Ref) != "" }),
		"refund settled":      ofRefund(func(r *Refund) bool { return r.State != "refunded" && !r.pays() }),
		"refund settled due":  ofRefund(func(r *Refund) bool { return r.State != "refunded" && r.pays() }),
		"complaints":          ofRefund(func(r *Refund) bool { return format.OneLine(r.ComplaintsURL) != "" }),
	}
}
