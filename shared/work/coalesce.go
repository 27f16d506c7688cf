package work

import (
	"context"
	"encoding/json"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// older is an earlier event that the mail about a newer one tells too, with the
// business's words that came with it.
type older struct {
	event *inbox.Event
	said  string
}

// overtaken says whether a newer event's mail tells everything that the one
// about these facts would (05 §3.1).
func (f *facts) overtaken() bool {
	if f.event == nil {
		return false
	}
	return slices.ContainsFunc(f.history[f.at+1:], func(newer inbox.Event) bool {
		return notifiesCustomer(&newer) && words.Supersedes(newer.Event, f.event.Event)
	})
}

// takeOver gathers the older events whose mails were left to this one: their
// words and their disclosure come with it (05 §3.1). A mail that was written
// stays what it is. One storage call for each event that may be left, and one
// for their words.
func (w *Worker) takeOver(ctx context.Context, f *facts) error {
	if f.event == nil {
		return nil
	}
	newer := []*inbox.Event{f.event}
	for i := f.at - 1; i >= 0; i-- {
		ev := &f.history[i]
		if !notifiesCustomer(ev) || !slices.ContainsFunc(newer, func(n *inbox.Event) bool { return words.Supersedes(n.Event, ev.Event) }) {
			continue
		}
		m, err := w.Store.Mail(ctx, ev.ItemID, "ev:"+ev.ID+":customer")
		if err != nil {
			return err
		}
		if m == nil {
			newer = append(newer, ev)
		}
	}
	if len(newer) == 1 {
		return nil
	}
	entries, err := w.Store.Thread(ctx, f.Record.Item.ID, 0)
	for _, ev := range slices.Backward(newer[1:]) {
		f.older = append(f.older, older{ev, saidWith(ev, entries)})
	}
	return err
}

// saidWith is what the business said to the customer with an event: the note of
// its input, when the conversation shows it as sent.
func saidWith(ev *inbox.Event, entries []inbox.Entry) string {
	var in struct {
		Note string `json:"note"`
	}
	if ev.Meta.Input == nil || json.Unmarshal(ev.Meta.Input, &in) != nil {
		return ""
	}
	sent := slices.ContainsFunc(entries, func(e inbox.Entry) bool {
		return e.Quiet && e.Direction == inbox.DirectionOut && e.CreatedAt == ev.CreatedAt && e.BodyText == in.Note
	})
	if !sent {
		return ""
	}
	return in.Note
}

// noticeTries is how often a mail is judged again because its item moved
// meanwhile.
const noticeTries = 5

// whileStill composes a mail that is only right while its item stands as it was
// judged: it is judged again when the item moved meanwhile. A mail that an
// earlier run composed stays.
func (w *Worker) whileStill(ctx context.Context, j *inbox.Job, e inbox.Effect,
	judge func(context.Context, *inbox.Job, inbox.Effect) (*composed, error)) (*composed, error) {
	for range noticeTries {
		earlier, err := w.Store.Mail(ctx, j.ItemID, e.ID)
		if err != nil {
			return nil, err
		}
		if earlier != nil {
			return &composed{mail: earlier}, w.Store.FinishEffect(ctx, j, e.ID)
		}
		c, err := judge(ctx, j, e)
		if !leaseLost(err) {
			return c, err
		}
	}
	return nil, errMoving
}
