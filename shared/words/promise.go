package words

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// took is the line of a mail that took the place of the confirmation: what was
// promised was not told before (05 §3.1).
var took = block{{"confirmed", "took its place"}}

// Terms that were agreed, and those that someone asks for instead.
var (
	agreedTime  = block{{"change.now", "moves"}, {"change.instead", "new when moves"}, {"fact.when", "stays"}, {"new.lasts", "new lasts"}, {"new.price", "price differs"}}
	agreedOrder = slices.Concat(block{{"change.now.lines", "lines"}, {"fact.total", "price"}}, delivery)
	asAgreed    = block{{"change.stands", ""}}
	pay         = block{{"pay.due", "pay due"}, {"pay.link", "pay link"}}
)

// instead is an order as someone asks for it.
func instead() block {
	return slices.Concat(block{{"change.instead.lines", "new lines"}, {"new.total", "new price"}}, newPrice, newDelivery)
}

// notMade is a mail about a change that was not made: by whom, and what stands.
func notMade(blocks ...block) mailRow {
	return customer(says("subject.change.off"), append(blocks, asAgreed)...)
}

// changeRows are the mails about changes to a promise, of a type: what is asked
// for, side by side with what was agreed (05 §3.2).
func changeRows(of string, asked []block, facts block) map[string]mailRow {
	return map[string]mailRow{
		of + ".change.propose": customer(block{{"subject.change.stays", "ours stays"}, {"subject.change", "ours moves"}, {"subject.counter", "change theirs"}}, slices.Concat(
			[]block{{{"change.ours.stays", "ours stays"}, {"change.ours", "ours moves"}, {"change.theirs", "change theirs"}}}, asked,
			[]block{{{"change.keep", "change ours"}, {"change.until", "change theirs"}}}, []block{oursOnly(deadline), oursOnly(mayBeBack)})...),
		of + ".change.accept":  confirmation(says("subject.changed"), says("changed"), facts, block{until}),
		of + ".change.decline": notMade(either("declined.ours", "change ours", "declined.theirs", "change theirs")),
		of + ".change.retract": notMade(either("withdrew.ours", "change ours", "withdrew.theirs", "change theirs")),
		of + ".change.expire":  notMade(either("lapsed.ours", "change ours", "lapsed.theirs", "change theirs")),
	}
}

// oursOnly leaves lines to changes that the business asks for.
func oursOnly(b block) block {
	var ours block
	for _, l := range b {
		ours = append(ours, line{l.key, "ours " + l.when})
	}
	return ours
}

// promiseRows are the mails about what follows a promise: payment, fulfilment
// and withdrawal (05 §3.2).
func promiseRows() map[string]mailRow {
	return map[string]mailRow{
		"booking.paid": confirmation(says("subject.paid"), block{{"paid", "paid"}, {"paid.some", "paid unknown"}}, took, booked(), block{{"fact.until", "took until"}}),
		"order.paid":   confirmation(says("subject.paid"), block{{"paid", "paid"}, {"paid.some", "paid unknown"}}, took, tookOrder, block{{"pay.due", "pay due"}}),
		"order.awaiting_payment": confirmation(says("subject.pay"),
			either("pay", "as asked", "confirmed.suggested", "as suggested"), ordered(), pay),
		"order.payment_failed": customer(says("subject.pay.failed"), says("pay.failed"), block{{"pay.due", "pay due"}, {"pay.again", "pay link"}, {"pay.otherwise", "pay no link"}}),
		"order.fulfilled":      confirmation(says("subject.fulfilled"), says("fulfilled"), block{what}),
		"booking.withdrawn":    withdrawn(),
		"order.withdrawn":      withdrawn(),
	}
}

// tookOrder are the terms of an order whose acceptance was not told before.
var tookOrder = block{{"fact.lines", "took lines"}, {"fact.total", "took price"}}

// withdrawn acknowledges a withdrawal on a durable medium: when it was sent, what
// was declared, and what becomes of money and goods (05 §3.2, 02 §9.5).
func withdrawn() mailRow {
	return mailRow{
		either("subject.withdrawn", "law eu", "subject.withdrawn.uk", "law uk"),
		slices.Concat([]block{
			greeting,
			{{"withdrawn", "law eu"}, {"withdrawn.uk", "law uk"}},
			{{"withdrawn.at", "law eu"}, {"withdrawn.at.uk", "law uk"}, {"withdrawn.said", ""}},
			{{"withdrawn.ended", "ended"}}, sendBack, onArrival, moneyBack, {{"refund.free", "nothing paid"}},
		}, []block{own, footer, sender}),
	}
}

// promiseConditions are what a line about a promise may depend on.
func promiseConditions() map[string]func(MailInput) bool {
	return map[string]func(MailInput) bool{
		"change ours":    func(in MailInput) bool { return in.changeBy() == inbox.SideBusiness },
		"ours stays":     func(in MailInput) bool { return in.changeBy() == inbox.SideBusiness && in.About.stays() },
		"ours moves":     func(in MailInput) bool { return in.changeBy() == inbox.SideBusiness && !in.About.stays() },
		"stays":          func(in MailInput) bool { return in.About.stays() },
		"moves":          func(in MailInput) bool { return in.About.Start != nil && !in.About.stays() },
		"new when moves": func(in MailInput) bool { return in.offered().Start != nil && !in.About.stays() },
		"new lasts":      func(in MailInput) bool { return in.offered().Lasts > 0 },
		"change theirs":  func(in MailInput) bool { return in.changeBy() != inbox.SideBusiness },
		"price differs": func(in MailInput) bool {
			o := in.offered()
			return o.Price != nil && !o.Unpriced && !reflect.DeepEqual(o.Price, in.About.Price)
		},
		"took its place": func(in MailInput) bool { return in.Confirms },
		"took until":     func(in MailInput) bool { return in.Confirms && in.CancelUntil != nil },
		"took lines":     func(in MailInput) bool { return in.Confirms && len(in.About.Lines) > 0 },
		"took price":     func(in MailInput) bool { return in.Confirms && in.About.Price != nil },
		"paid":           func(in MailInput) bool { return in.Paid != nil },
		"paid unknown":   func(in MailInput) bool { return in.Paid == nil },
		"pay due":        func(in MailInput) bool { return in.About.Due != nil && in.About.Due.Value > 0 },
		"pay link":       func(in MailInput) bool { return format.OneLine(in.About.PayURL) != "" },
		"pay no link":    func(in MailInput) bool { return format.OneLine(in.About.PayURL) == "" },
		"law eu":         func(in MailInput) bool { return !british(in.Lang, in.Country) },
		"law uk":         func(in MailInput) bool { return british(in.Lang, in.Country) },
		"ended":          func(in MailInput) bool { return in.About.Type != inbox.TypeRefund },
		"nothing paid":   func(in MailInput) bool { return in.About.Type != inbox.TypeRefund && in.About.Refund == nil },

		"ours new until":    ours("new until"),
		"ours held":         ours("held"),
		"ours unheld":       ours("unheld"),
		"ours withdrawable": ours("withdrawable"),

		"links": func(in MailInput) bool { return len(in.answers()) > 0 },
	}
}

// ours narrows a condition to changes that the business asks for.
func ours(when string) func(MailInput) bool {
	return func(in MailInput) bool { return in.changeBy() == inbox.SideBusiness && conditions()[when](in) }
}

// changeBy is who asked for the change that the mail is about.
func (in MailInput) changeBy() inbox.Side {
	if in.ChangeBy != "" {
		return in.ChangeBy
	}
	return in.offered().ChangeBy
}

// british says whether the words are those of the law of the United Kingdom,
// which has them in English alone.
func british(l format.Lang, country string) bool {
	return l == format.En && (country == "GB" || country == "UK")
}

// Statement is what a customer declares who withdraws from a contract: it names
// the contract and its reference, and the lines of it when it is about some alone
// (02 §9.4).
func Statement(l format.Lang, a About, country string, some ...Line) string {
	l = Written(l)
	said := fill(sayCore(l, lawful("statement", l, country), a.Type), func(name string) (string, bool) { return a.fact(l, name) })
	if len(some) == 0 {
		return said
	}
	named := make([]string, len(some))
	for i, line := range some {
		named[i] = strconv.FormatInt(line.Quantity, 10) + " × " + format.OneLine(line.Name)
	}
	return said + " " + fill(sayCore(l, "statement.some", ""), func(name string) (string, bool) { return strings.Join(named, "; "), name == "lines" })
}

// WithdrawalLabels are the texts of the link that begins a withdrawal and of the
// button that sends it, by the law of a country (02 §9.9).
func WithdrawalLabels(l format.Lang, country string) (label, confirm string) {
	l = Written(l)
	return sayCore(l, lawful("right.label", l, country), ""), sayCore(l, lawful("right.confirm", l, country), "")
}

// WithdrawalReason says why a contract cannot be withdrawn from, in the
// customer's words, by the law of a country; "" for a reason there is none for
// (02 §9.1).
func WithdrawalReason(l format.Lang, why string, exception inbox.Withdrawal, country string) string {
	l = Written(l)
	if why == "excepted" {
		return excepted(l, exception, country)
	}
	return sayCore(l, lawful("why."+why, l, country), "")
}

// excepted says why there is no right, by the law of a country.
func excepted(l format.Lang, exception inbox.Withdrawal, country string) string {
	return fill(sayCore(l, "excepted."+string(exception), ""), func(name string) (string, bool) {
		return sayCore(l, lawful("right.name", l, country), ""), name == "right"
	})
}

// WithdrawalPassedOn tells a customer that their withdrawal is with a person now:
// why there is no right, "" for none; or that the whole may be withdrawn from,
// where they named a part (02 §9.4, 09).
func WithdrawalPassedOn(l format.Lang, why string, exception inbox.Withdrawal, country string, part bool) string {
	said := WithdrawalReason(l, why, exception, country)
	if part && why == "" {
		said = sayCore(Written(l), "passed_on.right", "")
	}
	return strings.TrimSpace(sayCore(Written(l), "passed_on", "") + " " + said)
}

// lawful is the key of a sentence by the law of a country.
func lawful(key string, l format.Lang, country string) string {
	if british(l, country) {
		return key + ".uk"
	}
	return key
}
