package words

import (
	"slices"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

const (
	news        = "news"
	ownerPrefix = "owner."
)

// mailRow is one mail: the key of its subject and its blocks in order, each of
// lines that stand when their condition holds.
type mailRow struct {
	subject string
	blocks  []block
}

type block []line

type line struct{ key, when string }

// conditions are what a line may depend on.
var conditions = map[string]func(MailInput) bool{
	"named":       func(in MailInput) bool { return format.OneLine(in.Name) != "" },
	"unnamed":     func(in MailInput) bool { return format.OneLine(in.Name) == "" },
	"subject":     func(in MailInput) bool { return format.OneLine(in.About.Subject) != "" },
	"when":        func(in MailInput) bool { return in.About.Start != nil },
	"confirmed":   func(in MailInput) bool { return in.FromState == inbox.StateConfirmed && in.About.Start != nil },
	"price":       func(in MailInput) bool { return in.About.Price != nil && !in.About.priceOpen() },
	"price open":  func(in MailInput) bool { return in.About.Price != nil && in.About.priceOpen() },
	"lines":       func(in MailInput) bool { return len(in.About.Lines) > 0 },
	"until":       func(in MailInput) bool { return in.CancelUntil != nil },
	"words":       func(in MailInput) bool { return plain(in.Words) != "" },
	"needs info":  func(in MailInput) bool { return in.About.State == inbox.StateNeedsInfo },
	"no question": func(in MailInput) bool { return in.FromState != inbox.StateNeedsInfo },
	"question":    func(in MailInput) bool { return in.FromState == inbox.StateNeedsInfo },
	"automatic":   func(in MailInput) bool { return in.Automatic },
	"by a person": func(in MailInput) bool { return !in.Automatic },
	"reference":   func(in MailInput) bool { return in.About.Reference != "" },
	"business":    func(in MailInput) bool { return format.OneLine(in.Business) != "" },
	"text":        func(in MailInput) bool { return format.OneLine(in.Text) != "" },
	"app":         func(in MailInput) bool { return in.AppURL != "" },
}

// Blocks that many mails share. The order of a customer's mail is 05 §1.5's.
var (
	greeting = block{{"greeting", "named"}, {"greeting.unknown", "unnamed"}}
	byReply  = block{{"answer.by_reply", "needs info"}}
	own      = block{{"words", "words"}}
	footer   = block{{"footer.automatic", "automatic"}, {"footer.reference", "reference"}, {"footer.reply", "by a person"}}
	sender   = block{{"business", "business"}}

	what      = line{"fact.what", "subject"}
	when      = line{"fact.when", "when"}
	price     = line{"fact.price", "price"}
	total     = line{"fact.total", "price"}
	openPrice = line{"fact.price.open", "price open"}
	goods     = line{"fact.lines", "lines"}
)

// customer wraps what happened in greeting, the business's words, and footer.
func customer(subject string, blocks ...block) mailRow {
	return mailRow{subject, slices.Concat([]block{greeting}, blocks, []block{own, byReply, footer, sender})}
}

// says is a block of one sentence that always stands.
func says(key string) block { return block{{key, ""}} }

// owner is a mail to the owner (05 §3.4): no link that acts, and of what the
// customer wrote one line at most.
func owner(subject string) mailRow {
	return mailRow{subject, []block{
		{{"owner.human", ""}, {"owner.from", ""}}, {{"owner.text", "text"}}, {{"owner.link", "app"}, {"owner.where", ""}},
	}}
}

// mailRows are the mails there are, by the name on the mail's row (05 §3.2, §3.4).
var mailRows = map[string]mailRow{
	"ack.booking": customer("subject.ack", says("ack"), block{what, when, price, openPrice}, says("ack.next")),
	"ack.order":   customer("subject.ack", says("ack"), block{goods, total, openPrice}, says("ack.next")),
	"ack.quote":   customer("subject.ack", says("ack"), block{what}, says("ack.next")),

	"needs_info":        customer("subject.needs_info", says("needs_info")),
	"booking.confirmed": customer("subject.confirmed", says("confirmed"), block{what, when, price, openPrice}, block{{"fact.until", "until"}}),
	"declined":          customer("subject.declined", says("declined"), block{what, when}),

	"cancelled.as_asked": customer("subject.cancelled", says("cancelled.as_asked"), block{what, {"fact.when", "confirmed"}}),
	"cancelled.by_us":    customer("subject.cancelled", says("cancelled.by_us"), block{what, when}),

	"booking.expired": expired(what, when),
	"order.expired":   expired(what),
	"quote.expired":   expired(what),

	"reply":            {"subject.reply", []block{own, byReply, footer, sender}},
	"message.answered": customer("subject.reply", says("message.answered"), block{what}),
	news:               customer("subject.news", says("news")),

	"owner.create":       owner("subject.owner.create"),
	"owner.message":      owner("subject.owner.message"),
	"owner.provide_info": owner("subject.owner.provide_info"),
	"owner.cancel":       owner("subject.owner.cancel"),
	"owner.cancel_late":  owner("subject.owner.cancel_late"),
}

// expired says why a request was closed that nobody answered: we did not, or the
// customer did not answer our question.
func expired(facts ...line) mailRow {
	return customer("subject.expired", block{{"expired", "no question"}, {"expired.question", "question"}}, facts, says("again"))
}

// Templates lists the names of mails, the customer's first.
func Templates() []string {
	var names []string
	for name := range mailRows {
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
