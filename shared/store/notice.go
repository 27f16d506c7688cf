package store

import (
	"context"
	"time"

	"github.com/oklog/ulid/v2"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// noticeKept is how long a notice stands (05 §5.13).
const noticeKept = 90 * inbox.Day

// noticeKey is a notice's row: the month of its id, so that a list reads few
// partitions and a notice is found by its id alone. An id that is none has no row.
func noticeKey(id string) table.Key { return key(noticeMonth(noticeTime(id)), id) }

func noticeTime(id string) time.Time {
	u, err := ulid.ParseStrict(id)
	if err != nil {
		return time.Time{}
	}
	return ulid.Time(u.Time()).UTC()
}

func noticeMonth(t time.Time) string { return "n#" + t.Format("200601") }

// onceKey remembers that something was told in a period: a notice that stands
// for several, or the day's mail to the owner.
func onceKey(what string) table.Key { return key("once#"+digest(what), "o") }

func noticeRow(n *inbox.Notice, rev int) (table.Row, error) {
	r, err := putDoc(noticeKey(n.ID), n)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(rev)
	r[table.TTL] = int64(n.At.Add(noticeKept))/inbox.Second + 1
	return r, nil
}

func noticeOf(r table.Row) (*inbox.Notice, error) {
	n, err := docOf[inbox.Notice](r)
	if n != nil {
		n.Rev = int(r.Int(attrRev))
	}
	return n, err
}

// NewNotice is a notice to be kept, with what must be written beside it.
type NewNotice struct {
	Notice inbox.Notice
	// Once, unless "", names what it stands for together with others until Until:
	// a second one is only counted on the first.
	Once  string
	Until inbox.Instant
	// Message is the mail's message key and Ref what to remember under it; "" for
	// none.
	Message string
	Ref     EntryRef
	// In is the received mail as it will stand; nil for none.
	In *inbox.InMail
	// Job is owed with it; nil for none. It is owed once by Once + day, see
	// [Store.FirstToday].
	Job *inbox.Job
	// Day names the job's own period, "" for none.
	Day string
}

// KeepNotice keeps a notice, or counts it on the one that stands for it, and
// answers the id of the one that stands. [*Lost] with Message when the mail was
// kept before, with Version when the received mail moved. A few storage calls.
func (s *Store) KeepNotice(ctx context.Context, n NewNotice) (string, error) {
	budget := s.Budget()
	for {
		id, again, err := s.keepNotice(ctx, n)
		if !again {
			return id, err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return "", err
		}
	}
}

func (s *Store) keepNotice(ctx context.Context, n NewNotice) (id string, again bool, err error) {
	now := n.Notice.At
	once, err := s.told(ctx, n.Once, now)
	if err != nil {
		return "", false, err
	}
	day, err := s.told(ctx, n.Day, now)
	if err != nil {
		return "", false, err
	}
	b := &batch{}
	id = n.Notice.ID
	if once != "" {
		id = once
		err = s.countNotice(ctx, b, once)
	} else {
		err = b.notice(n)
	}
	if err == nil && once == "" && day == "" && n.Job != nil {
		err = b.daysJob(n, now)
	}
	if err == nil && n.Message != "" {
		err = b.message(n.Message, n.Ref.of(id), now)
	}
	if err == nil && n.In != nil {
		in := *n.In
		in.Outcome = inbox.Ptr(*in.Outcome)
		in.Outcome.NoticeID = id
		err = b.inMail(&in)
	}
	if err != nil || len(b.actions) == 0 {
		return id, false, err
	}
	err = s.save(ctx, b)
	lost, is := AsLost(err)
	if is && lost.Message == nil && lost.Rows { // counted or told by another meanwhile
		return "", true, err
	}
	return id, false, err
}

func (r EntryRef) of(noticeID string) EntryRef {
	r.NoticeID = noticeID
	return r
}

// told is the id that was told in a period that still lasts, "" for none.
func (s *Store) told(ctx context.Context, what string, now inbox.Instant) (string, error) {
	if what == "" {
		return "", nil
	}
	r, err := s.get(ctx, onceKey(what))
	if err != nil || r == nil || r.Int(attrExpires) <= int64(now) {
		return "", err
	}
	return r.String(attrOwner), nil
}

// once adds the row of a period; another that stands there is cause to read
// again.
func (b *batch) once(what, id string, now, until inbox.Instant) {
	r := newRow(onceKey(what))
	r[attrOwner], r[attrExpires], r[table.TTL] = id, int64(until), int64(until)/inbox.Second+1
	b.add(causeRow, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: messageAbsent(now)})
}

// notice adds a new notice's row, with that of its period.
func (b *batch) notice(n NewNotice) error {
	r, err := noticeRow(&n.Notice, 1)
	if err != nil {
		return err
	}
	b.create(r)
	if n.Once != "" {
		b.once(n.Once, n.Notice.ID, n.Notice.At, n.Until)
	}
	return nil
}

// daysJob adds the job of a day's first notice.
func (b *batch) daysJob(n NewNotice, now inbox.Instant) error {
	r, err := jobRow(n.Job)
	if err != nil {
		return err
	}
	b.create(r)
	b.once(n.Day, n.Notice.ID, now, now.Add(inbox.Day))
	return nil
}

// message adds the row that makes a mail's message id unique.
func (b *batch) message(id string, ref EntryRef, now inbox.Instant) error {
	r, err := mailMessageRow(id, ref, now)
	if err == nil {
		b.add(causeMessage, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: messageAbsent(now)})
	}
	return err
}

// countNotice adds one to a notice that stands for several.
func (s *Store) countNotice(ctx context.Context, b *batch, id string) error {
	n, err := s.Notice(ctx, id)
	if err != nil || n == nil {
		return err
	}
	n.Count++
	r, err := noticeRow(n, n.Rev+1)
	if err == nil {
		b.add(causeRow, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: atRev(int64(n.Rev))})
	}
	return err
}

// NoticeNow is [Store.Notice] for one that is not past its time (05 §5.13).
func (s *Store) NoticeNow(ctx context.Context, id string, now inbox.Instant) (*inbox.Notice, error) {
	n, err := s.Notice(ctx, id)
	if n != nil && n.At <= now.Add(-noticeKept) {
		return nil, err
	}
	return n, err
}

// Notice reads a notice, nil for none: one storage call.
func (s *Store) Notice(ctx context.Context, id string) (*inbox.Notice, error) {
	if !inbox.ValidID(id) {
		return nil, nil
	}
	r, err := s.get(ctx, noticeKey(id))
	if err != nil {
		return nil, err
	}
	return noticeOf(r)
}

// SaveNotice writes a notice as it will stand, at the rev it was read. [*Lost]
// with Version when it moved. One storage call.
func (s *Store) SaveNotice(ctx context.Context, n *inbox.Notice) error {
	r, err := noticeRow(n, n.Rev+1)
	if err != nil {
		return err
	}
	b := &batch{}
	b.replace(r, int64(n.Rev))
	if err := s.save(ctx, b); err != nil {
		return err
	}
	n.Rev++
	return nil
}

// Notices lists notices, newest first, those older than the id before; "" begins
// at the newest. Those past their time are left out. One storage call for each
// month, at most five.
func (s *Store) Notices(ctx context.Context, now inbox.Instant, before string, limit int) ([]inbox.Notice, error) {
	from := now.Time()
	if before != "" {
		from = noticeTime(before)
	}
	oldest := now.Add(-noticeKept).Time()
	found := []inbox.Notice{}
	for at := from; noticeMonth(at) >= noticeMonth(oldest) && len(found) < limit; at = monthBefore(at) {
		q := table.Query{Table: tableInbox, Partition: noticeMonth(at), Desc: true}
		rows, err := s.queryAll(ctx, q, 0)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			n, err := noticeOf(r)
			if err != nil {
				return nil, err
			}
			if (before == "" || n.ID < before) && n.At > now.Add(-noticeKept) && len(found) < limit {
				found = append(found, *n)
			}
		}
	}
	return found, nil
}

func monthBefore(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC).Add(-time.Second)
}
