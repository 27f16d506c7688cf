package words

import "typedinbox/shared/inbox"

// short is how templates call a type.
var short = map[inbox.Type]string{
	inbox.TypeBooking: "booking", inbox.TypeOrder: "order", inbox.TypeQuote: "quote",
	inbox.TypeMessage: "message", inbox.TypeRefund: "refund",
}

// eventTemplates names the mail to the customer for an event, "event@type"
// before "event"; "" is never mailed (05 §3.2). What is not here is `news`.
var eventTemplates = map[string]string{
	"request_info":         "needs_info",
	"confirm":              "booking.confirmed",
	"decline":              "declined",
	"cancel":               "cancelled.as_asked",
	"cancel_late":          "cancelled.as_asked",
	"record_cancel":        "cancelled.as_asked",
	"record_cancel_late":   "cancelled.as_asked",
	"cancel_by_business":   "cancelled.by_us",
	"expire@booking":       "booking.expired",
	"expire@order":         "order.expired",
	"expire@quote_request": "quote.expired",
	"answer":               "message.answered",
	"provide_info":         "",
	"start_fulfilment":     "",
	"complete":             "",
	"no_show":              "",
	"record_delivery":      "",
	"lapse":                "",
	"charge_back":          "",
	"record_charge_back":   "",
	"close":                "",
	"mark_spam":            "",
	"unspam":               "",
	"reopen":               "",
	inbox.EventFlags:       "",
	inbox.EventDraftOffer:  "",
}

// CustomerTemplate names the mail that tells the customer of an event, and
// whether there is one (05 §3.2). words says that an answer has words, which are
// then the reply; byBusiness tells the business's cancellation of an order from
// the customer's, and its refusal of a quote request from theirs.
func CustomerTemplate(t inbox.Type, event string, words, byBusiness bool) (name string, mailed bool) {
	switch {
	case event == inbox.EventCreate:
		return "ack." + short[t], t == inbox.TypeBooking || t == inbox.TypeOrder || t == inbox.TypeQuote
	case event == "answer" && words:
		return "reply", true
	case event == "cancel" && byBusiness:
		return "cancelled.by_us", true
	case event == "decline" && !byBusiness:
		return news, true
	}
	for _, key := range []string{event + "@" + string(t), event} {
		if name, ok := eventTemplates[key]; ok {
			return name, name != ""
		}
	}
	return news, true
}

// OwnerTemplate names the mail that tells the owner of what a customer did, and
// whether there is one (05 §3.4). entry is a message on an item.
func OwnerTemplate(event string, entry bool) (name string, mailed bool) {
	switch {
	case entry || event == "reopen":
		return "owner.message", true
	case event == inbox.EventCreate, event == "provide_info", event == "cancel", event == "cancel_late":
		return ownerPrefix + event, true
	}
	return "", false
}
