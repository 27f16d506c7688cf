package words

import (
	"slices"

	"typedinbox/shared/inbox"
)

// Cause is what happened to an item, as far as it chooses a mail.
type Cause struct {
	Type  inbox.Type
	Event string
	From  inbox.State // "" for a create
	By    inbox.Side  // the business, too, for its automation and for the clock
	Said  bool        // the business's words came with it
	Kind  string      // of a refund
}

// trigger is a row of the table from event to mail: what is empty holds for
// any. The first row that holds is the mail; template "" is never mailed.
type trigger struct {
	event    string
	of       inbox.Type
	from     inbox.State
	by       inbox.Side
	said     bool
	kind     string
	template string
}

const (
	booking = inbox.TypeBooking
	order   = inbox.TypeOrder
	quote   = inbox.TypeQuote
	refund  = inbox.TypeRefund
	theirs  = inbox.SideCustomer
)

// customerMails is from event to mail (05 §3.2). What is not here is `news`.
var customerMails = []trigger{
	{event: inbox.EventCreate, of: booking, template: "ack.booking"},
	{event: inbox.EventCreate, of: order, template: "ack.order"},
	{event: inbox.EventCreate, of: quote, template: "ack.quote"},
	{event: inbox.EventCreate, of: refund, kind: "withdrawal", template: "refund.withdrawn"},
	{event: inbox.EventCreate, of: refund, template: "refund.received"},
	{event: inbox.EventCreate},

	{event: "request_info", template: "needs_info"},
	{event: "propose", of: booking, template: "booking.proposed"},
	{event: "propose", of: order, template: "order.proposed"},
	{event: "quote", of: quote, template: "quote.quoted"},
	{event: "counter", of: booking, template: "booking.counter"},
	{event: "counter", of: order, template: "order.counter"},
	{event: "counter", of: quote, template: "quote.counter"},
	{event: "retract", of: booking, template: "booking.retracted"},
	{event: "retract", of: order, template: "order.retracted"},
	{event: "retract", of: quote, template: "quote.retracted"},
	{event: "confirm", of: booking, template: "booking.confirmed"},
	{event: "accept", of: booking, template: "booking.accepted"},
	{event: "accept", of: order, template: "order.accepted"},
	{event: "accept", of: quote, template: "quote.accepted"},

	{event: "decline", of: quote, by: theirs, template: "quote.declined"},
	{event: "decline", template: "declined"},
	{event: "cancel", of: booking, from: inbox.StateProposed, template: "booking.declined_time"},
	{event: "cancel", of: refund, template: "refund.cancelled"},
	{event: "record_cancel", of: refund, template: "refund.cancelled"},
	{event: "cancel", by: theirs, template: "cancelled.as_asked"},
	{event: "cancel", template: "cancelled.by_us"},
	{event: "cancel_late", template: "cancelled.as_asked"},
	{event: "record_cancel", template: "cancelled.as_asked"},
	{event: "record_cancel_late", template: "cancelled.as_asked"},
	{event: "cancel_by_business", template: "cancelled.by_us"},
	{event: "expire", of: booking, template: "booking.expired"},
	{event: "expire", of: order, template: "order.expired"},
	{event: "expire", of: quote, template: "quote.expired"},

	{event: "propose_change", of: booking, template: "booking.change.propose"},
	{event: "propose_change", of: order, template: "order.change.propose"},
	{event: "accept_change", of: booking, template: "booking.change.accept"},
	{event: "accept_change", of: order, template: "order.change.accept"},
	{event: "decline_change", of: booking, template: "booking.change.decline"},
	{event: "decline_change", of: order, template: "order.change.decline"},
	{event: "retract_change", of: booking, template: "booking.change.retract"},
	{event: "retract_change", of: order, template: "order.change.retract"},
	{event: "expire_change", of: booking, template: "booking.change.expire"},
	{event: "expire_change", of: order, template: "order.change.expire"},

	{event: "request_payment", of: order, template: "order.awaiting_payment"},
	{event: "record_payment", of: booking, template: "booking.paid"},
	{event: "record_payment", of: order, template: "order.paid"},
	{event: "payment_failed", of: order, template: "order.payment_failed"},
	{event: "fulfil", of: order, template: "order.fulfilled"},

	// Of goods that went out the return has its own mail.
	{event: "withdraw", of: order, from: inbox.StateFulfilled},
	{event: "withdraw", of: order, from: inbox.StateCompleted},
	{event: "record_withdrawal", of: order, from: inbox.StateFulfilled},
	{event: "record_withdrawal", of: order, from: inbox.StateCompleted},
	{event: "withdraw", of: booking, template: "booking.withdrawn"},
	{event: "withdraw", of: order, template: "order.withdrawn"},
	{event: "record_withdrawal", of: booking, template: "booking.withdrawn"},
	{event: "record_withdrawal", of: order, template: "order.withdrawn"},
	{event: "approve", of: refund, template: "refund.approved"},
	{event: "goods_back", of: refund, template: "refund.goods_back"},
	{event: "dispute_goods", of: refund, template: "refund.disputed"},
	{event: "record_settlement", of: refund, template: "refund.refunded"},
	{event: "refund", of: refund, template: "refund.refunded"},
	{event: "reject", of: refund, template: "refund.rejected"},

	{event: "answer", said: true, template: "reply"},
	{event: "answer", template: "message.answered"},

	// The return that follows has its own mail.
	{event: "request_return"},
	{event: "open_return"},

	{event: "provide_info"},
	{event: "start_fulfilment"},
	{event: "complete"},
	{event: "no_show"},
	{event: "record_delivery"},
	{event: "lapse"},
	{event: "charge_back"},
	{event: "record_charge_back"},
	{event: "close"},
	{event: "mark_spam"},
	{event: "unspam"},
	{event: "reopen"},
	{event: inbox.EventFlags},
	{event: inbox.EventDraftOffer},
}

func (t trigger) holds(c Cause) bool {
	return t.event == c.Event && (t.of == "" || t.of == c.Type) && (t.from == "" || t.from == c.From) &&
		(t.by == "" || t.by == c.By) && (!t.said || c.Said) && (t.kind == "" || t.kind == c.Kind)
}

// CustomerTemplate names the mail that tells the customer of an event, and
// whether there is one (05 §3.2).
func CustomerTemplate(c Cause) (name string, mailed bool) {
	for _, t := range customerMails {
		if t.holds(c) {
			return t.template, t.template != ""
		}
	}
	return news, true
}

// OwnerTemplate names the mail that tells the owner of what a customer did, and
// whether there is one (05 §3.4). entry is a message on an item.
func OwnerTemplate(event string, entry bool) (name string, mailed bool) {
	if entry || event == "reopen" {
		event = "message"
	}
	name = ownerPrefix + event
	_, mailed = mailRows()[name]
	if !mailed {
		return "", false
	}
	return name, true
}

// superseding lists, by event, the newer events whose mail tells everything that
// the older one's would: of an item's mails that wait together only the newer is
// written (05 §3.1). Whatever ends a proposal says that it is over.
var superseding = map[string][]string{
	"accept":  {"request_payment", "record_payment"},
	"confirm": {"record_payment"},
	// A change that is asked for: what replaces it, and whatever ends it.
	"propose_change": {
		"propose_change", "accept_change", "decline_change", "retract_change", "expire_change",
		"cancel", "cancel_late", "cancel_by_business", "record_cancel", "record_cancel_late", "withdraw", "record_withdrawal", "fulfil",
	},
	"propose": {"propose", "retract", "accept", "confirm", "counter", "cancel", "decline", "cancel_by_business", "record_cancel", "request_info", "expire"},
	"quote":   {"quote", "retract", "accept", "counter", "decline", "expire"},
}

// MaySupersede says whether the mail about an event may be left to a newer one.
func MaySupersede(older string) bool { return len(superseding[older]) > 0 }

// Supersedes says whether the mail about a newer event of an item takes the
// place of one about an older event that is not written yet.
func Supersedes(newer, older string) bool { return slices.Contains(superseding[older], newer) }
