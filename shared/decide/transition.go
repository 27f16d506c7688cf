package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// steps are the checks of 01 §3 in their order, which is normative: a request
// that violates two is refused by the earlier. Steps 1, 2, 19 and 20 are the
// desk's and the store's; 14 and 17 come with the owner's limits for automation.
var steps = []func(*move) *inbox.Problem{
	(*move).checkVersion,    // 3
	(*move).checkOwner,      // 4
	(*move).rewrite,         // 5
	(*move).withdrawInstead, // 5c
	(*move).resolve,         // 6
	(*move).checkPerson,     // 7
	(*move).checkAutomation, // 8
	(*move).checkLimits,     // 8, until the owner's limits exist (09)
	(*move).readInput,       // 9
	(*move).checkLeak,       // 9, 03 §2.4
	(*move).checkPrice,      // 10
	(*move).checkMoney,      // 11
	(*move).apply,           // 13
	(*move).checkSize,       // 13, 01 §19.10
	(*move).planTime,        // 15
	(*move).checkGuards,     // 16
	(*move).planRefund,      // 16, what is owed when all guards hold
	(*move).checkRound,      // 18
}

// Transition fires an event on the item of the facts (01 §3), as the owner's
// door and the sweep do. Its body is a [inbox.TransitionResult]; for a customer
// a [inbox.CustomerResult]. A record_cancel that comes too late becomes a
// record_cancel_late (01 §5.1).
//
// Problems: version_conflict, not_allowed, unknown_event, wrong_state,
// guard_failed, invalid_input, slot_taken, no_offer, offer_expired.
func Transition(f Facts, c inbox.Caller, r TransitionRequest, e Env) (Outcome, error) {
	m, p := fire(&f, c, r, e)
	if p != nil && r.Event == "record_cancel" && refusedBy(p, askedWithinWindow) {
		r.Event = "record_cancel_late"
		m, p = instead(&f, c, r, e, p)
	}
	return m.outcome(p)
}

// fire runs the checks and, when all hold, works out the write.
func fire(f *Facts, c inbox.Caller, r TransitionRequest, e Env) (*move, *inbox.Problem) {
	m := newMove(f, c, r, e)
	for _, step := range steps {
		if p := step(m); p != nil {
			return nil, p
		}
	}
	m.finish()
	return m, nil
}

// instead fires another event after one that was refused; when that is refused
// too, the first refusal stands.
func instead(f *Facts, c inbox.Caller, r TransitionRequest, e Env, first *inbox.Problem) (*move, *inbox.Problem) {
	if m, p := fire(f, c, r, e); p == nil {
		return m, nil
	}
	return nil, first
}

func refusedBy(p *inbox.Problem, guard machine.Guard) bool {
	return p.Code == inbox.CodeGuardFailed && p.Details["guard"] == string(guard)
}

func (m *move) checkVersion() *inbox.Problem {
	v := m.f.Record.Item.Version
	if m.r.ExpectedVersion == nil || *m.r.ExpectedVersion == v {
		return nil
	}
	return inbox.Refuse(inbox.CodeVersionConflict,
		"The item is at version %d by now. Read it again, then decide. Nothing was written.", v).With("currentVersion", v)
}

func (m *move) checkOwner() *inbox.Problem {
	if m.c.IsCustomer() {
		return owns(m.f.Record, m.c)
	}
	return nil
}

func (m *move) resolve() *inbox.Problem {
	row, p := m.table.Resolve(m.from, m.r.Event, m.c)
	m.row = row
	return p
}

func (m *move) checkPerson() *inbox.Problem {
	p := m.before
	holds := m.row.Person == machine.OncePaid && machine.Paid(p) ||
		m.row.Person == machine.OwnChange && machine.ChangeBy(p) == inbox.SideBusiness
	return machine.PersonOnly(m.row, m.c, holds)
}

func (m *move) checkMoney() *inbox.Problem { return machine.MoneyRule(m.row, m.c, m.in.paymentURL) }

func (m *move) checkGuards() *inbox.Problem {
	for _, g := range m.row.Guards {
		if p := guards[g](m); p != nil {
			return p
		}
	}
	return nil
}
