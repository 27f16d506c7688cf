package words

import (
	"strconv"
	"strings"

	"typedinbox/shared/format"
)

// accounts are the mails about an account of someone who works at the business.
var accounts = map[string]bool{"signin": true, "invite": true}

// Entry is one line of a digest: what was not mailed, and where it stands.
type Entry struct{ Subject, ItemID string }

// Digest is what the owner was not mailed one by one (05 §3.4).
type Digest struct {
	Count int     // in all
	Last  []Entry // the last of them, oldest first
}

// toldOwner is a mail to the owner that is about no item.
func toldOwner(subject block, blocks ...block) mailRow {
	return mailRow{subject, append(blocks, block{{"owner.home", "app"}})}
}

// account is a mail to someone who works at the business about their account
// (05 §3.6).
func account(subject block, blocks ...block) mailRow {
	return mailRow{subject, append(blocks, says("account.ignore"), sender)}
}

// ownerRows are the mails to the owner and to those who work there (05 §3.4,
// §3.6).
func ownerRows() map[string]mailRow {
	return map[string]mailRow{
		"owner.create":         owner("subject.owner.create"),
		"owner.message":        owner("subject.owner.message"),
		"owner.provide_info":   owner("subject.owner.provide_info"),
		"owner.counter":        owner("subject.owner.counter"),
		"owner.accept":         owner("subject.owner.accept"),
		"owner.decline":        owner("subject.owner.decline"),
		"owner.cancel":         owner("subject.owner.cancel"),
		"owner.cancel_late":    owner("subject.owner.cancel_late"),
		"owner.propose_change": owner("subject.owner.propose_change"),
		"owner.accept_change":  owner("subject.owner.accept_change"),
		"owner.decline_change": owner("subject.owner.decline_change"),
		"owner.retract_change": owner("subject.owner.retract_change"),
		"owner.withdraw":       owner("subject.owner.withdraw"),
		"owner.request_return": owner("subject.owner.request_return"),
		"owner.refund_due":     reminds("subject.owner.refund_due", "owner.refund_due"),
		"owner.reminder":       reminds("subject.owner.reminder", "owner.reminder"),
		"owner.draft_offer":    reminds("subject.owner.draft_offer", "owner.draft_offer"),
		"owner.held_reply":     reminds("subject.owner.held_reply", "owner.held_reply"),
		"owner.mail_failed":    reminds("subject.owner.mail_failed", "owner.mail_failed"),

		"owner.digest": toldOwner(either("subject.owner.digest.one", "one notice", "subject.owner.digest", "notices"),
			either("owner.digest.one", "one notice", "owner.digest", "notices"), says("owner.digest.lines"), says("owner.digest.kept")),
		"owner.notice": toldOwner(says("subject.owner.notice"), says("owner.notice")),

		"signin": account(says("subject.account.signin"), says("account.signin"), says("account.link"), says("account.signin.works")),
		"invite": account(says("subject.account.invite"), says("account.invite"), says("account.link"), says("account.invite.works")),
	}
}

// reminds is a mail to the owner that says why it comes before it says what of.
func reminds(subject, why string) mailRow {
	row := owner(subject)
	row.blocks = append([]block{says(why)}, row.blocks...)
	return row
}

// isAccount says whether the mail is about an account of the business's.
func (in MailInput) isAccount() bool { return accounts[in.Template] }

// told answers the placeholders of mails to the owner.
func (in MailInput) told(name string) (string, bool) {
	switch name {
	case "link":
		return in.itemLink(in.ItemID), true
	case "home":
		return strings.TrimSuffix(format.OneLine(in.AppURL), "/"), true
	case "note":
		return format.Cut(format.OneLine(in.Words), maxNote), true
	case "count":
		return strconv.Itoa(in.Digest.Count), true
	case "digest":
		lines := make([]string, len(in.Digest.Last))
		for i, e := range in.Digest.Last {
			lines[i] = format.OneLine(e.Subject)
			if in.AppURL != "" && e.ItemID != "" {
				lines[i] += "\n" + in.itemLink(e.ItemID)
			}
		}
		return strings.Join(lines, "\n"), true
	case "sender":
		return format.OneLine(in.Sender), true
	case "secret":
		return format.OneLine(in.Secret), true
	case "inviter":
		return format.OneLine(in.Inviter), true
	}
	return "", false
}

// maxNote is how much of a note the owner's mail shows (06 §1.4).
const maxNote = 500

// itemLink is where an item stands in the owner's app.
func (in MailInput) itemLink(id string) string {
	return strings.TrimSuffix(format.OneLine(in.AppURL), "/") + "/items/" + format.OneLine(id)
}
