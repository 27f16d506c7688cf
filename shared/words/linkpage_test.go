package words

import (
	"slices"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// pageAbout is a booking or an order to which the business put something.
func pageAbout(t inbox.Type) About {
	lisbon, _ := time.LoadLocation("Europe/Lisbon")
	start, other := inbox.Instant(1791280800000), inbox.Instant(1791367200000) // 6 and 7 October 2026, 10:00 UTC
	until := inbox.Instant(1791363600000)
	price := &inbox.Money{Value: 4500, Currency: "EUR"}
	a := About{Type: t, State: inbox.StateProposed, Subject: "Haircut", Reference: "7K3QXA", Zone: lisbon, Price: price,
		Offered: &Offered{Price: price, Until: &until, Withdrawable: true}}
	lines := []Line{{2, "Chain", price}}
	switch t {
	case booking:
		a.Start, a.Offered.Start, a.Offered.Held = &start, &other, true
	case order:
		a.Lines, a.Offered.Lines = lines, lines
		a.Offered.Delivery = &Delivery{"delivery", &other}
	default:
		a.State, a.Offered.Lines, a.Offered.Creates, a.Offered.Start = inbox.StateQuoted, lines, inbox.TypeBooking, &other
	}
	return a
}

var pageTypes = map[inbox.LinkAction]inbox.Type{
	inbox.LinkAcceptQuote: quote, inbox.LinkDeclineQuote: quote, inbox.LinkAcceptOrder: order, inbox.LinkDeclineOrder: order,
}

// TestEveryLinkHasItsPage: in both languages, with a heading, a button and no
// placeholder left.
func TestEveryLinkHasItsPage(t *testing.T) {
	for _, l := range format.Langs {
		for _, action := range inbox.LinkActions {
			typ, ok := pageTypes[action]
			if !ok {
				typ = booking
			}
			in := PageInput{Lang: l, Action: action, Kind: PageAsk, About: pageAbout(typ), Business: "Studio"}
			if action == inbox.LinkWithdraw {
				in.Right = &Right{Text: "I withdraw.", Label: "Withdraw from contract here", Confirm: "Confirm withdrawal", Contract: "Haircut"}
			}
			p := Page(in)
			if p.Heading == "" || p.Button == "" || len(linkPages[action].terms) > 0 && len(p.Terms) == 0 {
				t.Errorf("%s %s: %+v", l, action, p)
			}
			for _, s := range p.all() {
				if strings.ContainsAny(s, "{}") || strings.TrimSpace(s) == "" {
					t.Errorf("%s %s says %q", l, action, s)
				}
			}
		}
	}
}

// all is every text of a page.
func (p PageText) all() []string {
	all := slices.Concat([]string{p.Heading}, p.Lead, p.Notes)
	for _, term := range p.Terms {
		all = append(all, term.Label, term.Value)
	}
	for _, s := range []string{p.Alert, p.Button, p.Field} {
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

func TestPageOfAProposedTime(t *testing.T) {
	p := Page(PageInput{Lang: format.En, Action: inbox.LinkAcceptTime, Kind: PageAsk, About: pageAbout(booking), Words: "We are full on Tuesday.", Pays: true})
	want := []PageTerm{
		{"What", `"Haircut"`}, {"Our suggestion", "Wednesday, 7 October 2026 at 11:00 (Western European Time)"},
		{"You asked for", "Tuesday, 6 October 2026 at 11:00 (Western European Time)"}, {"Price", "€45.00"},
		{"Please answer by", "Wednesday, 7 October 2026 at 10:00 (Western European Time)"},
	}
	if !slices.Equal(p.Terms, want) {
		t.Errorf("%+v", p.Terms)
	}
	if p.Button != "Order with obligation to pay" || p.Quote != "We are full on Tuesday." || p.Field != "" || p.Alert != "" || len(p.Notes) != 2 {
		t.Errorf("%+v", p)
	}
	p = Page(PageInput{Lang: format.Pt, Action: inbox.LinkAcceptTime, Kind: PageAsk, About: pageAbout(booking), Pays: true})
	if p.Button != "Encomenda com obrigação de pagar" {
		t.Errorf("%q", p.Button)
	}
}

// TestPageRefuses: what stands on a page whose press would be refused.
func TestPageRefuses(t *testing.T) {
	by := inbox.Instant(1791194400000)
	for name, c := range map[string]struct {
		action  inbox.LinkAction
		refusal string
		alert   string
		button  string
		picks   bool
	}{
		"slot gone":    {inbox.LinkAcceptTime, "slot_taken", "Somebody else has taken that time. Please choose another one.", "Ask for this time", true},
		"too near":     {inbox.LinkAcceptTime, "not_too_soon", "That time is too near now. Please choose a later one.", "Ask for this time", true},
		"too late":     {inbox.LinkCancel, "too_late", "It is too late to cancel here: that was possible until Monday, 5 October 2026 at 11:00 (Western European Time). Reply to our email; your reply reaches us.", "", false},
		"begun":        {inbox.LinkCancel, "started", "The time has begun, so it can no longer be cancelled here. Reply to our email; your reply reaches us.", "", false},
		"anything":     {inbox.LinkAcceptChange, "odd", "That is not possible any more.", "", false},
		"quote's time": {inbox.LinkAcceptQuote, "slot_taken", "Somebody else has taken that time. Reply to our email and we will find another one.", "", false},
		"change's":     {inbox.LinkAcceptChange, "not_too_soon", "That time is too near now. Your booking stays as it is. Reply to our email and we will find another one.", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			in := PageInput{Lang: format.En, Action: c.action, Kind: PageAsk, About: pageAbout(booking), Refusal: c.refusal, CancelBy: &by}
			p := Page(in)
			if p.Alert != c.alert || p.Button != c.button || in.Picks() != c.picks {
				t.Errorf("%+v, picks %v", p, in.Picks())
			}
		})
	}
}

func TestPageOfACancellation(t *testing.T) {
	by := inbox.Instant(1791194400000)
	amount := &inbox.Money{Value: 4500, Currency: "EUR"}
	for name, c := range map[string]struct {
		in   PageInput
		want []string
	}{
		"in time": {PageInput{CancelBy: &by}, []string{"You can cancel in time until Monday, 5 October 2026 at 11:00 (Western European Time)."}},
		"late": {PageInput{CancelBy: &by, Late: true}, []string{
			"You could cancel in time until Monday, 5 October 2026 at 11:00 (Western European Time). If you cancel now, it is cancelled all the same and noted as late."}},
		"no window": {PageInput{}, nil},
		"paid": {PageInput{CancelBy: &by, Withdraws: &PaysBack{amount, &by}}, []string{
			"You have paid, and you may still withdraw from the contract. Cancelling does that.", "We pay back €45.00 by 5 October 2026, the way you paid."}},
		"paid, date alone":    {PageInput{Withdraws: &PaysBack{nil, &by}}, []string{"You have paid, and you may still withdraw from the contract. Cancelling does that.", "We pay back what you paid by 5 October 2026, the way you paid."}},
		"paid, nothing known": {PageInput{Withdraws: &PaysBack{}}, []string{"You have paid, and you may still withdraw from the contract. Cancelling does that.", "We pay back what you paid, the way you paid."}},
		"refused":             {PageInput{CancelBy: &by, Late: true, Refusal: "too_late"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			in := c.in
			in.Lang, in.Action, in.Kind, in.About = format.En, inbox.LinkCancel, PageAsk, pageAbout(booking)
			if p := Page(in); !slices.Equal(p.Notes, c.want) || p.Lead[0] != "Nothing happens by opening this page." {
				t.Errorf("%q, %q", p.Notes, p.Lead)
			}
		})
	}
	in := PageInput{Lang: format.Pt, Action: inbox.LinkCancel, Kind: PageAsk, About: pageAbout(order)}
	if p := Page(in); p.Button != "Cancelar esta encomenda" || p.Heading != "Cancelar a sua encomenda" {
		t.Errorf("%+v", p)
	}
}

func TestPageAfterwards(t *testing.T) {
	until := inbox.Instant(1791194400000)
	about := pageAbout(booking)
	for name, c := range map[string]struct {
		in   PageInput
		want []string
	}{
		"done":     {PageInput{Kind: PageDone, Did: "accept", Still: true}, []string{"Thank you. Your booking is confirmed.", "We have sent you a confirmation by email."}},
		"answered": {PageInput{Kind: PageDone, Did: "provide_info", Still: true}, []string{"Thank you. We have your answer."}},
		"passed on": {PageInput{Kind: PageDone, Action: inbox.LinkChangeTime, Did: inbox.LinkPassedOn, Still: true},
			[]string{"Thank you. A person here will look at it and answer you. What was agreed or suggested so far still stands."}},
		"passed on, suggested": {PageInput{Kind: PageDone, Action: inbox.LinkOtherTime, Did: inbox.LinkPassedOn, Still: true},
			[]string{"Thank you. A person here will look at it and answer you. What we suggested still stands until Wednesday, 7 October 2026 at 10:00 (Western European Time)."}},
		"declined": {PageInput{Kind: PageDone, Action: inbox.LinkDeclineTime, Did: "cancel", Still: true},
			[]string{"You have declined the time we suggested. Your request is closed.", "We have sent you a confirmation by email."}},
		"undone":   {PageInput{Kind: PageDone, Did: "accept"}, []string{"This was done. Since then something has changed:", Human(format.En, about)}},
		"replaced": {PageInput{Kind: PageReplaced}, []string{"Since that email something else stands. Please use the link in our latest email.", Human(format.En, about)}},
		"late": {PageInput{Kind: PageLate, Action: inbox.LinkAcceptTime, Until: &until},
			[]string{"The time we suggested could be accepted until Monday, 5 October 2026 at 11:00 (Western European Time)."}},
		"late details": {PageInput{Kind: PageLate, Action: inbox.LinkDetails, Until: &until}, []string{"This link worked until Monday, 5 October 2026 at 11:00 (Western European Time)."}},
		"late, changed": {PageInput{Kind: PageLate, Action: inbox.LinkKeepAsIs, Until: &until, Agreed: true},
			[]string{"The change could be answered until Monday, 5 October 2026 at 11:00 (Western European Time).", Human(format.En, about)}},
		"over": {PageInput{Kind: PageOver, Action: inbox.LinkAcceptTime, Until: &until}, []string{"Nothing can be done here any more."}},
		"moved, paid": {PageInput{Kind: PageMoved, Action: inbox.LinkCancel, Paid: true}, []string{"Something has happened since that email:", Human(format.En, about),
			"It is paid by now. To withdraw from the contract, use the link in our confirmation, or reply to our email."}},
	} {
		t.Run(name, func(t *testing.T) {
			in := c.in
			in.Lang, in.About = format.En, about
			p := Page(in)
			if !slices.Equal(p.Lead, c.want) || p.Button != "" || p.Heading == "" {
				t.Errorf("%q: %q", p.Heading, p.Lead)
			}
		})
	}
}

func TestPageOfAWithdrawal(t *testing.T) {
	until := inbox.Instant(1791194400000)
	in := PageInput{Lang: format.En, Action: inbox.LinkWithdraw, Kind: PageAsk, About: pageAbout(order), Email: "ana@example.com",
		Right: &Right{Text: "I withdraw.", Name: "Ana", Contract: "2 × Chain", Label: "Withdraw from contract here", Confirm: "Confirm withdrawal", Available: true, Until: &until, Concluded: &until}}
	p := Page(in)
	want := []PageTerm{
		{"Name", "Ana"}, {"Contract", "2 × Chain"}, {"Reference", "7K3QXA"}, {"Concluded on", "5 October 2026"},
		{"A copy goes to", "ana@example.com"}, {"Your statement", "I withdraw."},
	}
	if p.Heading != "Withdraw from contract here" || p.Button != "Confirm withdrawal" || !slices.Equal(p.Terms, want) ||
		!slices.Equal(p.Notes, []string{"You can withdraw until Monday, 5 October 2026 at 11:00 (Western European Time)."}) {
		t.Errorf("%+v", p)
	}
	in.Right.Until, in.Right.Days, in.Right.Goods = nil, 14, true
	if p = Page(in); !slices.Equal(p.Notes, []string{"You can withdraw within 14 days of receiving it."}) {
		t.Errorf("%q", p.Notes)
	}
	if in.Right.Goods = false; Page(in).Notes[0] != "You can withdraw within 14 days of booking." {
		t.Errorf("%q", Page(in).Notes)
	}
	in.Right.Available, in.Right.Why = false, "The time to withdraw is over."
	if p = Page(in); p.Button == "" || !slices.Equal(p.Notes, []string{"The time to withdraw is over.", "You can still send this. A person here will look at it and answer you."}) {
		t.Errorf("%+v", p)
	}
}
