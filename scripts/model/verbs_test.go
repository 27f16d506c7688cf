package model

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// Words of requests. The money is named by automation alone.
const (
	plainWords = "See you then."
	moneyWords = "That comes to 50 EUR."
)

// step does one thing.
func (m *run) step() {
	verbs := []struct {
		weight int
		do     func()
	}{
		{16, m.createBooking}, {5, m.createMessage}, {30, m.transition}, {8, m.cancel}, {10, m.say}, {8, m.reply},
		{8, m.read}, {2, m.changeSettings}, {2, m.changeService}, {8, m.again}, {9, m.advance}, {1, m.mintPartyKey},
	}
	total := 0
	for _, v := range verbs {
		total += v.weight
	}
	n := m.r.IntN(total)
	for _, v := range verbs {
		if n -= v.weight; n < 0 {
			v.do()
			return
		}
	}
}

// do asks a door and holds the answer against the code that the model expects,
// "" for success. A success is applied to the model; a refusal wrote nothing.
func (m *run) do(r request, i *item, want inbox.Code, apply func(answer)) {
	m.t.Helper()
	if r.method != "GET" && r.key == "" && !m.one(3) {
		m.keys++
		r.key = fmt.Sprint("key-", m.keys)
	}
	rev := 0
	if i != nil {
		rev = m.record(i.id).Rev
	}
	a := m.send(r)
	m.note("%s %s %s %v: %d %s, want %q", r.by.name, r.method, r.path, r.body, a.status, a.code, want)
	event, _ := r.body["event"].(string)
	if strings.HasSuffix(r.path, "/cancel") {
		event = "cancel"
	}
	if meet(event + " " + a.code); a.status == 401 {
		meet(a.code)
	}
	busy := m.troubled && a.code == string(inbox.CodeUnavailable)
	switch {
	case busy:
	case a.code != string(want):
		m.broken("%s %s %s: %d %s, the model expects %q\n%s", r.by.name, r.method, r.path, a.status, a.code, want, a.body)
		return
	case a.status < 400 && a.replayed:
		m.broken("%s %s: a first request was answered as a repeated one", r.method, r.path)
	}
	if a.status >= 400 {
		if i != nil && m.record(i.id).Rev != rev {
			m.broken("%s %s was refused with %s and wrote", r.method, r.path, a.code)
		}
		return
	}
	apply(a)
	if r.key != "" && r.method != "GET" {
		m.done = append(m.done, written{r, bytes.Clone(a.body), m.now})
	}
	if i != nil {
		m.compare(i)
	}
}

func (m *run) anyone() *actor { return m.people[m.r.IntN(len(m.people))] }

// anItem is a random item, the later and the open ones more often; nil when
// there is none.
func (m *run) anItem(kinds ...string) *item {
	if !m.one(3) {
		var live []*item
		for _, i := range m.items {
			if !i.final && i.kind == "booking" {
				live = append(live, i)
			}
		}
		if len(live) > 0 {
			return live[m.r.IntN(len(live))]
		}
	}
	for range 8 {
		if len(m.items) == 0 {
			return nil
		}
		i := m.items[len(m.items)-1-min(m.r.IntN(len(m.items)), m.r.IntN(len(m.items)))]
		if len(kinds) == 0 || slices.Contains(kinds, i.kind) {
			return i
		}
	}
	return nil
}

// tokenOf is the token an actor sends for an item: the right one when they know
// it, now and then a wrong one.
func (m *run) tokenOf(a *actor, i *item) string {
	switch {
	case a.key != "" && a.party != "", a.business():
		return ""
	case !a.knows || m.one(12):
		return pick(m, "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	}
	return i.token
}

// admitted is the refusal at a public door for an owner-side credential without
// its scope.
func admitted(a *actor, s inbox.Scope) inbox.Code {
	if a.business() && !a.may(s) {
		return inbox.CodeNotAllowed
	}
	return ""
}

// ownerDoor is the refusal at the owner's.
func ownerDoor(a *actor, s inbox.Scope) inbox.Code {
	if !a.business() {
		return inbox.CodeUnauthorized
	}
	return admitted(a, s)
}

func (m *run) contact() map[string]any {
	c := map[string]any{"name": "Customer"}
	if !m.one(5) {
		c["email"] = fmt.Sprintf("c%d@example.com", m.r.IntN(9))
	}
	return c
}

func (m *run) createBooking() {
	by, s := m.anyone(), pick(m, m.services...)
	from := m.someTime()
	minutes := s.minutes
	if m.one(6) {
		minutes = s.alternateLength
	}
	to := from.Add(int64(minutes) * inbox.Minute)
	if m.one(25) {
		to = from
	}
	i := &item{
		kind: "booking", state: "requested", service: s, from: from, to: to, party1: 1, price: -1,
		owed: map[string]int{}, version: 1, created: m.now, open: true,
	}
	payload := map[string]any{
		"reservationFor": map[string]any{"serviceId": s.id, "name": "Whatever"}, "startTime": from, "endTime": to,
		"unknown": "dropped",
	}
	if !by.recordsMoney() {
		payload["paidAmount"] = map[string]any{"value": 1, "currency": "EUR"} // dropped
	}
	if m.one(3) {
		i.party1 = 1 + m.r.IntN(4)
		payload["partySize"] = i.party1
	}
	stated := !by.person() && m.one(4)
	if stated {
		payload["totalPrice"] = map[string]any{"value": 4321, "currency": "EUR"}
	}
	body := map[string]any{"payload": payload, "contact": m.contact()}
	if m.one(3) {
		body["message"], i.entries = "Please.", 1
	}
	want := admitted(by, inbox.ScopeInboxWrite)
	if want == "" && (!s.active || to <= from || (!by.business() && from <= m.now)) {
		want = inbox.CodeInvalidInput
	}
	r := request{by: by, method: "POST", path: "/v1/bookings", body: body, sandbox: m.one(6)}
	m.do(r, nil, want, func(a answer) {
		m.price(i, by, stated, minutes)
		m.born(i, by, a, r.sandbox)
	})
}

// someTime is one of a few times that many ask for; now and then any, or one
// that has come.
func (m *run) someTime() inbox.Instant {
	if m.one(8) {
		return m.now/inbox.Hour*inbox.Hour + inbox.Hour/2*inbox.Instant(m.r.IntN(90)) - inbox.Hour
	}
	return (m.now/(6*inbox.Hour)+1+inbox.Instant(m.r.IntN(2)))*6*inbox.Hour + inbox.Instant(m.r.IntN(2))*inbox.Hour/2
}

// price prices a request as 01 §1.5 has it.
func (m *run) price(i *item, by *actor, stated bool, minutes int) {
	list := i.service.list(i.party1)
	switch {
	case by.business() && !by.automation():
		if stated {
			i.price = 4321
		}
	case list >= 0:
		i.price, i.unpriced = list, minutes > i.service.minutes
	case stated:
		i.price, i.unpriced = 4321, true
	}
}

// born puts a new item into the model.
func (m *run) born(i *item, by *actor, a answer, sandbox bool) {
	i.id, i.party, i.sandbox = a.str("view", "item", "id"), a.str("view", "item", "partyId"), sandbox
	i.token = a.str("access_token")
	i.clocked = !by.business()
	i.ack = i.clocked && i.kind == "booking"
	i.wind(m)
	if !by.person() {
		i.owe("owner", "create")
	}
	if wants := !by.business() && by.party == ""; (i.token != "") != wants || a.str("accessToken") != i.token {
		m.broken("%s got the token %q", by.name, i.token)
	}
	if by.party != "" && i.party != by.party {
		m.broken("an item of %s joined another party", by.name)
	}
	m.items = append(m.items, i)
	m.byID[i.id] = i
	m.compare(i)
}

// wind sets the request clock (01 §13.2).
func (i *item) wind(m *run) {
	if i.clocked && i.kind == "booking" && (i.state == "requested" || i.state == "needs_info") {
		i.expires = min(m.now.Add(int64(m.rules.expire)*inbox.Hour), max(i.from, m.now))
	}
}

func (m *run) createMessage() {
	by := m.anyone()
	i := &item{kind: "message", state: "open", version: 1, created: m.now, entries: 1, owed: map[string]int{}}
	r := request{by: by, method: "POST", path: "/v1/messages", sandbox: m.one(8),
		body: map[string]any{"body": "Do you photograph dogs?", "contact": m.contact()}}
	m.do(r, nil, admitted(by, inbox.ScopeInboxWrite), func(a answer) { m.born(i, by, a, r.sandbox) })
}

// read looks at an item at both doors.
func (m *run) read() {
	i, by := m.anItem(), m.anyone()
	if i == nil {
		return
	}
	if m.one(3) {
		r := request{by: by, method: "GET", path: "/v1/owner/items/" + i.id}
		m.do(r, i, ownerDoor(by, inbox.ScopeInboxRead), func(a answer) { m.seen(i, i.state, a) })
		return
	}
	token := m.tokenOf(by, i)
	want := admitted(by, inbox.ScopeInboxRead)
	if !by.business() && !by.owns(i, token) {
		want = inbox.CodeNotAllowed
	}
	state := i.state
	if state == "spam" && !by.business() {
		state = "closed"
	}
	m.do(request{by: by, method: "GET", path: "/v1/items/" + i.id, token: token}, i, want, func(a answer) { m.seen(i, state, a) })
}

func (m *run) seen(i *item, state string, a answer) {
	if got := a.str("item", "state"); got != state {
		m.broken("item %s reads %q, it is %q", i.id, got, state)
	}
	if id := a.str("item", "id"); id != i.id {
		m.broken("item %s reads as item %q", i.id, id)
	}
}

func (m *run) changeSettings() {
	by := m.anyone()
	next := rules{pick(m, 0, 60, 240), pick(m, 0, 60, 1440), pick(m, 2, 24, 72, 72), pick(m, 1, 24, 48), pick(m, "record", "refuse")}
	doc := map[string]any{"booking": map[string]any{
		"minNoticeMin": next.notice, "cancellationWindowMin": next.window, "autoExpireHours": next.expire,
		"autoCompleteHours": next.complete, "lateCancellation": next.late,
	}}
	m.do(request{by: by, method: "PUT", path: "/v1/owner/settings", body: map[string]any{"doc": doc}}, nil,
		ownerDoor(by, inbox.ScopeSettingsWrite), func(answer) { m.rules = next })
}

func (m *run) changeService() {
	by, s := m.anyone(), pick(m, m.services...)
	next := *s
	body := map[string]any{}
	switch m.r.IntN(4) {
	case 0:
		next.active = !s.active || m.one(3)
		body["active"] = next.active
	case 1:
		next.before = pick(m, 0, 15, 30)
		body["buffer_before_min"] = next.before
	case 2:
		if s.value < 0 {
			return
		}
		next.value = pick(m, int64(5000), 1500, 2000)
		price := map[string]any{"model": "fixed", "value": next.value}
		if s.perPerson {
			price["per"] = "person"
		}
		body["price"] = price
	default:
		next.capacity = 1 + m.r.IntN(3)
		body["capacity"] = next.capacity
	}
	m.do(request{by: by, method: "PATCH", path: "/v1/owner/services/" + s.id, body: body}, nil,
		ownerDoor(by, inbox.ScopeCatalogueWrite), func(answer) { *s = next })
}

// again repeats an earlier write, or sends another request under its key.
func (m *run) again() {
	if len(m.done) == 0 {
		return
	}
	d := m.done[m.r.IntN(len(m.done))]
	if m.now >= d.at.Add(30*inbox.Day) {
		return // forgotten: it would be a new request
	}
	r := d.request
	other := m.one(4)
	if other {
		if r.body = different(r); r.body == nil {
			return
		}
	}
	revs := m.revs()
	a := m.send(r)
	m.note("%s again (other: %t) %s: %d %s", r.by.name, other, r.path, a.status, a.code)
	if meet(a.code); a.replayed {
		meet("replayed")
	}
	switch {
	case m.troubled && a.code == string(inbox.CodeUnavailable):
	case other && a.code != string(inbox.CodeIdempotencyMismatch):
		m.broken("another request under a used key: %d %s", a.status, a.body)
	case !other && (a.status != 200 || !a.replayed || !bytes.Equal(a.body, inbox.MarkReplayed(d.body))):
		m.broken("a repeated request: %d replayed %t\n%s\nfirst\n%s", a.status, a.replayed, a.body, d.body)
	}
	if !slices.Equal(revs, m.revs()) {
		m.broken("a repeated request wrote")
	}
}

// different is another valid body for the same door, nil where there is none.
func different(r request) map[string]any {
	body := map[string]any{}
	for k, v := range r.body {
		body[k] = v
	}
	for _, name := range []string{"details", "body", "reason", "event", "payload", "doc"} {
		switch name {
		case "event", "payload":
			if _, ok := body[name]; ok {
				body[map[string]string{"event": "reason", "payload": "message"}[name]] = "Other words."
				return body
			}
		case "doc":
			if _, ok := body[name]; ok {
				body[name] = map[string]any{"testMode": false}
				return body
			}
		default:
			if words, ok := body[name].(string); ok {
				body[name] = words + " More."
				return body
			}
		}
	}
	return nil
}

// revs are the revs of all items.
func (m *run) revs() []int {
	revs := make([]int, len(m.items))
	for n, i := range m.items {
		revs[n] = m.record(i.id).Rev
	}
	return revs
}

// mintPartyKey gives an agent the key of a customer.
func (m *run) mintPartyKey() {
	i := m.anItem()
	if i == nil || len(m.people) > 12 {
		return
	}
	a := m.minted(fmt.Sprint("agent of ", i.id[20:]), identityOf(i.party))
	m.people = append(m.people, a)
	m.note("a key for the party of %s", i.id)
}
