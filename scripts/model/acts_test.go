package model

import (
	"slices"

	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

func identityOf(party string) identity.MintRequest {
	return identity.MintRequest{Kind: inbox.KeyAgent, PartyID: party}
}

// act is one event that the business fires.
type act struct {
	by      *actor
	i       *item
	event   string
	note    string
	said    string // written_by
	entry   string // entryId
	asked   inbox.Instant
	version int // expected, 0 for none
}

var ownerEvents = []string{
	"confirm", "confirm", "confirm", "confirm", "request_info", "request_info", "decline", "cancel_by_business", "record_cancel",
	"record_cancel", "record_cancel_late", "complete", "complete", "no_show", "no_show", "provide_info", "expire", "fly",
}

var messageEvents = []string{"answer", "answer", "reopen", "close", "mark_spam", "unspam", "confirm"}

func (m *run) transition() {
	by := m.anyone()
	if !m.one(4) {
		by = m.people[4+m.r.IntN(3)] // mostly those who may
	}
	i := m.anItem()
	if i == nil {
		return
	}
	x := act{by: by, i: i, asked: m.now, event: pick(m, ownerEvents...)}
	if i.kind == "message" {
		x.event = pick(m, messageEvents...)
	}
	switch {
	case i.state == "requested" && m.one(2):
		x.event = "confirm"
	case m.one(2):
		x.event = m.possible(i)
	}
	if m.converts(x) {
		return
	}
	body, input := map[string]any{"event": x.event}, map[string]any{}
	if x.isRecord() || m.one(2) {
		x.note = pick(m, plainWords, plainWords, plainWords, moneyWords)
		if x.isRecord() && m.one(8) {
			x.note = ""
		} else {
			input["note"] = x.note
		}
	}
	if x.isRecord() && m.one(2) {
		x.entry, x.asked = m.inbound(i)
		if x.entry != "" {
			input["entryId"] = x.entry
		}
	}
	if len(input) > 0 {
		body["input"] = input
	}
	if by.automation() && m.one(4) {
		x.said = "person"
		body["written_by"] = x.said
	}
	if m.one(4) {
		x.version = max(1, i.version+pick(m, 0, 0, 1, -1))
		body["expected_version"] = x.version
	}
	if m.one(4) {
		body["reason"] = "An internal reason."
	}
	m.do(request{by: by, method: "POST", path: "/v1/owner/items/" + i.id + "/transitions", body: body}, i,
		m.judge(x), func(answer) { m.fired(x) })
}

// possible is an event that leaves the state an item is in.
func (m *run) possible(i *item) string {
	var list []string
	for event := range edges[i.kind] {
		if to, _ := target(i.kind, event, i.state); to != "" {
			list = append(list, event)
		}
	}
	if len(list) == 0 {
		return "fly"
	}
	slices.Sort(list)
	return pick(m, list...)
}

// converts says whether a yes comes so late that it becomes an offer (01 §3
// step 5a), which the model does not follow.
func (m *run) converts(x act) bool {
	i := x.i
	return x.event == "confirm" && i.clocked && i.expires != 0 && i.expires <= m.now &&
		!machine.Of(inbox.TypeBooking).Refuses("propose", inbox.StateRequested)
}

func (x act) isRecord() bool { return x.event == "record_cancel" || x.event == "record_cancel_late" }

// inbound is the latest message of the customer's on an item and when it came.
func (m *run) inbound(i *item) (string, inbox.Instant) {
	entries, err := m.store.Thread(m.ctx, i.id, 0)
	m.must(err)
	for _, e := range slices.Backward(entries) {
		if e.Direction == inbox.DirectionIn {
			return e.ID, e.CreatedAt
		}
	}
	return "", m.now
}

// judge says what the door answers, in the order of 01 §3.
func (m *run) judge(x act) inbox.Code {
	if c := ownerDoor(x.by, inbox.ScopeInboxWrite); c != "" {
		return c
	}
	if x.version != 0 && x.version != x.i.version {
		return inbox.CodeVersionConflict
	}
	to, known := target(x.i.kind, x.event, x.i.state)
	switch {
	case !known:
		return inbox.CodeUnknownEvent
	case to == "":
		return inbox.CodeWrongState
	case byCustomers[x.event] || bySystem[x.event]:
		return inbox.CodeNotAllowed
	}
	if c := m.automation(x); c != "" {
		return c
	}
	if x.isRecord() && (x.note == "" || (x.by.side == "key" && promised[x.i.state] && x.entry == "")) {
		return inbox.CodeInvalidInput
	}
	return m.guards(x)
}

// automation is step 8 of 01 §3.
func (m *run) automation(x act) inbox.Code {
	if !x.by.automation() || x.event != "confirm" {
		return ""
	}
	i := x.i
	switch {
	case i.unpriced:
		return inbox.CodeGuardFailed
	case i.price >= 0 && (i.price != i.service.list(i.party1) || i.to-i.from > inbox.Instant(i.service.minutes*inbox.Minute)):
		return inbox.CodeNotAllowed
	}
	return ""
}

// guards are those of the rows (01 §6).
func (m *run) guards(x act) inbox.Code {
	i, amends := x.i, terminal[x.i.state]
	switch {
	case x.event == "confirm":
		if i.from <= m.now || (!x.by.person() && i.from < m.now.Add(int64(m.rules.notice)*inbox.Minute)) {
			return inbox.CodeGuardFailed
		}
		if !m.free(i) {
			return inbox.CodeSlotTaken
		}
	case (x.event == "complete" || x.event == "no_show") && amends:
		if i.corrected || m.now > i.to.Add(int64(m.rules.complete)*inbox.Hour) {
			return inbox.CodeGuardFailed
		}
	case x.event == "complete" || x.event == "no_show":
		if i.from > m.now {
			return inbox.CodeGuardFailed
		}
	case x.event == "record_cancel_late":
		if m.inTime(i, x.asked) || m.rules.late == "refuse" {
			return inbox.CodeGuardFailed
		}
	}
	return ""
}

// inTime says whether the cancellation window was open.
func (m *run) inTime(i *item, at inbox.Instant) bool {
	return i.from-at >= inbox.Instant(m.rules.window*inbox.Minute)
}

// span is the time an item claims with its buffers.
func (i *item) span() [2]inbox.Instant {
	return [2]inbox.Instant{
		i.from.Add(-int64(i.service.before) * inbox.Minute), i.to.Add(int64(i.service.after) * inbox.Minute),
	}
}

// free says whether there is a place for an item at every instant of its time.
func (m *run) free(i *item) bool {
	span := i.span()
	at := []inbox.Instant{span[0]}
	var others [][2]inbox.Instant
	for _, o := range m.items {
		if o != i && o.claim != nil && o.service == i.service && (!o.sandbox || i.sandbox) {
			others = append(others, *o.claim)
			if o.claim[0] > span[0] && o.claim[0] < span[1] {
				at = append(at, o.claim[0])
			}
		}
	}
	for _, t := range at {
		n := 0
		for _, o := range others {
			if o[0] <= t && t < o[1] {
				n++
			}
		}
		if n >= i.service.capacity {
			return false
		}
	}
	return true
}

// held says whether words of automation stay inside.
func (x act) held() bool {
	return x.by.automation() && x.said != "person" && x.note == moneyWords && !x.isRecord()
}

// fired moves the model.
func (m *run) fired(x act) {
	i := x.i
	if x.note != "" {
		i.entries++
	}
	i.version++
	if x.event == "answer" && x.held() {
		i.hold("flags")
		return // kept inside; the state stays
	}
	if x.held() {
		i.hold(x.event)
	}
	event := x.event
	if event == "record_cancel" && i.state == "confirmed" && !m.inTime(i, x.asked) && m.rules.late == "record" {
		event = "record_cancel_late"
	}
	if terminal[i.state] {
		i.corrected = true
		meet("corrected")
	}
	i.state, _ = target(i.kind, x.event, i.state)
	i.settle(m)
	switch event {
	case "confirm":
		i.claim = new([2]inbox.Instant)
		*i.claim = i.span()
		i.tellCustomer(event, m.now)
	case "complete", "no_show", "close", "unspam":
	case "mark_spam":
		i.everSpam = true
	case "reopen":
		if !x.by.person() {
			i.owe("owner", event)
		}
	default:
		i.tellCustomer(event, m.now)
	}
}

// settle does what follows from the state an item came to: its offer, its
// places, its clock.
func (i *item) settle(m *run) {
	switch {
	case i.state == "confirmed":
		i.open = false
	case i.state == "requested" || i.state == "needs_info":
		i.wind(m)
	case i.kind == "booking":
		i.open, i.final = false, true
		if i.state != "completed" && i.state != "no_show" {
			i.claim = nil
		}
	}
}

// cancel is the customer's door (01 §5.1).
func (m *run) cancel() {
	i, by := m.anItem(), m.anyone()
	if i == nil {
		return
	}
	if !m.one(4) {
		by = m.people[m.r.IntN(4)]
	}
	token, event := m.tokenOf(by, i), "cancel"
	want := m.customers(by, i, token)
	if to, _ := target(i.kind, "cancel", i.state); want == "" && to == "" {
		want = inbox.CodeWrongState
	}
	if want == "" && i.state == "confirmed" && !m.inTime(i, m.now) {
		event = "cancel_late"
		if m.rules.late == "refuse" {
			want = inbox.CodeGuardFailed
		}
	}
	body := map[string]any{}
	if m.one(2) {
		body["reason"] = "I am ill."
	}
	m.do(request{by: by, method: "POST", path: "/v1/items/" + i.id + "/cancel", body: body, token: token}, i, want, func(answer) {
		if len(body) > 0 {
			i.entries++
		}
		i.version++
		i.state, i.clocked = "cancelled_by_customer", true
		i.settle(m)
		i.owe("owner", event)
		i.tellCustomer(event, m.now)
	})
}

// customers is the refusal at a customer's door on an item.
func (m *run) customers(by *actor, i *item, token string) inbox.Code {
	if by.business() || !by.owns(i, token) {
		return inbox.CodeNotAllowed
	}
	return ""
}

// say is provide_details and send_message on an item.
func (m *run) say() {
	i, by := m.anItem(), m.anyone()
	if i == nil {
		return
	}
	if !m.one(4) {
		by = m.people[m.r.IntN(4)]
	}
	token := m.tokenOf(by, i)
	r := request{by: by, method: "POST", path: "/v1/items/" + i.id + "/details", body: map[string]any{"details": "Outdoors."}, token: token}
	if m.one(2) {
		r.path, r.body = "/v1/messages", map[string]any{"item_id": i.id, "body": "Outdoors."}
		if token != "" && m.one(2) {
			r.body["access_token"], r.token = token, "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB" // the body's wins
		}
	}
	m.do(r, i, m.customers(by, i, token), func(a answer) {
		i.entries++
		i.clocked = true
		switch event := i.answers(); {
		case event != "":
			i.version++
			i.state, _ = target(i.kind, event, i.state)
			i.settle(m)
			i.owe("owner", event)
		case i.state != "spam":
			i.owe("owner", "entry")
		}
	})
}

// answers is the event that a customer's words fire (01 §5.7).
func (i *item) answers() string {
	switch {
	case i.state == "needs_info":
		return "provide_info"
	case i.state == "answered" || i.state == "closed":
		return "reopen"
	}
	return ""
}

// reply is words of the business, some of them kept inside.
func (m *run) reply() {
	i, by := m.anItem(), m.anyone()
	if i == nil {
		return
	}
	if !m.one(4) {
		by = m.people[4+m.r.IntN(3)]
	}
	x := act{by: by, i: i, event: "answer", note: pick(m, plainWords, plainWords, moneyWords)}
	internal := m.one(3)
	body := map[string]any{"body": x.note, "internal": internal}
	m.do(request{by: by, method: "POST", path: "/v1/owner/items/" + i.id + "/replies", body: body}, i,
		ownerDoor(by, inbox.ScopeInboxWrite), func(answer) {
			switch {
			case !internal && i.state == "open" || !internal && x.held():
				m.fired(x)
				return
			case !internal && i.state != "spam":
				i.tellCustomer("entry", m.now)
			}
			i.entries++
		})
}
