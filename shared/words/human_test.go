package words

import (
	"strings"
	"testing"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

func lisbon(t testing.TB) *time.Location {
	t.Helper()
	z, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func eur(v int64) *inbox.Money { return &inbox.Money{Value: v, Currency: "EUR"} }

// start is 2026-10-07T09:00Z, the day of the examples of 05 §2.2.
var start = inbox.InstantOf(time.Date(2026, 10, 7, 9, 0, 0, 0, time.UTC))

func haircut(t testing.TB, s inbox.State) About {
	return About{Type: inbox.TypeBooking, State: s, Subject: "Haircut", Reference: "7K3QXA", Start: &start, Zone: lisbon(t), Price: eur(4500)}
}

func TestHuman(t *testing.T) {
	with := func(a About, f func(*About)) About { f(&a); return a }
	const when = ` for Wednesday, 7 October 2026 at 10:00 (Western European Time)`
	for name, c := range map[string]struct {
		about About
		want  string
	}{
		"ok/requested":               {haircut(t, "requested"), `Your booking "Haircut"` + when + ` has reached us and waits for our answer. Reference: 7K3QXA.`},
		"ok/confirmed":               {haircut(t, "confirmed"), `Your booking "Haircut"` + when + ` is confirmed. Reference: 7K3QXA.`},
		"ok/another price named":     {with(haircut(t, "confirmed"), func(a *About) { a.Stated = eur(3000) }), `Your booking "Haircut"` + when + ` is confirmed. You named €30.00; our price is €45.00. Reference: 7K3QXA.`},
		"ok/over, no price any more": {with(haircut(t, "declined"), func(a *About) { a.Stated = eur(3000) }), `Your booking "Haircut"` + when + ` could not be taken; we are sorry. Reference: 7K3QXA.`},
		"ok/not our price yet":       {with(haircut(t, "needs_info"), func(a *About) { a.Unpriced = true; a.Stated = eur(3000) }), `Your booking "Haircut"` + when + ` waits for your answer to our question. We will confirm the price with you. Reference: 7K3QXA.`},
		"ok/not our price, taken":    {with(haircut(t, "confirmed"), func(a *About) { a.Unpriced = true }), `Your booking "Haircut"` + when + ` is confirmed. Reference: 7K3QXA.`},
		"ok/unpriced, none named":    {with(haircut(t, "requested"), func(a *About) { a.Unpriced = true; a.Price = nil }), `Your booking "Haircut"` + when + ` has reached us and waits for our answer. Reference: 7K3QXA.`},
		"ok/no subject":              {with(haircut(t, "confirmed"), func(a *About) { a.Subject = " \n" }), `Your booking` + when + ` is confirmed. Reference: 7K3QXA.`},
		"ok/message":                 {About{Type: inbox.TypeMessage, State: "answered", Subject: "Opening hours", Reference: "7K3QXA"}, `Your message "Opening hours" is answered. Reference: 7K3QXA.`},
		"ok/spam reads as closed":    {About{Type: inbox.TypeMessage, State: "spam", Subject: "Buy"}, `Your message "Buy" is closed.`},
		"ok/order, cancelled by us":  {About{Type: inbox.TypeOrder, State: "cancelled", Subject: "2 × Chain"}, `Your order "2 × Chain" is cancelled by us; we are sorry.`},
		"ok/order, as they asked":    {About{Type: inbox.TypeOrder, State: "cancelled", Subject: "2 × Chain", ByCustomer: true}, `Your order "2 × Chain" is cancelled, as you asked.`},
		"ok/quote declined":          {About{Type: inbox.TypeQuote, State: "declined", Subject: "Frame"}, `Your quote request "Frame" could not be taken; we are sorry.`},
		"ok/quote declined by them":  {About{Type: inbox.TypeQuote, State: "declined", Subject: "Frame", ByCustomer: true}, `Your quote request "Frame" is closed, as you asked.`},
		"ok/theirs in other states":  {About{Type: inbox.TypeOrder, State: "paid", Subject: "Frame", ByCustomer: true}, `Your order "Frame" is paid.`},
		"ok/hostile subject":         {About{Type: inbox.TypeMessage, State: "open", Subject: "a\r\nBcc: x@example.com\u2028{reference} {status}", Reference: "7K3QXA"}, `Your message "a Bcc: x@example.com {reference} {status}" has reached us. Reference: 7K3QXA.`},
	} {
		if got := Human(format.En, c.about); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

func TestOwnerHuman(t *testing.T) {
	with := func(a About, f func(*About)) About { f(&a); return a }
	const when = `, Wednesday, 7 October 2026 at 10:00 (Western European Time)`
	for name, c := range map[string]struct {
		about About
		want  string
	}{
		"ok/requested":       {haircut(t, "requested"), `Booking "Haircut"` + when + `, €45.00: waits for your answer`},
		"ok/stated":          {with(haircut(t, "requested"), func(a *About) { a.Stated = eur(3000) }), `Booking "Haircut"` + when + `, €45.00 (the customer named €30.00): waits for your answer`},
		"ok/unpriced":        {with(haircut(t, "requested"), func(a *About) { a.Unpriced = true }), `Booking "Haircut"` + when + `, €45.00 (named by the customer, not a price of yours): waits for your answer`},
		"ok/no subject":      {with(haircut(t, "confirmed"), func(a *About) { a.Subject, a.Price = "", nil }), `Booking` + when + `: confirmed`},
		"ok/message":         {About{Type: inbox.TypeMessage, State: "spam", Subject: "Buy"}, `Message "Buy": spam`},
		"ok/order, by them":  {About{Type: inbox.TypeOrder, State: "cancelled", Subject: "Chain", ByCustomer: true}, `Order "Chain": cancelled by the customer`},
		"ok/never two lines": {About{Type: inbox.TypeOrder, State: "paid", Subject: "a\nb"}, `Order "a b": paid`},
	} {
		if got := OwnerHuman(format.En, c.about); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

func TestProblem(t *testing.T) {
	about := haircut(t, "confirmed")
	for name, c := range map[string]struct {
		key   string
		facts ProblemFacts
		want  string
	}{
		"ok/plain":            {"slot_taken", ProblemFacts{}, "That time is taken. Please choose another one."},
		"ok/with a time":      {"within_cancellation_window", ProblemFacts{Until: &start, Zone: lisbon(t)}, "It can no longer be cancelled here: that was possible until Wednesday, 7 October 2026 at 10:00 (Western European Time). Please write to us."},
		"ok/too soon":         {"not_too_soon", ProblemFacts{Earliest: &start}, "That is too soon for us. Please choose a time from Wednesday, 7 October 2026 at 09:00 (UTC) on."},
		"ok/where it stands":  {"wrong_state", ProblemFacts{About: &about}, "That is not possible any more. " + Human(format.En, about)},
		"fail/without a fact": {"within_cancellation_window", ProblemFacts{}, ""},
		"fail/no sentence":    {"internal", ProblemFacts{}, ""},
	} {
		got, ok := Problem(format.En, c.key, c.facts)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	whole := ProblemFacts{About: &about, Earliest: &start, Until: &start}
	for key := range englishProblems {
		if got, ok := Problem(format.En, strings.TrimPrefix(key, "problem."), whole); !ok || strings.ContainsAny(got, "{}") {
			t.Errorf("%s: %q", key, got)
		}
	}
}
