package machine

import "typedinbox/shared/inbox"

// who is a caller of the tests with the letters of 01 §2.1 it answers to,
// written by hand.
type who struct {
	caller  inbox.Caller
	letters string
}

func caller(k inbox.ActorKind, ch inbox.Channel, scopes ...inbox.Scope) inbox.Caller {
	return inbox.Caller{Actor: inbox.Actor{Kind: k, ID: "x", Channel: ch}, Scopes: scopes}
}

// callers is every kind of caller, in every form the groups tell apart.
var callers = map[string]who{
	"customer_agent":           {caller(inbox.CustomerAgent, inbox.ChannelREST), "C"},
	"customer_human":           {caller(inbox.CustomerHuman, inbox.ChannelActionLink), "C"},
	"owner":                    {caller(inbox.Owner, inbox.ChannelOwnerUI, inbox.ScopeAll), "B P"},
	"owner over mcp_owner":     {caller(inbox.Owner, inbox.ChannelMCPOwner, inbox.ScopeAll), "B A"},
	"staff":                    {caller(inbox.Staff, inbox.ChannelREST, inbox.ScopeAll), "B P"},
	"staff over mcp_owner":     {caller(inbox.Staff, inbox.ChannelMCPOwner), "B A"},
	"owner_ai":                 {caller(inbox.OwnerAI, inbox.ChannelMCPOwner), "B A"},
	"owner_ai over rest":       {caller(inbox.OwnerAI, inbox.ChannelREST, inbox.ScopeMoneyWrite), "B A"},
	"integration":              {caller(inbox.Integration, inbox.ChannelREST, inbox.ScopeInboxWrite), "B K"},
	"integration with money":   {caller(inbox.Integration, inbox.ChannelREST, inbox.ScopeMoneyWrite), "B K K$"},
	"integration with all":     {caller(inbox.Integration, inbox.ChannelREST, inbox.ScopeAll), "B K K$"},
	"integration on mcp_owner": {caller(inbox.Integration, inbox.ChannelMCPOwner, inbox.ScopeAll), "B A"},
	"rule":                     {caller(inbox.Rule, inbox.ChannelSystem), "B R"},
	"connector":                {caller(inbox.Connector, inbox.ChannelConnector), "X"},
	"system":                   {caller(inbox.System, inbox.ChannelSystem), "S"},
	"nobody":                   {caller("nobody", inbox.ChannelREST), ""},
}
