package decide

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/settings"
)

// world is the facts of one item with its neighbours, and what became of them:
// a store small enough to hold in the hand. Every write is checked as it is
// applied.
type world struct {
	t      *testing.T
	f      Facts
	now    inbox.Instant
	source *inbox.Source

	events   []inbox.Event
	offers   map[int]inbox.Offer
	entries  []inbox.Entry
	places   map[string]inbox.Claim // the item's own and others'
	holdings map[string]bool        // by holder
	jobs     []inbox.Job
	token    string
	linked   *world   // what the item became
	refunds  []*world // of a promise, oldest first
	promise  *world   // of a refund
}

func at(s string) inbox.Instant {
	i, err := inbox.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}

// Monday morning, well before the booking.
var (
	monday  = at("2026-10-05T08:00:00Z")
	start   = at("2026-10-08T09:00:00Z")
	end     = at("2026-10-08T10:00:00Z")
	haircut = inbox.Service{
		ID: "SVC", Name: "Haircut", DurationMin: 60, Capacity: 1, GranularityMin: 15, Active: true, Version: 3,
		Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(3000)), Currency: "EUR", Per: "booking"}, Withdrawal: "dated_leisure",
	}
)

func seeded(seed uint64) *inbox.Source {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	return inbox.NewSource(io.Reader(rand.NewChaCha8(key)))
}

func newWorld(t *testing.T) *world {
	zone, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	service := haircut
	return &world{
		t: t, now: monday, source: seeded(7), offers: map[int]inbox.Offer{}, places: map[string]inbox.Claim{}, holdings: map[string]bool{},
		f: Facts{
			Settings: settings.Effective(nil),
			Business: Business{Name: "Salon", Zone: zone, ZoneName: "Europe/Lisbon", Currency: "EUR", Languages: []string{"en"}},
			Basis:    inbox.Basis{"settings": 2, "profile": 1, "service": 3},
			Service:  &service, Week: allWeek(),
			Products: products(),
		},
	}
}

// allWeek is open from 08:00 to 18:00 every day.
func allWeek() inbox.Week {
	week := inbox.Week{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		week[day] = []inbox.Window{{"08:00", "18:00"}}
	}
	return week
}

func (w *world) env() Env { return Env{Now: w.now, Source: w.source} }

// Callers.
func (w *world) customer() inbox.Caller {
	return inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: inbox.ChannelREST},
		Tier:  inbox.TierAnonymous, AccessToken: w.token,
	}
}

func caller(kind inbox.ActorKind, channel inbox.Channel, scopes ...inbox.Scope) inbox.Caller {
	return inbox.Caller{Actor: inbox.Actor{Kind: kind, ID: string(kind) + "-1", Channel: channel}, Tier: inbox.TierVerified, Scopes: scopes}
}

var (
	owner     = inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelREST}, UserID: "user-1", Proven: true, Scopes: []inbox.Scope{inbox.ScopeAll}}
	staff     = caller(inbox.Staff, inbox.ChannelOwnerUI)
	assistant = caller(inbox.OwnerAI, inbox.ChannelMCPOwner, inbox.ScopeInboxWrite)
	ownerMCP  = inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelMCPOwner}, Proven: true, Scopes: []inbox.Scope{inbox.ScopeAll}}
	key       = caller(inbox.Integration, inbox.ChannelREST, inbox.ScopeInboxWrite)
	moneyKey  = caller(inbox.Integration, inbox.ChannelREST, inbox.ScopeInboxWrite, inbox.ScopeMoneyWrite)
	rule      = caller(inbox.Rule, inbox.ChannelSystem)
	connector = caller(inbox.Connector, inbox.ChannelConnector)
	sweeper   = inbox.Caller{Actor: inbox.Actor{Kind: inbox.System, ID: "lifecycle_sweep", Channel: inbox.ChannelSystem}}
)

// actors by their letter in 01 §2.1.
func (w *world) actors() map[string]inbox.Caller {
	return map[string]inbox.Caller{
		"C": w.customer(), "P owner": owner, "P staff": staff, "A": assistant, "A owner key": ownerMCP,
		"K": key, "K$": moneyKey, "R": rule, "X": connector, "S": sweeper,
	}
}

// bookingRequest is the usual create.
func bookingRequest() CreateRequest {
	return CreateRequest{
		Type: inbox.TypeBooking,
		Payload: inbox.Payload{Booking: &inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: "SVC", Name: "a cut"}, StartTime: start, EndTime: end,
		}},
		Contact: &inbox.Contact{Name: "Ana", Email: "Ana@Example.PT"},
	}
}

func messageRequest() CreateRequest {
	return CreateRequest{
		Type: inbox.TypeMessage, Payload: inbox.Payload{Message: &inbox.Message{Text: "Do you cut beards?"}},
		Contact: &inbox.Contact{Name: "Ana"},
	}
}

// ok applies an outcome that must be one.
func (w *world) ok(out Outcome, err error) Outcome {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("refused: %v", err)
	}
	w.apply(out.Write)
	if c, ok := out.Body.(inbox.Created); ok {
		w.token = c.AccessToken
	}
	if _, err := json.Marshal(out.Body); err != nil {
		w.t.Fatal(err)
	}
	return out
}

func (w *world) create(c inbox.Caller, r CreateRequest) Outcome {
	w.t.Helper()
	return w.ok(w.confirmed(c, r))
}

// confirmed decides a create and, when it asks for a confirmation of the terms,
// again with it, as a customer who says yes does (02 §5).
func (w *world) confirmed(c inbox.Caller, r CreateRequest) (Outcome, error) {
	w.t.Helper()
	out, err := w.once(c, r)
	if p, ok := err.(*inbox.Problem); ok && p.Code == inbox.CodeConfirmTerms {
		r.TermsSHA, _ = p.Details["terms_sha"].(string)
		return w.once(c, r)
	}
	return out, err
}

// termsOf are the terms a customer is asked to confirm, and their fingerprint.
func (w *world) termsOf(r CreateRequest) (terms json.RawMessage, sha string) {
	w.t.Helper()
	_, err := Create(w.f, w.customer(), r, w.env())
	p := problem(w.t, err)
	return p.Details["terms"].(json.RawMessage), p.Details["terms_sha"].(string)
}

// once decides a create as it was sent.
func (w *world) once(c inbox.Caller, r CreateRequest) (Outcome, error) {
	return w.pure(func() (Outcome, error) { return Create(w.f, c, r, w.env()) })
}

func (w *world) decide(c inbox.Caller, r TransitionRequest) (Outcome, error) {
	w.read(c, r)
	return w.pure(func() (Outcome, error) { return Transition(w.f, c, r, w.env()) })
}

func (w *world) fire(c inbox.Caller, event string, input ...string) Outcome {
	w.t.Helper()
	return w.ok(w.decide(c, request(event, input...)))
}

func request(event string, input ...string) TransitionRequest {
	r := TransitionRequest{Event: event}
	if len(input) > 0 {
		r.Input = json.RawMessage(input[0])
	}
	return r
}

// read fills in the places that the verb asks for.
func (w *world) read(c inbox.Caller, r TransitionRequest) { w.readRows(Needs(w.f, c, r)) }

func (w *world) readRows(rows []inbox.HourRow) {
	w.f.Places = inbox.Places{Revs: map[inbox.HourRow]int64{}}
	for _, row := range rows {
		w.f.Places.Revs[row] = 4
	}
	seen := map[string]bool{}
	for row := range w.f.Places.Revs {
		for id, claim := range w.places {
			for _, touched := range claim.Rows() {
				if touched == row && !seen[id] {
					seen[id] = true
					w.f.Places.Claims = append(w.f.Places.Claims, claim)
				}
			}
		}
	}
}

// pure runs a decision and fails when it changed the facts.
func (w *world) pure(decide func() (Outcome, error)) (Outcome, error) {
	w.t.Helper()
	before := deepCopy(reflect.ValueOf(w.f)).Interface().(Facts)
	out, err := decide()
	before.Business.Zone = w.f.Business.Zone
	if !reflect.DeepEqual(before, w.f) {
		w.t.Errorf("the facts were changed:\n%+v\n%+v", before.Record, w.f.Record)
	}
	if err != nil && !reflect.ValueOf(out).IsZero() {
		w.t.Errorf("a refusal carries an outcome: %+v", out)
	}
	return out, err
}

// apply takes a write over and checks what holds of every write.
func (w *world) apply(wr Write) {
	w.t.Helper()
	wr = w.applyLinked(wr)
	if len(wr.Items) != 1 {
		w.t.Fatalf("%d items", len(wr.Items))
	}
	i := wr.Items[0]
	rec := i.Record
	old := inbox.Record{}
	if w.f.Record != nil {
		old = *w.f.Record
	}
	if i.Expect != old.Rev || rec.Rev != old.Rev+1 {
		w.t.Errorf("rev %d → %d, expected %d", old.Rev, rec.Rev, i.Expect)
	}
	w.applyEvents(old, rec, wr)
	w.applyOffers(rec, wr)
	w.applyPlaces(old, rec, wr)
	w.applyHoldings(rec, wr)
	for _, e := range wr.Entries {
		w.entries = append(w.entries, e)
		w.f.Thread = append(w.f.Thread, e)
	}
	if n := len(w.entries); n > 0 && rec.LastEntryID != w.entries[n-1].ID {
		w.t.Errorf("last entry %q, want %q", rec.LastEntryID, w.entries[n-1].ID)
	}
	w.applyJobs(rec, wr)
	if wr.Party != nil {
		w.f.Party = wr.Party
	}
	// As a store would give it back: through JSON.
	raw, err := json.Marshal(rec)
	if err != nil {
		w.t.Fatal(err)
	}
	w.f.Record = new(inbox.Record)
	if err := json.Unmarshal(raw, w.f.Record); err != nil {
		w.t.Fatal(err)
	}
	w.f.Record.LastHash = fmt.Sprintf("hash-%d", rec.Item.Version)
	w.relate()
}

// applyLinked takes over what an accepted quote became, as an item of its own,
// and answers the rest of the write.
func (w *world) applyLinked(wr Write) Write {
	w.t.Helper()
	switch {
	case len(wr.Items) != 2:
		return wr
	case w.promise != nil:
		return w.applyRaised(wr)
	case wr.Items[1].Record.Item.Type == inbox.TypeRefund:
		return w.applyBorn(wr)
	}
	id := wr.Items[1].Record.Item.ID
	rest, own := wr, Write{Items: wr.Items[1:], Take: wr.Take, Places: wr.Places}
	rest.Items, rest.Take, rest.Places = wr.Items[:1], nil, inbox.Places{}
	own.Events, rest.Events = parted(wr.Events, func(e inbox.Event) bool { return e.ItemID == id })
	own.Offers, rest.Offers = parted(wr.Offers, func(o inbox.Offer) bool { return o.ItemID == id })
	own.Jobs, rest.Jobs = parted(wr.Jobs, func(j inbox.Job) bool { return j.ItemID == id })
	w.linked = &world{t: w.t, now: w.now, source: w.source, token: w.token, offers: map[int]inbox.Offer{}, places: map[string]inbox.Claim{}, f: w.f}
	w.linked.f.Record, w.linked.f.Offer, w.linked.f.Thread = nil, nil, nil
	w.linked.apply(own)
	return rest
}

// parted are the parts of a list that belong and those that do not.
func parted[T any](list []T, belongs func(T) bool) (own, rest []T) {
	for _, v := range list {
		if belongs(v) {
			own = append(own, v)
		} else {
			rest = append(rest, v)
		}
	}
	return own, rest
}

func (w *world) applyEvents(old, rec inbox.Record, wr Write) {
	w.t.Helper()
	if rec.Item.Version != old.Item.Version+len(wr.Events) {
		w.t.Errorf("version %d → %d with %d events", old.Item.Version, rec.Item.Version, len(wr.Events))
	}
	for _, e := range wr.Events {
		if e.Seq != old.Item.Version+1 || e.PrevHash != old.LastHash || e.ItemID != rec.Item.ID || e.ID != rec.LastEventID {
			w.t.Errorf("event does not follow: %+v", e)
		}
		if e.ToState != rec.Item.State || e.Type != rec.Item.Type || e.CreatedAt != w.now {
			w.t.Errorf("event does not fit the item: %+v", e)
		}
		w.events = append(w.events, e)
	}
	due, kind := DueAt(&rec, w.f.Settings)
	if !reflect.DeepEqual(due, rec.DueAt) || kind != rec.DueKind {
		w.t.Errorf("due %v %s, want %v %s", rec.DueAt, rec.DueKind, due, kind)
	}
	if rec.Item.UpdatedAt != w.now {
		w.t.Errorf("updatedAt %v", rec.Item.UpdatedAt)
	}
}

func (w *world) applyOffers(rec inbox.Record, wr Write) {
	w.t.Helper()
	last := 0
	for _, o := range wr.Offers {
		if o.Rev <= last {
			w.t.Errorf("offers are not in order of rev")
		}
		last = o.Rev
		w.offers[o.Rev] = o
	}
	var open, agreed *inbox.Offer
	for rev := 1; rev <= len(w.offers); rev++ {
		o, ok := w.offers[rev]
		if !ok {
			w.t.Errorf("no offer of rev %d", rev)
		}
		switch o.Status {
		case inbox.OfferOpen:
			if open != nil {
				w.t.Errorf("two open offers")
			}
			open = &o
		case inbox.OfferAccepted:
			agreed = &o
		}
	}
	if rec.OfferRev != len(w.offers) {
		w.t.Errorf("newest offer %d of %d", rec.OfferRev, len(w.offers))
	}
	w.f.Asked = nil
	if o, ok := w.offers[rec.AskedRev]; ok {
		w.f.Asked = &o
	}
	w.f.Agreed = nil
	if rec.Underlying() > 0 {
		w.f.Agreed = agreed
	}
	if asked := open != nil && open.By == inbox.SideBusiness && open.Kind == negotiation.KindOffer; asked != (w.f.Asked != nil) || asked && w.f.Asked.By != inbox.SideCustomer {
		w.t.Errorf("the customer's newest offer is %d while %+v is open", rec.AskedRev, open)
	}
	w.f.Offer = agreed
	if open != nil {
		w.f.Offer = open
	}
	var want *inbox.OfferPointer
	if w.f.Offer != nil {
		want = w.f.Offer.Pointer()
	}
	if got := rec.Item.Payload.Offer(); !reflect.DeepEqual(got, want) {
		w.t.Errorf("pointer %+v, ledger %+v", got, want)
	}
}

func (w *world) applyPlaces(old, rec inbox.Record, wr Write) {
	w.t.Helper()
	for _, c := range wr.Release {
		if _, ok := w.places[c.ID]; !ok || !holds(old.Claims, c.ID) {
			w.t.Errorf("releases a place it does not hold: %+v", c)
		}
		delete(w.places, c.ID)
	}
	rows := map[inbox.HourRow]bool{}
	for _, c := range wr.Take {
		w.places[c.ID] = c
		for _, r := range c.Rows() {
			rows[r] = true
			if rev, ok := wr.Places.Revs[r]; !ok || rev != w.f.Places.Revs[r] {
				w.t.Errorf("row %v is written without the rev it was judged on", r)
			}
		}
	}
	if len(wr.Places.Revs) != len(rows) {
		w.t.Errorf("conditions on %d rows, writes %d", len(wr.Places.Revs), len(rows))
	}
	for _, c := range rec.Claims {
		if _, ok := w.places[c.ID]; !ok {
			w.t.Errorf("the item lists a place it did not take: %+v", c)
		}
	}
}

// applyHoldings: a hold stands just as long as the offer it is for is open, and
// the item says for whom.
func (w *world) applyHoldings(rec inbox.Record, wr Write) {
	w.t.Helper()
	for _, h := range wr.Holdings {
		if h.ItemID != rec.Item.ID || w.holdings[h.Holder] == h.Begins {
			w.t.Errorf("holding %+v, had %v", h, w.holdings)
		}
		w.holdings[h.Holder] = h.Begins
	}
	holds := false
	for _, c := range rec.Claims {
		held := c.Kind == inbox.ClaimHold
		if held != (c.OfferID != "") {
			w.t.Errorf("claim %+v", c)
		}
		holds = holds || held
		o := w.f.Offer
		if held && (o == nil || o.Status != inbox.OfferOpen || o.ID != c.OfferID || !o.Held()) {
			w.t.Errorf("the hold %+v outlives its offer %+v", c, o)
		}
	}
	if o := w.f.Offer; o != nil && o.Status == inbox.OfferOpen && o.Held() != holds {
		w.t.Errorf("offer %+v says held, places %v", o, rec.Claims)
	}
	if holder := inbox.PartyHolder(rec.Item.PartyID, rec.Item.Flags.Sandbox); holds != w.holdings[holder] || holds != (len(rec.HeldFor) == 1) {
		w.t.Errorf("holds %v, counted for %v, the item says %v", holds, w.holdings, rec.HeldFor)
	}
}

func (w *world) applyJobs(rec inbox.Record, wr Write) {
	w.t.Helper()
	ready := 0
	for _, j := range wr.Jobs {
		if j.Ready {
			ready++
		}
		if j.Ready != (j.RunAt == w.now) || j.ItemID != rec.Item.ID || len(j.Effects) == 0 || j.Version != 1 {
			w.t.Errorf("job %+v", j)
		}
		w.jobs = append(w.jobs, j)
	}
	if ready > 1 {
		w.t.Errorf("%d jobs are due at the commit", ready)
	}
}

// deepCopy copies everything reachable but zones.
func deepCopy(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*time.Location]() {
			return v
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(deepCopy(v.Elem()))
		return p
	case reflect.Struct:
		s := reflect.New(v.Type()).Elem()
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				s.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
		return s
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		s := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(deepCopy(v.Index(i)))
		}
		return s
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		m := reflect.MakeMap(v.Type())
		for _, k := range v.MapKeys() {
			m.SetMapIndex(k, deepCopy(v.MapIndex(k)))
		}
		return m
	}
	return v
}

// problem of an error that must be one.
func problem(t *testing.T, err error) *inbox.Problem {
	t.Helper()
	p, ok := err.(*inbox.Problem)
	if !ok {
		t.Fatalf("want a problem, got %v", err)
	}
	return p
}

// told lists the effects of a write's job as kind:event.
func told(wr Write) []string {
	list := []string{}
	for _, j := range wr.Jobs {
		for _, e := range j.Effects {
			name := string(e.Kind)
			if e.Event != "" {
				name += ":" + e.Event
			}
			list = append(list, name)
		}
	}
	return list
}

func hashOf(token string) string { return canon.HashToken(token) }

func unjson(t *testing.T, raw []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}
