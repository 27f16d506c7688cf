package words

import (
	"slices"
	"time"

	"typedinbox/shared/inbox"
)

// Addresses of links in the samples, cut as the log keeps them.
const sampleLink = "https://studio.example.com/c/9tZ0aKQd3mS1yB7vXwLr2E.…"

// Days of the samples.
var (
	sampleDue  = inbox.InstantOf(time.Date(2026, 10, 21, 9, 0, 0, 0, time.UTC))
	sampleSent = inbox.InstantOf(time.Date(2026, 10, 6, 17, 30, 0, 0, time.UTC))
)

// linked gives a mail the links that it has room for, one of each pair that only
// another type has left out.
func linked(actions ...inbox.LinkAction) func(*MailInput) {
	return func(in *MailInput) {
		for _, a := range actions {
			in.Links = append(in.Links, Link{a, sampleLink})
		}
	}
}

var sampleTrader = Trader{"Ana Lima Lda", "Rua Nova 1, Lisboa", "+351 210 000 000", "ana@example.com", "PT500000000"}

// promiseSamples are mails about promises: payment, fulfilment, changes and
// withdrawal.
func promiseSamples(with change, cut, chains stands) []Sample {
	goods := &Withdrawal{Goods: true, Days: 14, Country: "PT", Trader: sampleTrader}
	moved := func(template string, by inbox.Side) MailInput {
		in := cut(template, "confirmed", "confirmed")
		in.About.Offered = &Offered{Start: &sampleLater, Price: euros(4500), ChangeBy: by, Until: inbox.Ptr(sampleStart), Held: by == inbox.SideBusiness}
		return in
	}
	altered := func(template string, by inbox.Side) MailInput {
		in := chains(template, "accepted", "accepted")
		in.About.Offered = &Offered{Price: euros(3700), Lines: []Line{{2, "Chain", euros(3700)}}, ChangeBy: by, Until: &sampleLater}
		return in
	}
	over := func(in MailInput, by inbox.Side) MailInput { in.About.Offered, in.ChangeBy = nil, by; return in }
	us, they := inbox.SideBusiness, inbox.SideCustomer
	return slices.Concat([]Sample{
		{"booking.paid", with(cut("booking.paid", "confirmed", "confirmed"), func(in *MailInput) {
			in.Paid, in.Withdrawal = euros(4500), &Withdrawal{Until: &sampleLater, Days: 14}
			linked(inbox.LinkChangeTime, inbox.LinkWithdraw)(in)
		})},
		{"booking.paid unknown", cut("booking.paid", "confirmed", "confirmed")},
		{"booking.paid confirms", with(cut("booking.paid", "confirmed", "confirmed"), func(in *MailInput) {
			in.Paid, in.Confirms, in.CancelUntil = euros(4500), true, inbox.Ptr(sampleStart-inbox.Day)
			linked(LinksOf("booking.paid", true)...)(in)
		})},
		{"order.awaiting_payment", with(chains("order.awaiting_payment", "awaiting_payment", "accepted"), func(in *MailInput) {
			in.About.Due, in.About.PayURL, in.Withdrawal = euros(4200), "https://pay.example.com/123", goods
			linked(inbox.LinkWithdraw)(in)
		})},
		{"order.awaiting_payment no link", with(chains("order.awaiting_payment", "awaiting_payment", "accepted"), func(in *MailInput) { in.About.Due = euros(4200) })},
		{"order.awaiting_payment as changed", with(chains("order.awaiting_payment", "awaiting_payment", "proposed"), func(in *MailInput) {
			in.About.Due, in.Confirms = euros(4200), true
			linked(inbox.LinkCancel)(in)
		})},
		{"order.paid", with(chains("order.paid", "paid", "awaiting_payment"), func(in *MailInput) { in.Paid, in.Withdrawal = euros(4200), goods; linked(inbox.LinkWithdraw)(in) })},
		{"order.paid in part", with(chains("order.paid", "paid", "accepted"), func(in *MailInput) { in.Paid, in.About.Due, in.Confirms = euros(2000), euros(2200), true })},
		{"order.paid unknown", chains("order.paid", "paid", "awaiting_payment")},
		{"order.payment_failed", with(chains("order.payment_failed", "payment_failed", "awaiting_payment"), func(in *MailInput) {
			in.About.Due, in.About.PayURL = euros(4200), "https://pay.example.com/123"
		})},
		{"order.payment_failed no link", chains("order.payment_failed", "payment_failed", "awaiting_payment")},
		{"order.fulfilled", with(chains("order.fulfilled", "fulfilled", "paid"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Goods: true, Until: &sampleDue, Days: 14, Country: "GB", Trader: sampleTrader}
			linked(inbox.LinkWithdraw)(in)
		})},

		{"booking.change.propose", with(moved("booking.change.propose", us), func(in *MailInput) { in.Words = "Maria is away that morning."; linked(onChange...)(in) })},
		{"booking.change.propose priced", with(moved("booking.change.propose", us), func(in *MailInput) {
			o := in.About.Offered
			o.Price, o.Held, o.Withdrawable = euros(5000), false, true
		})},
		{"booking.change.propose same time", with(moved("booking.change.propose", us), func(in *MailInput) {
			o := in.About.Offered
			o.Start, o.Price, o.Lasts, o.Held = in.About.Start, euros(5000), 90, false
		})},
		{"booking.change.propose theirs", moved("booking.change.propose", they)},
		{"booking.change.accept", with(over(cut("booking.change.accept", "confirmed", "confirmed"), us), func(in *MailInput) {
			in.CancelUntil = inbox.Ptr(sampleStart - inbox.Day)
			linked(inbox.LinkChangeTime, inbox.LinkCancel)(in)
		})},
		{"booking.change.decline", with(over(cut("booking.change.decline", "confirmed", "confirmed"), us), linked(inbox.LinkChangeTime))},
		{"booking.change.decline theirs", over(cut("booking.change.decline", "confirmed", "confirmed"), they)},
		{"booking.change.retract", over(cut("booking.change.retract", "confirmed", "confirmed"), us)},
		{"booking.change.retract theirs", over(cut("booking.change.retract", "confirmed", "confirmed"), they)},
		{"booking.change.expire", over(cut("booking.change.expire", "confirmed", "confirmed"), us)},
		{"booking.change.expire theirs", over(cut("booking.change.expire", "confirmed", "confirmed"), they)},
		{"order.change.propose", with(altered("order.change.propose", us), linked(onChange...))},
		{"order.change.propose theirs", altered("order.change.propose", they)},
		{"order.change.propose day", with(altered("order.change.propose", us), func(in *MailInput) {
			in.About.Delivery = &Delivery{"delivery", &sampleDue}
			in.About.Offered.Delivery = &Delivery{"delivery", inbox.Ptr(sampleDue.Add(2 * inbox.Day))}
			in.About.Offered.Lines, in.About.Offered.Price = in.About.Lines, in.About.Price
		})},
		{"order.change.accept", with(over(chains("order.change.accept", "accepted", "accepted"), us), func(in *MailInput) { in.Withdrawal = goods; linked(inbox.LinkWithdraw)(in) })},
		{"order.change.decline", over(chains("order.change.decline", "accepted", "accepted"), us)},
		{"order.change.decline theirs", over(chains("order.change.decline", "accepted", "accepted"), they)},
		{"order.change.retract", over(chains("order.change.retract", "accepted", "accepted"), us)},
		{"order.change.retract theirs", over(chains("order.change.retract", "accepted", "accepted"), they)},
		{"order.change.expire", over(chains("order.change.expire", "accepted", "accepted"), us)},
		{"order.change.expire theirs", over(chains("order.change.expire", "accepted", "accepted"), they)},

		{"booking.withdrawn", with(cut("booking.withdrawn", "cancelled_by_customer", "confirmed"), func(in *MailInput) {
			in.Notice, in.About.Refund = &sampleSent, &Refund{Kind: "withdrawal", State: "approved", Amount: euros(4500), Due: &sampleDue}
		})},
		{"order.withdrawn", with(chains("order.withdrawn", "cancelled", "accepted"), func(in *MailInput) { in.Notice = &sampleSent })},
		{"order.withdrawn uk", with(chains("order.withdrawn", "cancelled", "paid"), func(in *MailInput) {
			in.Notice, in.Country = &sampleSent, "GB"
			in.About.Refund = &Refund{Kind: "withdrawal", State: "approved", Amount: euros(4200), Due: &sampleDue}
		})},
		{"cancelled.by_us paid", with(cut("cancelled.by_us", "cancelled_by_business", "confirmed"), func(in *MailInput) {
			in.About.Refund = &Refund{Kind: "cancellation", State: "approved", Amount: euros(4500), Due: &sampleDue}
		})},
		{"cancelled.as_asked paid", with(chains("cancelled.as_asked", "cancelled", "paid"), func(in *MailInput) {
			in.About.Refund = &Refund{Kind: "policy", State: "requested", Amount: euros(4200)}
		})},
		{"booking.confirmed links", with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Until: &sampleLater, Days: 14}
			linked(onPromise...)(in)
		})},
		{"booking.accepted right link", with(cut("booking.accepted", "confirmed", "proposed"), func(in *MailInput) {
			in.Withdrawal = &Withdrawal{Until: &sampleLater, Days: 14, Country: "GB"}
			linked(onPromise...)(in)
		})},
		{"order.accepted links", with(chains("order.accepted", "accepted", "received"), linked(inbox.LinkCancel))},
		{"ack.booking links", with(cut("ack.booking", "requested", ""), linked(inbox.LinkCancel))},
		{"needs_info links", with(cut("needs_info", "needs_info", "requested"), func(in *MailInput) { in.Words = "How long is your hair?"; linked(inbox.LinkDetails)(in) })},
		{"reply links", with(cut("reply", "confirmed", ""), func(in *MailInput) { in.Words = "Until Tuesday."; linked(inbox.LinkChangeTime)(in) })},
	}, proposalSamples(with, cut, chains))
}

// proposalSamples are proposals with their links.
func proposalSamples(with change, cut, chains stands) []Sample {
	return []Sample{
		{"booking.proposed links", with(cut("booking.proposed", "proposed", "requested"), func(in *MailInput) {
			in.About.Offered = &Offered{Start: &sampleLater, Price: euros(4500), Until: inbox.Ptr(sampleStart), Held: true}
			linked(onProposal...)(in)
		})},
		{"order.proposed links", with(chains("order.proposed", "proposed", "received"), func(in *MailInput) {
			in.About.Offered = &Offered{Price: euros(3700), Lines: []Line{{2, "Chain", euros(3700)}}, Until: &sampleLater}
			linked(onOrder...)(in)
		})},
		{"quote.quoted links", with(cut("quote.quoted", "quoted", "received"), func(in *MailInput) {
			in.About.Type, in.About.Subject, in.About.Start, in.About.Price = quote, "Frame", nil, euros(31000)
			in.About.Offered = &Offered{Price: euros(31000), Until: &sampleStart, Creates: order}
			linked(onQuote...)(in)
		})},
		{"quote.accepted links", with(cut("quote.accepted", "accepted", "quoted"), func(in *MailInput) {
			in.About.Type, in.About.Subject, in.About.Start, in.About.Price = quote, "Painting a room", nil, euros(31000)
			in.About.Offered = &Offered{Price: euros(31000), Start: &sampleLater, Creates: booking}
			linked(inbox.LinkChangeTime, inbox.LinkCancel)(in)
		})},
	}
}

// refundSamples are mails about returns and refunds.
func refundSamples(with change, cut stands) []Sample {
	of := func(template string, s inbox.State, r Refund) MailInput {
		in := cut(template, s, "")
		in.About.Type, in.About.Subject, in.About.Start, in.About.Price = refund, "Chain", nil, nil
		r.State = s
		in.About.Refund = &r
		return in
	}
	back := sampleSent.Add(14 * inbox.Day)
	return []Sample{
		{"refund.withdrawn", with(of("refund.withdrawn", "approved", Refund{Kind: "withdrawal", Amount: euros(3700), Goods: true, ReturnBy: &back}), func(in *MailInput) { in.Notice = &sampleSent })},
		{"refund.withdrawn free", with(of("refund.withdrawn", "approved", Refund{Kind: "withdrawal", Amount: euros(0), Goods: true, ReturnBy: &back, FreePostage: true}), func(in *MailInput) { in.Notice, in.Country = &sampleSent, "GB" })},
		{"refund.received", of("refund.received", "requested", Refund{Kind: "policy", Amount: euros(3700), Goods: true, RespondHours: 72})},
		{"refund.received soon", of("refund.received", "requested", Refund{Kind: "policy", Amount: euros(3700), Goods: true, RespondHours: 1})},
		{"refund.received faulty", of("refund.received", "requested", Refund{Kind: "faulty", Amount: euros(3700), Goods: true, RespondHours: 72, FreePostage: true})},
		{"refund.approved", with(of("refund.approved", "approved", Refund{
			Kind: "policy", Amount: euros(3700), Goods: true, ReturnBy: &back, Method: "post", Address: "Rua Nova 1, Lisboa", Note: "Please wrap it well.",
		}), func(in *MailInput) { in.Words = "We are sorry it did not fit." })},
		{"refund.approved drop off", of("refund.approved", "approved", Refund{Kind: "faulty", Amount: euros(3700), Goods: true, Method: "drop_off", FreePostage: true})},
		{"refund.approved collection", of("refund.approved", "approved", Refund{Kind: "faulty", Amount: euros(3700), Goods: true, ReturnBy: &back, Method: "collection", FreePostage: true})},
		{"refund.approved money", of("refund.approved", "approved", Refund{Kind: "policy", Amount: euros(3700), Due: &sampleDue})},
		{"refund.goods_back", of("refund.goods_back", "goods_received", Refund{Kind: "withdrawal", Amount: euros(3700), Goods: true, Due: &sampleDue})},
		{"refund.disputed", with(of("refund.disputed", "goods_received", Refund{Kind: "withdrawal", Amount: euros(3700), Goods: true, Due: &sampleDue}), func(in *MailInput) { in.Words = "The chain is broken." })},
		{"refund.refunded", of("refund.refunded", "refunded", Refund{Kind: "withdrawal", Amount: euros(3700), Goods: true, Paid: euros(3700), Ref: "TRF-2210"})},
		{"refund.refunded free", of("refund.refunded", "refunded", Refund{Kind: "withdrawal", Amount: euros(0), Goods: true})},
		{"refund.refunded settled", of("refund.refunded", "goods_received", Refund{Kind: "withdrawal", Amount: euros(3000), Goods: true, Due: &sampleDue})},
		{"refund.refunded settled early", of("refund.refunded", "approved", Refund{Kind: "withdrawal", Amount: euros(3000), Goods: true})},
		{"refund.rejected", with(of("refund.rejected", "rejected", Refund{Kind: "policy", Amount: euros(3700), Goods: true, ComplaintsURL: "https://www.livroreclamacoes.pt"}), func(in *MailInput) { in.Words = "It was worn." })},
		{"refund.cancelled", of("refund.cancelled", "cancelled", Refund{Kind: "policy", Amount: euros(3700), Goods: true})},
		{"owner.refund_due", with(of("owner.refund_due", "approved", Refund{Kind: "withdrawal", Amount: euros(3700), Due: &sampleDue}), func(in *MailInput) { in.AppURL = sampleApp })},
		{"owner.cancel return", with(of("owner.cancel", "cancelled", Refund{Kind: "policy", Amount: euros(3700), Goods: true}), func(in *MailInput) { in.AppURL = sampleApp })},
		{"owner.request_return", with(of("owner.request_return", "requested", Refund{Kind: "policy", Amount: euros(3700), Goods: true}), func(in *MailInput) { in.AppURL = sampleApp; in.Text = "It does not fit." })},
	}
}

// sampleApp is the owner's app.
const sampleApp = "https://inbox.example.com/app"

// ownerSamples are mails to the business about promises, and about no item.
func ownerSamples(with change, cut stands) []Sample {
	app := func(in *MailInput) { in.AppURL = sampleApp }
	asked := func(template string) MailInput {
		return with(cut(template, "confirmed", "confirmed"), func(in *MailInput) {
			app(in)
			in.About.Offered = &Offered{Start: &sampleLater, Price: euros(4500), ChangeBy: inbox.SideCustomer}
		})
	}
	bare := func(template string) MailInput {
		in := cut(template, "", "")
		in.About, in.Name, in.ItemID = About{Zone: in.About.Zone}, "", ""
		return in
	}
	return []Sample{
		{"owner.propose_change", asked("owner.propose_change")},
		{"owner.accept_change", with(cut("owner.accept_change", "confirmed", "confirmed"), app)},
		{"owner.decline_change", with(cut("owner.decline_change", "confirmed", "confirmed"), func(in *MailInput) { app(in); in.Text = "I cannot come any other day." })},
		{"owner.retract_change", with(cut("owner.retract_change", "confirmed", "confirmed"), app)},
		{"owner.withdraw", with(cut("owner.withdraw", "cancelled_by_customer", "confirmed"), app)},
		{"owner.reminder", with(cut("owner.reminder", "requested", ""), func(in *MailInput) { app(in); in.Words = "Still open after a day." })},
		{"owner.draft_offer", with(cut("owner.draft_offer", "requested", ""), app)},
		{"owner.held_reply", with(cut("owner.held_reply", "requested", ""), app)},
		{"owner.mail_failed", with(cut("owner.mail_failed", "confirmed", ""), func(in *MailInput) { app(in); in.Words = "Confirmed: Haircut. 550 no such mailbox" })},
		{"owner.digest", with(bare("owner.digest"), func(in *MailInput) {
			app(in)
			in.Digest = Digest{32, []Entry{{"New booking from Ana Lima: Haircut", "01J9ZK3M5V8R2T4W6X007K3QXA"}, {"Message from Rui: Opening hours", "01J9ZK3M5V8R2T4W6X007K3QXB"}}}
		})},
		{"owner.digest of one", with(bare("owner.digest"), func(in *MailInput) {
			app(in)
			in.Digest = Digest{1, []Entry{{"New booking from Ana Lima: Haircut", "01J9ZK3M5V8R2T4W6X007K3QXA"}}}
		})},
		{"owner.digest no app", with(bare("owner.digest"), func(in *MailInput) { in.Digest = Digest{21, []Entry{{"New booking from Ana Lima: Haircut", ""}}} })},
		{"owner.notice", with(bare("owner.notice"), func(in *MailInput) { app(in); in.Digest.Count = 3 })},
		{"signin", with(bare("signin"), func(in *MailInput) { in.Secret = "https://studio.example.com/auth/…" })},
		{"invite", with(bare("invite"), func(in *MailInput) { in.Secret, in.Inviter = "https://studio.example.com/auth/…", "Maria Silva" })},
	}
}
