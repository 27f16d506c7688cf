package decide

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

func eur(minor int64) *inbox.Money { return &inbox.Money{Value: minor, Currency: "EUR"} }

// TestCreateLimits refuses what a create may not say, and takes what is just
// inside.
func TestCreateLimits(t *testing.T) {
	type change func(*world, *inbox.Caller, *CreateRequest)
	booking := func(do func(*inbox.Booking)) change {
		return func(_ *world, _ *inbox.Caller, r *CreateRequest) { do(r.Payload.Booking) }
	}
	by := func(c inbox.Caller, and change) change {
		return func(w *world, who *inbox.Caller, r *CreateRequest) { *who = c; and(w, who, r) }
	}
	both := func(a, b change) change {
		return func(w *world, c *inbox.Caller, r *CreateRequest) { a(w, c, r); b(w, c, r) }
	}
	started := booking(func(b *inbox.Booking) { b.StartTime = monday })
	backwards := booking(func(b *inbox.Booking) { b.EndTime = b.StartTime })
	unknown := change(func(w *world, _ *inbox.Caller, _ *CreateRequest) { w.f.Service = nil })
	tooDear := change(func(w *world, _ *inbox.Caller, r *CreateRequest) {
		w.f.Service.Price = &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(inbox.MaxMoney)), Per: "person"}
		r.Payload.Booking.PartySize = inbox.Ptr(2)
	})
	for name, c := range map[string]struct {
		do    change
		paths string // of the problems
	}{
		"ok/as it is":                                 {booking(func(*inbox.Booking) {}), ""},
		"ok/inside the notice":                        {booking(func(b *inbox.Booking) { b.StartTime = monday + 1 }), ""},
		"fail/starts now":                             {started, "payload.startTime"},
		"ok/business writes down a past":              {by(owner, started), ""},
		"ok/one millisecond long":                     {booking(func(b *inbox.Booking) { b.EndTime = b.StartTime + 1 }), ""},
		"fail/ends as it starts":                      {backwards, "payload.endTime"},
		"fail/business, too":                          {by(owner, backwards), "payload.endTime"},
		"ok/longer than 40 hours waits for the claim": {booking(func(b *inbox.Booking) { b.EndTime = b.StartTime.Add(90 * inbox.Hour) }), ""},
		"fail/unknown service":                        {unknown, "payload.reservationFor.serviceId"},
		"fail/another service's facts":                {booking(func(b *inbox.Booking) { b.ReservationFor.ServiceID = "OTHER" }), "payload.reservationFor.serviceId"},
		"fail/inactive service":                       {func(w *world, _ *inbox.Caller, _ *CreateRequest) { w.f.Service.Active = false }, "payload.reservationFor.serviceId"},
		"fail/a resource":                             {booking(func(b *inbox.Booking) { b.ResourceID = "R" }), "payload.resourceId"},
		"fail/all that is wrong":                      {both(both(unknown, backwards), booking(func(b *inbox.Booking) { b.ResourceID = "R" })), "payload.reservationFor.serviceId payload.endTime payload.resourceId"},
		"fail/validation before start":                {both(unknown, started), "payload.reservationFor.serviceId"},
		"fail/start before price":                     {both(started, tooDear), "payload.startTime"},
		"fail/price past the largest":                 {tooDear, "payload.totalPrice"},
		"ok/payload of 150 KB":                        {booking(func(b *inbox.Booking) { b.Notes = pad(b, maxPayload) }), ""},
		"fail/payload of a byte more":                 {booking(func(b *inbox.Booking) { b.Notes = pad(b, maxPayload+1) }), "payload"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			who, r := w.customer(), bookingRequest()
			c.do(w, &who, &r)
			out, err := w.confirmed(who, r)
			if c.paths == "" {
				w.ok(out, err)
				return
			}
			p := problem(t, err)
			var paths []string
			for _, f := range p.Fields {
				paths = append(paths, f.Path)
			}
			if p.Code != inbox.CodeInvalidInput || strings.Join(paths, " ") != c.paths {
				t.Errorf("%v, want %s", p, c.paths)
			}
		})
	}
}

// pad is so many notes that the priced payload has n bytes.
func pad(b *inbox.Booking, n int) string {
	priced := *b
	priced.ReservationFor.Name, priced.TotalPrice, priced.Notes = haircut.Name, eur(3000), "x"
	return strings.Repeat("x", n-len(mustJSON(inbox.Payload{Booking: &priced}))+1)
}

// TestCreatePrices covers 01 §1.5 by who asks.
func TestCreatePrices(t *testing.T) {
	perPerson := &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(1000)), Currency: "EUR", Per: "person"}
	from := &inbox.ServicePrice{Model: "from", Value: inbox.Ptr(int64(1000))}
	for name, c := range map[string]struct {
		by       inbox.Caller
		price    *inbox.ServicePrice
		people   *int
		sent     *inbox.Money
		long     bool
		total    *inbox.Money
		stated   *inbox.Money
		unpriced bool
	}{
		"ok/fixed":                           {inbox.Caller{}, haircut.Price, nil, nil, false, eur(3000), nil, false},
		"ok/the same stated":                 {inbox.Caller{}, haircut.Price, nil, eur(3000), false, eur(3000), nil, false},
		"ok/another stated is kept":          {inbox.Caller{}, haircut.Price, nil, eur(2500), false, eur(3000), eur(2500), false},
		"ok/per person":                      {inbox.Caller{}, perPerson, inbox.Ptr(4), nil, false, eur(4000), nil, false},
		"ok/per person, none given":          {inbox.Caller{}, perPerson, nil, nil, false, eur(1000), nil, false},
		"ok/longer than sold":                {inbox.Caller{}, haircut.Price, nil, nil, true, eur(3000), nil, true},
		"ok/from, nothing named":             {inbox.Caller{}, from, nil, nil, false, nil, nil, false},
		"ok/from, a price named":             {inbox.Caller{}, from, nil, eur(900), false, eur(900), nil, true},
		"ok/not priced, a price named":       {inbox.Caller{}, nil, nil, eur(900), false, eur(900), nil, true},
		"ok/the assistant is priced":         {assistant, haircut.Price, nil, eur(2500), false, eur(3000), eur(2500), false},
		"ok/a key without money is priced":   {key, haircut.Price, nil, eur(2500), true, eur(3000), eur(2500), true},
		"ok/the owner is taken as is":        {owner, haircut.Price, nil, eur(2500), true, eur(2500), nil, false},
		"ok/a key with money is taken as is": {moneyKey, haircut.Price, nil, eur(2500), false, eur(2500), nil, false},
		"ok/the owner may name none":         {owner, haircut.Price, nil, nil, false, nil, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.f.Service.Price = c.price
			r := bookingRequest()
			r.Payload.Booking.TotalPrice, r.Payload.Booking.PartySize = c.sent, c.people
			if c.long {
				r.Payload.Booking.EndTime++
			}
			who := c.by
			if who.Kind == "" {
				who = w.customer()
			}
			w.create(who, r)
			b := w.f.Record.Item.Payload.Booking
			if !reflect.DeepEqual(b.TotalPrice, c.total) || !reflect.DeepEqual(b.CustomerStatedPrice, c.stated) {
				t.Errorf("total %v, stated %v", b.TotalPrice, b.CustomerStatedPrice)
			}
			if w.f.Record.Unpriced != c.unpriced || w.events[0].Meta.Unpriced != c.unpriced {
				t.Errorf("unpriced %v", w.f.Record.Unpriced)
			}
			if b.ReservationFor.Name != "Haircut" {
				t.Errorf("named %q", b.ReservationFor.Name)
			}
		})
	}
}

// TestCreateDrops what only the inbox writes.
func TestCreateDrops(t *testing.T) {
	for _, who := range []inbox.Caller{{}, owner} {
		w := newWorld(t)
		if who.Kind == "" {
			who = w.customer()
		}
		r := bookingRequest()
		b := r.Payload.Booking
		b.Offer, b.Proposed, b.Change = &inbox.OfferPointer{ID: "X"}, &inbox.ProposedTime{}, &inbox.TimeChange{}
		b.CustomerStatedPrice, b.Personalised = eur(1), &inbox.Personalised{}
		b.PaymentRef, b.PaidAmount = "P", eur(1)
		w.create(who, r)
		got := w.f.Record.Item.Payload.Booking
		if got.Offer.ID == "X" || got.Proposed != nil || got.Change != nil || got.CustomerStatedPrice != nil ||
			got.Personalised != nil || (got.PaymentRef != "") != (who.Kind == inbox.Owner) || (got.PaidAmount != nil) != (who.Kind == inbox.Owner) {
			t.Errorf("%s: kept %+v", who.Kind, got)
		}
		if b.Offer.ID != "X" || b.ReservationFor.Name != "a cut" {
			t.Error("the request was changed")
		}
	}
}

// TestCreateByWhom: what differs between a customer and the business.
func TestCreateByWhom(t *testing.T) {
	agentKey := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "KEY", PartyID: "PARTY", Channel: inbox.ChannelREST}, Tier: inbox.TierVerified}
	for name, c := range map[string]struct {
		by        inbox.Caller
		request   func() CreateRequest
		token     bool
		match     inbox.Match
		clocked   bool
		binding   bool
		told      string
		direction inbox.Direction
	}{
		"ok/customer, booking":      {inbox.Caller{}, bookingRequest, true, inbox.MatchNone, true, true, "notify_owner:create acknowledge", inbox.DirectionIn},
		"ok/customer, message":      {inbox.Caller{}, messageRequest, true, inbox.MatchNone, true, false, "notify_owner:create", inbox.DirectionIn},
		"ok/agent key with a party": {agentKey, bookingRequest, false, inbox.MatchStrong, true, true, "notify_owner:create acknowledge", inbox.DirectionIn},
		"ok/owner":                  {owner, bookingRequest, false, inbox.MatchNone, false, true, "", inbox.DirectionNote},
		"ok/staff, message":         {staff, messageRequest, false, inbox.MatchNone, false, false, "", inbox.DirectionNote},
		"ok/assistant":              {assistant, bookingRequest, false, inbox.MatchNone, false, false, "", inbox.DirectionNote},
		"ok/key":                    {key, bookingRequest, false, inbox.MatchNone, false, false, "notify_owner:create", inbox.DirectionNote},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			who, r := c.by, c.request()
			if who.Kind == "" {
				who = w.customer()
			}
			if r.PartyID = who.PartyID; r.PartyID != "" {
				w.f.Party = &inbox.Party{ID: r.PartyID, DisplayName: "Ana's agent"}
			}
			if r.Type == inbox.TypeBooking {
				r.Message = "Please by the window."
			}
			out := w.create(who, r)
			rec := w.f.Record
			if out.Status != 201 || (rec.AccessTokenHash != "") != c.token || (c.token && rec.AccessTokenHash != canon.HashToken(w.token)) {
				t.Errorf("status %d, token %q, hash %q", out.Status, w.token, rec.AccessTokenHash)
			}
			if c.token && len(w.token) != 32 {
				t.Errorf("token %q", w.token)
			}
			if rec.CustomerMatch != c.match || rec.Clocked != c.clocked || rec.ByCustomer != who.IsCustomer() || rec.Rev != 1 {
				t.Errorf("%+v", rec)
			}
			if got := strings.Join(told(out.Write), " "); got != c.told {
				t.Errorf("told %q, want %q", got, c.told)
			}
			if len(w.entries) != 1 || w.entries[0].Direction != c.direction || !w.entries[0].Quiet {
				t.Errorf("thread %+v", w.entries)
			}
			if r.Type == inbox.TypeBooking && w.offers[1].Binding != c.binding {
				t.Errorf("binding %v", w.offers[1].Binding)
			}
			if r.Type == inbox.TypeMessage && len(w.offers) != 0 {
				t.Errorf("a message has an offer")
			}
		})
	}
}

// TestCreateEvent is exact about event 1, the item and the acknowledgement.
func TestCreateEvent(t *testing.T) {
	w := newWorld(t)
	out := w.create(w.customer(), bookingRequest())
	i, e := w.f.Record.Item, w.events[0]
	want := inbox.Event{
		ID: e.ID, ItemID: i.ID, Type: inbox.TypeBooking, Seq: 1, Event: "create", ToState: inbox.StateRequested,
		ActorKind: inbox.CustomerAgent, ActorID: "anon:1", CreatedAt: monday,
		Meta: inbox.Meta{Channel: inbox.ChannelREST, Tier: inbox.TierAnonymous, Basis: w.f.Basis},
	}
	if !reflect.DeepEqual(e, want) {
		t.Errorf("%+v, want %+v", e, want)
	}
	if i.Version != 1 || i.State != inbox.StateRequested || i.PartyID != w.f.Party.ID || *i.Subject != "Haircut" ||
		i.Channel != inbox.ChannelREST || i.Flags != (inbox.Flags{}) || i.CreatedAt != monday || i.ClosedAt != nil || i.LocationID != nil {
		t.Errorf("%+v", i)
	}
	if !reflect.DeepEqual(w.f.Record.WithdrawalFlags, []inbox.Withdrawal{"dated_leisure"}) {
		t.Errorf("withdrawal flags %v", w.f.Record.WithdrawalFlags)
	}
	ack := out.Write.Jobs[1]
	if ack.Ready || ack.RunAt != monday.Add(90*inbox.Second) || ack.Effects[0].ID != "ack:"+i.ID {
		t.Errorf("acknowledgement %+v", ack)
	}
	if first := out.Write.Jobs[0].Effects[0]; first.ID != "ev:"+e.ID+":owner" || first.EventID != e.ID {
		t.Errorf("effect %+v", first)
	}
}

// TestSandbox: who asks, or the whole inbox, may be a test.
func TestSandboxFlag(t *testing.T) {
	for name, c := range map[string]struct{ caller, mode bool }{
		"ok/neither": {false, false}, "ok/request": {true, false}, "ok/test mode": {false, true},
	} {
		w := newWorld(t)
		who := w.customer()
		who.Sandbox, w.f.Settings.TestMode = c.caller, c.mode
		w.create(who, bookingRequest())
		if want := c.caller || c.mode; w.f.Record.Item.Flags.Sandbox != want || w.events[0].Meta.Sandbox != want {
			t.Errorf("%s: %v", name, w.f.Record.Item.Flags)
		}
	}
}

func TestSubject(t *testing.T) {
	text := func(s string) CreateRequest {
		r := messageRequest()
		r.Payload.Message.Text = s
		return r
	}
	subject := messageRequest()
	subject.Payload.Message.Subject = "Beards"
	blank := messageRequest()
	blank.Payload.Message.Subject = " \n"
	for name, c := range map[string]struct {
		r    CreateRequest
		want string
	}{
		"ok/booking":                {bookingRequest(), "Haircut"},
		"ok/message, subject":       {subject, "Beards"},
		"ok/message, blank subject": {blank, blank.Payload.Message.Text},
		"ok/message, text":          {messageRequest(), "Do you cut beards?"},
		"ok/80 characters":          {text(strings.Repeat("é", 80)), strings.Repeat("é", 80)},
		"ok/81 characters":          {text(strings.Repeat("é", 81)), strings.Repeat("é", 77) + "…"},
	} {
		w := newWorld(t)
		w.create(w.customer(), c.r)
		if got := *w.f.Record.Item.Subject; got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCreateParty(t *testing.T) {
	erased := &inbox.Party{ID: "PARTY", ErasedAt: inbox.Ptr(monday)}
	for name, c := range map[string]struct {
		party *inbox.Party
		code  inbox.Code
	}{
		"fail/unknown":   {nil, inbox.CodeNotFound},
		"fail/another's": {&inbox.Party{ID: "OTHER"}, inbox.CodeNotFound},
		"fail/erased":    {erased, inbox.CodeNotAllowed},
	} {
		w := newWorld(t)
		w.f.Party = c.party
		r := bookingRequest()
		r.PartyID = "PARTY"
		_, err := w.confirmed(w.customer(), r)
		if p := problem(t, err); p.Code != c.code {
			t.Errorf("%s: %v", name, p)
		}
	}
	human := w1(t, inbox.CustomerHuman)
	agent := w1(t, inbox.CustomerAgent)
	unknown := w1(t, inbox.Owner)
	if human != inbox.PartyHuman || agent != inbox.PartyAgent || unknown != inbox.PartyUnknown {
		t.Errorf("kinds %s %s %s", human, agent, unknown)
	}
}

// w1 is the kind of the party of a create without a contact.
func w1(t *testing.T, kind inbox.ActorKind) inbox.PartyKind {
	w := newWorld(t)
	r := messageRequest()
	r.Contact = nil
	w.create(caller(kind, inbox.ChannelForm), r)
	if w.f.Party.DisplayName != "" {
		t.Errorf("named %q", w.f.Party.DisplayName)
	}
	return w.f.Party.Kind
}

func TestContacts(t *testing.T) {
	w := newWorld(t)
	r := bookingRequest()
	r.Contact = &inbox.Contact{Email: " Ana@Example.PT ", Phone: "+351 912 345 678", Locale: "pt-PT"}
	out := w.create(w.customer(), r)
	want := []inbox.PartyContact{
		{PartyID: w.f.Party.ID, Kind: inbox.ContactEmail, Value: "ana@example.pt", CreatedAt: monday},
		{PartyID: w.f.Party.ID, Kind: inbox.ContactPhone, Value: "351912345678", CreatedAt: monday},
	}
	if !reflect.DeepEqual(out.Write.Contacts, want) {
		t.Errorf("%+v", out.Write.Contacts)
	}
	if w.f.Party.Kind != inbox.PartyHuman || w.f.Party.DisplayName != "Ana@Example.PT" || w.f.Record.Locale != "pt" {
		t.Errorf("%+v %q", w.f.Party, w.f.Record.Locale)
	}
}

func TestNormalEmail(t *testing.T) {
	long := strings.Repeat("a", 63)
	for in, want := range map[string]string{
		"ana@example.pt":                         "ana@example.pt",
		" ANA@EXAMPLE.PT\n":                      "ana@example.pt",
		"ana.b+x@example.pt":                     "ana.b+x@example.pt",
		"ana@example.pt.":                        "ana@example.pt",
		"Ána@bücher.example":                     "Ána@xn--bcher-kva.example",
		"ana@" + long + ".pt":                    "ana@" + long + ".pt",
		"":                                       "",
		"ana":                                    "",
		"@example.pt":                            "",
		"ana@":                                   "",
		"ana b@example.pt":                       "",
		"a\x00na@example.pt":                     "",
		`"ana"@example.pt`:                       "",
		"a,b@example.pt":                         "",
		"ana@b@example.pt":                       "",
		"ana@exa_mple.pt":                        "",
		"ana@example..pt":                        "",
		"ana@a" + long + ".pt":                   "",
		strings.Repeat("a", 310) + "@example.pt": "",
	} {
		got, ok := NormalEmail(in)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q %v, want %q", in, got, ok, want)
		}
	}
}

func TestNormalPhone(t *testing.T) {
	for in, want := range map[string]string{
		"+351 912 345 678":      "351912345678",
		"123456":                "123456",
		"(12) 34-56":            "123456",
		"12345678901234567890":  "12345678901234567890",
		"12345":                 "",
		"123456789012345678901": "",
		"":                      "",
		"call me":               "",
	} {
		got, ok := NormalPhone(in)
		if ok != (want != "") || (ok && got != want) {
			t.Errorf("%q: %q %v, want %q", in, got, ok, want)
		}
	}
}

func TestLocale(t *testing.T) {
	for in, want := range map[string]string{"pt": "pt", "pt-BR": "pt", "PT_pt": "pt", "en-GB": "en", "de": "", "": "", "ptx": ""} {
		if got := locale(&inbox.Contact{Locale: in}); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	if locale(nil) != "" {
		t.Error("no contact, no language")
	}
}
