package decide

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// negotiated are the types whose every row up to the promise works.
var negotiated = []inbox.Type{inbox.TypeBooking, inbox.TypeOrder, inbox.TypeQuote, inbox.TypeMessage, inbox.TypeRefund}

// customerDoors are the doors of a customer's on an item of theirs.
func customerDoors(w *world) map[string]func(inbox.Caller) (Outcome, error) {
	id := w.f.Record.Item.ID
	sha := ""
	if w.f.Offer != nil {
		sha = w.f.Offer.TermsSHA
	}
	return map[string]func(inbox.Caller) (Outcome, error){
		"cancel":  func(c inbox.Caller) (Outcome, error) { return Cancel(w.f, c, "", w.env()) },
		"details": func(c inbox.Caller) (Outcome, error) { return Details(w.f, c, "more", w.env()) },
		"message": func(c inbox.Caller) (Outcome, error) {
			return Message(w.f, c, inbox.SendMessageRequest{ItemID: id, Body: "more"}, w.env())
		},
		"accept": func(c inbox.Caller) (Outcome, error) {
			return AcceptOffer(w.f, c, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: sha}, w.env())
		},
		"decline": func(c inbox.Caller) (Outcome, error) {
			return DeclineOffer(w.f, c, inbox.DeclineOfferRequest{ItemID: id}, w.env())
		},
		"offer": func(c inbox.Caller) (Outcome, error) {
			return MakeOffer(w.f, c, inbox.MakeOfferRequest{ItemID: id, Terms: inbox.Suggestion{StartTime: inbox.Ptr(start.Add(inbox.Hour))}}, w.env())
		},
		"withdraw": func(c inbox.Caller) (Outcome, error) {
			return Withdraw(w.f, c, inbox.WithdrawRequest{ItemID: id, Confirm: true}, w.env())
		},
		"return": func(c inbox.Caller) (Outcome, error) {
			return RequestReturn(w.f, c, inbox.ReturnRequest{ItemID: id, Reason: "faulty"}, w.env())
		},
		"suggest": func(c inbox.Caller) (Outcome, error) {
			return SuggestTime(w.f, c, inbox.SuggestTimeRequest{ItemID: id, StartTime: start.Add(inbox.Hour)}, w.env())
		},
	}
}

// TestNotTheirs: in every state of every type, whoever has not the item's token
// is refused at every door of its customer's, before anything else is told.
func TestNotTheirs(t *testing.T) {
	for _, typ := range negotiated {
		for _, state := range machine.Of(typ).States() {
			w := inState(t, typ, state)
			others := map[string]inbox.Caller{"no token": w.customer(), "another token": w.customer(), "another party": w.customer()}
			for name, c := range others {
				c.AccessToken = map[string]string{"another token": "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"}[name]
				if name == "another party" {
					c.PartyID = "01J0000000000000000000000X"
				}
				others[name] = c
			}
			for name, c := range w.actors() {
				if name != "C" && name != "X" {
					others[name] = c
				}
			}
			for door, ask := range customerDoors(w) {
				for name, c := range others {
					_, err := ask(c)
					if p := problem(t, err); p.Code != inbox.CodeNotAllowed || p.Details["state"] != nil || p.Details["offer"] != nil {
						t.Errorf("fail/%s %s %s by %s: %v %v", typ, state, door, name, p, p.Details)
					}
				}
			}
		}
	}
}

// TestWhyNot: whoever may not fire an event that others may is told who may: a
// person, where a row is for persons in person and the caller acts for the
// business, else the kinds of the rows that leave the state, all of them.
func TestWhyNot(t *testing.T) {
	met := map[string]int{}
	for _, typ := range negotiated {
		table := machine.Of(typ)
		for _, from := range table.States() {
			w := inState(t, typ, from)
			for _, event := range table.Events() {
				for name, c := range w.actors() {
					row, code := expected(table, from, event, c)
					if row != nil || code != inbox.CodeNotAllowed {
						continue
					}
					_, err := w.decide(c, needing(event))
					p := problem(t, err)
					by, personOnly := groupsOf(table, from, event)
					want := moneyReason(table, from, event, c)
					if personOnly && machine.GroupOf(c)&machine.Business != 0 {
						want = "person_only"
					}
					told, _ := p.Details["allowedFor"].([]inbox.ActorKind)
					if why(p) != want || want == "" && !slices.Equal(told, by.Kinds()) {
						t.Errorf("fail/%s %s %s by %s: reason %q, for %v, want %q, %v", typ, from, event, name, why(p), told, want, by.Kinds())
					}
					met[want]++
				}
			}
		}
	}
	if met["person_only"] == 0 || met[""] == 0 || met["owner_money"] == 0 || met["money_recorded"] == 0 {
		t.Errorf("met %v", met)
	}
}

// moneyReason is why the owner's AI and a key without money:write may not record
// money, "" for every other event and caller (01 §2.3).
func moneyReason(table *machine.Table, from inbox.State, event string, c inbox.Caller) string {
	recorded := slices.ContainsFunc(table.Rows, func(r *machine.Row) bool {
		return r.Event == event && r.Money == machine.MoneyRecorded && slices.Contains(r.From, from) && !table.Refuses(event, from)
	})
	switch group := machine.GroupOf(c); {
	case recorded && group == machine.Assistant:
		return "owner_money"
	case recorded && group == machine.Key:
		return "money_recorded"
	}
	return ""
}

// groupsOf are the groups of the rows that leave a state by an event, and
// whether one of them is for persons in person.
func groupsOf(table *machine.Table, from inbox.State, event string) (by machine.Group, personOnly bool) {
	for _, r := range table.Rows {
		if r.Event == event && slices.Contains(r.From, from) && !table.Refuses(event, from) {
			by |= r.By
			personOnly = personOnly || r.Person == machine.Always
		}
	}
	return by, personOnly
}
