package decide

import (
	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// speech is what somebody said on an item.
type speech struct {
	text      string
	direction inbox.Direction
	subject   string
	messageID string
	inReplyTo string
	writtenBy string
	quiet     bool      // told by the transition's own mail
	mail      *FromMail // what came with the words when a mail brought them
}

// entry keeps words on an item's thread (01 §16).
func entry(i inbox.Item, c inbox.Caller, e Env, w speech) inbox.Entry {
	t := inbox.Entry{
		ID: e.Source.ID(e.Now), ItemID: i.ID, Direction: w.direction, Channel: c.Channel,
		ActorKind: c.Kind, ActorID: c.ID, Subject: canon.HideLinks(w.subject), BodyText: canon.HideLinks(w.text),
		MessageID: w.messageID, InReplyTo: w.inReplyTo, WrittenBy: w.writtenBy, Quiet: w.quiet, CreatedAt: e.Now,
	}
	if w.direction == inbox.DirectionIn {
		t.PartyID = i.PartyID
	}
	w.mail.enter(&t)
	return t
}

// inboxItself is the author of notes that the inbox leaves for the business.
var inboxItself = inbox.Caller{Actor: inbox.Actor{Kind: inbox.System, ID: "inbox", Channel: inbox.ChannelSystem}}

// maskedNote tells the business that a secret came in and was hidden.
func maskedNote(i inbox.Item, e Env) inbox.Entry {
	return entry(i, inboxItself, e, speech{
		text:      "A key or another secret stood in these words. It was hidden before anything was stored. If it is yours, replace it.",
		direction: inbox.DirectionNote, writtenBy: byAutomation, quiet: true,
	})
}
