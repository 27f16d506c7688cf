package decide

import "typedinbox/shared/inbox"

// notMailed is why an item asks for a person after a mail to its customer failed
// for good.
const notMailed = "The customer could not be mailed."

// MailFailed is what a customer's mail that failed for good does, all in one
// write as the system: the mail's row, the item's mark, a note inside, and a
// call for a person where the item has none yet (05 §4.10). The state stays. m is
// the mail as it will stand, at the version it was read.
func MailFailed(f Facts, m inbox.Mail, e Env) Outcome {
	return alerted(mailFailed(f, m, notMailed, "Not sent: "+m.Subject+". The mail service said: "+m.LastError, e), e)
}

// alerted owes the owner a word about a mail that failed for good, at once
// (05 §3.4). The note in the write says what became of it.
func alerted(out Outcome, e Env) Outcome {
	w := &out.Write
	note := w.Entries[len(w.Entries)-1]
	w.Jobs = append(w.Jobs, job(note.ItemID, []inbox.Effect{{
		ID: "failed:" + w.Mail.JobKey, Kind: inbox.EffectNotifyOwner, Event: inbox.AlertMailFailed, EntryID: note.ID,
	}}, e)...)
	return out
}

// mailFailed marks an item whose customer a mail did not reach. why is the
// event's reason and with more the note.
func mailFailed(f Facts, m inbox.Mail, why, more string, e Env) Outcome {
	rec := *f.Record
	i := &rec.Item
	rec.Rev++
	i.UpdatedAt = e.Now
	rec.MailFailed = true
	w := Write{Mail: &m}
	if before := i.Flags; !before.NeedsHuman {
		i.Version++
		i.Flags.NeedsHuman = true
		ev := eventOf(&rec, &f, inboxItself, e.Source.ID(e.Now), inbox.EventFlags, e)
		ev.FromState, ev.Reason = &f.Record.Item.State, inbox.Ptr(why)
		ev.Diff = &inbox.Diff{Flags: &[2]inbox.Flags{before, i.Flags}}
		rec.LastEventID = ev.ID
		w.Events = []inbox.Event{ev}
	}
	note := entry(*i, inboxItself, e, speech{
		text: why + " " + more, direction: inbox.DirectionNote, writtenBy: byAutomation, quiet: true,
	})
	rec.LastEntryID = note.ID
	rec.DueAt, rec.DueKind = DueAt(&rec, f.Settings)
	w.Entries = []inbox.Entry{note}
	w.Items = []ItemWrite{{Record: rec, Expect: f.Record.Rev}}
	return Outcome{Write: w}
}
