package words

import (
	"strconv"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// MailInput is everything a mail is made of. Every field but Template, Lang and
// About may be empty.
type MailInput struct {
	Template string // a name of [Templates]
	Lang     format.Lang
	About    About
	Name     string // the customer's display name
	Business string // the business's name
	// Words are the business's own: a note with a transition that the customer
	// is meant to read, a question, a reply. Never a note kept inside, never
	// what the customer wrote (05 §3.2).
	Words     string
	Automatic bool // automation acted for the business (05 §1.6)
	// FromState is the state the event left; "" for a create.
	FromState inbox.State
	// AsAsked says of a confirmation that what was put forward, and agreed, is what
	// had been asked for.
	AsAsked bool
	// CancelUntil is the last moment to cancel, see [CancelUntil].
	CancelUntil *inbox.Instant
	// Lapsed is until when what expired could be accepted; nil for none.
	Lapsed *inbox.Instant

	// Withdrawal is of a mail that confirms a contract; nil says nothing of it.
	Withdrawal *Withdrawal
	// Confirms says that the mail takes the place of the one that would have
	// confirmed the promise (05 §3.1).
	Confirms bool
	Links    []Link // what the customer can answer with
	// ChangeBy is who asked for the change that the mail is about; "" goes by
	// what stands on the item.
	ChangeBy inbox.Side
	Paid     *inbox.Money   // the payment that came just now; nil when its amount is not known
	Notice   *inbox.Instant // when a withdrawal was sent
	// Statement is what the customer declared with it; "" goes by the item.
	Statement string
	Country   string // whose law the business's contracts follow

	// Of a one-time code alone.
	Code    string
	Minutes int // it works

	// For the owner alone.
	Text string // what the customer wrote just now
	// Sender is the address that a mail with it came from, where that is not the
	// customer's; Unproven says that its sender may be forged (05 §5.2, §5.9).
	Sender   string
	Unproven bool
	AppURL   string // of the owner's app, "" for none
	ItemID   string
	Digest   Digest
	// Of an account.
	Secret  string // the address that signs in
	Inviter string
}

// Mail is the subject, always one line, and the plain text of a mail (05 §1.5,
// §3). The text ends with a line feed and has no other line ends than that. A
// customer's mail without a row of its own is `news`.
func Mail(in MailInput) (subject, body string) {
	in.Lang = Written(in.Lang)
	row, ok := mailRows()[in.Template]
	if !ok {
		row = mailRows()[news]
	}
	return format.OneLine(in.lines(row.subject)), in.body(row)
}

// CancelUntil is the last moment to cancel a booking in time: its start less the
// cancellation window. It is nil when there is no window, or the moment is past.
func CancelUntil(start inbox.Instant, windowMin int, now inbox.Instant) *inbox.Instant {
	until := start.Add(-int64(windowMin) * inbox.Minute)
	if windowMin <= 0 || until <= now {
		return nil
	}
	return &until
}

// maxText is how much of a customer's words the owner's mail quotes (05 §3.4).
const maxText = 200

// forOwner says whether the mail goes to the business and not to a customer.
func (in MailInput) forOwner() bool {
	return strings.HasPrefix(in.Template, ownerPrefix) || in.isAccount()
}

// fact answers every placeholder of mails.
func (in MailInput) fact(name string) (string, bool) {
	switch name {
	case "name":
		return in.name(), true
	case "business":
		return format.OneLine(in.Business), true
	case "words":
		return plain(in.Words), true
	case "text":
		return format.Cut(format.OneLine(in.Text), maxText), true
	case "code":
		return in.Code, true
	case "minutes":
		return strconv.Itoa(in.Minutes), true
	case "links":
		return in.answerLines(), true
	case "paid":
		return written(in.Paid, func(m inbox.Money) string { return format.Money(in.Lang, m) }), true
	case "statement":
		if in.Statement == "" {
			return Statement(in.Lang, in.About, in.Country), true
		}
		return format.OneLine(in.Statement), true
	case "notice":
		return in.when(in.Notice), true
	case "until":
		return in.when(in.CancelUntil), true
	case "lapsed":
		return in.when(in.Lapsed), true
	case "answered":
		return unanswered(in.About.bare(in.Lang)), true
	case "human":
		if in.forOwner() {
			return OwnerHuman(in.Lang, in.About), true
		}
		about := in.About
		about.Reference = "" // it stands below
		return Human(in.Lang, about), true
	case "bare":
		if in.forOwner() && !in.About.named(in.Lang) {
			return say(in.Lang, "kind", in.About.Type), true
		}
	}
	for _, answer := range []func(string) (string, bool){in.right, in.told} {
		if fact, ok := answer(name); ok {
			return fact, true
		}
	}
	return in.About.fact(in.Lang, name)
}

// name is the customer's; the owner reads of "a customer" when it is unknown.
func (in MailInput) name() string {
	name := format.OneLine(in.Name)
	if name == "" && in.forOwner() {
		return say(in.Lang, "owner.customer", in.About.Type)
	}
	return name
}

// unanswered is a subject without the mark of an answer, so that none gets two.
func unanswered(subject string) string {
	for len(subject) >= 3 && strings.EqualFold(subject[:3], "re:") {
		subject = strings.TrimSpace(subject[3:])
	}
	return subject
}

func (in MailInput) when(at *inbox.Instant) string {
	return written(at, func(i inbox.Instant) string { return format.DateTime(in.Lang, i, in.About.Zone) })
}

// plain is text sent as it was written: line ends become line feeds, and the
// empty lines around it go, so that blocks stay one blank line apart.
func plain(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	return strings.Trim(strings.ToValidUTF8(s, "\uFFFD"), "\n")
}

// line fills one sentence.
func (in MailInput) line(key string) string {
	return fill(say(in.Lang, key, in.About.Type), in.fact)
}

// lines are the sentences of a block that hold, one below the other.
func (in MailInput) lines(b block) string {
	var lines []string
	for _, l := range b {
		if l.when == "" || conditions()[l.when](in) {
			lines = append(lines, in.line(l.key))
		}
	}
	return strings.Join(lines, "\n")
}

// body joins the blocks of a mail with blank lines; a block without a line that
// holds is left out.
func (in MailInput) body(row mailRow) string {
	var blocks []string
	for _, b := range row.blocks {
		if text := in.lines(b); text != "" {
			blocks = append(blocks, text)
		}
	}
	return strings.Join(blocks, "\n\n") + "\n"
}
