package model

import (
	"context"
	crand "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"typedinbox/shared/canon"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/office"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
)

// sizes of a history; LINEAR_SEEDS changes how many there are.
const (
	linearSeeds   = 3
	linearClients = 10
	linearSteps   = 200 // operations of a client
)

// shop is an inbox that many ask at once, over the desk and without doors. Its
// clock stands still: what a history tells is order, not time.
type shop struct {
	t        testing.TB
	ctx      context.Context
	faults   *embedded.Faults
	store    *store.Store
	desk     *desk.Desk
	office   *office.Office
	services []string
	ticks    atomic.Int64

	mu      sync.Mutex
	history []porcupine.Operation
	met     map[string]int
}

// openShop opens an inbox with faults, its table wrapped.
func openShop(t testing.TB, seed uint64, wrap func(table.Database) table.Database) *shop {
	s := &shop{t: t, ctx: context.Background(), faults: embedded.NewFaults(seed), met: map[string]int{}}
	clock := func() inbox.Instant { return start }
	db, err := embedded.Open(embedded.Options{
		Path: embedded.Memory, NoSync: true, Schema: store.Schema(), Faults: s.faults, Now: func() time.Time { return start.Time() },
	})
	s.must(err)
	t.Cleanup(func() { s.must(db.Close()) })
	ring, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	s.must(err)
	wrapped := table.Database(db)
	if wrap != nil {
		wrapped = wrap(wrapped)
	}
	s.store = store.New(&jostled{Database: wrapped, r: rand.New(rand.NewPCG(seed, 5))}, ring,
		store.WithSleep(func(context.Context, time.Duration) error { return nil }))
	source := inbox.NewSource(crand.Reader)
	s.desk = desk.New(desk.Config{Store: s.store, Clock: clock, Source: source})
	s.office = office.New(office.Config{Store: s.store, Clock: clock, Source: source, MailDomain: mailDomain, MailService: "post"})
	return s
}

func (s *shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// furnish makes services of these capacities, open around the clock, and the
// settings of a business that negotiates.
func (s *shop) furnish(hold bool, capacities ...int) {
	week := inbox.Week{}
	for _, d := range inbox.Weekdays {
		week[d] = []inbox.Window{{"00:00", "24:00"}}
	}
	_, err := s.office.SetOpeningHours(s.ctx, business, inbox.SetHoursRequest{Weekly: week})
	s.must(err)
	_, err = s.office.UpdateSettings(s.ctx, business, inbox.UpdateSettingsRequest{Doc: json.RawMessage(fmt.Sprintf(
		`{"commerce":{"customers":"businesses"},"booking":{"holdOnPropose":%t,"maxHolds":10},"negotiation":{"binding":false,"maxRounds":10}}`, hold))})
	s.must(err)
	for n, capacity := range capacities {
		made, err := s.office.UpsertService(s.ctx, business, catalogue.UpsertServiceRequest{ServiceInput: catalogue.ServiceInput{
			Name: inbox.Ptr(fmt.Sprint("Chair ", n)), DurationMin: inbox.Ptr(40), Capacity: &capacity,
		}})
		s.must(err)
		s.services = append(s.services, answered(made).str("id"))
	}
}

// troubles turns on the faults that a caller can meet.
func (s *shop) troubles() {
	for _, f := range []embedded.Fault{embedded.Conflict, embedded.Throttle, embedded.ThrottleAction, embedded.LoseAnswer} {
		s.faults.Rate(f, .02)
	}
	s.faults.Rate(embedded.CutPage, .05).Rate(embedded.LeaveUnprocessed, .05)
}

// business is the owner in person; anyone is a customer who sends a token.
var business = inbox.Call{Caller: inbox.Caller{
	Actor: inbox.Actor{Kind: inbox.Owner, ID: "owner", Channel: inbox.ChannelREST},
	Tier:  inbox.TierVerified, Scopes: []inbox.Scope{inbox.ScopeAll}, Proven: true,
}}

func customer(token string) inbox.Call {
	return inbox.Call{Caller: inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:one", Channel: inbox.ChannelREST}, Tier: inbox.TierAnonymous,
		AccessToken: token,
	}}
}

func answered(a inbox.Answer) answer { return answer{status: a.Status, body: a.Body} }

// codeOf is what a refusal says; anything but a refusal ends the test.
func (s *shop) codeOf(err error) inbox.Code {
	var p *inbox.Problem
	switch {
	case err == nil:
		return ""
	case errors.As(err, &p):
		return p.Code
	}
	s.t.Errorf("not a refusal: %v", err)
	return inbox.CodeInternal
}

// do runs one operation and writes down when it was called and when it returned.
func (s *shop) do(client int, input any, run func() (output any, what string)) {
	called := s.ticks.Add(1)
	output, what := run()
	returned := s.ticks.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.met[what]++
	s.history = append(s.history, porcupine.Operation{ClientId: client, Input: input, Call: called, Output: output, Return: returned})
}

// play lets all clients go at once and waits for them.
func (s *shop) play(seed uint64, steps int, step func(client int, r *rand.Rand)) {
	begin, wg := make(chan struct{}), sync.WaitGroup{}
	for client := range linearClients {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, uint64(client)+100))
			<-begin
			for range steps {
				step(client, r)
			}
		})
	}
	s.troubles()
	close(begin)
	wg.Wait()
	s.faults.Off()
}

// check holds the history against a model.
func (s *shop) check(m porcupine.Model) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(m, s.history, 2*time.Minute)
}

// explain tells where a history stops making sense: the end of the longest order
// found of a part, the state it comes to, and what does not fit behind it.
func (s *shop) explain(m porcupine.Model) {
	s.t.Helper()
	for _, part := range m.Partition(s.history) {
		got, info := porcupine.CheckOperationsVerbose(porcupine.Model{Init: m.Init, Step: m.Step}, part, time.Minute)
		if got == porcupine.Ok {
			continue
		}
		var longest []porcupine.Operation
		for _, order := range info.PartialLinearizationsOperations()[0] {
			if len(order) > len(longest) {
				longest = order
			}
		}
		state, placed := m.Init(), map[int64]bool{}
		for _, o := range longest {
			_, state = m.Step(state, o.Input, o.Output)
			placed[o.Call] = true
		}
		lines := []string{}
		for _, o := range longest[max(0, len(longest)-8):] {
			lines = append(lines, fmt.Sprintf("%d-%d %+v: %+v", o.Call, o.Return, o.Input, o.Output))
		}
		lines = append(lines, fmt.Sprintf("state %+v, then none of", state))
		for _, o := range part {
			if !placed[o.Call] && len(lines) < 24 {
				lines = append(lines, fmt.Sprintf("%d-%d %+v: %+v", o.Call, o.Return, o.Input, o.Output))
			}
		}
		s.t.Log(strings.Join(lines, "\n"))
		return
	}
}

// sound holds the whole table against itself.
func (s *shop) sound() {
	s.t.Helper()
	findings, err := s.store.Check(s.ctx)
	s.must(err)
	if len(findings) > 0 {
		s.t.Errorf("check: %q", findings)
	}
}

// reachedAll says what a history must have met, or it proves little.
func (s *shop) reachedAll(wanted ...string) {
	s.t.Helper()
	for _, w := range wanted {
		if s.met[w] == 0 {
			s.t.Errorf("never met %q in %v", w, s.met)
		}
	}
}

// partition splits a history by what an operation's input names.
func partition[I any](by func(I) string) func([]porcupine.Operation) [][]porcupine.Operation {
	return func(all []porcupine.Operation) [][]porcupine.Operation {
		var parts [][]porcupine.Operation
		at := map[string]int{}
		for _, o := range all {
			k := by(o.Input.(I))
			n, ok := at[k]
			if !ok {
				n, at[k] = len(parts), len(parts)
				parts = append(parts, nil)
			}
			parts[n] = append(parts[n], o)
		}
		return parts
	}
}

// standing is what stands in one of a few spots that the clients share: an item,
// replaced by a new one when it is done with.
type standing struct {
	id, token string
	tries     atomic.Int64
}
