package machine

import "typedinbox/shared/inbox"

// PersonOnly narrows a resolved row (01 §3 step 7): not_allowed with reason
// person_only when the row is for a person alone and the caller is none of the
// business's people. Customers, connectors and the system never meet it: no
// such row admits them. holds says whether the row's condition is true of the
// item: that it was paid for OncePaid, that the open change is the business's
// own for OwnChange; rows that are always person-only do not look at it.
func PersonOnly(r *Row, c inbox.Caller, holds bool) *inbox.Problem {
	if c.IsPerson() || r.Person == Never || (r.Person != Always && !holds) {
		return nil
	}
	p := inbox.NotAllowed("person_only", "%s %s", r.Event, personWords[r.Person])
	if r.Draft {
		p.With("draft_for_owner", true)
	}
	return p
}

var personWords = map[PersonWhen]string{
	Always:    "is for a person at the business alone.",
	OncePaid:  "is for a person at the business alone once something was paid.",
	OwnChange: "of the business's own change records the customer's yes, which is for a person at the business alone.",
}

// MoneyRule narrows a row by who may record money or name where to pay it
// (01 §2.3, §3 step 11): not_allowed with reason owner_money for the owner's
// AI, money_recorded for a key without money:write.
func MoneyRule(r *Row, c inbox.Caller, givesPaymentURL bool) *inbox.Problem {
	if r.Money == "" || (r.Money == MoneyURL && !givesPaymentURL) {
		return nil
	}
	what := r.Event
	if r.Money == MoneyURL {
		what += " with a paymentUrl"
	}
	switch {
	case c.IsAssistant():
		return inbox.NotAllowed("owner_money", "%s is for the owner, not for their AI.", what).
			With("draft_for_owner", true)
	case c.Kind == inbox.Integration && !c.IsMoneyKey():
		return inbox.NotAllowed("money_recorded", "%s needs a key with the scope money:write.", what).
			With("scope", inbox.ScopeMoneyWrite)
	}
	return nil
}
