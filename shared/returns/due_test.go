package returns

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
)

// TestDue are the worked examples of 02 §13.7.
func TestDue(t *testing.T) {
	notice := instantAt("2026-10-20T10:00:00Z")
	cases := map[string]struct {
		kind       string
		goods      string // when they arrived
		settled    inbox.Instant
		refundDays int
		due        string
	}{
		"ok/withdrawal, nothing to return": {KindWithdrawal, "", notice, 14, "2026-11-03T10:00:00Z"},
		"ok/goods back early":              {KindWithdrawal, "2026-10-25T09:00:00Z", notice, 14, "2026-11-03T10:00:00Z"},
		"ok/goods back late":               {KindWithdrawal, "2026-11-02T09:00:00Z", notice, 14, "2026-11-05T09:00:00Z"},
		"ok/policy, seven days":            {KindPolicy, "2026-10-24T09:00:00Z", notice, 7, "2026-10-31T09:00:00Z"},
		"ok/policy, nothing to return":     {KindPolicy, "", instantAt("2026-10-22T08:00:00Z"), 14, "2026-11-05T08:00:00Z"},
		"ok/faulty":                        {KindFaulty, "2026-10-24T09:00:00Z", notice, 3, "2026-10-27T09:00:00Z"},
		"ok/cancellation":                  {KindCancellation, "", notice, 14, "2026-11-03T10:00:00Z"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := &inbox.Refund{Kind: c.kind, NoticeAt: &notice}
			if c.goods != "" {
				r.EvidenceAt = inbox.Ptr(instantAt(c.goods))
			}
			if got := Due(r, c.settled, c.refundDays); got != instantAt(c.due) {
				t.Errorf("due %v, want %s", got, c.due)
			}
		})
	}
}

func TestInTime(t *testing.T) {
	due := instantAt("2026-11-03T10:00:00.900Z")
	cases := map[string]struct {
		due    *inbox.Instant
		paid   string
		inTime bool
	}{
		"ok/before":                  {&due, "2026-11-03T10:00:00.100Z", true},
		"ok/after, in the second":    {&due, "2026-11-03T10:00:00.950Z", true},
		"fail/in the next second":    {&due, "2026-11-03T10:00:01.000Z", false},
		"ok/no date was ever fixed":  {nil, "2030-01-01T00:00:00Z", true},
		"ok/at the very millisecond": {&due, "2026-11-03T10:00:00.900Z", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := InTime(c.due, instantAt(c.paid)); got != c.inTime {
				t.Errorf("%v, want %v", got, c.inTime)
			}
		})
	}
}

func TestAlerts(t *testing.T) {
	cases := map[string]struct {
		refund inbox.Refund
		law    Law
		at     []string
	}{
		"ok/three days before and on the day": {
			inbox.Refund{Kind: KindPolicy, Amount: euro(1), RefundDue: inbox.Ptr(instantAt("2026-10-13T10:00:00Z"))}, LawEU,
			[]string{"2026-10-10T08:00:00Z", "2026-10-13T08:00:00Z"},
		},
		"ok/over the change of clocks": {
			inbox.Refund{Kind: KindPolicy, Amount: euro(1), RefundDue: inbox.Ptr(instantAt("2026-10-27T10:00:00Z"))}, LawEU,
			[]string{"2026-10-24T08:00:00Z", "2026-10-27T09:00:00Z"},
		},
		"ok/Portugal, ten days after the notice": {
			inbox.Refund{Kind: KindWithdrawal, Amount: euro(1), NoticeAt: inbox.Ptr(instantAt("2026-06-01T10:00:00Z")), RefundDue: inbox.Ptr(instantAt("2026-06-15T10:00:00Z"))}, LawPT,
			[]string{"2026-06-11T08:00:00Z", "2026-06-15T08:00:00Z"},
		},
		"ok/Portugal, goods back late": {
			inbox.Refund{Kind: KindWithdrawal, Amount: euro(1), NoticeAt: inbox.Ptr(instantAt("2026-06-01T10:00:00Z")), RefundDue: inbox.Ptr(instantAt("2026-07-01T10:00:00Z"))}, LawPT,
			[]string{"2026-06-11T08:00:00Z", "2026-07-01T08:00:00Z"},
		},
		"ok/elsewhere the notice does not matter": {
			inbox.Refund{Kind: KindWithdrawal, Amount: euro(1), NoticeAt: inbox.Ptr(instantAt("2026-06-01T10:00:00Z")), RefundDue: inbox.Ptr(instantAt("2026-07-01T10:00:00Z"))}, LawUK,
			[]string{"2026-06-28T08:00:00Z", "2026-07-01T08:00:00Z"},
		},
		"ok/Portugal, no withdrawal": {
			inbox.Refund{Kind: KindFaulty, Amount: euro(1), NoticeAt: inbox.Ptr(instantAt("2026-06-01T10:00:00Z")), RefundDue: inbox.Ptr(instantAt("2026-07-01T10:00:00Z"))}, LawPT,
			[]string{"2026-06-28T08:00:00Z", "2026-07-01T08:00:00Z"},
		},
		"ok/no date":         {inbox.Refund{Kind: KindPolicy, Amount: euro(1)}, LawEU, nil},
		"ok/nothing is owed": {inbox.Refund{Kind: KindPolicy, Amount: euro(0), RefundDue: inbox.Ptr(instantAt("2026-07-01T10:00:00Z"))}, LawEU, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var want []inbox.Instant
			for _, at := range c.at {
				want = append(want, instantAt(at))
			}
			if got := Alerts(&c.refund, c.law, zone("Europe/Lisbon")); !reflect.DeepEqual(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// TestDueProperties: after a withdrawal nobody waits longer for their money than
// the law says, nor is it due before the goods are back.
func TestDueProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		notice := inbox.Instant(rapid.Int64Range(1e12, 3e12).Draw(t, "notice"))
		r := &inbox.Refund{Kind: KindWithdrawal, NoticeAt: &notice, Amount: euro(1)}
		if due := Due(r, notice, rapid.IntRange(1, 14).Draw(t, "days")); due != notice.Add(14*inbox.Day) {
			t.Fatalf("due %v", due)
		}
		back := notice.Add(rapid.Int64Range(0, 30*inbox.Day).Draw(t, "back"))
		r.EvidenceAt = &back
		due := Due(r, notice, 14)
		if due < notice.Add(14*inbox.Day) || due < back.Add(3*inbox.Day) || due > notice.Add(14*inbox.Day) && due > back.Add(3*inbox.Day) {
			t.Fatalf("notice %v, back %v, due %v", notice, back, due)
		}
		r.RefundDue = &due
		alerts := Alerts(r, rapid.SampledFrom([]Law{LawPT, LawEU, LawUK}).Draw(t, "law"), zone(rapid.SampledFrom(someZones).Draw(t, "zone")))
		if len(alerts) != 2 || alerts[0] > alerts[1] || int64(due-alerts[0]) < 2*inbox.Day {
			t.Fatalf("due %v, alerts %v", due, alerts)
		}
	})
}
