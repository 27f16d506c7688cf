package work

import (
	"strings"

	"typedinbox/shared/inbox"
)

// cause is who a mail to a customer comes from (05 §1.6).
type cause struct {
	kind      inbox.ActorKind
	channel   inbox.Channel
	writtenBy string // person, automation, "" when nothing was said
}

// Two different questions, not to be merged (05 §1.6).

// disclosed says whether automation acted for the business: the mail then says
// so in its last lines.
func (c cause) disclosed() bool {
	switch {
	case c.kind == inbox.CustomerAgent || c.kind == inbox.CustomerHuman || c.kind == inbox.System:
		return false
	case c.writtenBy == "automation" || c.channel == inbox.ChannelMCPOwner:
		return true
	case c.kind == inbox.Owner || c.kind == inbox.Staff:
		return false
	case c.kind == inbox.Integration:
		return c.writtenBy != "person"
	}
	return true // the owner's AI, a rule, a connector
}

// submitted is the value of Auto-Submitted for a mail to a customer: "" when a
// person at the business caused it (05 §4.3).
func (c cause) submitted(template string) string {
	switch {
	case !c.disclosed() && c.kind != inbox.CustomerAgent && c.kind != inbox.CustomerHuman && c.kind != inbox.System:
		return ""
	case template == "reply" || strings.HasPrefix(template, "message.") || strings.HasPrefix(template, "ack."):
		return "auto-replied"
	}
	return generated
}

// generated marks mail that answers nothing.
const generated = "auto-generated"
