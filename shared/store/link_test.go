package store_test

import (
	"strings"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
)

func (w *world) link(rec *inbox.Record, n string, at inbox.Instant) inbox.Link {
	until := at.Add(inbox.Day)
	return inbox.Link{
		JTI: strings.Repeat(n, 22), ItemID: rec.Item.ID, Action: inbox.LinkCancel, TermsSHA: "cancel:" + rec.Item.ID,
		Until: until, ExpiresAt: until.Add(inbox.LinkGrace), Lang: "en", MailKey: "k", KID: "kid", CreatedAt: at,
	}
}

// TestLinks: links are kept with their mail, whole or not at all, and read by
// their ids until they are forgotten.
func TestLinks(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		key := j.Effects[0].ID
		a, b := w.link(rec, "a", now), w.link(rec, "b", now)
		lost := *j
		lost.Version--
		if _, err := w.ComposeMail(w.ctx, &lost, w.mail(rec, key, now), nil, a); err == nil {
			t.Error("composed without a lease")
		}
		if l := must(w.Link(w.ctx, a.JTI, now))(t); l != nil {
			t.Errorf("a link without its mail: %+v", l)
		}
		must(w.ComposeMail(w.ctx, j, w.mail(rec, key, now), nil, a, b))(t)
		got := must(w.Link(w.ctx, a.JTI, now))(t)
		if got == nil || got.Rev != 1 || got.Action != inbox.LinkCancel || got.ExpiresAt != a.ExpiresAt || got.MailKey != "k" {
			t.Fatalf("%+v", got)
		}
		if l := must(w.Link(w.ctx, strings.Repeat("c", 22), now))(t); l != nil {
			t.Errorf("an unknown link: %+v", l)
		}
		forgotten := a.ExpiresAt.Add(inbox.LinkKept)
		if l := must(w.Link(w.ctx, a.JTI, forgotten-1))(t); l == nil {
			t.Error("forgotten too early")
		}
		if l := must(w.Link(w.ctx, a.JTI, forgotten))(t); l != nil {
			t.Error("not forgotten")
		}
		both := must(w.Links(w.ctx, []string{a.JTI, b.JTI, strings.Repeat("c", 22)}))(t)
		if len(both) != 2 {
			t.Errorf("%d links", len(both))
		}
		if none := must(w.Links(w.ctx, nil))(t); len(none) != 0 {
			t.Errorf("%d links of none", len(none))
		}
		// Composed again after the lease ended: the links stay as they were.
		j.Effects[0].Done = false
		later := w.link(rec, "a", now.Add(inbox.Hour))
		must(w.ComposeMail(w.ctx, j, w.mail(rec, key, now), nil, later))(t)
		if l := must(w.Link(w.ctx, a.JTI, now))(t); l.ExpiresAt != a.ExpiresAt {
			t.Error("a stored link was replaced")
		}
	})
}

// TestLinkUsedOnce: of two writes that use a link one commits, whole.
func TestLinkUsedOnce(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		must(w.ComposeMail(w.ctx, j, w.mail(rec, j.Effects[0].ID, now), nil, w.link(rec, "a", now)))(t)
		l := must(w.Link(w.ctx, strings.Repeat("a", 22), now))(t)
		used := func(did string) decide.Write {
			next := *l
			next.UsedAt, next.Did, next.Became = inbox.Ptr(now), did, inbox.StateCancelled
			return decide.Write{Link: &next}
		}
		w.commit(used("cancel"))
		if lost := w.lost(used("cancel_late")); !lost.Version {
			t.Errorf("lost %+v", lost)
		}
		got := must(w.Link(w.ctx, l.JTI, now))(t)
		if got.UsedAt == nil || got.Did != "cancel" || got.Became != inbox.StateCancelled || got.Rev != 2 {
			t.Errorf("%+v", got)
		}
	})
}
