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
		"ok/paid in part":            {About{Type: inbox.TypeOrder, State: "paid", Subject: "Frame", Due: eur(2000)}, `Your order "Frame" is paid in part.`},
		"ok/paid in part, then sent": {About{Type: inbox.TypeOrder, State: "fulfilled", Subject: "Frame", Due: eur(2000)}, `Your order "Frame" has been sent or handed over.`},
		"ok/hostile subject":         {About{Type: inbox.TypeMessage, State: "open", Subject: "a\r\nBcc: x@example.com\u2028{reference} {status}", Reference: "7K3QXA"}, `Your message "a Bcc: x@example.com {reference} {status}" has reached us. Reference: 7K3QXA.`},
	} {
		if got := Human(format.En, c.about); got != c.want {
			t.Errorf("%s: %s\nwant %s", name, got, c.want)
		}
	}
}

// TestHumanOfOffers: what waits for the customer's answer is said whole, with
// what they have to know of it.
func TestHumanOfOffers(t *testing.T) {
	offered := func(a About, o Offered) About { a.Offered = &o; return a }
	later, until := start.Add(inbox.Hour), start
	const asked, instead = "Wednesday, 7 October 2026 at 10:00 (Western European Time)", "Wednesday, 7 October 2026 at 11:00 (Western European Time)"
	frame := About{Type: inbox.TypeQuote, State: "quoted", Subject: "Frame", Zone: lisbon(t)}
	for name, c := range map[string]struct {
		about  About
		en, pt string
	}{
		"ok/a time, held": {offered(haircut(t, "proposed"), Offered{Start: &later, Price: eur(4500), Until: &until, Held: true}),
			`Your booking "Haircut" for ` + asked + ` waits for your answer: we suggested another time. We suggest ` + instead +
				`. The price is €45.00. You can accept until ` + asked + `. We are keeping this time for you until then. Reference: 7K3QXA.`,
			`A sua marcação "Haircut" para quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental) aguarda a sua resposta: sugerimos outro horário. ` +
				`Sugerimos quarta-feira, 7 de outubro de 2026 às 11:00 (hora da Europa Ocidental). O preço é 45,00~€. ` +
				`Pode aceitar até quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental). Guardamos este horário para si até lá. Referência: 7K3QXA.`},
		"ok/a price of theirs": {offered(About{Type: inbox.TypeOrder, State: "proposed", Subject: "Chain"}, Offered{
			Price: eur(1850), Personal: &Personal{*eur(2000), "With our thanks."}, Lines: []Line{{1, "Chain", eur(1850)}, {2, "Box", nil}}, Withdrawable: true}),
			`Your order "Chain" waits for your answer: we suggested changes. We suggest: 1 × Chain — €18.50; 2 × Box — price to follow. The total is €18.50. ` +
				`This price was set for you by automated decision-making. List price: €20.00. With our thanks. Until you accept, we may still take this back.`,
			`A sua encomenda "Chain" aguarda a sua resposta: sugerimos alterações. Sugerimos: 1 × Chain — 18,50~€; 2 × Box — preço a indicar. O total é 18,50~€. ` +
				`Este preço foi definido para si por decisão automatizada. Preço de tabela: 20,00~€. With our thanks. Até aceitar, ainda podemos voltar atrás.`},
		"ok/another price than theirs and the first": {offered(About{Type: inbox.TypeOrder, State: "proposed", Subject: "Chain", Price: eur(2000), Stated: eur(1000)}, Offered{
			Price: eur(1500), Lines: []Line{{1, "Chain", eur(1500)}}}),
			`Your order "Chain" waits for your answer: we suggested changes. We suggest: 1 × Chain — €15.00. The total is €15.00.`,
			`A sua encomenda "Chain" aguarda a sua resposta: sugerimos alterações. Sugerimos: 1 × Chain — 15,00~€. O total é 15,00~€.`},
		"ok/as they asked": {offered(haircut(t, "proposed"), Offered{Start: &start, Price: eur(4500), Until: &until}),
			`Your booking "Haircut" for ` + asked + ` waits for your answer: we can take it at the time you asked for. The price is €45.00. You can accept until ` + asked +
				`. We are not keeping this time for you: it goes to whoever books it first. Reference: 7K3QXA.`,
			`A sua marcação "Haircut" para quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental) aguarda a sua resposta: podemos aceitá-la no horário que pediu. ` +
				`O preço é 45,00~€. Pode aceitar até quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental). ` +
				`Este horário não está guardado para si: fica para quem o marcar primeiro. Referência: 7K3QXA.`},
		"ok/an order as they asked": {offered(About{Type: inbox.TypeOrder, State: "proposed", Subject: "Chain", Price: eur(1850), Lines: []Line{{1, "Chain", nil}}}, Offered{
			Price: eur(1850), Lines: []Line{{1, "Chain", eur(1850)}}}),
			`Your order "Chain" waits for your answer: we can take it as you asked. We suggest: 1 × Chain — €18.50. The total is €18.50.`,
			`A sua encomenda "Chain" aguarda a sua resposta: podemos aceitá-la tal como pediu. Sugerimos: 1 × Chain — 18,50~€. O total é 18,50~€.`},
		"ok/a quote": {offered(frame, Offered{Price: eur(31000), Start: &later, Creates: inbox.TypeBooking}),
			`Your quote request "Frame" has our quote and waits for your answer. It is for ` + instead + `. The total is €310.00.`,
			`O seu pedido de orçamento "Frame" tem o nosso orçamento e aguarda a sua resposta. É para quarta-feira, 7 de outubro de 2026 às 11:00 (hora da Europa Ocidental). O total é 310,00~€.`},
		"ok/over, nothing waits": {offered(haircut(t, "declined"), Offered{Start: &later, Until: &until}),
			`Your booking "Haircut" for ` + asked + ` could not be taken; we are sorry. Reference: 7K3QXA.`,
			`A sua marcação "Haircut" para quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental) não pôde ser aceite; pedimos desculpa. Referência: 7K3QXA.`},
		"ok/our price of theirs": {func() About {
			a := haircut(t, "confirmed")
			a.Stated, a.Personal = eur(3000), &Personal{List: *eur(5000)}
			return a
		}(),
			`Your booking "Haircut" for ` + asked + ` is confirmed. You named €30.00; our price is €45.00. This price was set for you by automated decision-making. List price: €50.00. Reference: 7K3QXA.`,
			`A sua marcação "Haircut" para quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental) está confirmada. Indicou 30,00~€; o nosso preço é 45,00~€. Este preço foi definido para si por decisão automatizada. Preço de tabela: 50,00~€. Referência: 7K3QXA.`},
	} {
		if got := Human(format.En, c.about); got != c.en {
			t.Errorf("%s: %s\nwant %s", name, got, c.en)
		}
		if got := strings.ReplaceAll(Human(format.Pt, c.about), "\u00a0", "~"); got != c.pt {
			t.Errorf("%s: %s\nwant %s", name, got, c.pt)
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
		"ok/paid in part":    {About{Type: inbox.TypeOrder, State: "paid", Subject: "a", Due: eur(2000)}, `Order "a": paid in part`},
		"ok/a return":        {About{Type: refund, State: "approved", Subject: "a", Refund: &Refund{Amount: eur(4500), Due: &start}}, `Return "a", €45.00 owed by 7 October 2026: approved`},
		"ok/dropped":         {About{Type: refund, State: "cancelled", Subject: "a", Refund: &Refund{Amount: eur(4500), Due: &start}}, `Return "a": cancelled by the customer`},
		"ok/paid back":       {About{Type: refund, State: "refunded", Subject: "a", Refund: &Refund{Amount: eur(4500), Due: &start}}, `Return "a": refunded`},
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
		if got, ok := Problem(format.Pt, strings.TrimPrefix(key, "problem."), whole); !ok || strings.ContainsAny(got, "{}") || strings.Contains(got, "Please") {
			t.Errorf("%s: %q", key, got)
		}
		if got, ok := Problem(format.En, strings.TrimPrefix(key, "problem."), whole); !ok || strings.ContainsAny(got, "{}") {
			t.Errorf("%s: %q", key, got)
		}
	}
}

// TestChangeAtTheSameTime: a change of the price or the length alone is not
// called another time, and the time is not said to go to somebody else.
func TestChangeAtTheSameTime(t *testing.T) {
	a := haircut(t, "confirmed")
	a.Offered = &Offered{ChangeBy: inbox.SideBusiness, Start: a.Start, Price: eur(5000), Lasts: 90, Until: &start}
	if got, want := Human(format.En, a), "We would like to change it. It would last 90 min."; !strings.Contains(got, want) || strings.Contains(got, "keeping") {
		t.Errorf("%s", got)
	}
	subject, body := Mail(MailInput{Lang: format.En, Template: "booking.change.propose", About: a, FromState: "confirmed"})
	for _, part := range []string{"The time stays.", "New length: 90 min", "€50.00"} {
		if !strings.Contains(body, part) {
			t.Errorf("no %q in %s", part, body)
		}
	}
	if strings.Contains(body, "Instead:") || strings.Contains(body, "keeping") || strings.Contains(subject, "move") {
		t.Errorf("%s: %s", subject, body)
	}
	p := Page(PageInput{Lang: format.En, Action: inbox.LinkAcceptChange, Kind: PageAsk, About: a})
	var labels []string
	for _, term := range p.Terms {
		labels = append(labels, term.Label)
	}
	if got := strings.Join(labels, ", "); got != "What, When, New length, Price, Please answer by" || len(p.Notes) != 0 {
		t.Errorf("%s; %q", got, p.Notes)
	}
}

// TestChangeOfTheDay: another day of delivery that a customer asks for stands in
// what they and the owner read of it.
func TestChangeOfTheDay(t *testing.T) {
	a := About{Type: order, State: "accepted", Subject: "2 × Chain", Zone: lisbon(t), Price: eur(3700)}
	a.Offered = &Offered{ChangeBy: inbox.SideCustomer, Lines: []Line{{Quantity: 2, Name: "Chain", Total: eur(3700)}}, Price: eur(3700)}
	for _, c := range []struct {
		lang format.Lang
		when *inbox.Instant
		want string
	}{
		{format.En, &start, "2 × Chain — €37.00; date of delivery: 7 October 2026"},
		{format.Pt, &start, "data de entrega: 7 de outubro de 2026"},
		{format.En, nil, "2 × Chain — €37.00"},
	} {
		a.Offered.Delivery = &Delivery{Method: "delivery", When: c.when}
		for who, said := range map[string]string{"customer": Human(c.lang, a), "owner": OwnerHuman(c.lang, a)} {
			if !strings.Contains(said, c.want) || c.when == nil && strings.Contains(said, "deliver") {
				t.Errorf("%s: %s", who, said)
			}
		}
	}
}
