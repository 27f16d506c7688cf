package decide

import (
	"slices"

	"typedinbox/shared/inbox"
)

// mergeAtOnce bounds how many parties one write merges; the others that have the
// address are merged by the job that follows.
const mergeAtOnce = 20

// recognise makes the item the known customer's, and with it everybody who has
// the address that was proven (01 §15.4). The write holds the pointers alone,
// which is what every reader follows; the rows move afterwards (01 §19.6). The
// known party is written under the rev it was read at, so two customers cannot be
// merged into each other at once.
func recognise(f *Facts, w *Write, e Env) {
	into := *f.Possible
	if !w.Code.Test {
		into.Verified, into.UpdatedAt = w.Code.Address, e.Now
		w.Contacts = []inbox.PartyContact{{
			PartyID: into.ID, Kind: inbox.ContactEmail, Value: w.Code.Address, VerifiedAt: &e.Now, CreatedAt: into.CreatedAt,
		}}
	}
	w.Parties = []inbox.Party{into}
	var owed []inbox.Effect
	for _, p := range merged(f, w.Code.Test) {
		p.MergedInto, p.UpdatedAt = into.ID, e.Now
		w.Parties = append(w.Parties, p)
		owed = append(owed, inbox.Effect{ID: "merge:" + p.ID, Kind: inbox.EffectMerge, PartyID: p.ID})
	}
	rec := *f.Record
	rec.Item.PartyID, rec.CustomerMatch, rec.PossiblePartyID = into.ID, inbox.MatchStrong, ""
	rec.Rev++
	w.Holdings = rehold(&rec, f.Record.Item.PartyID, into.ID)
	w.Items = []ItemWrite{{Record: rec, Expect: f.Record.Rev}}
	owed = append(owed, inbox.Effect{ID: "holders:" + w.Code.ID, Kind: inbox.EffectMerge})
	w.Jobs = mergeJobs(rec.Item.ID, owed, e)
}

// mergeAgain is how long after a merge it is looked at once more: what the
// index did not show the first time is moved then.
const mergeAgain = inbox.Minute

func mergeJobs(itemID string, owed []inbox.Effect, e Env) []inbox.Job {
	jobs := job(itemID, owed, e)
	again := job(itemID, slices.Clone(owed), e)[0]
	again.Ready, again.RunAt = false, e.Now.Add(mergeAgain)
	for i := range again.Effects {
		again.Effects[i].ID += ":again"
	}
	return append(jobs, again)
}

// merged are the parties that turn out to be the known one: the item's own, and
// unless the code was a test's those that have the address as their own.
func merged(f *Facts, test bool) []inbox.Party {
	var list []inbox.Party
	add := func(p *inbox.Party) {
		there := slices.ContainsFunc(list, func(q inbox.Party) bool { return q.ID == p.ID })
		if !there && p.ID != f.Possible.ID && p.MergedInto == "" && p.ErasedAt == nil && len(list) < mergeAtOnce {
			list = append(list, *p)
		}
	}
	if f.Party != nil {
		add(f.Party)
	}
	for i := range f.Holders {
		if !test {
			add(&f.Holders[i])
		}
	}
	return list
}

// rehold turns the places that an item holds for one party into another's, in
// the count behind booking.maxHolds.
func rehold(rec *inbox.Record, from, into string) []inbox.Holding {
	sandbox := rec.Item.Flags.Sandbox
	old, now := inbox.PartyHolder(from, sandbox), inbox.PartyHolder(into, sandbox)
	i := slices.Index(rec.HeldFor, old)
	if i < 0 || old == now {
		return nil
	}
	rec.HeldFor = slices.Clone(rec.HeldFor)
	rec.HeldFor[i] = now
	return []inbox.Holding{{Holder: old, ItemID: rec.Item.ID}, {Holder: now, ItemID: rec.Item.ID, Begins: true}}
}

// Rekey moves an item of a merged party to its root (01 §15.3). A possible match
// with the root becomes a strong one. There is no event, no version, and
// updatedAt stays. roots leads from a party to its root.
func Rekey(rec inbox.Record, root string, roots map[string]string) Write {
	expect, from := rec.Rev, rec.Item.PartyID
	rec.Item.PartyID = root
	if rec.PossiblePartyID == root || (rec.PossiblePartyID != "" && roots[rec.PossiblePartyID] == root) {
		rec.CustomerMatch, rec.PossiblePartyID = inbox.MatchStrong, ""
	}
	rec.Rev++
	w := Write{Holdings: rehold(&rec, from, root)}
	w.Items = []ItemWrite{{Record: rec, Expect: expect}}
	return w
}

// Absorb is the write that merges one more party into another; nil when there is
// nothing to merge.
func Absorb(from, into inbox.Party, now inbox.Instant) *Write {
	if from.ID == into.ID || from.MergedInto != "" || from.ErasedAt != nil || into.MergedInto != "" || into.ErasedAt != nil {
		return nil
	}
	from.MergedInto, from.UpdatedAt = into.ID, now
	return &Write{Parties: []inbox.Party{into, from}}
}

// Resolve reads an item of a merged party as its root's, which it is; root may
// be nil. The next write of the item moves it for good, as [Rekey] does.
func Resolve(rec *inbox.Record, root *inbox.Party) {
	if root == nil || rec.Item.PartyID == root.ID {
		return
	}
	rec.Item.PartyID = root.ID
	if rec.PossiblePartyID == root.ID {
		rec.CustomerMatch, rec.PossiblePartyID = inbox.MatchStrong, ""
	}
}
