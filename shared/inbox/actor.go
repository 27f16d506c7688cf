package inbox

import "slices"

// ActorKind says what kind of caller acts (01 §2.1). The list is closed.
type ActorKind string

// The nine kinds of actor.
const (
	CustomerAgent ActorKind = "customer_agent"
	CustomerHuman ActorKind = "customer_human"
	Owner         ActorKind = "owner"
	Staff         ActorKind = "staff"
	OwnerAI       ActorKind = "owner_ai"
	Integration   ActorKind = "integration"
	Rule          ActorKind = "rule"
	Connector     ActorKind = "connector"
	System        ActorKind = "system"
)

// Channel says which door a caller came through (01 §2.2). The list is closed.
type Channel string

// The channels.
const (
	ChannelREST       Channel = "rest"
	ChannelMCPPublic  Channel = "mcp_public"
	ChannelMCPOwner   Channel = "mcp_owner"
	ChannelA2A        Channel = "a2a"
	ChannelUCP        Channel = "ucp"
	ChannelACP        Channel = "acp"
	ChannelARP        Channel = "arp"
	ChannelEmail      Channel = "email"
	ChannelForm       Channel = "form"
	ChannelOwnerUI    Channel = "owner_ui"
	ChannelActionLink Channel = "action_link"
	ChannelSimulator  Channel = "simulator"
	ChannelConnector  Channel = "connector"
	ChannelSystem     Channel = "system"
	ChannelPhone      Channel = "phone"
	ChannelSMS        Channel = "sms"
)

// Tier says how far a customer proved who is asking (01 §2.1). It is recorded
// and grants no event.
type Tier string

// The trust tiers.
const (
	TierAnonymous Tier = "anonymous"
	TierSigned    Tier = "signed_agent"
	TierVerified  Tier = "verified_principal"
	TierReputed   Tier = "reputed_principal"
)

// Scope opens part of the owner door to a key or an app (03 §9.2).
type Scope string

// The scopes. ScopeAll is the owner's own.
const (
	ScopeAll               Scope = "*"
	ScopePublic            Scope = "public"
	ScopeInboxRead         Scope = "inbox:read"
	ScopeInboxWrite        Scope = "inbox:write"
	ScopeEventsRead        Scope = "events:read"
	ScopeCatalogueWrite    Scope = "catalogue:write"
	ScopeAvailabilityWrite Scope = "availability:write"
	ScopeSettingsRead      Scope = "settings:read"
	ScopeSettingsWrite     Scope = "settings:write"
	ScopeSetupRun          Scope = "setup:run"
	ScopeIntegrationsWrite Scope = "integrations:write"
	ScopeKeysWrite         Scope = "keys:write"
	ScopeCustomersErase    Scope = "customers:erase"
	ScopeMoneyWrite        Scope = "money:write"
	ScopeOffline           Scope = "offline_access"
)

// Actor is who did a write, as it stands in the history.
type Actor struct {
	Kind    ActorKind `json:"kind"`
	ID      string    `json:"id"`
	PartyID string    `json:"partyId,omitempty"`
	Channel Channel   `json:"channel"`
}

// Caller is who is asking, as the door resolved it (03 §2.2). The predicates
// of 03 §2.4 are its methods and stand nowhere else.
type Caller struct {
	Actor
	Tier   Tier
	Scopes []Scope // what an owner-side credential holds; nil for customers
	KeyID  string  // the API key that authenticated, "" for none
	Name   string  // name of a key or an AI app, ≤ 120; never a session's or a customer's
	UserID string  // the signed-in user, "" for keys and customers
	// Proven is set for a session or a full owner key: the owner, in person,
	// as far as the channel allows.
	Proven bool
	// AccessToken is the item token the customer sent, "" for none.
	AccessToken string
	// Sandbox marks a request as a test (03 §18).
	Sandbox bool
}

// IsCustomer: the caller is a customer or a customer's agent.
func (c Caller) IsCustomer() bool { return c.Kind == CustomerAgent || c.Kind == CustomerHuman }

// IsPerson: a person at the business, acting themselves (group P of 01 §2.1).
func (c Caller) IsPerson() bool {
	return (c.Kind == Owner || c.Kind == Staff) && c.Channel != ChannelMCPOwner
}

// IsOwnerInPerson: the owner, by session or full owner key, not over their AI.
func (c Caller) IsOwnerInPerson() bool {
	return c.Kind == Owner && c.Proven && c.Channel != ChannelMCPOwner
}

// IsAssistant: the owner's AI, or anything of the business's on its MCP door
// even with a full owner key (group A of 01 §2.1).
func (c Caller) IsAssistant() bool {
	return c.Kind == OwnerAI || (c.Channel == ChannelMCPOwner && !c.IsCustomer())
}

// IsMoneyKey: an integration key that may record and name money (K$).
func (c Caller) IsMoneyKey() bool {
	return c.Kind == Integration && !c.IsAssistant() && c.Has(ScopeMoneyWrite)
}

// IsAutomation: the owner's AI, a rule, or a key without money:write.
func (c Caller) IsAutomation() bool {
	return c.IsAssistant() || c.Kind == Rule || (c.Kind == Integration && !c.IsMoneyKey())
}

// IsOwnerSide: a credential of the business's, whatever it may do.
func (c Caller) IsOwnerSide() bool {
	switch c.Kind {
	case Owner, Staff, OwnerAI, Integration:
		return true
	}
	return false
}

// IsBusiness: the caller acts for the business in the state machines (group B).
func (c Caller) IsBusiness() bool { return c.IsOwnerSide() || c.Kind == Rule }

// Has says whether the credential holds a scope by name or holds all.
func (c Caller) Has(s Scope) bool {
	return slices.Contains(c.Scopes, s) || slices.Contains(c.Scopes, ScopeAll)
}

// Names says whether the credential names a scope itself; "*" does not count.
func (c Caller) Names(s Scope) bool { return slices.Contains(c.Scopes, s) }

// MayDirectDataOut: whether the caller may point the inbox's data somewhere
// new: the owner in person, the system, or a key that names the scope.
func (c Caller) MayDirectDataOut(s Scope) bool {
	switch {
	case c.IsCustomer() || c.IsAssistant():
		return false
	case c.Kind == Integration:
		return c.Names(s)
	}
	return c.Kind == System || c.IsOwnerInPerson()
}

// MaySetCurrency: a person, or a key with catalogue:write; never the owner's AI
// (03 §2.4).
func (c Caller) MaySetCurrency() bool {
	return c.IsPerson() || (!c.IsAssistant() && c.Has(ScopeCatalogueWrite))
}

// IdempotencyScope is whose keys meet whose (01 §12.1).
func (c Caller) IdempotencyScope() string {
	switch {
	case c.Kind == Integration:
		return "integration:" + c.ID
	case c.IsOwnerSide():
		return "business"
	}
	return string(c.Kind) + ":" + c.ID + ":" + string(c.Channel)
}
