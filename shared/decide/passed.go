package decide

import (
	"net/http"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// passOn keeps what a customer wants as their message and asks for a person, in
// one write; what stands keeps standing (01 §5.7, 02 §4.6). Status 202.
func passOn(f *Facts, c inbox.Caller, said words.Suggested, e Env) Outcome {
	lang, promised := customerLang(f), machine.Of(f.Record.Item.Type).IsPromise(f.Record.Item.State)
	return passOnSaying(f, c, words.Suggestion(lang, said), words.PassedOn(lang, standsUntil(f, e.Now), promised, f.Business.Zone), e)
}

// passOnSaying is [passOn] of a text, with what the customer is told.
func passOnSaying(f *Facts, c inbox.Caller, text, told string, e Env) Outcome {
	w := speech{text: text, direction: inbox.DirectionIn}
	masked := mask(&w.text)
	t := entry(f.Record.Item, c, e, w)
	a := appended(f, e, t)
	a.rec.Clocked = true
	if masked {
		a.keep(maskedNote(f.Record.Item, e))
	}
	a.tell(inbox.EffectNotifyOwner, "owner", t.ID)
	write := a.callPerson(f, c, e)
	us := waitingOnUs
	return Outcome{Write: write, Status: http.StatusAccepted, Body: inbox.CustomerResult{
		View: customerView(f.become(&a.rec, f.Offer, a.said), c, e), WaitingOn: &us, Appended: true,
		PassedOn: told,
	}}
}

// standsUntil is the date of the business's open offer while it is ahead.
func standsUntil(f *Facts, now inbox.Instant) *inbox.Instant {
	if o := businessOffer(f); o != nil && o.ValidThrough != nil && now < *o.ValidThrough {
		return o.ValidThrough
	}
	return nil
}

// callPerson sets needsHuman with an event of its own, unless it is set already.
func (a *addition) callPerson(f *Facts, c inbox.Caller, e Env) Write {
	i := &a.rec.Item
	before := i.Flags
	if before.NeedsHuman {
		return a.write(e)
	}
	i.Flags.NeedsHuman = true
	i.Version++
	ev := eventOf(&a.rec, f, c, e.Source.ID(e.Now), inbox.EventFlags, e)
	ev.FromState, ev.Diff = &f.Record.Item.State, &inbox.Diff{Flags: &[2]inbox.Flags{before, i.Flags}}
	a.rec.LastEventID = ev.ID
	w := a.write(e)
	w.Events = []inbox.Event{ev}
	return w
}
