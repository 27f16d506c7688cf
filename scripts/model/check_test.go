package model

import (
	"fmt"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// compare holds one item against its model (00 §8).
func (m *run) compare(i *item) {
	m.t.Helper()
	rec := m.record(i.id)
	if rec == nil {
		m.broken("item %s is gone", i.id)
		return
	}
	m.stands(i, rec)
	events, err := m.store.Events(m.ctx, i.id)
	m.must(err)
	for n, e := range events {
		if e.Seq != n+1 {
			m.broken("item %s: event %d stands at %d", i.id, e.Seq, n+1)
		}
	}
	if len(events) != i.version {
		m.broken("item %s: %d events at version %d", i.id, len(events), i.version)
	}
	entries, err := m.store.Thread(m.ctx, i.id, 0)
	m.must(err)
	if len(entries) != i.entries {
		m.broken("item %s: %d thread entries, want %d", i.id, len(entries), i.entries)
	}
	offers, err := m.store.Offers(m.ctx, i.id)
	m.must(err)
	open := 0
	for _, o := range offers {
		if o.Status == inbox.OfferOpen {
			open++
		}
	}
	if want := map[bool]int{true: 1}[i.open]; open != want {
		m.broken("item %s is %s with %d open offers, want %d", i.id, i.state, open, want)
	}
}

// stands compares what is in the item's row.
func (m *run) stands(i *item, rec *inbox.Record) {
	m.t.Helper()
	if string(rec.Item.State) != i.state || rec.Item.Version != i.version || rec.Item.Flags.Sandbox != i.sandbox || rec.Item.PartyID != i.party {
		m.broken("item %s: %s at version %d, the model has %s at %d", i.id, rec.Item.State, rec.Item.Version, i.state, i.version)
		return
	}
	switch {
	case i.claim == nil && len(rec.Claims) > 0, i.claim != nil && len(rec.Claims) != 1:
		m.broken("item %s: holds %d places", i.id, len(rec.Claims))
	case i.claim != nil && (rec.Claims[0].From != i.claim[0] || rec.Claims[0].To != i.claim[1]):
		m.broken("item %s: holds %s to %s", i.id, rec.Claims[0].From, rec.Claims[0].To)
	}
	waits := i.clocked && i.kind == "booking" && (i.state == "requested" || i.state == "needs_info")
	switch {
	case (waits && i.expires != 0) != (rec.DueKind == "expire"):
		m.broken("item %s: %s waits for %q", i.id, i.state, rec.DueKind)
	case waits && i.expires != 0 && *rec.DueAt != i.expires:
		m.broken("item %s: expires at %s, want %s", i.id, rec.DueAt, i.expires)
	case (i.state == "confirmed") != (rec.DueKind == "complete"):
		m.broken("item %s: %s waits for %q", i.id, i.state, rec.DueKind)
	}
	if p := rec.Item.Payload.Booking; p != nil {
		price := int64(-1)
		if p.TotalPrice != nil {
			price = p.TotalPrice.Value
		}
		if price != i.price || rec.Unpriced != i.unpriced || p.PaidAmount != nil {
			m.broken("item %s: costs %d (unpriced %t), want %d (%t)", i.id, price, rec.Unpriced, i.price, i.unpriced)
		}
	}
}

// advance moves the clock, often onto or beside a deadline, and sweeps.
func (m *run) advance() {
	to := m.now.Add(int64(1+m.r.IntN(90)) * inbox.Minute)
	if m.one(9) {
		to = m.now.Add(int64(6+m.r.IntN(30)) * inbox.Hour)
	}
	if i := m.anItem("booking"); i != nil && m.one(3) {
		if at := m.deadline(i); at > m.now && at < m.now.Add(3*inbox.Day) {
			to = max(m.now, at.Add(int64(m.r.IntN(3)-1)))
		}
	}
	m.now = to
	if m.one(5) {
		m.note("the clock moves, nothing sweeps")
		return
	}
	m.note("sweep")
	_, _ = m.worker.Sweep(m.ctx) // trouble: the next one does it
	if m.one(10) {
		_ = m.worker.Daily(m.ctx)
	}
	m.swept(false)
}

// deadline is when an item moves by itself, 0 for never.
func (m *run) deadline(i *item) inbox.Instant {
	switch {
	case i.kind != "booking" || i.claim == nil && !i.clocked:
		return 0
	case (i.state == "requested" || i.state == "needs_info") && i.clocked:
		return i.expires
	case i.state == "confirmed":
		return i.to.Add(int64(m.rules.complete) * inbox.Hour)
	}
	return 0
}

// swept brings the model to where a sweep may have brought the items: what is
// due has fired or, in trouble, waits for the next sweep; nothing else moved.
func (m *run) swept(all bool) {
	m.t.Helper()
	for _, i := range m.items {
		rec := m.record(i.id)
		if due := m.deadline(i); due != 0 && due <= m.now && rec.Item.Version == i.version+1 {
			m.lapsed(i, due)
		} else if due != 0 && due <= m.now && all {
			m.broken("item %s was due at %s and did not move", i.id, due)
		}
		m.stands(i, rec)
	}
}

// lapsed moves an item as the sweep does (01 §13.1).
func (m *run) lapsed(i *item, due inbox.Instant) {
	i.version++
	if i.state == "confirmed" {
		i.state = "completed"
	} else {
		i.state = "expired"
		if m.now-due <= 7*inbox.Day {
			i.tellCustomer("expire", m.now)
		}
	}
	i.settle(m)
	meet(i.state)
	m.note("%s lapsed to %s", i.id, i.state)
}

// recount checks the whole table in a calm moment.
func (m *run) recount() {
	m.t.Helper()
	m.calm()
	findings, err := m.store.Check(m.ctx)
	m.must(err)
	if len(findings) > 0 {
		m.broken("check: %s", strings.Join(findings, "\n"))
	}
	for _, sandbox := range []bool{false, true} {
		m.listed(sandbox)
	}
	for _, i := range m.items {
		m.compare(i)
	}
	m.troubles()
}

// listed holds the owner's list, page by page, against the model.
func (m *run) listed(sandbox bool) {
	m.t.Helper()
	var got, want []string
	for cursor := ""; ; {
		page, next, err := m.store.ListItems(m.ctx, store.ListQuery{Sandbox: sandbox, Limit: 7, Cursor: cursor})
		m.must(err)
		for _, r := range page {
			got = append(got, r.Item.ID)
		}
		if next == nil {
			break
		}
		cursor = *next
	}
	for _, i := range m.items {
		if i.sandbox == sandbox {
			want = append(want, i.id)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		m.broken("the list (sandbox %t) has %d items, want %d", sandbox, len(got), len(want))
	}
}

// quiet lets everything owed be done and everything due happen, then holds the
// mails against what was owed: none lost, none twice.
func (m *run) quiet() {
	m.t.Helper()
	m.note("quiet")
	m.troubled = false
	m.calm()
	m.must(m.worker.Daily(m.ctx))
	for range 2000 {
		ran, err := m.worker.Sweep(m.ctx)
		m.must(err)
		m.swept(true)
		if m.t.Failed() {
			return
		}
		if ran.Done() {
			continue
		}
		next, err := m.store.NextDue(m.ctx)
		m.must(err)
		if next == nil {
			break
		}
		m.now = max(m.now.Add(1), *next)
	}
	m.recount()
	m.calm()
	for _, i := range m.items {
		m.mailed(i)
	}
	open, err := m.store.OpenJobs(m.ctx, 100)
	m.must(err)
	failed, err := m.store.FailedJobs(m.ctx, 100)
	m.must(err)
	if len(open)+len(failed) > 0 {
		m.broken("%d jobs are open and %d failed", len(open), len(failed))
	}
}

// mailed compares an item's mails with what it owed.
func (m *run) mailed(i *item) {
	m.t.Helper()
	mails, err := m.store.Mails(m.ctx, i.id)
	m.must(err)
	events, err := m.store.Events(m.ctx, i.id)
	m.must(err)
	name := map[string]string{"": "entry"}
	for _, e := range events {
		name[e.ID] = e.Event
	}
	got, acks := map[string]int{}, 0
	for _, mail := range mails {
		if strings.HasPrefix(mail.JobKey, "ack:") {
			acks++
		} else {
			got[mail.Recipient+" of "+name[mail.EventID]]++
		}
		taken := m.post.sent[mail.ID]
		switch {
		case mail.Status == inbox.MailSent && taken == 1 && !i.sandbox:
		case mail.Status == inbox.MailSkipped && taken == 0:
		default:
			m.broken("item %s: a mail is %s, and was handed over %d times", i.id, mail.Status, taken)
		}
	}
	i.once(got)
	if spam := i.everSpam; !spam && fmt.Sprint(got) != fmt.Sprint(i.owed) {
		m.broken("item %s: mails %v, owed %v", i.id, got, i.owed)
	} else if spam {
		for about, n := range got {
			if n > i.owed[about] {
				m.broken("item %s: %d mails to %s, owed %d", i.id, n, about, i.owed[about])
			}
		}
	}
	m.acknowledged(i, acks)
}

// once forgives of the mails that were owed about words kept inside all but one,
// for of an item one an hour is written (05 §3.4).
func (i *item) once(got map[string]int) {
	mailed := 0
	for about, n := range i.held {
		missing := min(max(0, i.owed[about]-got[about]), n)
		mailed += n - missing
		if i.owed[about] -= missing; i.owed[about] == 0 {
			delete(i.owed, about)
		}
	}
	if len(i.held) > 0 && mailed == 0 {
		i.owe("owner", "words kept inside")
	}
}

// acknowledged holds the acknowledgement against what the customer heard before
// it was due, 90 s after the create.
func (m *run) acknowledged(i *item, acks int) {
	m.t.Helper()
	due := i.created.Add(90 * inbox.Second)
	switch {
	case acks > 1, acks == 1 && !i.ack:
		m.broken("item %s: acknowledged %d times", i.id, acks)
	case acks == 1 && i.heardAt != 0 && i.heardAt < due:
		m.broken("item %s: acknowledged after the customer had heard", i.id)
	case acks == 0 && i.ack && i.heardAt == 0 && i.state == "requested":
		m.broken("item %s: never acknowledged", i.id)
	}
}
