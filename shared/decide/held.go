package decide

import "typedinbox/shared/inbox"

// isReply says whether the note of the event is the business's reply itself.
func (m *move) isReply() bool {
	return m.rec.Item.Type == inbox.TypeMessage && m.row.Event == "answer"
}

// hold keeps a reply of automation that names money inside: as an internal note
// with an event flags that asks for a person. Nothing is sent and the state
// stays (01 §16, 02 §8.5).
func (m *move) hold() {
	i := &m.rec.Item
	i.Version++
	i.UpdatedAt = m.e.Now
	before := i.Flags
	i.Flags.NeedsHuman = true
	m.event = eventOf(&m.rec, m.f, m.c, m.e.Source.ID(m.e.Now), inbox.EventFlags, m.e)
	m.event.FromState, m.event.Diff = &m.from, &inbox.Diff{Flags: &[2]inbox.Flags{before, i.Flags}}
	m.event.Meta.WrittenBy = statedBy(m.c, m.r.WrittenBy)
	m.event.Meta.HeldReply, m.event.Meta.Breaches = true, []string{amountNamed}
	m.rec.LastEventID = m.event.ID
	m.keep(entry(*i, m.c, m.e, speech{
		text: m.in.note, direction: inbox.DirectionNote, quiet: true, writtenBy: writtenBy(m.c, m.r.WrittenBy),
	}))
	m.put()
}

// heldAlert owes the owner a word about words of automation that were held
// (05 §3.4).
func heldAlert(eventID string) inbox.Effect {
	return inbox.Effect{ID: "ev:" + eventID + ":held", Kind: inbox.EffectNotifyOwner, EventID: eventID, Event: inbox.AlertHeldReply}
}
