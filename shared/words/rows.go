package words

import (
	"slices"
	"strings"
)

const (
	news        = "news"
	ownerPrefix = "owner."
)

// mailRow is one mail: the lines of its subject, of which one holds, and its
// blocks in order, each of lines that stand when their condition holds.
type mailRow struct {
	subject block
	blocks  []block
}

type block []line

type line struct{ key, when string }

// Blocks that many mails share. The order of a customer's mail is 05 §1.5's.
var (
	greeting = block{{"greeting", "named"}, {"greeting.unknown", "unnamed"}}
	byReply  = block{{"answer.links", "links"}, {"answer.by_reply", "answer"}}
	own      = block{{"words", "words"}}
	footer   = block{{"footer.automatic", "automatic"}, {"footer.reference", "reference"}, {"footer.reply", "by a person"}}
	sender   = block{{"business", "business"}}

	what      = line{"fact.what", "subject"}
	when      = line{"fact.when", "when"}
	price     = line{"fact.price", "price"}
	total     = line{"fact.total", "price"}
	openPrice = line{"fact.price.open", "price open"}
	until     = line{"fact.until", "until"}
)

// Terms as they stand on an item and as the business puts them forward. The
// line about a price that was chosen for this customer stands next to it.
var (
	personal  = block{{"fact.personal", "personal"}, {"fact.says", "says"}}
	delivery  = block{{"fact.pickup", "pickup"}, {"fact.delivery", "delivery"}, {"fact.digital", "digital"}}
	newPrice  = block{{"new.personal", "new personal"}, {"new.says", "new says"}, {"fact.price.open", "new price open"}}
	newQuote  = block{{"new.lines", "new lines"}, {"new.total", "new price"}, {"new.booked", "creates booking"}}
	deadline  = block{{"new.until", "new until"}, {"new.held", "held"}, {"new.unheld", "unheld"}}
	mayBeBack = block{{"new.withdrawable", "withdrawable"}}

	newDelivery = block{{"new.pickup", "new pickup"}, {"new.delivery", "new delivery"}, {"new.digital", "new digital"}}
)

// Terms of which a part is shared.
func booked() block {
	return slices.Concat(block{what, when, price}, personal, block{openPrice})
}

func ordered() block {
	return slices.Concat(block{{"fact.lines", "lines"}, total}, personal, block{openPrice}, delivery)
}

func newTime() block {
	return slices.Concat(block{{"new.when", "new when"}, {"asked.when", "asked"}, {"new.price", "new price"}}, newPrice)
}

func newOrder() block {
	return slices.Concat(block{{"new.lines", "new lines"}, {"new.total", "new price"}}, newPrice, newDelivery)
}

// customer wraps what happened in greeting, the business's words, and footer.
func customer(subject block, blocks ...block) mailRow {
	return mailRow{subject, slices.Concat([]block{greeting}, blocks, []block{own, byReply, footer, sender})}
}

// says is a block of one sentence that always stands.
func says(key string) block { return block{{key, ""}} }

// either is a block of two sentences: one when a condition holds, one when its
// opposite does.
func either(key, when, other, otherwise string) block { return block{{key, when}, {other, otherwise}} }

// owner is a mail to the owner (05 §3.4): no link that acts, and of what the
// customer wrote one line at most.
func owner(subject string) mailRow {
	return mailRow{says(subject), []block{
		{{"owner.human", ""}, {"owner.from", ""}}, {{"owner.text", "text"}},
		{{"owner.elsewhere", "elsewhere"}, {"owner.unproven", "unproven"}}, {{"owner.link", "app"}, {"owner.where", ""}},
	}}
}

// requestRows are the mails about a request until it is promised or closed, with
// replies and codes (05 §3.2).
func requestRows() map[string]mailRow {
	return map[string]mailRow{
		"ack.booking": customer(says("subject.ack"), says("ack"), booked(), says("ack.next")),
		"ack.order":   customer(says("subject.ack"), says("ack"), ordered(), says("ack.next")),
		"ack.quote":   customer(says("subject.ack"), says("ack"), block{what}, says("ack.next")),

		"needs_info": customer(says("subject.needs_info"), says("needs_info")),
		"declined":   customer(says("subject.declined"), says("declined"), block{what, when}),

		"booking.proposed": customer(either("subject.proposed", "differs", "subject.proposed.same", "same"),
			block{{"proposed", "first"}, {"proposed.again", "again"}, {"proposed.same", "same"}}, newTime(), deadline, mayBeBack),
		"booking.counter":   customer(says("subject.counter"), says("counter"), booked(), says("counter.next")),
		"booking.retracted": customer(says("subject.about"), says("retracted"), block{{"asked.when", "when"}}, says("retracted.next")),
		"booking.confirmed": confirmation(says("subject.confirmed"),
			either("confirmed", "as asked", "confirmed.suggested", "as suggested"), booked(), block{until}),
		"booking.accepted":      confirmation(says("subject.confirmed"), says("accepted"), booked(), block{until}),
		"booking.declined_time": customer(says("subject.declined_time"), says("declined_time"), block{what}, says("declined_time.next")),

		"order.proposed": customer(either("subject.proposed", "differs", "subject.proposed.same", "same"),
			block{{"proposed", "first"}, {"proposed.again", "again"}, {"proposed.same", "same"}}, newOrder(), deadline, says("proposed.no"), mayBeBack),
		"order.counter":   customer(says("subject.counter"), says("counter"), ordered(), says("counter.next")),
		"order.retracted": customer(says("subject.about"), says("retracted"), says("retracted.next")),
		"order.accepted": confirmation(says("subject.accepted"),
			either("confirmed", "as asked", "confirmed.suggested", "as suggested"), ordered()),

		"quote.quoted": customer(says("subject.quoted"), either("quoted", "new quote", "quoted.again", "another quote"),
			newQuote, block{{"new.notes", "notes"}}, block{{"new.valid", "new until"}}, mayBeBack),
		"quote.counter":   customer(says("subject.counter"), says("counter"), block{what}, says("counter.next")),
		"quote.retracted": customer(says("subject.about"), says("retracted"), says("retracted.next")),
		"quote.accepted": confirmation(says("subject.confirmed"), either("accepted.booking", "creates booking", "accepted.order", "creates order"),
			block{what, {"fact.new.when", "creates booking"}, {"new.total", "new price"}}, block{until}),
		"quote.declined": customer(says("subject.quote.declined"), says("quote.declined"), block{what}),

		"cancelled.as_asked": customer(says("subject.cancelled"), says("cancelled.as_asked"), block{what, {"fact.when", "confirmed"}}, refunded),
		"cancelled.by_us":    customer(says("subject.cancelled"), says("cancelled.by_us"), block{what, when}, refunded),

		"booking.expired": expired(what, when),
		"order.expired":   expired(what),
		"quote.expired":   expired(what),

		"reply":            {says("subject.reply"), []block{own, byReply, footer, sender}},
		"message.answered": customer(says("subject.reply"), says("message.answered"), block{what}),
		news:               customer(says("subject.news"), says("news")),
		"code": customer(either("subject.code", "business", "subject.code.bare", "no business"),
			block{{"code", ""}, {"code.minute", "one minute"}, {"code.minutes", "minutes"}}, says("code.ignore")),
	}
}

// refunded says what becomes of what was paid for something cancelled.
var refunded = block{{"refund.money", "refund pays"}, {"refund.open", "refund open"}}

// expired says why a request was closed that nobody answered: we did not, or the
// customer did not answer our question or what we put forward.
func expired(facts ...line) mailRow {
	return customer(says("subject.expired"),
		block{{"expired", "unanswered"}, {"expired.question", "question"}, {"expired.proposed", "lapsed proposal"}, {"expired.until", "lapsed"}},
		facts, says("again"))
}

// Templates lists the names of mails, the customer's first.
func Templates() []string {
	var names []string
	for name := range mailRows() {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if x, y := strings.HasPrefix(a, ownerPrefix), strings.HasPrefix(b, ownerPrefix); x != y {
			if x {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return names
}
