package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table/embedded"
)

// life is a random life of an inbox beside a plain model of what must be there.
type life struct {
	*world

	r     *rand.Rand
	at    inbox.Instant
	items []string
	model map[string]*known
	steps []string
}

// known is what the model knows of one item.
type known struct {
	state   inbox.State
	events  int
	entries int
	claim   *inbox.Claim
	answer  string // its create's idempotency key
	changed inbox.Instant
	sandbox bool
	due     int // jobs not finished
}

const capacity = 2

// TestModel: random writes with every fault on; after each the table holds what
// the model says and the check finds nothing.
func TestModel(t *testing.T) {
	seeds, steps := uint64(24), 40
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			faults := embedded.NewFaults(seed)
			for _, f := range []embedded.Fault{embedded.Conflict, embedded.Throttle, embedded.ThrottleAction, embedded.LoseAnswer, embedded.CutPage, embedded.LeaveUnprocessed} {
				faults.Rate(f, .08)
			}
			db := open(t, faults, nil)
			l := &life{world: newWorld(t, db), r: rand.New(rand.NewPCG(seed, 9)), at: now, model: map[string]*known{}}
			l.ids = source(seed)
			l.saved(store.SetUp{Services: []inbox.Service{service(serviceID, 1)}})
			for range steps {
				l.step()
				l.compare()
				if t.Failed() {
					t.Fatalf("seed %d after %s", seed, strings.Join(l.steps, ", "))
				}
			}
		})
	}
}

func (l *life) step() {
	l.at = l.at.Add(int64(1+l.r.IntN(50)) * inbox.Minute)
	acts := []struct {
		name string
		do   func()
	}{
		{"create", l.create}, {"create", l.create}, {"create again", l.createAgain},
		{"confirm", l.confirmOne}, {"confirm", l.confirmOne}, {"confirm", l.confirmOne},
		{"cancel", l.cancelOne}, {"complete", l.completeOne}, {"say", l.say}, {"stale", l.stale}, {"work", l.work},
	}
	act := acts[l.r.IntN(len(acts))]
	l.steps = append(l.steps, act.name)
	act.do()
}

func (l *life) create() {
	write := l.world.create(l.at)
	rec := &write.Items[0].Record
	rec.Item.Flags.Sandbox = l.r.IntN(4) == 0
	b := rec.Item.Payload.Booking
	b.StartTime = now.Add(24*inbox.Hour + int64(l.r.IntN(8))*30*inbox.Minute)
	b.EndTime = b.StartTime.Add(int64(1+l.r.IntN(5)) * 30 * inbox.Minute)
	write.Idem = answer(rec.Item.ID, reference)
	l.commit(write)
	l.items = append(l.items, rec.Item.ID)
	l.model[rec.Item.ID] = &known{state: rec.Item.State, events: 1, answer: rec.Item.ID, changed: l.at, sandbox: rec.Item.Flags.Sandbox, due: 2}
}

// createAgain repeats an earlier create's key.
func (l *life) createAgain() {
	id := l.pick(nil)
	if id == "" {
		return
	}
	write := l.world.create(l.at)
	write.Idem = answer(id, `{}`)
	if lost := l.lost(write); lost.Idem == nil || string(lost.Idem.Answer) != reference {
		l.t.Errorf("a repeated key: %+v", lost)
	}
}

// pick is a random item that fits, "" for none.
func (l *life) pick(fits func(*known) bool) string {
	var ids []string
	for _, id := range l.items {
		if fits == nil || fits(l.model[id]) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return ids[l.r.IntN(len(ids))]
}

func in(states ...inbox.State) func(*known) bool {
	return func(k *known) bool { return slices.Contains(states, k.state) }
}

func (l *life) confirmOne() {
	id := l.pick(in(inbox.StateRequested))
	if id == "" {
		return
	}
	rec := l.item(id)
	b := rec.Item.Payload.Booking
	free := l.taken(b.StartTime, b.EndTime, rec.Item.Flags.Sandbox) < capacity
	for {
		places := must(l.PlacesOf(l.ctx, hours(rec)))(l.t)
		if peak(places.Claims, b.StartTime, b.EndTime) >= capacity {
			if free {
				l.t.Errorf("the table shows no place, the model one")
			}
			return
		}
		if !free {
			l.t.Fatalf("the table shows a place, the model none")
		}
		write := l.confirm(rec, places, l.at)
		err := l.try(write)
		if lost, ok := store.AsLost(err); ok && lost.Rows {
			continue
		}
		if err != nil {
			l.t.Fatal(err)
		}
		k := l.model[id]
		k.state, k.events, k.claim, k.changed = inbox.StateConfirmed, k.events+1, &write.Take[0], l.at
		k.due++
		return
	}
}

// taken is the most places the model holds at an instant of a span, as an item
// of that side sees them.
func (l *life) taken(from, to inbox.Instant, sandbox bool) int {
	var claims []inbox.Claim
	for _, k := range l.model {
		if k.claim != nil && (!k.sandbox || sandbox) {
			claims = append(claims, *k.claim)
		}
	}
	return peak(claims, from, to)
}

// peak counts at every minute, which no claim here is finer than.
func peak(claims []inbox.Claim, from, to inbox.Instant) int {
	most := 0
	for at := from; at < to; at = at.Add(inbox.Minute) {
		n := 0
		for _, c := range claims {
			if c.From <= at && at < c.To {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func (l *life) cancelOne() {
	id := l.pick(in(inbox.StateRequested, inbox.StateConfirmed))
	if id == "" {
		return
	}
	l.commit(l.cancel(l.item(id), l.at))
	k := l.model[id]
	k.state, k.events, k.claim, k.changed = inbox.StateCancelledByCustomer, k.events+1, nil, l.at
}

func (l *life) completeOne() {
	id := l.pick(in(inbox.StateConfirmed))
	if id == "" {
		return
	}
	l.commit(l.complete(l.item(id), l.at))
	k := l.model[id]
	k.state, k.events, k.changed = inbox.StateCompleted, k.events+1, l.at
}

// say adds a thread entry: no event, no version, a new rev.
func (l *life) say() {
	id := l.pick(nil)
	if id == "" {
		return
	}
	rec := l.item(id)
	rec.Rev++
	rec.Item.UpdatedAt, rec.LastEntryID = l.at, l.ids.ID(l.at)
	l.commit(decide.Write{
		Items:   []decide.ItemWrite{{Record: *rec, Expect: rec.Rev - 1}},
		Entries: []inbox.Entry{{ID: rec.LastEntryID, ItemID: id, BodyText: "x", MessageID: "<" + rec.LastEntryID + ">", CreatedAt: l.at}},
	})
	l.model[id].entries++
	l.model[id].changed = l.at
}

// stale writes on what has moved since.
func (l *life) stale() {
	id := l.pick(in(inbox.StateRequested, inbox.StateConfirmed))
	if id == "" {
		return
	}
	old := l.item(id)
	l.say()
	if l.item(id).Rev == old.Rev {
		return // said on another item
	}
	if lost := l.lost(l.cancel(old, l.at)); !lost.Version {
		l.t.Errorf("a stale write: %+v", lost)
	}
}

// work finishes a due job.
func (l *life) work() {
	jobs := must(l.DueJobs(l.ctx, l.at, 3))(l.t)
	if len(jobs) == 0 {
		return
	}
	j := must(l.TakeJob(l.ctx, jobs[0].ItemID, jobs[0].ID, l.at, l.at.Add(inbox.Minute)))(l.t)
	if j == nil {
		l.t.Fatal("a due job could not be taken")
	}
	if err := l.CompleteJob(l.ctx, j); err != nil {
		l.t.Fatal(err)
	}
	l.model[j.ItemID].due--
}

// compare holds the table against the model.
func (l *life) compare() {
	for _, sandbox := range []bool{false, true} {
		var want []string
		for _, id := range l.items {
			if l.model[id].sandbox == sandbox {
				want = append(want, id)
			}
		}
		slices.SortStableFunc(want, func(a, b string) int {
			if ca, cb := l.model[a].changed, l.model[b].changed; ca != cb {
				return int(cb - ca)
			}
			return strings.Compare(b, a)
		})
		if got, _ := l.walk(store.ListQuery{Sandbox: sandbox, Limit: 7}); !slices.Equal(got, want) {
			l.t.Errorf("list of sandbox %t: %v, want %v", sandbox, got, want)
		}
	}
	for _, id := range l.items {
		k, rec := l.model[id], l.item(id)
		if rec.Item.State != k.state || rec.Item.Version != k.events || (len(rec.Claims) == 1) != (k.claim != nil) ||
			len(must(l.Events(l.ctx, id))(l.t)) != k.events || len(must(l.Thread(l.ctx, id, 0))(l.t)) != k.entries ||
			len(must(l.Jobs(l.ctx, id))(l.t)) != k.due {
			l.t.Errorf("item %s: %+v, want %+v", id, rec, k)
		}
	}
	findings, err := l.Check(l.ctx)
	findings = slices.DeleteFunc(findings, func(f string) bool { return strings.Contains(f, "deadline") }) // times are the test's own
	if err != nil || len(findings) > 0 {
		l.t.Errorf("check: %v %q", err, findings)
	}
}
