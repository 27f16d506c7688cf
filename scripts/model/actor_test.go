package model

import (
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
)

// actor is someone who asks.
type actor struct {
	name   string
	agent  string // User-Agent; makes anonymous callers different ones
	key    string // bearer
	party  string // of an agent key
	side   string // customer, owner, key
	scopes map[inbox.Scope]bool
	knows  bool // has the tokens of items it did not make itself, too
}

func (a *actor) business() bool { return a.side != "customer" }

// person: somebody at the business in person. Every business actor here calls
// over REST, so an owner key is one.
func (a *actor) person() bool { return a.side == "owner" }

func (a *actor) automation() bool { return a.side == "key" && !a.scopes[inbox.ScopeMoneyWrite] }

// recordsMoney: what such an actor says was paid is taken.
func (a *actor) recordsMoney() bool { return a.person() || a.business() && !a.automation() }

func (a *actor) may(s inbox.Scope) bool { return a.side == "owner" || a.scopes[s] }

// owns says whether a customer may read and move an item, sending the token
// that they have.
func (a *actor) owns(i *item, token string) bool {
	return (a.party != "" && a.party == i.party) || (token != "" && token == i.token)
}

// request is one request of an actor's.
type request struct {
	by           *actor
	method, path string
	body         map[string]any
	token, key   string
	sandbox      bool
}

// actors mints the keys of a run.
func (m *run) actors() []*actor {
	customers := []*actor{
		{name: "ana", agent: "one", side: "customer", knows: true},
		{name: "ben", agent: "two", side: "customer", knows: true},
		{name: "stranger", agent: "three", side: "customer"},
		m.minted("agent", identity.MintRequest{Kind: inbox.KeyAgent}),
	}
	customers[3].knows = true
	business := []*actor{
		m.minted("owner", identity.MintRequest{Kind: inbox.KeyOwner}),
		m.minted("money key", scoped(inbox.ScopeInboxRead, inbox.ScopeInboxWrite, inbox.ScopeMoneyWrite, inbox.ScopeSettingsWrite)),
		m.minted("plain key", scoped(inbox.ScopeInboxRead, inbox.ScopeInboxWrite)),
		m.minted("reading key", scoped(inbox.ScopeInboxRead)),
		m.minted("catalogue key", scoped(inbox.ScopeCatalogueWrite)),
	}
	return append(customers, business...)
}

func scoped(s ...inbox.Scope) identity.MintRequest {
	return identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: s}
}

func (m *run) minted(name string, r identity.MintRequest) *actor {
	secret, key, err := m.ident.MintKey(m.ctx, r, m.source)
	m.must(err)
	a := &actor{name: name, agent: name, key: secret, party: r.PartyID, side: "key", scopes: map[inbox.Scope]bool{}}
	switch r.Kind {
	case inbox.KeyOwner:
		a.side = "owner"
	case inbox.KeyAgent:
		a.side = "customer"
	}
	for _, s := range key.Scopes {
		a.scopes[s] = true
	}
	return a
}
