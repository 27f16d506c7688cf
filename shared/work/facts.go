package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// facts is what a mail is composed from and addressed by: the item as it stands
// now, and what the effect is about.
type facts struct {
	decide.Facts
	event *inbox.Event       // nil for words without an event
	entry *inbox.Entry       // nil for an event without words
	code  *inbox.OneTimeCode // of the mail that brings one; it goes to its own address

	contract *inbox.Record // what a quote became, nil for none
	back     *inbox.Record // the refund that was born with the event, nil for none

	history []inbox.Event // of the item, oldest first, when there is an event
	at      int           // where in it the event stands
	older   []older       // older events whose mails this one takes the place of, oldest first
}

// read reads an item with its party and the business; nil when the item is gone,
// the business alone for a mail about no item.
// Two storage calls.
func (w *Worker) read(ctx context.Context, itemID, entryID string) (*facts, error) {
	l, err := w.Store.Load(ctx, store.Want{ItemID: itemID, EntryID: entryID, Settings: true, Profile: true})
	if err == nil && itemID == inbox.OwnerMails {
		l.Record = &inbox.Record{Item: inbox.Item{ID: itemID}}
	}
	if err != nil || l.Record == nil {
		return nil, err
	}
	f := &facts{entry: l.Entry}
	f.Record, f.Settings = l.Record, settings.Effective(l.SettingsRaw)
	f.Business = decide.BusinessOf(l.Profile, f.Settings)
	if id := l.Record.Item.PartyID; id != "" {
		f.Party, err = w.Store.Root(ctx, id)
	}
	return f, err
}

// load reads what an effect is about. nil when nobody is to hear of it any more:
// the item is gone or is spam by now (05 §3.7).
func (w *Worker) load(ctx context.Context, j *inbox.Job, e inbox.Effect) (*facts, error) {
	f, err := w.read(ctx, j.ItemID, e.EntryID)
	if err != nil || f == nil || f.Record.Item.State == inbox.StateSpam {
		return nil, err
	}
	if e.EntryID != "" && f.entry == nil {
		return nil, fmt.Errorf("work: item %s has no entry %s", j.ItemID, e.EntryID)
	}
	if e.EventID == "" {
		return f, nil
	}
	events, err := w.Store.Events(ctx, j.ItemID)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(events, func(ev inbox.Event) bool { return ev.ID == e.EventID })
	if i < 0 {
		return nil, fmt.Errorf("work: item %s has no event %s", j.ItemID, e.EventID)
	}
	f.event, f.history, f.at = &events[i], events, i
	return f, nil
}

// from is the state the event left, "" for a create and for words alone. A mail
// about an event that was repeated before anybody heard of it leaves what the
// first of them left; one that took a confirmation's place leaves what that left.
func (f *facts) from() inbox.State {
	if f.event == nil || f.event.FromState == nil {
		return ""
	}
	for _, m := range f.older {
		if m.event.Event == f.event.Event || confirming(m.event) {
			return *m.event.FromState
		}
	}
	return *f.event.FromState
}

// cause is who a mail about these facts comes from: who fired the event, else
// who wrote the words.
func (f *facts) cause() cause {
	if f.event != nil {
		return causeOf(f.event)
	}
	return cause{f.entry.ActorKind, f.entry.Channel, f.entry.WrittenBy}
}

func causeOf(ev *inbox.Event) cause { return cause{ev.ActorKind, ev.Meta.Channel, ev.Meta.WrittenBy} }

// said is what the business said to the customer, "" when it said nothing: never
// a note kept inside, never the customer's own words (05 §3.2). What was said
// with the events whose mails this one takes the place of comes first.
func (f *facts) said() string {
	var all []string
	for _, m := range f.older {
		if m.said != "" {
			all = append(all, m.said)
		}
	}
	if f.entry != nil && f.entry.Direction == inbox.DirectionOut {
		all = append(all, f.entry.BodyText)
	}
	return strings.Join(all, "\n\n")
}

// disclosed says whether automation acted for the business in anything that a
// mail about these facts tells.
func (f *facts) disclosed() bool {
	return f.cause().disclosed() || slices.ContainsFunc(f.older, func(o older) bool { return causeOf(o.event).disclosed() })
}

// heard is what the customer said, "" when they said nothing. Who asks for a
// quote says it in the request itself.
func (f *facts) heard() string {
	switch q := f.Record.Item.Payload.Quote; {
	case f.entry != nil && f.entry.Direction == inbox.DirectionIn:
		return f.entry.BodyText
	case f.entry == nil && q != nil && f.event != nil && f.event.Event == inbox.EventCreate:
		return q.Description
	}
	return ""
}
