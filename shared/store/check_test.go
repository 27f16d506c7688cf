package store_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// lived makes an inbox with items in every stage of a booking.
func (w *world) lived() map[string]*inbox.Record {
	w.t.Helper()
	w.saved(store.SetUp{
		Services: []inbox.Service{service(serviceID, 1)}, Settings: &store.SettingsDoc{Doc: json.RawMessage(`{}`), Version: 1},
	})
	items := map[string]*inbox.Record{"requested": w.created(now)}
	confirmed := func(at inbox.Instant) *inbox.Record {
		rec := w.created(at)
		if ok, err := w.confirmed(rec, 9, at); !ok || err != nil {
			w.t.Fatal(ok, err)
		}
		return w.item(rec.Item.ID)
	}
	items["confirmed"] = confirmed(now.Add(inbox.Minute))
	rec := confirmed(now.Add(2 * inbox.Minute))
	w.commit(w.complete(rec, now.Add(80*inbox.Hour)))
	items["completed"] = w.item(rec.Item.ID)
	rec = confirmed(now.Add(3 * inbox.Minute))
	w.commit(w.cancel(rec, now.Add(4*inbox.Minute)))
	items["cancelled"] = w.item(rec.Item.ID)
	rec, _ = w.place(true, now.Add(5*inbox.Hour), now.Add(6*inbox.Hour))
	items["sandbox"] = rec
	w.settle()
	return items
}

func TestCheckOfAWellInbox(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		items := w.lived()
		// The sandbox item's time was set by the test, its deadline was not.
		rec := items["sandbox"]
		write := w.step(rec, "x", rec.Item.State, now)
		write.Items[0].Record.DueAt = inbox.Ptr(rec.Item.Payload.Booking.EndTime.Add(48 * inbox.Hour))
		w.commit(write)
		w.settle()
		if findings, err := w.Check(w.ctx); err != nil || len(findings) > 0 {
			t.Errorf("%v\n%s", err, strings.Join(findings, "\n"))
		}
	})
}

// TestCheckFinds: each damage is told, and told of the right item.
func TestCheckFinds(t *testing.T) {
	item := func(r *inbox.Record) table.Key {
		return table.Key{Table: "inbox", Partition: "i#" + r.Item.ID, Sort: "i"}
	}
	event := func(r *inbox.Record, seq string) table.Key {
		return table.Key{Table: "events", Partition: r.Item.ID, Sort: seq}
	}
	hour := func(r *inbox.Record) table.Key {
		h := r.Claims[0].Rows()[0]
		return table.Key{Table: "inbox", Partition: "h#" + h.Resource, Sort: "0497481"}
	}
	edit := func(old, new string) func(table.Row) {
		return func(r table.Row) {
			text := strings.Replace(r.String("d"), old, new, 1)
			if text == r.String("d") {
				panic("nothing changed: " + text)
			}
			r["d"] = text
		}
	}
	for name, c := range map[string]struct {
		of     string
		key    func(*inbox.Record) table.Key
		change func(table.Row) // nil deletes the row
		want   string
	}{
		"event changed":      {"confirmed", func(r *inbox.Record) table.Key { return event(r, "000001") }, edit(`"anon:`, `"anom:`), "event 1: its hash"},
		"event gone":         {"confirmed", func(r *inbox.Record) table.Key { return event(r, "000001") }, nil, "event 2 stands where 1 belongs"},
		"last event gone":    {"confirmed", func(r *inbox.Record) table.Key { return event(r, "000002") }, nil, "version 2 with 1 events"},
		"version":            {"confirmed", item, edit(`"n":2`, `"n":3`), "version 3 with 2 events"},
		"state":              {"confirmed", item, edit(`"s":"confirmed"`, `"s":"declined"`), "does not end where its events end"},
		"linked to nothing":  {"confirmed", item, edit(`"s":"confirmed"`, `"s":"confirmed","k":"NOPE"`), "item NOPE, which it is linked to, is missing"},
		"end of the chain":   {"requested", item, edit(`"h":"`, `"h":"A`), "does not end where its events end"},
		"offer gone":         {"requested", func(r *inbox.Record) table.Key { k := item(r); k.Sort = "i#0001"; return k }, nil, "newest offer 1 of 0"},
		"offer closed":       {"requested", func(r *inbox.Record) table.Key { k := item(r); k.Sort = "i#0001"; return k }, edit(`"status":"open"`, `"status":"declined"`), "points to offer 1 as open"},
		"offer open":         {"confirmed", func(r *inbox.Record) table.Key { k := item(r); k.Sort = "i#0001"; return k }, edit(`"status":"accepted"`, `"status":"open"`), "does not point to its open offer 1"},
		"not among the open": {"requested", item, func(r table.Row) { delete(r, "lo") }, "index attribute lo"},
		"wrong shard":        {"requested", item, func(r table.Row) { r["lo"] = "r9" }, "index attribute lo"},
		"no deadline":        {"requested", item, func(r table.Row) { delete(r, "qt"); delete(r, "qp") }, "its deadline"},
		"deadline late":      {"requested", item, func(r table.Row) { r["qt"] = "1890845200000" + r.String("qt")[13:] }, "its deadline is"},
		"party gone": {"requested", func(r *inbox.Record) table.Key {
			return table.Key{Table: "inbox", Partition: "p#" + r.Item.PartyID, Sort: "p"}
		}, nil, "its party"},
		"booked nowhere":            {"confirmed", item, edit(`"cl":[`, `"zz":[`), "stands in 0 sets of places"},
		"booked elsewhere":          {"confirmed", item, edit(`"endTime":"`, `"endTime":"2099-01-01T00:00:00.000Z","x":"`), "stands in 1 sets of places"},
		"a change nobody asked for": {"confirmed", item, edit(`"pl":{`, `"pl":{"change":{"by":"customer","startTime":"2026-10-09T09:00:00.000Z","endTime":"2026-10-09T10:00:00.000Z"},`), `a change of "customer" is on it and one of "" is open`},
		"claim gone":                {"confirmed", hour, func(r table.Row) { dropClaims(r) }, "is missing in its hour row"},
		"hour row gone":             {"confirmed", hour, nil, "is missing in its hour row"},
		"claim of nobody":           {"confirmed", hour, func(r table.Row) { r["c_X"] = "b1,1" }, "claim X of service:"},
		"claim moved":               {"confirmed", hour, func(r table.Row) { moveClaims(r) }, "is not as its item says"},
		"event cannot be read":      {"confirmed", func(r *inbox.Record) table.Key { return event(r, "000002") }, func(r table.Row) { r["d"] = "{" }, "event 2 cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, backends["embedded"].open(t))
			items := w.lived()
			rec := items["sandbox"]
			write := w.step(rec, "x", rec.Item.State, now)
			write.Items[0].Record.DueAt = inbox.Ptr(rec.Item.Payload.Booking.EndTime.Add(48 * inbox.Hour))
			w.commit(write)
			w.damage(c.key(items[c.of]), c.change)
			findings, err := w.Check(w.ctx)
			if err != nil {
				t.Fatal(err)
			}
			all := strings.Join(findings, "\n")
			if !strings.Contains(all, c.want) {
				t.Errorf("want %q in:\n%s", c.want, all)
			}
			for label, r := range items {
				if label != c.of && strings.Contains(all, r.Item.ID) {
					t.Errorf("told of the %s item:\n%s", label, all)
				}
			}
		})
	}
}

func dropClaims(r table.Row) {
	for name := range r {
		if strings.HasPrefix(name, "c_") {
			delete(r, name)
		}
	}
}

func moveClaims(r table.Row) {
	for name := range r {
		if strings.HasPrefix(name, "c_") {
			r[name] = r.String(name) + "0"
		}
	}
}

// damage changes a row behind the store's back.
func (w *world) damage(k table.Key, change func(table.Row)) {
	w.t.Helper()
	r := must(w.db.Get(w.ctx, k))(w.t)
	if r == nil {
		w.t.Fatalf("%s is not there", k)
	}
	a := table.Action{Kind: table.Delete, Key: k}
	if change != nil {
		change(r)
		a = table.Action{Kind: table.Put, Key: k, Row: r}
	}
	if err := w.db.Transact(w.ctx, "", []table.Action{a}); err != nil {
		w.t.Fatal(err)
	}
}

// TestCheckWhileWriting: a check beside writers tells of nothing.
func TestCheckWhileWriting(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	w.lived()
	atOnce(4, func(i int) {
		if i == 0 {
			for range 5 {
				if findings, err := w.Check(context.Background()); err != nil || len(findings) > 0 {
					t.Errorf("%v %q", err, findings)
				}
			}
			return
		}
		for n := range 20 {
			at := now.Add(int64(100*i+n) * 7 * inbox.Minute)
			r := w.created(at)
			if ok, err := w.confirmed(r, 99, at); !ok || err != nil {
				t.Error(ok, err)
			}
			w.commit(w.cancel(w.item(r.Item.ID), at))
		}
	})
}

// TestCrashPoints: whichever call's answer is lost, in whatever number, a write
// is done once or not at all, and the store says which.
func TestCrashPoints(t *testing.T) {
	for lost := range 5 {
		db, faults := crashing(t, lost)
		w := newWorld(t, db)
		write := w.create(now)
		write.Idem = answer("k", reference)
		write.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: write.Items[0].Record.Item.ID, BodyText: "x", MessageID: "<m>"}}
		if err := w.Commit(w.ctx, write); err != nil {
			t.Errorf("%d answers lost: %v", lost, err)
		}
		faults.Off()
		l := w.lost(func() decide.Write { x := w.create(now); x.Idem = answer("k", reference); return x }())
		if l.Idem == nil {
			t.Errorf("%d answers lost: the answer is not found: %+v", lost, l)
		}
		if events := must(w.Events(w.ctx, write.Items[0].Record.Item.ID))(t); len(events) != 1 {
			t.Errorf("%d answers lost: %d events", lost, len(events))
		}
		if findings, err := w.Check(w.ctx); err != nil || len(findings) > 0 {
			t.Errorf("%d answers lost: %v %q", lost, err, findings)
		}
	}
}
