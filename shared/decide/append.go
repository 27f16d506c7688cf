package decide

import "typedinbox/shared/inbox"

// addition is words put on an item's thread without an event: no version moves,
// but the row does (01 §11).
type addition struct {
	rec    inbox.Record
	expect int
	said   []inbox.Entry
	owed   []inbox.Effect
}

func appended(f *Facts, e Env, t inbox.Entry) *addition {
	a := &addition{rec: *f.Record, expect: f.Record.Rev}
	a.rec.Rev++
	a.rec.Item.UpdatedAt = e.Now
	a.keep(t)
	return a
}

func (a *addition) keep(t inbox.Entry) {
	a.said = append(a.said, t)
	a.rec.LastEntryID = t.ID
}

// tell owes somebody a word about an entry.
func (a *addition) tell(kind inbox.EffectKind, to, entryID string) {
	a.owed = append(a.owed, inbox.Effect{ID: "entry:" + entryID + ":" + to, Kind: kind, EntryID: entryID})
}

func (a *addition) write(e Env) Write {
	return Write{
		Items: []ItemWrite{{Record: a.rec, Expect: a.expect}}, Entries: a.said,
		Jobs: job(a.rec.Item.ID, a.owed, e),
	}
}
