package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// effects are what follows from a row once all guards hold, by the names on the
// rows (01 §7); those that write into the payload are [payloadEffects]. One that
// is missing in both has no handler yet and is not written: package machine
// lists it as skipped.
var effects = map[machine.Effect]func(*move){
	machine.PlanHold:       (*move).planHold,
	machine.ClaimSlot:      (*move).claimSlot,
	machine.ReleaseSlot:    (*move).releaseSlot,
	machine.ReleaseHold:    (*move).releaseHold,
	machine.LinkItem:       (*move).link,
	machine.LinkRefund:     (*move).linkRefund,
	machine.Close:          (*move).close,
	machine.NotifyCustomer: (*move).notifyCustomer,
	machine.NotifyOwner:    (*move).notifyOwner,
}

// run runs the row's effects in their order.
func (m *move) run() {
	for _, name := range m.row.OwesTo(m.c) {
		if do := effects[name]; do != nil {
			do(m)
		}
	}
}

func (m *move) close() {
	m.rec.Item.ClosedAt, m.rec.ClosedBy = &m.e.Now, ""
	if m.side() == inbox.SideCustomer {
		m.rec.ClosedBy = inbox.SideCustomer
	}
}

// staleLapse is how late a lapse may be found and still be mailed (01 §13.4).
const staleLapse = 7 * inbox.Day

// notifyCustomer owes the customer a word about the event.
func (m *move) notifyCustomer() {
	if m.repeated {
		return
	}
	if m.r.Event == "expire" || m.r.Event == "expire_change" {
		if at := m.lapsedAt(); at != nil && int64(m.e.Now-*at) > staleLapse {
			return
		}
	}
	m.owe(inbox.EffectNotifyCustomer, "customer")
}

// lapsedAt is the date that an expiry is about: of the open offer when it has
// one, which for a request is its clock.
func (m *move) lapsedAt() *inbox.Instant {
	if o := m.before.Offer(); o != nil && o.Status == inbox.OfferOpen && o.ValidThrough != nil {
		return o.ValidThrough
	}
	return m.f.Record.RequestExpiresAt
}

// notifyOwner owes the business a word about the event. A person of theirs is
// never told of their own act: [machine.Row.OwesTo] leaves it out (09).
func (m *move) notifyOwner() {
	if tellsOwner(m.c) {
		m.owe(inbox.EffectNotifyOwner, "owner")
	}
}

// tellsOwner says whether what a caller did is news to the business: not to a
// person of theirs, their AI or their rules (05 §3.4).
func tellsOwner(c inbox.Caller) bool {
	return !c.IsPerson() && !c.IsAssistant() && c.Kind != inbox.Rule
}

func (m *move) owe(kind inbox.EffectKind, to string) {
	m.effects = append(m.effects, inbox.Effect{
		ID: "ev:" + m.event.ID + ":" + to, Kind: kind, EventID: m.event.ID, Event: m.r.Event, EntryID: m.entryID,
	})
}

// job is the one row that lists what a write owes, due at its commit; nil when
// it owes nothing (00 §3).
func job(itemID string, owed []inbox.Effect, e Env) []inbox.Job {
	if len(owed) == 0 {
		return nil
	}
	return []inbox.Job{{
		ID: e.Source.ID(e.Now), ItemID: itemID, Effects: owed, RunAt: e.Now, Ready: true, Version: 1, CreatedAt: e.Now,
	}}
}
