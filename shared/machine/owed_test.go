package machine

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

var update = flag.Bool("update", false, "write testdata/owed.txt; the lists may only have shrunk")

// owedLines is both lists of 00 §3, one line each.
func owedLines() []string {
	var lines []string
	for _, r := range Refusing() {
		lines = append(lines, fmt.Sprintf("refuses %s %s from %s", r.Type, r.Event, r.From))
	}
	for _, s := range Skipped() {
		lines = append(lines, "skips "+string(s.Effect))
	}
	return lines
}

// TestOwedOnlyShrinks prints what still refuses and what is skipped, and
// compares both with the committed list: nothing may be added, and what is gone
// has to go from the file too (go test ./shared/machine -update).
func TestOwedOnlyShrinks(t *testing.T) {
	const path = "testdata/owed.txt"
	lines := owedLines()
	t.Logf("%d owed:\n%s", len(lines), strings.Join(lines, "\n"))
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden := strings.Split(strings.TrimSpace(string(raw)), "\n")
	grown, gone := without(lines, golden), without(golden, lines)
	if len(grown) > 0 {
		t.Fatalf("the lists may only shrink, these are new: %s", strings.Join(grown, "; "))
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(gone) > 0 || len(lines) != len(golden) {
		t.Errorf("no longer owed, take it out of %s with -update: %s", path, strings.Join(gone, "; "))
	}
}

// without is the lines of a that b has not.
func without(a, b []string) []string {
	var rest []string
	for _, l := range a {
		if !slices.Contains(b, l) {
			rest = append(rest, l)
		}
	}
	return rest
}

// TestWorkingVerbs: the verbs that work by now, and no others.
func TestWorkingVerbs(t *testing.T) {
	want := map[inbox.Type]map[inbox.State]string{
		inbox.TypeBooking: {
			"requested":  "request_info propose confirm decline expire cancel cancel_by_business record_cancel",
			"needs_info": "provide_info propose confirm decline expire cancel cancel_by_business record_cancel",
			"proposed":   "request_info propose accept confirm counter retract decline expire cancel cancel_by_business record_cancel",
			"confirmed":  "cancel cancel_late cancel_by_business record_cancel record_cancel_late record_payment withdraw record_withdrawal complete no_show propose_change accept_change decline_change retract_change expire_change",
			"completed":  "no_show",
			"no_show":    "complete",
		},
		inbox.TypeOrder: {
			"received":         "request_info propose accept expire decline cancel record_cancel",
			"needs_info":       "provide_info propose accept expire decline cancel record_cancel",
			"proposed":         "request_info propose accept counter retract expire decline cancel record_cancel",
			"accepted":         "request_payment record_payment start_fulfilment fulfil cancel record_cancel withdraw record_withdrawal propose_change accept_change decline_change retract_change expire_change",
			"awaiting_payment": "record_payment payment_failed cancel record_cancel withdraw record_withdrawal lapse propose_change accept_change decline_change retract_change expire_change",
			"payment_failed":   "record_payment cancel record_cancel withdraw record_withdrawal lapse propose_change accept_change decline_change retract_change expire_change",
			"paid":             "start_fulfilment fulfil cancel record_cancel withdraw record_withdrawal charge_back propose_change accept_change decline_change retract_change expire_change",
			"fulfilling":       "record_payment fulfil cancel record_cancel withdraw record_withdrawal charge_back propose_change accept_change decline_change retract_change expire_change",
			"fulfilled":        "record_payment record_delivery complete withdraw record_withdrawal request_return open_return charge_back",
			"completed":        "record_payment record_delivery withdraw record_withdrawal request_return open_return record_charge_back",
		},
		inbox.TypeRefund: {
			"requested":      "approve reject cancel record_cancel",
			"approved":       "goods_back record_settlement refund cancel record_cancel",
			"goods_received": "dispute_goods record_settlement refund record_cancel",
		},
		inbox.TypeQuote: {
			"received":   "request_info quote decline expire",
			"needs_info": "provide_info quote decline expire",
			"quoted":     "quote accept counter retract decline expire",
		},
		inbox.TypeMessage: {
			"open":     "answer close mark_spam",
			"answered": "reopen close mark_spam",
			"closed":   "reopen",
			"spam":     "unspam",
		},
	}
	for _, typ := range inbox.Types {
		table := Of(typ)
		for _, s := range table.States() {
			var works []string
			for _, r := range table.Rows {
				if r.leaves(s) && !table.Refuses(r.Event, s) && !slices.Contains(works, r.Event) {
					works = append(works, r.Event)
				}
			}
			if got := strings.Join(works, " "); got != want[typ][s] {
				t.Errorf("%s %s: %s\nwant %s", typ, s, got, want[typ][s])
			}
		}
	}
}

// TestRefusingIsShut: a refusing row answers wrong_state to everyone and is
// offered to nobody.
func TestRefusingIsShut(t *testing.T) {
	if len(Refusing()) == 0 {
		t.Skip("nothing refuses any more")
	}
	for _, r := range Refusing() {
		if r.Reason == "" {
			t.Errorf("%+v says no reason", r)
		}
		for name, w := range callers {
			if _, p := Resolve(r.Type, r.From, r.Event, w.caller); p == nil || p.Code != inbox.CodeWrongState {
				t.Errorf("%s %s from %s by %s: %v", r.Type, r.Event, r.From, name, p)
			}
			rec := record(r.Type, r.From, booking(inbox.Booking{PaymentRef: "p", Change: theirs, Offer: openOffer}))
			if slices.Contains(Allowed(rec, w.caller), r.Event) {
				t.Errorf("%s %s from %s is offered to %s", r.Type, r.Event, r.From, name)
			}
		}
	}
}

func TestSkips(t *testing.T) {
	for e, want := range map[Effect]bool{
		ReceiptConfirmed: true, ReceiptOutcome: true, ReviewFact: true, RunRules: true, Webhook: true, Bus: true,
		NotifyCustomer: false, NotifyOwner: false, ClaimSlot: false, ReleaseSlot: false, Close: false, LinkRefund: false, "no such effect": false,
	} {
		if Skips(e) != want {
			t.Errorf("%s: skipped %v, want %v", e, !want, want)
		}
	}
}

// TestWorkingRowsNeedNothingMissing: a row that fires does only what is named
// as built here or as skipped.
func TestWorkingRowsNeedNothingMissing(t *testing.T) {
	built := []Effect{ApplyInput, ApplyProposal, ApplyCounter, ApplyOffer, ApplyChange, LinkItem, LinkRefund, PlanHold, ClaimSlot, ReleaseSlot, ReleaseHold, Close, NotifyCustomer, NotifyOwner}
	guards := []Guard{"not_too_soon", "slot_available", "request_lapsed", "within_cancellation_window",
		"outside_cancellation_window", "asked_within_window", "asked_outside_window",
		"within_correction_window", "started", "completion_due", "payment_overdue", "not_charged_back",
		"proposal_present", "has_quote", "quote_complete", "offer_open", "offer_lapsed", "offer_non_binding",
		"promise_ahead", "change_open", "change_theirs", "change_mine", "change_lapsed", "change_allowed", "changes_left", "amendments_live",
		"withdrawal_open", "no_open_return", "not_withdrawal", "goods_expected", "refund_amount", "return_allowed"}
	for _, typ := range inbox.Types {
		table := Of(typ)
		for _, r := range table.Rows {
			if !slices.ContainsFunc(r.From, func(s inbox.State) bool { return !table.Refuses(r.Event, s) }) {
				continue
			}
			for _, e := range r.Effects {
				if !slices.Contains(built, e) && !Skips(e) {
					t.Errorf("%s %s fires and owes %s", typ, r.Event, e)
				}
			}
			for _, g := range r.Guards {
				if !slices.Contains(guards, g) {
					t.Errorf("%s %s fires under guard %s", typ, r.Event, g)
				}
			}
		}
	}
}
