package decide

import (
	"typedinbox/shared/canon"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// takesRequest says whether the row is the business's yes to what stands; a late
// one is judged as the yes it was (01 §3 step 5).
func (m *move) takesRequest() bool {
	return m.converted == requestLapsed || m.row.Offer == machine.Take && (m.row.Event == "confirm" || m.row.Event == "accept") && !m.c.IsCustomer()
}

// checkAutomation is step 8 of 01 §3: automation takes no request that holds a
// price the business did not set, and takes back no offer that binds.
func (m *move) checkAutomation() *inbox.Problem {
	if !m.c.IsAutomation() {
		return nil
	}
	if m.takesRequest() && (m.rec.Unpriced || m.unpricedLines()) {
		return inbox.GuardFailed("business_priced",
			"The request holds a price that is not the business's. A person at the business prices or takes it.").
			With("draft_for_owner", true)
	}
	if m.takesBack() {
		return inbox.GuardFailed("offer_binding",
			"The business's offer binds and has not lapsed. A person at the business may take it back.").
			With("draft_for_owner", true)
	}
	return nil
}

// takesBack says whether the row takes back an open, binding, unlapsed offer of
// the business's; recording the customer's own no does not (02 §1.9).
func (m *move) takesBack() bool {
	ends := m.row.Offer == machine.End || m.row.Offer == machine.Withdraw || m.takesBackChange()
	return ends && m.side() == inbox.SideBusiness && binds(m.f.Record, m.e.Now)
}

// binds says whether an offer of the business's is open that binds and has not
// lapsed.
func binds(r *inbox.Record, now inbox.Instant) bool {
	o := openPointer(r, inbox.SideBusiness)
	return o != nil && (o.Binding == nil || *o.Binding) && (o.ValidThrough == nil || now < *o.ValidThrough)
}

// unlimited is automation whose limits the owner cannot set yet: their AI and
// keys that may not name money (09, "automation before limits exist").
func unlimited(c inbox.Caller) bool { return c.IsAutomation() && c.Kind != inbox.Rule }

// checkLimits lets such automation take only what is at list prices or has no
// price, and make no offers.
func (m *move) checkLimits() *inbox.Problem {
	why := ""
	switch {
	case !unlimited(m.c):
	case m.takesRequest():
		switch {
		case !m.atListPrice():
			why = "Automation confirms at list prices alone until the owner has set its limits."
		case !m.withinApproval():
			why = aboveApproval
		}
	case m.takesChange():
		if !m.withinApproval() {
			why = aboveApproval
		}
	case m.makes():
		why = "Automation makes no offers until the owner has set its limits."
	}
	if why == "" {
		return nil
	}
	p := inbox.NotAllowed("limits_not_set", "%s Nothing changed; the owner should be told.", why)
	if m.c.IsAssistant() {
		p.With("ask_owner", true)
	}
	return p
}

const aboveApproval = "Automation accepts no order above the value that a person approves until the owner has set its limits."

// takesChange says whether the row is the business's yes to a customer's change,
// in time or late; what it may take otherwise is guard change_allowed.
func (m *move) takesChange() bool {
	return m.row.Event == "accept_change" || m.converted == changeLapsed
}

// withinApproval: what automation accepts of an order, as it is or as a change
// would make it, stays within orders.maxValueWithoutApprovalMinor, 0 for any value
// (09).
func (m *move) withinApproval() bool {
	o, most := m.before.Order, m.f.Settings.Orders.MaxValueWithoutApprovalMinor
	switch {
	case o == nil || most == 0:
		return true
	case m.takesChange():
		return o.Change == nil || o.Change.TotalPrice.Value <= most
	}
	return o.TotalPrice.Value <= most
}

func (m *move) atListPrice() bool {
	if m.before.Order != nil {
		return catalogue.OrderAtListPrices(*m.before.Order, m.f.Products)
	}
	b := m.before.Booking
	if b == nil || b.TotalPrice == nil {
		return b != nil
	}
	return m.f.Service != nil && catalogue.AtListPrice(*b, *m.f.Service, m.f.Business.Currency)
}

// checkLeak refuses the assistant's words when they carry a key (03 §2.4), and
// keeps words of automation that name money inside (09).
func (m *move) checkLeak() *inbox.Problem {
	if p := leaks(m.c, m.in.secret); p != nil {
		return p
	}
	m.held = !m.row.Internal && namesMoney(m.f, m.c, m.r.WrittenBy, m.in.note)
	return nil
}

func leaks(c inbox.Caller, secret bool) *inbox.Problem {
	if !secret || !c.IsAssistant() {
		return nil
	}
	return inbox.NotAllowed("would_leak",
		"The text carries a key or another secret. Nothing was written; the owner should be told.").With("ask_owner", true)
}

// namesMoney says whether words of automation name money and so stay inside: of
// the owner's AI, and of a key without money:write unless its request says that
// a person wrote them (02 §8.5).
func namesMoney(f *Facts, c inbox.Caller, writtenBy, text string) bool {
	return text != "" && unlimited(c) && statedBy(c, writtenBy) != byPerson &&
		negotiation.NamesMoney(text, f.Business.Currency)
}

// amountNamed is why such words are held (02 §8.2).
const amountNamed = "amount_named"

// Who wrote words of the business's (03 §6.1).
const (
	byPerson     = "person"
	byAutomation = "automation"
)

// statedBy is what a request may say of who wrote its words: automation from
// anyone, person only from an integration key outside the owner's MCP door
// (05 §1.6). "" when it says nothing that counts.
func statedBy(c inbox.Caller, said string) string {
	switch {
	case said == byAutomation && !c.IsCustomer():
		return byAutomation
	case said == byPerson && c.Kind == inbox.Integration && !c.IsAssistant():
		return byPerson
	}
	return ""
}

// writtenBy is who wrote the business's words, as the thread keeps it; "" for a
// customer's.
func writtenBy(c inbox.Caller, said string) string {
	stated := statedBy(c, said)
	switch {
	case c.IsCustomer():
		return ""
	case stated != "":
		return stated
	case c.IsPerson():
		return byPerson
	}
	return byAutomation
}

// mask hides secrets of ours in words that came in (03 §9.1), and cuts links that
// act: who reads the words must not be able to answer for the customer (05 §6.2).
func mask(text *string) (found bool) {
	*text, found = canon.MaskSecrets(canon.HideLinks(*text))
	return found
}
