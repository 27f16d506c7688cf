package pages_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// changeAsked is a confirmed booking that the business asks to move by a day.
func (w *world) changeAsked() string {
	w.t.Helper()
	id := w.confirmed()
	start := thursday.Add(inbox.Day)
	w.fire(id, "propose_change", fmt.Sprintf(`{"startTime":%q,"endTime":%q,"note":"The stylist is ill."}`, start, start.Add(inbox.Hour)))
	return id
}

// TestChangeOfTheBusiness: what stands and what would stand are side by side;
// either answer acts once.
func TestChangeOfTheBusiness(t *testing.T) {
	for action, c := range map[inbox.LinkAction]struct {
		button, event, did string
		start              inbox.Instant
		shows              []string
	}{
		inbox.LinkAcceptChange: {"Confirm the change", "accept_change", "The change is made.", thursday.Add(inbox.Day),
			[]string{"Now Thursday, 8 October 2026 at 10:00", "Instead Friday, 9 October 2026 at 10:00", "The stylist is ill."}},
		inbox.LinkKeepAsIs: {"Keep it as it is", "decline_change", "Everything stays as it was agreed.", thursday,
			[]string{"Thursday, 8 October 2026 at 10:00", "€45.00"}},
	} {
		t.Run(string(action), func(t *testing.T) {
			w := newWorld(t)
			id := w.changeAsked()
			token := w.mail(id, inbox.LinkAcceptChange, inbox.LinkKeepAsIs)[action]
			page := w.get(token).is(200)
			page.has(c.shows...)
			if got := page.buttons(); len(got) != 1 || got[0] != c.button {
				t.Errorf("buttons %q", got)
			}
			w.looksAtIt(token)
			w.press(token).is(303)
			events, err := w.store.Events(w.ctx, id)
			w.must(err)
			rec := w.item(id)
			if last := events[len(events)-1]; last.Event != c.event || rec.Item.Payload.Booking.StartTime != c.start || rec.Item.State != inbox.StateConfirmed {
				t.Errorf("%s: %s at %s", last.Event, rec.Item.State, rec.Item.Payload.Booking.StartTime)
			}
			w.get(token).is(200).has(c.did)
		})
	}
}

// TestChangeOfTheCustomer: another time is asked for; until it is confirmed the
// booking stays, and either of two mails' links works until it changes.
func TestChangeOfTheCustomer(t *testing.T) {
	w := newWorld(t)
	id := w.confirmed()
	first, second := w.mail(id, inbox.LinkChangeTime, inbox.LinkCancel), w.mail(id, inbox.LinkChangeTime)
	page := w.get(first[inbox.LinkChangeTime]).is(200)
	page.has("Now Thursday, 8 October 2026 at 10:00", "Until we have confirmed it, the time you have now stays.")
	for _, time := range page.times() {
		if time == thursday.String() {
			t.Error("the time it has is offered")
		}
	}
	w.looksAtIt(first[inbox.LinkChangeTime])
	w.press(first[inbox.LinkChangeTime], "time", thursday.Add(inbox.Day).String(), "text", "I have a cold.").is(303)
	if b := w.item(id).Item.Payload.Booking; b.StartTime != thursday || b.Change == nil || b.Change.By != inbox.SideCustomer {
		t.Fatalf("%+v", b)
	}
	w.get(first[inbox.LinkChangeTime]).is(200).has("Until we have confirmed it, the time you have stays.")
	w.get(second[inbox.LinkChangeTime]).is(200)
	w.fire(id, "accept_change", "")
	w.get(second[inbox.LinkChangeTime]).is(409).has("This has changed")
}

// TestPastTheRounds: a suggestion too many is passed on to a person, and what
// was put forward stands.
func TestPastTheRounds(t *testing.T) {
	w := newWorld(t, `{"negotiation":{"maxRounds":1}}`)
	id := w.proposed()
	at := thursday.Add(4 * inbox.Day)
	w.press(w.mail(id, inbox.LinkOtherTime)[inbox.LinkOtherTime], "time", at.String()).is(303)
	w.propose(id, at.Add(inbox.Hour))
	tokens := w.mail(id, inbox.LinkOtherTime, inbox.LinkAcceptTime)
	w.press(tokens[inbox.LinkOtherTime], "time", at.Add(2*inbox.Hour).String(), "text", "Please.").is(303)
	w.get(tokens[inbox.LinkOtherTime]).is(200).has("A person here will look at it and answer you.")
	rec := w.item(id)
	if rec.Item.State != inbox.StateProposed || !rec.Item.Flags.NeedsHuman {
		t.Errorf("%s, flagged %v", rec.Item.State, rec.Item.Flags.NeedsHuman)
	}
	thread, err := w.store.Thread(w.ctx, id, 0)
	w.must(err)
	if last := thread[len(thread)-1]; !strings.Contains(last.BodyText, "Please.") || last.Direction != inbox.DirectionIn {
		t.Errorf("kept %q", last.BodyText)
	}
	w.press(tokens[inbox.LinkAcceptTime]).is(303)
}

// TestWithdrawal: the page names the contract and the statement, sends it once,
// and past the right still takes it, for a person.
func TestWithdrawal(t *testing.T) {
	w := newWorld(t)
	id := w.acceptedOrder()
	token := w.mail(id, inbox.LinkWithdraw)[inbox.LinkWithdraw]
	w.get(token).is(200).has("Withdraw from contract here", "Confirm withdrawal", "ana@example.com", "Ana", "Your statement", "Nothing happens by opening this page.")
	w.looksAtIt(token)
	w.press(token, "text", "Both chains.").is(303)
	w.get(token).is(200).has("You have withdrawn from the contract. Your withdrawal was sent: Monday, 5 October 2026 at 09:00 (Western European Time).", "We have sent you a confirmation by email.")
	if got := w.item(id).Item.State; got != inbox.StateCancelled {
		t.Errorf("state %s", got)
	}
}

// TestWithdrawalTooLate: the page says why there is no right and still takes the
// statement: never refused (05 §6.7).
func TestWithdrawalTooLate(t *testing.T) {
	w := newWorld(t)
	id := w.confirmed()
	w.paid(id)
	token := w.mail(id, inbox.LinkWithdraw)[inbox.LinkWithdraw]
	w.advance(15 * inbox.Day)
	s := w.get(token).is(200)
	s.has("You can still send this. A person here will look at it and answer you.", "Confirm withdrawal")
	w.press(token).is(303)
	w.get(token).is(200).has("A person here will look at it and answer you.")
	if rec := w.item(id); rec.Item.State != inbox.StateConfirmed || !rec.Item.Flags.NeedsHuman {
		t.Errorf("%s, flagged %v", rec.Item.State, rec.Item.Flags.NeedsHuman)
	}
}

// TestDoneStillStands: what was done is told while it stands, else where the item
// stands by now (05 §6.4).
func TestDoneStillStands(t *testing.T) {
	const since = "Since then something has changed:"
	later := func(w *world, id string, days int64) {
		start := thursday.Add(days * inbox.Day)
		w.fire(id, "propose_change", fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, start, start.Add(inbox.Hour)))
	}
	t.Run("ok/the time asked for was taken", func(t *testing.T) {
		w := newWorld(t)
		id := w.confirmed()
		token := w.mail(id, inbox.LinkChangeTime)[inbox.LinkChangeTime]
		w.press(token, "time", thursday.Add(inbox.Day).String()).is(303)
		w.get(token).is(200).has("Until we have confirmed it, the time you have stays.")
		w.fire(id, "accept_change", "")
		w.get(token).is(200).has(since, "Friday, 9 October 2026 at 10:00")
	})
	t.Run("ok/kept, then changed", func(t *testing.T) {
		w := newWorld(t)
		id := w.changeAsked()
		kept := w.mail(id, inbox.LinkKeepAsIs)[inbox.LinkKeepAsIs]
		w.press(kept).is(303)
		later(w, id, 4)
		w.get(kept).is(200).has("Everything stays as it was agreed.")
		taken := w.mail(id, inbox.LinkAcceptChange)[inbox.LinkAcceptChange]
		w.press(taken).is(303)
		w.get(kept).is(200).has(since, "Monday, 12 October 2026 at 10:00")
		w.get(taken).is(200).has("The change is made.")
	})
	t.Run("ok/passed on, then proposed anew", func(t *testing.T) {
		w := newWorld(t, `{"negotiation":{"maxRounds":1}}`)
		id := w.proposed()
		token := w.mail(id, inbox.LinkOtherTime)[inbox.LinkOtherTime]
		w.press(token, "time", thursday.Add(4*inbox.Day).String()).is(303)
		until := format.DateTime(format.En, w.deadline(id), mustZone(t))
		w.get(token).is(200).has("What we suggested still stands until " + until)
		w.another(id)
		w.get(token).is(200).has(since, "Monday, 12 October 2026 at 10:00")
	})
	t.Run("ok/declined", func(t *testing.T) {
		w := newWorld(t)
		id := w.proposed()
		token := w.mail(id, inbox.LinkDeclineTime)[inbox.LinkDeclineTime]
		w.press(token).is(303)
		w.get(token).is(200).has("You have declined the time we suggested. Your request is closed.")
	})
}

func mustZone(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}
