package work_test

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
)

// dueMails are the owner's reminders of a refund, by when they were composed.
func (w *world) dueMails(id string) (at []string) {
	for _, m := range w.mails(id) {
		if m.Template == "owner.refund_due" {
			at = append(at, m.CreatedAt.String())
		}
	}
	slices.Sort(at)
	return at
}

// TestRefundDue: the owner is reminded three days before a refund is due and on
// the day, at nine in the morning, while it is not paid (01 §13.1, 05 §3.4).
func TestRefundDue(t *testing.T) {
	cancelled := func(w *world) opened {
		o := w.sold(false)
		w.sends(owner, o, "cancel", `{}`) // due on the 19th
		return w.refund(o)
	}
	cases := map[string]struct {
		do   func(w *world) opened
		days int64
		want []string
	}{
		"ok/before and on the day": {cancelled, 20, []string{"2026-10-16T08:00:00.000Z", "2026-10-19T08:00:00.000Z"}},
		"ok/not yet":               {cancelled, 10, nil},
		"ok/paid before": {func(w *world) opened {
			r := cancelled(w)
			w.sends(owner, r, "refund", `{"paymentRef":"b"}`)
			return r
		}, 20, nil},
		"ok/paid in between": {func(w *world) opened {
			r := cancelled(w)
			w.ahead(13)
			w.sends(owner, r, "refund", `{"paymentRef":"b"}`)
			return r
		}, 20, []string{"2026-10-16T08:00:00.000Z"}},
		"ok/dropped": {func(w *world) opened {
			r := cancelled(w)
			w.sends(owner, r, "record_cancel", `{"note":"does not want it"}`)
			return r
		}, 20, nil},
		"ok/settled for nothing": {func(w *world) opened {
			r := cancelled(w)
			w.sends(owner, r, "record_settlement", `{"note":"rang","amount":{"value":0,"currency":"EUR"}}`)
			return r
		}, 20, nil},
		"ok/in Portugal, ten days after the notice": {func(w *world) opened {
			w.settings(`{"commerce":{"legal":{"country":"PT"}},"notifications":{"ownerEmail":"` + ownerEmail + `"}}`)
			o := w.sold(false)
			w.withdraws(o)
			return w.refund(o)
		}, 20, []string{"2026-10-15T08:00:00.000Z", "2026-10-19T08:00:00.000Z"}},
		"ok/goods back late": {func(w *world) opened {
			o := w.sold(true)
			w.withdraws(o)
			r := w.refund(o)
			w.ahead(16)
			w.sends(owner, r, "goods_back", `{}`) // on the 21st: due three days later
			w.sweep()
			return r
		}, 20, []string{"2026-10-21T08:00:00.000Z", "2026-10-24T08:00:00.000Z"}},
		"ok/nothing was paid": {func(w *world) opened {
			o := w.taken()
			w.sends(owner, o, "fulfil", `{}`)
			w.withdraws(o)
			r := w.refund(o)
			w.sends(owner, r, "goods_back", `{}`)
			return r
		}, 30, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			r := c.do(w)
			w.ahead(c.days)
			if got := w.dueMails(r.id); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			for _, m := range w.mails(r.id) {
				if m.Template == "owner.refund_due" && m.Recipient != "owner" {
					t.Errorf("%+v", m)
				}
			}
			w.clean()
		})
	}
}

// ahead lets so many days pass, an hour at a time.
func (w *world) ahead(days int64) {
	for range 24 * days {
		w.wait(inbox.Hour)
		w.sweep()
	}
}
