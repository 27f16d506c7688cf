package store_test

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

const keysDoc = "../../docs/keys.md"

func TestKeysDoc(t *testing.T) {
	want := store.KeysDoc(largestWrite)
	if *update {
		if err := os.WriteFile(keysDoc, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(keysDoc)
	if err != nil || string(got) != want {
		t.Errorf("%s is not as the tables say (%v); run go test ./shared/store -run KeysDoc -update", keysDoc, err)
	}
}

// catcher keeps every row that was written.
type catcher struct {
	table.Database
	rows []table.Row
	of   []string
}

func (c *catcher) Transact(ctx context.Context, token string, actions []table.Action) error {
	err := c.Database.Transact(ctx, token, actions)
	if err != nil {
		return err
	}
	for _, a := range actions {
		r, err := c.Get(ctx, a.At())
		if err != nil {
			return err
		}
		if r != nil {
			c.rows, c.of = append(c.rows, r), append(c.of, a.Key.Table)
		}
	}
	return nil
}

// everything writes a row of every kind.
func (w *world) everything() {
	w.t.Helper()
	rec0 := w.lived()["sandbox"]
	fix := w.step(rec0, "x", rec0.Item.State, now)
	fix.Items[0].Record.DueAt = inbox.Ptr(rec0.Item.Payload.Booking.EndTime.Add(48 * inbox.Hour))
	w.commit(fix)
	write := w.create(now)
	write.Idem = answer("k", reference)
	write.Contacts[0].VerifiedAt = inbox.Ptr(now)
	rec := &write.Items[0].Record
	rec.Item.Flags.NeedsHuman, rec.MailFailed = true, true
	write.Events[0].Reason = inbox.Ptr("Ana asked")
	write.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: rec.Item.ID, BodyText: "x", MessageID: "<m>", CreatedAt: now}}
	w.commit(write)
	item, j := w.taken(now)
	must(w.ComposeMail(w.ctx, j, w.mail(item, j.Effects[0].ID, now), &store.Anchor{MessageID: "<a>", CreatedAt: now}, w.link(item, "a", now)))(w.t)
	m := must(w.TakeSend(w.ctx, item.Item.ID, j.Effects[0].ID, now, now.Add(inbox.Minute)))(w.t)
	m.Status, m.ProviderID, m.SentAt = inbox.MailSent, "0102", inbox.Ptr(now)
	if err := w.MailDone(w.ctx, m); err != nil {
		w.t.Fatal(err)
	}
	must(w.CountAck(w.ctx, "hash", "ack:1", now, inbox.Day, 3))(w.t)
	must(w.AddressHash(w.ctx, "ana@example.com"))(w.t)
	w.saved(store.SetUp{
		Profile: &inbox.Profile{Name: "Salon", Version: 1}, Closures: &store.ClosuresDoc{Closures: []inbox.Closure{{From: "2026-12-24", To: "2026-12-26"}}, Version: 1},
		Weeks:    []store.WeekDoc{{Week: week, Version: 1}, {ServiceID: serviceID, Week: week, Version: 1}},
		Floors:   &store.FloorsDoc{Minor: map[string]map[string]int64{"product": {"P1": 1}}, Version: 1},
		Products: []store.ProductWrite{{Product: product("P1", "a", 1)}},
		Key:      &inbox.Key{ID: "K1", Hash: "h1", Kind: inbox.KeyOwner, CreatedAt: now},
	})
	if err := w.TouchKey(w.ctx, &inbox.Key{Hash: "h1"}, now); err != nil {
		w.t.Fatal(err)
	}
	w.held()
	w.received()
	ok(w.t, w.AddToDigest(w.ctx, now, inbox.Unmailed{JobKey: "k", Subject: "New booking", ItemID: "I"}))
	w.people(write.Items[0].Record.Item.ID)
}

// people writes the rows of one-time codes and of words.
func (w *world) people(itemID string) {
	w.t.Helper()
	code := inbox.OneTimeCode{ID: "C1", ItemID: itemID, Hash: "h", Address: "ana@example.com", Digits: "012345", CreatedAt: now, ExpiresAt: now + 1, Mark: "C1"}
	w.commit(decide.Write{Code: &code, Tries: &inbox.CodeTries{Address: "hash", Sends: []inbox.Instant{now}}})
	words := func(context.Context) ([]string, bool, error) { return []string{"ana", "haircut"}, false, nil }
	if err := w.IndexItem(w.ctx, itemID, words); err != nil {
		w.t.Fatal(err)
	}
	added := inbox.PartyContact{PartyID: "P9", Kind: inbox.ContactPhone, Value: "351912345678", CreatedAt: now, Added: true}
	w.commit(decide.Write{Contacts: []inbox.PartyContact{added}})
}

// TestRowsAreAsDescribed: every row that is written is of one kind in the table
// and has no attribute the table does not name, and every kind is written.
func TestRowsAreAsDescribed(t *testing.T) {
	c := &catcher{Database: backends["embedded"].open(t)}
	w := newWorld(t, c)
	w.everything()
	seen := map[string]bool{}
	for n, r := range c.rows {
		kind := kindOf(c.of[n], r)
		if kind == nil {
			t.Errorf("no kind of row is %s %s %s", c.of[n], r.String("pk"), r.String("sk"))
			continue
		}
		seen[kind.Name] = true
		names := strings.Fields(kind.Attributes)
		for name := range r {
			if strings.HasPrefix(name, "c_") {
				name = "c_<claim>"
			}
			if strings.HasPrefix(name, "h_") {
				name = "h_<item>"
			}
			if name != "pk" && name != "sk" && !slices.Contains(names, name) {
				t.Errorf("%s has an attribute %q", kind.Name, name)
			}
		}
	}
	for _, k := range store.Rows {
		if !seen[k.Name] {
			t.Errorf("no %s was written", k.Name)
		}
	}
}

func kindOf(tableName string, r table.Row) *store.RowKind {
	for n, k := range store.Rows {
		if k.Table == tableName && pattern(k.Partition).MatchString(r.String("pk")) && pattern(k.Sort).MatchString(r.String("sk")) {
			return &store.Rows[n]
		}
	}
	return nil
}

var placeholder = regexp.MustCompile(`<[^>]*>`)

func pattern(s string) *regexp.Regexp {
	var b strings.Builder
	last := 0
	for _, at := range placeholder.FindAllStringIndex(s, -1) {
		b.WriteString(regexp.QuoteMeta(s[last:at[0]]) + ".*")
		last = at[1]
	}
	return regexp.MustCompile("^" + b.String() + regexp.QuoteMeta(s[last:]) + "$")
}
