package decide

import (
	"encoding/json"
	"strings"

	"typedinbox/shared/inbox"
)

// finish works out the write of a transition whose checks all held.
func (m *move) finish() {
	if m.held && m.isReply() {
		m.hold()
		return
	}
	i := &m.rec.Item
	m.event.ID = m.e.Source.ID(m.e.Now)
	i.State, i.UpdatedAt = m.row.Target(m.from), m.e.Now
	i.Version++
	m.moveOffer()
	m.endChange()
	m.agree()
	m.wind()
	m.say()
	if m.r.Event == "request_info" {
		m.rec.AskedSeq, m.rec.AskedEntryID = i.Version, m.entryID
	}
	m.reopen()
	m.run()
	flags := m.flag()
	m.record(flags)
	m.rec.Corrected = m.rec.Corrected || m.row.Amends && m.rec.Item.State != m.from
	m.remember()
	m.rec.LastEventID = m.event.ID
	m.put()
}

// put completes the write with the item, its deadline and what is owed.
func (m *move) put() {
	m.countHolds()
	m.rec.DueAt, m.rec.DueKind = DueAt(&m.rec, m.f.Settings)
	m.rec.Rev++
	m.write.Items = []ItemWrite{{Record: m.rec, Expect: m.f.Record.Rev}}
	m.write.Events = []inbox.Event{m.event}
	if m.held {
		m.effects = append(m.effects, heldAlert(m.event.ID))
	}
	m.write.Jobs = job(m.rec.Item.ID, m.effects, m.e)
	m.putLinked()
	m.putRefund()
	m.raiseRefunds()
	m.tellDue()
}

// reopen lets an item that comes back to an open state list as open again
// (01 §1.1).
func (m *move) reopen() {
	if !m.row.Amends && !m.table.IsTerminal(m.rec.Item.State) {
		m.rec.Item.ClosedAt = nil
	}
}

// say keeps the note that came with the event as a thread entry, told by the
// event's own mail (01 §3). It stays inside on internal rows, for a person who
// records the customer's yes to the business's own change, and when it is held.
func (m *move) say() {
	if m.masked {
		defer m.tellMasked()
	}
	if strings.TrimSpace(m.in.note) == "" {
		return
	}
	w := speech{text: m.in.note, direction: inbox.DirectionOut, quiet: true, writtenBy: writtenBy(m.c, m.r.WrittenBy)}
	switch {
	case m.c.IsCustomer() || m.c.Kind == inbox.Connector:
		w.direction, w.writtenBy = inbox.DirectionIn, ""
		m.quote(&w)
	case m.row.Internal || m.held || m.recordsOwnChange():
		w.direction = inbox.DirectionNote
	}
	t := entry(m.rec.Item, m.c, m.e, w)
	if w.direction != inbox.DirectionNote {
		m.entryID = t.ID
	}
	m.keep(t)
}

// quote adds what came with a message beside its text.
func (m *move) quote(w *speech) {
	if said := m.r.said; said != nil {
		w.messageID, w.inReplyTo, w.subject, w.mail = said.messageID, said.inReplyTo, said.subject, said.mail
		mask(&w.subject)
	}
}

func (m *move) recordsOwnChange() bool {
	return m.row.Person == "own_change" && m.c.IsPerson() && changeIsOwn(m.before)
}

func (m *move) keep(t inbox.Entry) {
	m.write.Entries = append(m.write.Entries, t)
	m.rec.LastEntryID = t.ID
}

// tellMasked leaves word inside that a secret was hidden in what came in
// (03 §9.1).
func (m *move) tellMasked() { m.keep(maskedNote(m.rec.Item, m.e)) }

// flag clears needsHuman when a person at the business moved the item, and sets
// it when words of automation were held; nil when the flags stay (01 §1.2).
func (m *move) flag() *[2]inbox.Flags {
	before := m.rec.Item.Flags
	after := before
	switch {
	case m.held:
		after.NeedsHuman = true
	case m.c.IsPerson() && m.rec.Item.State != m.from:
		after.NeedsHuman = false
	}
	if after == before {
		return nil
	}
	m.rec.Item.Flags = after
	return &[2]inbox.Flags{before, after}
}

// record writes the event of the transition (01 §11).
func (m *move) record(flags *[2]inbox.Flags) {
	diff := inbox.Diff{Payload: payloadDiff(m.before, m.rec.Item.Payload), Flags: flags}
	if to := m.rec.Item.State; to != m.from {
		diff.State = &[2]inbox.State{m.from, to}
	}
	ev := &m.event
	*ev = eventOf(&m.rec, m.f, m.c, ev.ID, m.r.Event, m.e)
	ev.FromState, ev.Reason = &m.from, m.reason()
	if diff.State != nil || diff.Payload != nil || diff.Flags != nil {
		ev.Diff = &diff
	}
	ev.Meta.Input = m.keptInput()
	ev.Meta.WrittenBy = statedBy(m.c, m.r.WrittenBy)
	ev.Meta.Converted = m.converted
	if m.in.priced && m.c.IsCustomer() {
		ev.Meta.Priced = pricedRefs(m.before)
	}
	if m.held {
		ev.Meta.HeldReply, ev.Meta.Breaches = true, []string{amountNamed}
	}
}

// reason is the internal reason of the business or the system; a customer's is
// a note instead (01 §3).
func (m *move) reason() *string {
	if m.r.Reason == "" || m.c.IsCustomer() {
		return nil
	}
	reason := m.r.Reason
	mask(&reason)
	return &reason
}

// keptInput is the validated input as the event keeps it, nil when it says
// nothing. Words that are held stand in the internal note alone, so nothing
// that is composed from the event can send them.
func (m *move) keptInput() json.RawMessage {
	if m.in.value == nil {
		return nil
	}
	raw := mustJSON(m.in.value)
	if m.held {
		raw = without(raw, "note")
	}
	if string(raw) == "{}" {
		return nil
	}
	return raw
}

func without(raw json.RawMessage, key string) json.RawMessage {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return raw
	}
	delete(fields, key)
	return mustJSON(fields)
}

// eventOf is an event of the item as it stands after the write: who, where,
// when, and on which versions it was decided.
func eventOf(rec *inbox.Record, f *Facts, c inbox.Caller, id, name string, e Env) inbox.Event {
	i := &rec.Item
	return inbox.Event{
		ID: id, ItemID: i.ID, Type: i.Type, Seq: i.Version, Event: name, ToState: i.State,
		ActorKind: c.Kind, ActorID: c.ID, PrevHash: rec.LastHash, CreatedAt: e.Now, Meta: metaOf(f, c),
	}
}

func metaOf(f *Facts, c inbox.Caller) inbox.Meta {
	m := inbox.Meta{Channel: c.Channel, Tier: c.Tier, Basis: f.Basis}
	if !c.IsCustomer() {
		m.ActorName, m.UserID = c.Name, c.UserID
	}
	if c.IsAssistant() || c.Kind == inbox.Integration {
		m.ActsAs = string(inbox.Owner)
	}
	return m
}

func mustJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own structs
	}
	return raw
}
