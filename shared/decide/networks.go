package decide

import "typedinbox/shared/inbox"

// Network is a reference network as far as a change to a promise asks for it
// (02 §4.5).
type Network struct {
	Origin    string
	Published bool // it took a receipt of this item
	Queued    bool // a receipt of this item waits to be sent to it
	Receipts  bool // it is switched on to be sent receipts
	Rules     int  // version of its rules in force
}

// amendingRules is the version of a network's rules from which it reads changed
// promises.
const amendingRules = 6

// counts says whether the network holds the promise or would be sent it. For a
// customer who stopped the networks only what one already took counts.
func (n Network) counts(stopped bool) bool {
	return n.Published || !stopped && (n.Queued || n.Receipts)
}

// amendmentsLive: every network that counts reads changed promises. Tests are
// told to none, and a promise that the business wrote down itself carries no date
// to change there.
func (m *move) amendmentsLive() *inbox.Problem {
	if m.rec.Item.Flags.Sandbox || !m.rec.ByCustomer && m.rec.Item.Channel != inbox.ChannelConnector {
		return nil
	}
	for _, n := range m.f.Networks {
		if n.counts(m.f.NetworksOff) && n.Rules < amendingRules {
			return inbox.GuardFailed(string(amendmentsLive),
				"A network that was told of the promise cannot read a change to it yet. Record the customer's cancellation and take a new booking or order. Nothing was written.").
				With("network", n.Origin)
		}
	}
	return nil
}
