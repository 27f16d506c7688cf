package words

import (
	"slices"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Link is a link of a mail, its address as it is kept (05 §6.2).
type Link struct {
	Action inbox.LinkAction
	URL    string
}

// Links that several mails have.
var (
	onProposal  = []inbox.LinkAction{inbox.LinkAcceptTime, inbox.LinkDeclineTime, inbox.LinkOtherTime}
	onQuote     = []inbox.LinkAction{inbox.LinkAcceptQuote, inbox.LinkDeclineQuote}
	onOrder     = []inbox.LinkAction{inbox.LinkAcceptOrder, inbox.LinkDeclineOrder}
	onChange    = []inbox.LinkAction{inbox.LinkAcceptChange, inbox.LinkKeepAsIs}
	onPromise   = []inbox.LinkAction{inbox.LinkChangeTime, inbox.LinkCancel, inbox.LinkWithdraw}
	onPaid      = []inbox.LinkAction{inbox.LinkChangeTime, inbox.LinkWithdraw}
	cancelAlone = []inbox.LinkAction{inbox.LinkCancel}
	timeAlone   = []inbox.LinkAction{inbox.LinkChangeTime}
	// whatIsOpen is whatever the item waits for.
	whatIsOpen = []inbox.LinkAction{
		inbox.LinkAcceptTime, inbox.LinkAcceptQuote, inbox.LinkAcceptOrder, inbox.LinkAcceptChange,
		inbox.LinkDeclineTime, inbox.LinkDeclineQuote, inbox.LinkDeclineOrder, inbox.LinkKeepAsIs, inbox.LinkOtherTime,
		inbox.LinkChangeTime, inbox.LinkDetails,
	}
)

// mailLinks are the links that a mail has room for, in the order they stand in
// it; which of them it gets depends on what the item allows (05 §3.2, §6.3, 09).
var mailLinks = map[string][]inbox.LinkAction{
	"ack.booking": cancelAlone,
	"ack.order":   cancelAlone,
	"needs_info":  {inbox.LinkDetails},

	"booking.proposed": onProposal,
	"order.proposed":   onOrder,
	"quote.quoted":     onQuote,

	"booking.confirmed":      onPromise,
	"booking.accepted":       onPromise,
	"booking.paid":           onPaid,
	"order.accepted":         onPromise,
	"order.awaiting_payment": onPaid,
	"order.paid":             onPaid,
	"order.fulfilled":        onPaid,
	"quote.accepted":         onPromise,

	"booking.change.propose": onChange,
	"booking.change.accept":  onPromise,
	"booking.change.decline": timeAlone,
	"booking.change.retract": timeAlone,
	"booking.change.expire":  timeAlone,
	"order.change.propose":   onChange,
	"order.change.accept":    onPaid,

	"reply": whatIsOpen,
	news:    whatIsOpen,
}

// LinksOf lists the links that a mail has room for, in the order of 05 §6.3.
// confirms says that it took the place of a confirmation: the link that cancels
// comes with that.
func LinksOf(template string, confirms bool) []inbox.LinkAction {
	links := mailLinks[template]
	if confirms && slices.Equal(links, onPaid) {
		return onPromise
	}
	return links
}

// answers are the lines that a customer answers with: a label and an address
// each, the withdrawal's aside, which stands with the right (05 §3.3).
func (in MailInput) answers() []string {
	var lines []string
	for _, l := range in.Links {
		if l.Action == inbox.LinkWithdraw {
			continue
		}
		label := say(in.Lang, "link."+string(l.Action), in.linked())
		lines = append(lines, label+": "+format.OneLine(l.URL))
	}
	return lines
}

// linked is the type of what the links act on: a quote's yes has those of what
// it became.
func (in MailInput) linked() inbox.Type {
	if in.About.Type == quote && in.About.State == inbox.StateAccepted && in.offered().Creates != "" {
		return in.offered().Creates
	}
	return in.About.Type
}

// withdrawURL is the address that withdraws, "" for none.
func (in MailInput) withdrawURL() string {
	for _, l := range in.Links {
		if l.Action == inbox.LinkWithdraw {
			return format.OneLine(l.URL)
		}
	}
	return ""
}

func (in MailInput) answerLines() string { return strings.Join(in.answers(), "\n") }
