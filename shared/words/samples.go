package words

import (
	"slices"
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Sample is a mail with everything it is made of, for the page that shows every
// mail and for the tests: its name is the template's, then what is special.
type Sample struct {
	Name string
	Mail MailInput
}

// Instants of the samples: the day of the examples of 05 §2.2.
var (
	sampleStart = inbox.InstantOf(time.Date(2026, 10, 7, 9, 0, 0, 0, time.UTC))
	sampleLater = sampleStart.Add(inbox.Hour)
)

// Samples has one of every mail and of every branch in one, in English and at a
// business in the zone.
func Samples(zone *time.Location) []Sample {
	with := func(in MailInput, f func(*MailInput)) MailInput { f(&in); return in }
	cut := func(template string, s, from inbox.State) MailInput {
		return MailInput{Template: template, Lang: format.En, About: sampleBooking(zone, s), Name: "Ana Lima", Business: "Studio Ana", FromState: from, ItemID: "01J9ZK3M5V8R2T4W6X007K3QXA"}
	}
	of := func(template string, typ inbox.Type, s, from inbox.State, subject string) MailInput {
		in := cut(template, s, from)
		in.About.Type, in.About.Subject, in.About.Start, in.About.Price = typ, subject, nil, nil
		return in
	}
	chains := func(template string, s, from inbox.State) MailInput {
		in := of(template, inbox.TypeOrder, s, from, "2 × Chain")
		in.About.Price = euros(4200)
		in.About.Lines = []Line{{2, "Chain", euros(3700)}, {1, "Engraving", euros(500)}}
		return in
	}
	app := func(in *MailInput) { in.AppURL = "https://inbox.example.com/app/" }
	return slices.Concat(bookingSamples(with, cut), orderSamples(with, chains), quoteSamples(with, of),
		promiseSamples(with, cut, chains), refundSamples(with, cut), ownerSamples(with, cut), []Sample{
			{"needs_info quote", with(of("needs_info", inbox.TypeQuote, "needs_info", "received", "Frame"), func(in *MailInput) { in.Words = "Which size?"; in.Automatic = true })},
			{"reply", with(of("reply", inbox.TypeMessage, "answered", "open", "Opening hours"), func(in *MailInput) { in.Words = "Hi Ana,\n\nwe open at nine.\n" })},
			{"reply again", with(of("reply", inbox.TypeMessage, "answered", "open", "RE: re: Opening hours"), func(in *MailInput) { in.Words = "At nine." })},
			{"reply automatic", with(of("reply", inbox.TypeMessage, "answered", "open", ""), func(in *MailInput) { in.Words = "We open at nine."; in.Automatic = true })},
			{"message.answered", of("message.answered", inbox.TypeMessage, "answered", "open", "Opening hours")},
			{"news", with(cut("news", "no_show", "confirmed"), func(in *MailInput) { in.Business = "" })},
			{"code", with(cut("code", "requested", ""), func(in *MailInput) { in.Code, in.Minutes = "042917", 10 })},
			{"code of a minute", with(cut("code", "requested", ""), func(in *MailInput) { in.Code, in.Minutes = "042917", 1 })},
			{"code bare", with(cut("code", "requested", ""), func(in *MailInput) { in.Code, in.Minutes, in.Business, in.Name = "••••••", 10, "", "" })},
			{"owner.create", with(cut("owner.create", "requested", ""), app)},
			{"owner.create message", with(of("owner.create", inbox.TypeMessage, "open", "", "Opening hours"), func(in *MailInput) { app(in); in.Text = "When do you open?\n\n" + strings.Repeat("And close? ", 30) })},
			{"owner.create unknown", with(cut("owner.create", "requested", ""), func(in *MailInput) { in.Name, in.About.Subject = "", "" })},
			{"owner.create order", with(chains("owner.create", "received", ""), func(in *MailInput) { app(in); in.About.Unpriced = true })},
			{"owner.message", with(of("owner.message", inbox.TypeMessage, "open", "", "Opening hours"), func(in *MailInput) { app(in); in.Text = "And on Sunday?" })},
			{"owner.provide_info", with(cut("owner.provide_info", "requested", "needs_info"), func(in *MailInput) { app(in); in.Text = "Long hair." })},
			{"owner.message elsewhere", with(cut("owner.message", "confirmed", "confirmed"), func(in *MailInput) {
				app(in)
				in.Text, in.Sender, in.Unproven = "Please cancel it.", "eve@example.com", true
			})},
			{"owner.counter", with(cut("owner.counter", "requested", "proposed"), func(in *MailInput) { app(in); in.Text = "Ten would suit me better." })},
			{"owner.accept", with(cut("owner.accept", "confirmed", "proposed"), app)},
			{"owner.accept quote", with(of("owner.accept", inbox.TypeQuote, "accepted", "quoted", "Frame"), func(in *MailInput) { app(in); in.About.Price = euros(31000) })},
			{"owner.decline", with(of("owner.decline", inbox.TypeQuote, "declined", "quoted", "Frame"), func(in *MailInput) { app(in); in.About.ByCustomer = true; in.Text = "Too dear." })},
			{"owner.cancel", with(cut("owner.cancel", "cancelled_by_customer", "confirmed"), app)},
			{"owner.cancel declined", with(cut("owner.cancel", "cancelled_by_customer", "proposed"), app)},
			{"owner.cancel_late", with(cut("owner.cancel_late", "cancelled_by_customer", "confirmed"), app)},
		})
}

func sampleBooking(zone *time.Location, s inbox.State) About {
	return About{
		Type: inbox.TypeBooking, State: s, Subject: "Haircut", Reference: "7K3QXA", Start: &sampleStart, Zone: zone, Price: euros(4500),
	}
}

func euros(cents int64) *inbox.Money { return &inbox.Money{Value: cents, Currency: "EUR"} }

type (
	change = func(MailInput, func(*MailInput)) MailInput
	stands = func(template string, s, from inbox.State) MailInput
)

func bookingSamples(with change, cut stands) []Sample {
	proposed := func(from inbox.State) MailInput {
		in := cut("booking.proposed", "proposed", from)
		in.About.Offered = &Offered{Start: &sampleLater, Price: euros(4500), Until: inbox.Ptr(sampleStart), Held: true}
		return in
	}
	late := sampleStart.Add(-2 * inbox.Hour)
	return []Sample{
		{"ack.booking", cut("ack.booking", "requested", "")},
		{"ack.booking unpriced", with(cut("ack.booking", "requested", ""), func(in *MailInput) { in.About.Unpriced = true })},
		{"ack.booking personal", with(cut("ack.booking", "requested", ""), func(in *MailInput) { in.About.Personal = &Personal{*euros(5000), "Thank you for your tenth visit."} })},
		{"ack.booking bare", with(cut("ack.booking", "requested", ""), func(in *MailInput) {
			*in = MailInput{Template: in.Template, Lang: in.Lang, About: About{Type: inbox.TypeBooking, State: "requested"}}
		})},
		{"needs_info booking", with(cut("needs_info", "needs_info", "requested"), func(in *MailInput) { in.Words = "How long is your hair?\r\nShort or long?" })},
		{"reply awaiting details", with(cut("reply", "needs_info", ""), func(in *MailInput) { in.Words = "Did you see our question?" })},
		{"booking.confirmed", with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) { in.CancelUntil = CancelUntil(sampleStart, 1440, sampleStart-3*inbox.Day) })},
		{"booking.confirmed words", with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) { in.Words = "Please come five minutes early."; in.Automatic = true })},
		{"booking.confirmed by phone", with(cut("booking.confirmed", "confirmed", "proposed"), func(in *MailInput) {
			in.About.Personal = &Personal{List: *euros(5000)}
		})},
		{"booking.proposed", with(proposed("requested"), func(in *MailInput) { in.Words = "At ten we are at the dentist." })},
		{"booking.proposed again", with(proposed("proposed"), func(in *MailInput) {
			in.About.Offered.Held, in.About.Offered.Withdrawable = false, true
		})},
		{"booking.proposed same", with(proposed("requested"), func(in *MailInput) {
			in.About.Offered.Start, in.About.Offered.Until, in.About.Offered.Held = &sampleStart, &late, false
			in.About.Offered.Price, in.About.Offered.Personal = euros(4000), &Personal{*euros(4500), "With our thanks."}
			in.Automatic = true
		})},
		{"booking.proposed unpriced", with(proposed("requested"), func(in *MailInput) { in.About.Unpriced, in.About.Offered.Unpriced = true, true })},
		{"booking.proposed free", with(proposed("needs_info"), func(in *MailInput) { in.About.Price, in.About.Offered.Price = nil, nil })},
		{"booking.counter", cut("booking.counter", "requested", "proposed")},
		{"booking.counter unpriced", with(cut("booking.counter", "requested", "proposed"), func(in *MailInput) { in.About.Unpriced = true })},
		{"booking.retracted", with(cut("booking.retracted", "requested", "proposed"), func(in *MailInput) { in.Words = "Sorry, we mixed up two days." })},
		{"booking.accepted right", with(cut("booking.accepted", "confirmed", "proposed"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Until: &sampleLater, Days: 14, Country: "ES"}
		})},
		{"booking.accepted right uk", with(cut("booking.accepted", "confirmed", "proposed"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Until: &sampleLater, Days: 14, Country: "UK"}
		})},
		{"booking.confirmed right", with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) { in.Withdrawal = &Withdrawal{Days: 30} })},
		{"booking.confirmed right uk", with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) { in.Withdrawal = &Withdrawal{Days: 30, Country: "GB"} })},
		{"booking.accepted", with(cut("booking.accepted", "confirmed", "proposed"), func(in *MailInput) { in.CancelUntil = CancelUntil(sampleStart, 1440, sampleStart-3*inbox.Day) })},
		{"booking.declined_time", cut("booking.declined_time", "cancelled_by_customer", "proposed")},
		{"declined booking", with(cut("declined", "declined", "requested"), func(in *MailInput) { in.Words = "We are away that week." })},
		{"cancelled.as_asked", cut("cancelled.as_asked", "cancelled_by_customer", "confirmed")},
		{"cancelled.as_asked early", cut("cancelled.as_asked", "cancelled_by_customer", "requested")},
		{"cancelled.by_us", with(cut("cancelled.by_us", "cancelled_by_business", "confirmed"), func(in *MailInput) { in.Words = "The power is out." })},
		{"booking.expired", cut("booking.expired", "expired", "requested")},
		{"booking.expired question", cut("booking.expired", "expired", "needs_info")},
		{"booking.expired proposal", with(cut("booking.expired", "expired", "proposed"), func(in *MailInput) { in.Lapsed = &late })},
	}
}

func orderSamples(with change, chains stands) []Sample {
	pickup := func(method string) *Delivery {
		return &Delivery{method, inbox.Ptr(inbox.InstantOf(time.Date(2026, 10, 9, 9, 0, 0, 0, time.UTC)))}
	}
	proposed := func(from inbox.State) MailInput {
		in := chains("order.proposed", "proposed", from)
		in.About.Offered = &Offered{
			Price: euros(3700), Lines: []Line{{2, "Chain", euros(3700)}}, Delivery: pickup("pickup"), Until: &sampleLater, Withdrawable: true,
		}
		return in
	}
	return []Sample{
		{"ack.order", chains("ack.order", "received", "")},
		{"ack.order unpriced", with(chains("ack.order", "received", ""), func(in *MailInput) {
			in.About.Unpriced = true
			in.About.Lines = []Line{{2, "Chain", euros(3700)}, {1, "Engraving", nil}}
		})},
		{"ack.order several", with(chains("ack.order", "received", ""), func(in *MailInput) {
			in.About.Subject, in.About.Delivery = "Chain and 3 more", pickup("delivery")
		})},
		{"needs_info order", with(chains("needs_info", "needs_info", "received"), func(in *MailInput) { in.About.Subject = "" })},
		{"order.proposed", with(proposed("received"), func(in *MailInput) { in.Words = "We do not engrave any more." })},
		{"order.proposed again", with(proposed("proposed"), func(in *MailInput) {
			o := in.About.Offered
			o.Withdrawable, o.Personal, o.Delivery = false, &Personal{List: *euros(4000)}, pickup("digital")
		})},
		{"order.proposed same", with(proposed("received"), func(in *MailInput) {
			in.About.Offered = &Offered{Price: in.About.Price, Lines: in.About.Lines, Until: &sampleLater}
		})},
		{"order.counter", chains("order.counter", "received", "proposed")},
		{"order.counter unpriced", with(chains("order.counter", "received", "proposed"), func(in *MailInput) { in.About.Unpriced = true })},
		{"order.retracted", chains("order.retracted", "received", "proposed")},
		{"order.accepted right", with(chains("order.accepted", "accepted", "received"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Goods: true, Days: 14, Country: "PT", Trader: Trader{"Ana Lima Lda", "Rua Nova 1, Lisboa", "+351 210 000 000", "ana@example.com", "PT500000000"}}
		})},
		{"order.accepted uk", with(chains("order.accepted", "accepted", "received"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Goods: true, Days: 14, Country: "GB"}
		})},
		{"order.accepted excepted", with(chains("order.accepted", "accepted", "received"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Excepted: "personalised", Goods: true, Days: 14}
		})},
		{"order.accepted", with(chains("order.accepted", "accepted", "received"), func(in *MailInput) { in.About.Delivery = pickup("pickup"); in.Words = "With pleasure." })},
		{"order.accepted as changed", with(chains("order.accepted", "accepted", "proposed"), func(in *MailInput) { in.About.Personal = &Personal{List: *euros(5000)} })},
		{"order.accepted as proposed", with(chains("order.accepted", "accepted", "proposed"), func(in *MailInput) { in.AsAsked = true })},
		{"declined order", chains("declined", "declined", "received")},
		{"cancelled.as_asked order", chains("cancelled.as_asked", "cancelled", "accepted")},
		{"cancelled.by_us order", chains("cancelled.by_us", "cancelled", "accepted")},
		{"order.expired", chains("order.expired", "expired", "received")},
		{"order.expired proposal", with(chains("order.expired", "expired", "proposed"), func(in *MailInput) { in.Lapsed = &sampleStart })},
	}
}

func quoteSamples(with change, of func(string, inbox.Type, inbox.State, inbox.State, string) MailInput) []Sample {
	frame := func(template string, s, from inbox.State) MailInput {
		return of(template, inbox.TypeQuote, s, from, "Frame")
	}
	quoted := func(template string, s, from inbox.State) MailInput {
		in := frame(template, s, from)
		in.About.Offered = &Offered{
			Price: euros(31000), Lines: []Line{{2, "Frame", euros(30000)}, {1, "Glass", euros(1000)}}, Until: &sampleStart, Notes: "Oak, oiled.", Creates: inbox.TypeOrder,
		}
		return in
	}
	asBooking := func(in *MailInput) {
		in.About.Subject = "Painting a room"
		in.About.Offered = &Offered{Price: euros(31000), Until: &sampleStart, Creates: inbox.TypeBooking, Start: &sampleLater, Withdrawable: true}
	}
	return []Sample{
		{"ack.quote", frame("ack.quote", "received", "")},
		{"quote.quoted", with(quoted("quote.quoted", "quoted", "received"), func(in *MailInput) { in.Words = "Oak, oiled." })},
		{"quote.quoted again", with(quoted("quote.quoted", "quoted", "quoted"), func(in *MailInput) { in.Words = "Without the glass it is less." })},
		{"quote.quoted booking", with(quoted("quote.quoted", "quoted", "received"), asBooking)},
		{"quote.counter", frame("quote.counter", "received", "quoted")},
		{"quote.retracted", frame("quote.retracted", "received", "quoted")},
		{"quote.accepted", quoted("quote.accepted", "accepted", "quoted")},
		{"quote.accepted booking", with(quoted("quote.accepted", "accepted", "quoted"), func(in *MailInput) {
			asBooking(in)
			in.About.Offered.Until, in.CancelUntil = nil, &sampleStart
		})},
		{"quote.declined", frame("quote.declined", "declined", "quoted")},
		{"declined quote", frame("declined", "declined", "received")},
		{"quote.expired", frame("quote.expired", "expired", "received")},
		{"quote.expired question", frame("quote.expired", "expired", "needs_info")},
		{"quote.expired quote", with(frame("quote.expired", "expired", "quoted"), func(in *MailInput) { in.Lapsed = &sampleStart })},
	}
}
