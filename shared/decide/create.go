package decide

import (
	"net/http"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// acknowledgeAfter is how long after a create its acknowledgement is due
// (01 §1.6).
const acknowledgeAfter = 90 * inbox.Second

// birth is one create being decided.
type birth struct {
	f *Facts
	c inbox.Caller
	e Env
	r CreateRequest

	rec    inbox.Record
	token  string // the access token, "" for a creator who needs none
	event  inbox.Event
	masked bool
	paid   advance
	agreed bool // the customer confirmed the terms as priced (02 §5)
	write  Write
	said   []inbox.Entry
}

// births are the steps of 01 §1.6 in their order: validation, start in the
// past, prices, confirm step, party. The look-up is the desk's.
var births = []func(*birth) *inbox.Problem{
	(*birth).strip,
	(*birth).validate,
	(*birth).checkStart,
	(*birth).price,
	(*birth).pay,
	(*birth).checkSize,
	(*birth).confirm,
	(*birth).plan,
}

// Create makes an item as a customer asks for it, or as the business writes it
// down. Status 201; body [inbox.Created], for the business
// [inbox.CreatedByBusiness].
//
// Problems: invalid_input (paths from "payload"), confirm_terms, not_found and
// not_allowed for the caller's party.
func Create(f Facts, c inbox.Caller, r CreateRequest, e Env) (Outcome, error) {
	r.Payload = r.Payload.Clone()
	b := &birth{f: &f, c: c, e: e, r: r}
	for _, step := range births {
		if p := step(b); p != nil {
			return Outcome{}, p
		}
	}
	b.bear()
	return b.outcome(), nil
}

// strip drops what only the inbox writes and hides secrets (01 §1.6, 03 §9.1).
func (b *birth) strip() *inbox.Problem {
	b.paid = b.advanced()
	if strip := strips[b.r.Type]; strip != nil {
		strip(b.r.Payload)
	}
	for _, text := range texts(&b.r) {
		b.masked = mask(text) || b.masked
	}
	return nil
}

// strips drop from a payload what no create may set; what was paid is taken out
// before and put back by pay.
var strips = map[inbox.Type]func(inbox.Payload){
	inbox.TypeBooking: func(p inbox.Payload) {
		b := p.Booking
		b.Offer, b.Proposed, b.Change = nil, nil, nil
		b.CustomerStatedPrice, b.Personalised = nil, nil
		b.PaymentRef, b.PaidAmount = "", nil
	},
	inbox.TypeOrder: stripOrder,
	inbox.TypeQuote: func(p inbox.Payload) { p.Quote.Offer, p.Quote.Quote = nil, nil },
}

// texts are the words of a create.
func texts(r *CreateRequest) []*string {
	list := []*string{&r.Subject, &r.Message}
	if b := r.Payload.Booking; b != nil {
		list = append(list, &b.Notes, &b.ReservationFor.Name)
	}
	if m := r.Payload.Message; m != nil {
		list = append(list, &m.Text, &m.Subject)
	}
	if q := r.Payload.Quote; q != nil {
		list = append(list, &q.Description, &q.ItemOffered.Name, &q.ItemOffered.SKU)
		list = append(list, whereTo(&q.DeliveryAddress)...)
	}
	if o := r.Payload.Order; o != nil {
		list = append(list, &o.Notes, &o.PaymentMethod)
		list = append(list, whereTo(&o.BillingAddress)...)
		list = append(list, whereTo(&o.ShippingAddress)...)
		for i := range o.OrderedItem { // the create's own copy, see stripOrder
			list = append(list, &o.OrderedItem[i].Name, &o.OrderedItem[i].SKU)
		}
	}
	if r.Contact != nil {
		contact := *r.Contact
		r.Contact = &contact
		list = append(list, &contact.Name, &contact.Phone)
	}
	return list
}

// whereTo makes an address the create's own copy and answers its words.
func whereTo(at **inbox.PostalAddress) []*string {
	if *at == nil {
		return nil
	}
	a := **at
	*at = &a
	return []*string{&a.StreetAddress, &a.AddressLocality, &a.AddressRegion}
}

func (b *birth) validate() *inbox.Problem {
	if validate := validates[b.r.Type]; validate != nil {
		if problems := validate(b); len(problems) > 0 {
			return inbox.InvalidInput(problems...)
		}
	}
	return nil
}

// validates are the checks beyond the limits of single fields, which every door
// has checked.
var validates = map[inbox.Type]func(*birth) []inbox.FieldProblem{
	inbox.TypeBooking: func(b *birth) (problems []inbox.FieldProblem) {
		bad := func(path, message string) {
			problems = append(problems, inbox.FieldProblem{Path: "payload." + path, Problem: inbox.Invalid, Message: message})
		}
		p := b.r.Payload.Booking
		if s := b.f.Service; s == nil || !s.Active || s.ID != p.ReservationFor.ServiceID {
			bad("reservationFor.serviceId", "there is no such service to book")
		}
		if p.EndTime <= p.StartTime {
			bad("endTime", "must be after startTime")
		}
		if p.ResourceID != "" {
			bad("resourceId", "there is no such resource")
		}
		return problems
	},
	inbox.TypeQuote: (*birth).validateQuote,
}

// checkStart refuses a customer's request for a time that has come (01 §1.6,
// §9). A booking inside the minimum notice is taken and waits for a person.
func (b *birth) checkStart() *inbox.Problem {
	at, path := startAsked(b.r.Payload)
	if at == nil || !b.c.IsCustomer() || *at > b.e.Now {
		return nil
	}
	return inbox.InvalidField("payload."+path, "must lie in the future")
}

// startAsked is the time a payload asks for and its path, nil for none.
func startAsked(p inbox.Payload) (at *inbox.Instant, path string) {
	switch {
	case p.Booking != nil:
		return &p.Booking.StartTime, "startTime"
	case p.Quote != nil:
		return p.Quote.RequestedFor, "requestedFor"
	case p.Order != nil && p.Order.Delivery != nil:
		return p.Order.Delivery.When, "delivery.when"
	}
	return nil, ""
}

func (b *birth) checkSize() *inbox.Problem { return oversized(b.r.Payload, "payload") }

// bear works out the write of a create whose checks all held.
func (b *birth) bear() {
	b.rec.Item = b.item()
	b.putAside()
	b.rec.Locale = b.locale()
	b.rec.ByCustomer = b.c.IsCustomer()
	b.event = eventOf(&b.rec, b.f, b.c, b.e.Source.ID(b.e.Now), inbox.EventCreate, b.e)
	b.event.Meta.Sandbox, b.event.Meta.Unpriced = b.rec.Item.Flags.Sandbox, b.rec.Unpriced
	b.rec.LastEventID = b.event.ID
	b.secure()
	b.wind()
	b.ask()
	b.say()
	b.write.Entries = b.said
	b.write.Events = []inbox.Event{b.event}
	b.write.Jobs = b.jobs()
	b.rec.Rev = 1
	b.rec.DueAt, b.rec.DueKind = DueAt(&b.rec, b.f.Settings)
	b.write.Items = []ItemWrite{{Record: b.rec}}
}

func (b *birth) item() inbox.Item {
	return inbox.Item{
		ID: b.itemID(), Type: b.r.Type, State: machine.Of(b.r.Type).Initial, Version: 1,
		PartyID: b.partyID(), Channel: b.c.Channel, Subject: subject(b.r),
		Flags:     inbox.Flags{Sandbox: b.c.Sandbox || b.f.Settings.TestMode},
		CreatedAt: b.e.Now, UpdatedAt: b.e.Now, Payload: b.r.Payload,
	}
}

// secure mints the access token of a customer who has no party of their own
// (01 §1.2).
func (b *birth) secure() {
	if b.c.IsCustomer() && b.r.PartyID == "" && b.r.Mail == nil { // no token is ever mailed (03 §15)
		b.token = canon.NewAccessToken(b.e.Source.Bytes(canon.TokenBytes))
		b.rec.AccessTokenHash = canon.HashToken(b.token)
	}
}

// wind sets the request clock going when a customer asked (01 §13.2).
func (b *birth) wind() {
	if !b.c.IsCustomer() {
		return
	}
	b.rec.Clocked = true
	if machine.Of(b.r.Type).EntersRequestClock(b.rec.Item.State) {
		b.rec.RequestExpiresAt = requestClock(b.r.Payload, b.f.Settings, b.e.Now)
	}
}

// ask writes the request as the first offer of an item that negotiates.
func (b *birth) ask() {
	if !negotiation.Negotiates(b.r.Type) {
		return
	}
	a := negotiation.Act{Item: b.rec.Item, Caller: b.c, Side: inbox.SideCustomer, EventID: b.event.ID, Now: b.e.Now}
	o := negotiation.Request(b.e.Source.ID(b.e.Now), a, b.rec.RequestExpiresAt)
	o.Binding = o.Binding || b.agreed
	b.rec.OfferRev = o.Rev
	b.rec.Item.Payload.SetOffer(o.Pointer())
	b.write.Offers = []inbox.Offer{o}
}

// say keeps the first words of the thread: a message's text, or what was
// written with a request. The create's own mail tells of them.
func (b *birth) say() {
	w := speech{
		text: b.r.Message, subject: b.r.Subject, messageID: b.r.MessageID, inReplyTo: b.r.InReply,
		direction: inbox.DirectionIn, quiet: true, mail: b.r.Mail,
	}
	if m := b.r.Payload.Message; m != nil {
		w.text, w.subject = m.Text, m.Subject
	}
	if !b.c.IsCustomer() {
		w.direction, w.writtenBy = inbox.DirectionNote, writtenBy(b.c, "")
	}
	if strings.TrimSpace(w.text) != "" {
		b.keep(entry(b.rec.Item, b.c, b.e, w))
	}
	if b.masked {
		b.keep(maskedNote(b.rec.Item, b.e))
	}
}

func (b *birth) keep(t inbox.Entry) {
	b.said = append(b.said, t)
	b.rec.LastEntryID = t.ID
}

// jobs are what the create owes: the business is told, and a customer's request
// is acknowledged later, by a row of its own. A message is not acknowledged.
func (b *birth) jobs() []inbox.Job {
	var jobs []inbox.Job
	id := b.rec.Item.ID
	if tellsOwner(b.c) && b.rec.Item.State != inbox.StateSpam {
		owed := inbox.Effect{ID: "ev:" + b.event.ID + ":owner", Kind: inbox.EffectNotifyOwner, EventID: b.event.ID, Event: inbox.EventCreate}
		if len(b.said) > 0 && b.said[0].Direction == inbox.DirectionIn {
			owed.EntryID = b.said[0].ID
		}
		jobs = job(id, []inbox.Effect{owed}, b.e)
	}
	if b.c.IsCustomer() && negotiation.Negotiates(b.r.Type) {
		jobs = append(jobs, inbox.Job{
			ID: b.e.Source.ID(b.e.Now), ItemID: id, RunAt: b.e.Now.Add(acknowledgeAfter), Version: 1, CreatedAt: b.e.Now,
			Effects: []inbox.Effect{{ID: "ack:" + id, Kind: inbox.EffectAcknowledge, EventID: b.event.ID}},
		})
	}
	return jobs
}

func (b *birth) outcome() Outcome {
	out := Outcome{Write: b.write, Status: http.StatusCreated}
	b.f.Party = b.party()
	var offer *inbox.Offer
	if len(b.write.Offers) > 0 {
		offer = &b.write.Offers[0]
	}
	f := b.f.become(&b.rec, offer, b.said)
	if b.c.IsCustomer() {
		out.Body = inbox.Created{View: customerView(f, b.c, b.e), AccessToken: b.token, AccessToken2: b.token}
	} else {
		out.Body = inbox.CreatedByBusiness{View: ownerView(f, b.c, b.e)}
	}
	return out
}
