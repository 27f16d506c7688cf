package store

import (
	"context"
	"errors"
	"fmt"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// lostAnswers is how often a write whose answer was lost is sent again under
// its token.
const lostAnswers = 3

// Commit does a write in one transaction, whole or not at all (00 §3,
// 01 §19.1): one storage call when nothing stands in the way. It completes the
// events: Hash, and LastHash and LastEventID of their items. A write that was
// not done is a [*Lost]. A lost answer is told from the write's own rows, so a
// write that happened is never an error.
func (s *Store) Commit(ctx context.Context, w decide.Write) error {
	if full(w) {
		return &Lost{Full: true}
	}
	b, err := s.build(w)
	if err != nil {
		return err
	}
	return s.commit(ctx, b, nowOf(w.Idem), func(ctx context.Context) (bool, error) { return s.done(ctx, w) })
}

// commit runs a batch. done says whether the batch's rows stand there, for when
// an answer was lost and the token did not settle it.
func (s *Store) commit(ctx context.Context, b *batch, now inbox.Instant, done func(context.Context) (bool, error)) error {
	token, unsure := s.token(), false
	for range lostAnswers {
		err := s.db.Transact(ctx, token, b.actions)
		if errors.Is(err, table.ErrUnknown) {
			unsure = true
			continue
		}
		if err != nil && unsure {
			if ours, derr := done(ctx); derr != nil || ours {
				return derr
			}
		}
		return s.lost(ctx, b, now, err)
	}
	ours, err := done(ctx)
	if err != nil || ours {
		return err
	}
	return &Lost{Busy: true, Cause: table.ErrUnknown}
}

// lost turns what the database said into what was lost.
func (s *Store) lost(ctx context.Context, b *batch, now inbox.Instant, err error) error {
	var c *table.Cancelled
	switch {
	case err == nil:
		return nil
	case errors.Is(err, table.ErrThrottled):
		return &Lost{Busy: true, Cause: err}
	case !errors.As(err, &c):
		return err
	}
	l := &Lost{Cause: err}
	for i, r := range c.Reasons {
		switch r.Code {
		case table.ReasonConflict, table.ReasonThrottled:
			l.Busy = true
		case table.ReasonCondition:
			if err := s.lose(ctx, l, b, i, r.Old, now); err != nil {
				return err
			}
		}
	}
	return l
}

// lose records one failed condition. The old row is read when the driver left
// it out.
func (s *Store) lose(ctx context.Context, l *Lost, b *batch, i int, old table.Row, now inbox.Instant) (err error) {
	c := b.causes[i]
	if old == nil && (c == causeAnswer || c == causeMessage) {
		if old, err = s.get(ctx, b.actions[i].At()); err != nil {
			return err
		}
	}
	switch c {
	case causeVersion:
		l.Version = true
	case causeRow:
		l.Rows = true
	case causeSKU:
		l.SKU = true
	case causeMessage:
		if l.Message, err = docOf[EntryRef](old); err == nil && l.Message == nil {
			l.Busy = true // it was there a moment ago
		}
	case causeAnswer:
		if l.Idem, err = s.answerOf(old, now); err == nil && l.Idem == nil {
			l.Busy = true
		}
	}
	return err
}

// nowOf is the instant a write was decided at, as its idempotency row says.
func nowOf(i *decide.Idempotency) inbox.Instant {
	if i == nil {
		return 0
	}
	return i.ExpiresAt.Add(-IdempotencyRetention)
}

// done says whether a write's own rows stand there: its one-time code, else its
// last event, its last entry, its item or its last party at the rev it wrote.
func (s *Store) done(ctx context.Context, w decide.Write) (bool, error) {
	switch {
	case w.Code != nil:
		c, err := s.Code(ctx, w.Code.ItemID)
		return c != nil && c.Mark == w.Code.Mark, err
	case len(w.Events) > 0:
		e := w.Events[len(w.Events)-1]
		r, err := s.get(ctx, eventKey(e.ItemID, e.Seq))
		stored, err2 := docOf[inbox.Event](r)
		return stored != nil && stored.ID == e.ID, errors.Join(err, err2)
	case len(w.Entries) > 0:
		e := w.Entries[len(w.Entries)-1]
		r, err := s.get(ctx, entryKey(e.ItemID, e.ID))
		return r != nil, err
	case len(w.Items) > 0:
		i := w.Items[0]
		r, err := s.get(ctx, itemKey(i.Record.Item.ID))
		return r.Int(attrRev) == int64(i.Record.Rev), err
	case len(w.Parties) > 0:
		p := w.Parties[len(w.Parties)-1]
		stored, err := s.Party(ctx, p.ID)
		return stored != nil && stored.Rev == p.Rev+1 && stored.MergedInto == p.MergedInto, err
	}
	return false, nil
}

// build makes the actions of a write.
func (s *Store) build(w decide.Write) (*batch, error) {
	b := &batch{}
	if w.Idem != nil {
		a, err := s.answerAction(w.Idem)
		if err != nil {
			return nil, err
		}
		b.add(causeAnswer, a)
	}
	ends, err := s.addEvents(b, w.Events)
	if err != nil {
		return nil, err
	}
	for _, i := range w.Items {
		rec := i.Record
		if end, ok := ends[rec.Item.ID]; ok {
			rec.LastEventID, rec.LastHash = end.ID, end.Hash
		}
		if rec.Rev != i.Expect+1 {
			return nil, fmt.Errorf("store: item %s: rev %d on %d", rec.Item.ID, rec.Rev, i.Expect)
		}
		r, err := itemRow(&rec)
		if err != nil {
			return nil, err
		}
		b.replace(r, int64(i.Expect))
	}
	for _, add := range []func(*batch, decide.Write) error{s.addCode, addOffers, addPlaces, addHoldings, addEntries, addParty, addContacts, addJobs, addMail, addReceived, addLink} {
		if err := add(b, w); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// addEvents chains the events, each put where none stands, and answers the last
// one of each item.
func (s *Store) addEvents(b *batch, events []inbox.Event) (map[string]inbox.Event, error) {
	ends := map[string]inbox.Event{}
	for _, e := range events {
		if end, ok := ends[e.ItemID]; ok {
			e.PrevHash = end.Hash
		}
		e, m, err := chain(e, s.source.Bytes)
		if err != nil {
			return nil, err
		}
		r, err := eventRow(e, m)
		if err != nil {
			return nil, err
		}
		b.add(causeVersion, table.Action{
			Kind: table.Put, Key: eventKey(e.ItemID, e.Seq), Row: r, If: table.Absent(table.PartitionKey),
		})
		ends[e.ItemID] = e
	}
	return ends, nil
}

// addOffers writes offers as they will stand; the item's rev guards them.
func addOffers(b *batch, w decide.Write) error {
	for _, o := range w.Offers {
		r, err := putDoc(offerKey(o.ItemID, o.Rev), o)
		if err != nil {
			return err
		}
		b.put(r)
	}
	return nil
}

// addEntries writes thread entries, each with the row that makes its message id
// unique when it has one.
func addEntries(b *batch, w decide.Write) error {
	for _, e := range w.Entries {
		r, err := putDoc(entryKey(e.ItemID, e.ID), e)
		if err != nil {
			return err
		}
		b.create(r)
		if e.MessageID == "" && e.MessageKey == "" {
			continue
		}
		ref := EntryRef{ItemID: e.ItemID, EntryID: e.ID}
		if e.MessageKey != "" {
			ref.Body, ref.In, ref.Outcome = w.Mailed.Body, w.Mailed.In, w.Mailed.Outcome
			if err := b.message(e.MessageKey, ref, e.CreatedAt); err != nil {
				return err
			}
			continue
		}
		u, err := putDoc(messageIDKey(e.MessageID), ref)
		if err != nil {
			return err
		}
		b.add(causeMessage, table.Action{
			Kind: table.Put, Key: keyOf(tableInbox, u), Row: u, If: table.Absent(table.PartitionKey),
		})
	}
	return nil
}

// addJobs writes job rows.
func addJobs(b *batch, w decide.Write) error {
	for _, j := range w.Jobs {
		j.Version = max(j.Version, 1)
		r, err := jobRow(&j)
		if err != nil {
			return err
		}
		b.create(r)
	}
	return nil
}

// hourEdit is what one write does to one hour row.
type hourEdit struct {
	row     inbox.HourRow
	take    []inbox.Claim
	release []inbox.Claim
}

// editsOf merges claims taken and released into one edit for each hour row, in
// the order they come.
func editsOf(w decide.Write) []*hourEdit {
	var edits []*hourEdit
	byRow := map[inbox.HourRow]*hourEdit{}
	at := func(h inbox.HourRow) *hourEdit {
		if byRow[h] == nil {
			byRow[h] = &hourEdit{row: h}
			edits = append(edits, byRow[h])
		}
		return byRow[h]
	}
	for _, c := range w.Take {
		for _, h := range c.Rows() {
			e := at(h)
			e.take = append(e.take, c)
		}
	}
	for _, c := range w.Release {
		for _, h := range c.Rows() {
			e := at(h)
			e.release = append(e.release, c)
		}
	}
	return edits
}

// addPlaces writes claims and takes them away, one action for each hour row. A
// row that takes a claim must stand at the rev that was judged; a row that only
// frees needs no rev (00 §4).
func addPlaces(b *batch, w decide.Write) error {
	for _, e := range editsOf(w) {
		a, err := e.action(w.Places)
		if err != nil {
			return err
		}
		b.add(causeRow, a)
	}
	return nil
}

func (e *hourEdit) action(judged inbox.Places) (table.Action, error) {
	a := table.Action{Kind: table.Update, Key: hourKey(e.row), Set: table.Row{}}
	for _, c := range e.take {
		a.Set[claimPrefix+c.ID] = encodeClaim(c)
	}
	for _, c := range e.release {
		if name := claimPrefix + c.ID; !a.Set.Has(name) {
			a.Remove = append(a.Remove, name)
		}
	}
	if len(e.take) == 0 {
		a.Set = nil
		return a, nil
	}
	rev, ok := judged.Revs[e.row]
	if !ok {
		return a, fmt.Errorf("store: a claim in an hour row that was not read: %s %d", e.row.Resource, e.row.Hour)
	}
	a.Set[attrSchema], a.Set[attrRev] = int64(SchemaNumber), rev+1
	a.Set[table.TTL] = (e.row.Hour+1)*3600 + placesKeptDays*86400
	a.If = table.Eq{Name: attrRev, Value: rev}
	if rev == 0 {
		a.If = table.Absent(attrRev) // also of a row that a late release left empty
	}
	return a, nil
}

// full says whether a write claims in an hour row that takes no more; see
// [placesOf].
func full(w decide.Write) bool {
	for _, c := range w.Take {
		for _, h := range c.Rows() {
			if w.Places.Revs[h] < 0 {
				return true
			}
		}
	}
	return false
}
