package store_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

var update = flag.Bool("update", false, "write golden files anew")

// recorder keeps the last transaction and the rows it met.
type recorder struct {
	table.Database
	actions []table.Action
	old     map[table.Key]table.Row
}

func (r *recorder) Transact(ctx context.Context, token string, actions []table.Action) error {
	r.actions, r.old = actions, map[table.Key]table.Row{}
	for _, a := range actions {
		row, err := r.Get(ctx, a.At())
		if err != nil {
			return err
		}
		r.old[a.At()] = row
	}
	return r.Database.Transact(ctx, token, actions)
}

// bill is what a write costs, line by line.
type bill struct {
	Units  int      `json:"units"`
	Before int      `json:"first"` // the first count ever written down
	Goal   int      `json:"goal"`
	Rows   []string `json:"rows"`
}

func (r *recorder) bill(goal int) bill {
	b := bill{Goal: goal, Units: store.Units(r.actions, r.old)}
	for _, a := range r.actions {
		size := table.Size(a.Row)
		if a.Kind == table.Update {
			size = table.Size(a.Set)
		}
		b.Rows = append(b.Rows, fmt.Sprintf("%s %s %s %s: %d bytes, %d units", a.Kind, a.Key.Table, a.At().Partition, a.At().Sort, size,
			store.Units([]table.Action{a}, r.old)))
	}
	return b
}

// TestWriteUnits holds the reference case to its cost (08 §7): one contact with
// e-mail, no message, an empty hour row, one job row beside the
// acknowledgement's, each request with an idempotency key.
func TestWriteUnits(t *testing.T) {
	rec := &recorder{Database: backends["embedded"].open(t)}
	w := newWorld(t, rec)
	bills := map[string]bill{}
	id := w.decided("create", nil, now, nil)
	bills["create"] = rec.bill(24)
	owner := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "01K5ZZZZZZZZZZZZZZZZZZZ0WN", Channel: inbox.ChannelREST}, Proven: true, Scopes: []inbox.Scope{inbox.ScopeAll}}
	w.decided("confirm", w.item(id), now.Add(inbox.Hour), &owner)
	bills["confirm"] = rec.bill(24)
	sweep := inbox.Caller{Actor: inbox.Actor{Kind: inbox.System, ID: "lifecycle_sweep", Channel: inbox.ChannelSystem}}
	w.decided("complete", w.item(id), now.Add(73*inbox.Hour), &sweep)
	bills["complete"] = rec.bill(16)

	path := "testdata/units.json"
	golden := map[string]bill{}
	if raw, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(raw, &golden); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range bills {
		if b.Units > b.Goal {
			t.Errorf("%s: %d units, goal %d: %q", name, b.Units, b.Goal, b.Rows)
		}
		if *update {
			b.Before = max(golden[name].Before, b.Units)
			bills[name] = b
		} else if b.Units > golden[name].Units || golden[name].Units == 0 {
			t.Errorf("%s: %d units, more than %d; rows %q", name, b.Units, golden[name].Units, b.Rows)
		}
	}
	if *update {
		raw, _ := json.MarshalIndent(bills, "", "  ")
		if err := os.WriteFile(path, append(raw, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// decided lets package decide judge a step of the reference case and commits it
// with its answer; the system has no idempotency key.
func (w *world) decided(event string, rec *inbox.Record, at inbox.Instant, caller *inbox.Caller) string {
	w.t.Helper()
	zone := must(time.LoadLocation("Europe/Lisbon"))(w.t)
	price := inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(4500)), Currency: "EUR", Per: "booking"}
	s := service(serviceID, 1)
	s.Price, s.Withdrawal = &price, inbox.WithdrawalStandard
	f := decide.Facts{
		Settings: soldToBusinesses(), Service: &s, Record: rec,
		Business: decide.Business{Name: "Salon", Zone: zone, ZoneName: "Europe/Lisbon", Currency: "EUR", Languages: []string{"en"}},
		Basis:    inbox.Basis{"settings": 1, "profile": 1, "service": 1, "hours": 1, "closures": 1},
	}
	e := decide.Env{Now: at, Source: w.ids}
	var out decide.Outcome
	var err error
	if rec == nil {
		agent := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:0123456789abcdef", Channel: inbox.ChannelREST}, Tier: inbox.TierAnonymous}
		caller = &agent
		out, err = decide.Create(f, agent, decide.CreateRequest{
			Type: inbox.TypeBooking, Contact: &inbox.Contact{Name: "Ana Martins", Email: "ana.martins@example.com"},
			Payload: inbox.Payload{Booking: &inbox.Booking{
				ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "Haircut"}, StartTime: now.Add(24 * inbox.Hour), EndTime: now.Add(25 * inbox.Hour),
			}},
		}, e)
	} else {
		l := must(w.Load(w.ctx, store.Want{ItemID: rec.Item.ID, OfferRev: rec.OfferRev, PartyID: rec.Item.PartyID, Rows: hours(rec)}))(w.t)
		f.Offer, f.Party, f.Places = l.Offer, l.Party, l.Places
		out, err = decide.Transition(f, *caller, decide.TransitionRequest{Event: event}, e)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	if caller.Kind != inbox.System {
		body := must(json.Marshal(out.Body))(w.t)
		out.Write.Idem = answer(event, string(body))
	}
	decide.OweIndex(&out.Write, e)
	w.commit(out.Write)
	return out.Write.Items[0].Record.Item.ID
}

// soldToBusinesses are settings under which a create needs no second request.
func soldToBusinesses() settings.Settings {
	s := settings.Effective(nil)
	s.Commerce.Customers = "businesses"
	return s
}

// TestUnits holds the model itself to DynamoDB's rules.
func TestUnits(t *testing.T) {
	key := table.Key{Table: "inbox", Partition: "i#1", Sort: "i"}
	row := func(bytes int, more table.Row) table.Row {
		r := table.Row{"pk": "i#1", "sk": "i", "d": string(make([]byte, bytes))}
		for k, v := range more {
			r[k] = v
		}
		return r
	}
	listed := table.Row{"la": "r1", "lt": "5"}
	for name, c := range map[string]struct {
		a    table.Action
		old  table.Row
		want int
	}{
		"small row":             {table.Action{Kind: table.Put, Key: key, Row: row(10, nil)}, nil, 2},
		"just over a KB":        {table.Action{Kind: table.Put, Key: key, Row: row(1024, nil)}, nil, 4},
		"replaces a larger one": {table.Action{Kind: table.Put, Key: key, Row: row(10, nil)}, row(2000, nil), 4},
		"new entry":             {table.Action{Kind: table.Put, Key: key, Row: row(10, listed)}, nil, 3},
		"entry stays":           {table.Action{Kind: table.Put, Key: key, Row: row(20, listed)}, row(10, listed), 2},
		"entry moves":           {table.Action{Kind: table.Put, Key: key, Row: row(10, table.Row{"la": "r1", "lt": "6"})}, row(10, listed), 4},
		"entry goes":            {table.Action{Kind: table.Put, Key: key, Row: row(10, nil)}, row(10, listed), 3},
		"delete":                {table.Action{Kind: table.Delete, Key: key}, row(1500, listed), 5},
		"check":                 {table.Action{Kind: table.Check, Key: key, If: table.Exists("pk")}, row(10, listed), 2},
		"update adds":           {table.Action{Kind: table.Update, Key: key, Set: listed}, row(10, nil), 3},
		"update removes":        {table.Action{Kind: table.Update, Key: key, Remove: []string{"la"}}, row(10, listed), 3},
		"two lists":             {table.Action{Kind: table.Put, Key: key, Row: row(10, table.Row{"la": "r1", "lo": "r1", "lt": "5"})}, nil, 4},
	} {
		if got := store.Units([]table.Action{c.a}, map[table.Key]table.Row{key: c.old}); got != c.want {
			t.Errorf("%s: %d units, want %d", name, got, c.want)
		}
	}
}

// TestLargestWrite: the largest write the inbox can make stays under the 100
// actions of one transaction: 40 hour rows taken and other 40 given back, with
// everything else a write can have.
func TestLargestWrite(t *testing.T) {
	rec := &recorder{Database: backends["embedded"].open(t)}
	w := newWorld(t, rec)
	first := w.create(now)
	w.commit(first)
	item := w.item(first.Items[0].Record.Item.ID)
	long := func(from inbox.Instant) inbox.Claim {
		return inbox.Claim{ID: w.ids.ID(now), Resource: resource, Kind: inbox.ClaimBooking, From: from, To: from.Add(inbox.MaxClaimHours * inbox.Hour)}
	}
	old, taken := long(now), long(now.Add(100*inbox.Hour))
	write := w.step(item, "accept_change", item.Item.State, now)
	write.Idem = answer("k", reference)
	write.Release, write.Take = []inbox.Claim{old}, []inbox.Claim{taken}
	write.Places = must(w.PlacesOf(w.ctx, taken.Rows()))(t)
	offer := first.Offers[0]
	offer2 := offer
	offer2.Rev = 2
	write.Offers = []inbox.Offer{offer, offer2}
	id := item.Item.ID
	write.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: id, BodyText: "x", MessageID: "<a>"}, {ID: w.ids.ID(now), ItemID: id, BodyText: "y"}}
	write.Contacts = append(first.Contacts, inbox.PartyContact{PartyID: item.Item.PartyID, Kind: inbox.ContactPhone, Value: "351912345678"})
	write.Jobs = []inbox.Job{{ID: w.ids.ID(now), ItemID: id, RunAt: now}, {ID: w.ids.ID(now), ItemID: id, RunAt: now}}
	w.commit(write)
	if n := len(rec.actions); n != largestWrite || n > table.MaxActions {
		t.Errorf("%d actions, want %d", n, largestWrite)
	}
}

// largestWrite is the action count of the largest write; docs/keys.md names it.
const largestWrite = 92
