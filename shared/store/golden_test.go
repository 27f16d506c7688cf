package store_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// goldenFiles are the rows of the first schema, by file, and what writes them:
// kinds of rows that came later have files of their own.
var goldenFiles = map[string]func(*world){
	"testdata/v1/rows.json": (*world).everything,
	"testdata/v1/held.json": (*world).held,
}

// afterFirst are the kinds of row that came after the first golden file.
var afterFirst = []string{
	"floors", "proven contact", "one-time code", "codes and guesses of an address", "words of an item", "word", "reference", "link",
	"digest",
	"received mail", "notice", "once", "suppressed address", "limit", "automation's mails", "sender",
}

// storedRow is a row as a golden file keeps it: a binary value is behind
// "base64:".
type storedRow struct {
	Table string         `json:"table"`
	Row   map[string]any `json:"row"`
}

// TestVersion1 reads what the first release wrote (08 §8). -update
// writes the file only where none is; a later schema gets a file of its own.
func TestVersion1(t *testing.T) {
	for path, fill := range goldenFiles {
		if _, err := os.Stat(path); *update && err != nil {
			writeGolden(t, path, fill)
		}
	}
	w := newWorld(t, backends["embedded"].open(t))
	facts := w.restore()
	if findings, err := w.Check(w.ctx); err != nil || len(findings) > 0 {
		t.Errorf("%v\n%s", err, strings.Join(findings, "\n"))
	}
	items := map[inbox.State]*inbox.Record{}
	sandbox := 0
	for _, side := range []bool{false, true} {
		list, _, err := w.AllItems(w.ctx, side, 100, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			items[r.Item.State] = &r
			if side {
				sandbox++
			}
		}
	}
	if len(items) != 5 || sandbox != 1 {
		t.Fatalf("items %v, %d of the sandbox", items, sandbox)
	}
	rec := items[inbox.StateCompleted]
	if rec.Item.Version != 3 || rec.Item.Payload.Booking.TotalPrice.Value != 4500 || rec.AgreedOffer == nil || len(rec.Claims) != 1 ||
		rec.Item.ClosedAt == nil || rec.DueAt != nil || len(rec.AccessTokenHash) != 64 {
		t.Errorf("completed: %+v", rec)
	}
	events := must(w.Events(w.ctx, rec.Item.ID))(t)
	if len(events) != 3 || events[1].Event != "confirm" || events[1].Diff.State[1] != inbox.StateConfirmed || events[2].Hash != rec.LastHash {
		t.Errorf("events: %+v", events)
	}
	l := must(w.Load(w.ctx, store.Want{
		Settings: true, Profile: true, ServiceID: serviceID, Hours: true, Closures: true, ItemID: rec.Item.ID, PartyID: rec.Item.PartyID,
		OfferRev: 1, Rows: rec.Claims[0].Rows(), IdemScope: answer("", "").Scope, IdemKey: "k", Now: now,
	}))(t)
	if string(l.SettingsRaw) != `{}` || l.Profile.Name != "Salon" || l.Service.DurationMin != 60 || l.Hours.For(serviceID)["mon"] == nil ||
		len(l.Hours.Closures) != 1 || l.Party.Contact.Email != "ana.martins@example.com" || l.Offer.Status != inbox.OfferAccepted ||
		!slices.ContainsFunc(l.Places.Claims, func(c inbox.Claim) bool { return c == rec.Claims[0] }) {
		t.Errorf("facts: %+v", l)
	}
	if l.Idem == nil || string(l.Idem.Answer) != reference || l.Idem.Status != 201 {
		t.Errorf("answer: %+v", l.Idem)
	}
	if k := must(w.KeyByHash(w.ctx, "h1"))(t); k == nil || k.ID != "K1" || *k.LastUsedAt != now {
		t.Errorf("key: %+v", k)
	}
	if p := must(w.Product(w.ctx, "P1"))(t); p == nil || p.SKU != "a" {
		t.Errorf("product: %+v", p)
	}
	if ref := must(w.MailByProvider(w.ctx, "0102"))(t); ref == nil || must(w.Mail(w.ctx, ref.ItemID, ref.JobKey))(t).Status != inbox.MailSent {
		t.Errorf("mail: %+v", ref)
	} else if a := must(w.Anchor(w.ctx, ref.ItemID))(t); a.MessageID != "<a>" {
		t.Errorf("anchor: %+v", a)
	}
	if ref := must(w.MessageEntry(w.ctx, "<m>"))(t); ref == nil || must(w.Thread(w.ctx, ref.ItemID, 0))(t)[0].BodyText != "x" {
		t.Errorf("entry: %+v", ref)
	}
	if jobs := must(w.OpenJobs(w.ctx, 100))(t); len(jobs) != facts["job"] {
		t.Errorf("%d jobs, %d rows", len(jobs), facts["job"])
	}
	if c := must(w.ContactsOf(w.ctx, inbox.ContactEmail, "ana.martins@example.com"))(t); len(c) != facts["contact"] {
		t.Errorf("%d contacts, %d rows", len(c), facts["contact"])
	}
	// Today's code goes on with it.
	next := items[inbox.StateRequested]
	if ok, err := w.confirmed(next, 99, now); !ok || err != nil {
		t.Errorf("a write on an item of the first release: %t, %v", ok, err)
	}
}

// restore puts the golden rows into the table and counts them by kind.
func (w *world) restore() map[string]int {
	w.t.Helper()
	var rows []storedRow
	for path := range goldenFiles {
		raw, err := os.ReadFile(path)
		if err != nil {
			w.t.Fatal(err)
		}
		var more []storedRow
		if err := json.Unmarshal(raw, &more); err != nil {
			w.t.Fatal(err)
		}
		rows = append(rows, more...)
	}
	counts := map[string]int{}
	for _, s := range rows {
		r := table.Row{}
		for name, v := range s.Row {
			switch v := v.(type) {
			case float64:
				r[name] = int64(v)
			case string:
				if b, ok := strings.CutPrefix(v, "base64:"); ok {
					r[name] = must(base64.StdEncoding.DecodeString(b))(w.t)
					continue
				}
				r[name] = v
			default:
				r[name] = v
			}
		}
		kind := kindOf(s.Table, r)
		if kind == nil {
			w.t.Fatalf("no kind of row is %v", s.Row)
		}
		counts[kind.Name]++
		if err := w.db.Transact(w.ctx, "", []table.Action{{Kind: table.Put, Key: table.Key{Table: s.Table}, Row: r}}); err != nil {
			w.t.Fatal(err)
		}
	}
	for _, k := range store.Rows {
		if counts[k.Name] == 0 && !slices.Contains(afterFirst, k.Name) {
			w.t.Errorf("no %s among the golden rows", k.Name)
		}
	}
	return counts
}

// writeGolden writes the rows of an inbox that holds every kind.
func writeGolden(t *testing.T, path string, fill func(*world)) {
	c := &catcher{Database: backends["embedded"].open(t)}
	w := newWorld(t, c)
	fill(w)
	last := map[table.Key]table.Row{}
	var keys []table.Key
	for n, r := range c.rows {
		k := table.Key{Table: c.of[n], Partition: r.String("pk"), Sort: r.String("sk")}
		if last[k] == nil {
			keys = append(keys, k)
		}
		last[k] = must(w.db.Get(w.ctx, k))(t)
	}
	slices.SortFunc(keys, func(a, b table.Key) int { return strings.Compare(a.String(), b.String()) })
	var rows []storedRow
	for _, k := range keys {
		r := last[k]
		if r == nil {
			continue
		}
		s := storedRow{Table: k.Table, Row: map[string]any{}}
		for name, v := range r {
			if b, ok := v.([]byte); ok {
				v = "base64:" + base64.StdEncoding.EncodeToString(b)
			}
			s.Row[name] = v
		}
		rows = append(rows, s)
	}
	raw, err := json.MarshalIndent(rows, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata/v1", 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(raw, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
}
