package words

import (
	"fmt"
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

//go:generate go run -C ../.. ./scripts/gen-mails

// languageNames head the parts of the page of mails.
var languageNames = map[format.Lang]string{format.En: "English", format.Pt: "Portuguese"}

// Markdown is the page that shows every mail: when it goes out, and its text in
// every language, written by a person or automatically, once for each type of
// item, and its branches.
func Markdown(zone *time.Location) string {
	var b strings.Builder
	b.WriteString("# Every mail\n\nWritten by scripts/gen-mails from the tables of package words; run `make generate` after a change.\n" +
		"The mails are those of a studio in Lisbon to Ana Lima. An automatic mail is one in which automation acted for the business.\n\n")
	samples := map[string][]Sample{}
	for _, s := range Samples(zone) {
		samples[s.Mail.Template] = append(samples[s.Mail.Template], s)
	}
	for _, template := range Templates() {
		fmt.Fprintf(&b, "* [%s](#%s) %s\n", template, anchor(template), cause(template))
	}
	for _, template := range Templates() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", template, cause(template))
		shown := map[inbox.Type]bool{}
		for _, s := range samples[template] {
			s.write(&b, !shown[s.Mail.About.Type])
			shown[s.Mail.About.Type] = true
		}
	}
	return b.String()
}

// anchor is the fragment that a heading gets.
func anchor(heading string) string { return strings.ReplaceAll(heading, ".", "") }

// write shows a mail in every language: whole, with its automatic form, or as a
// branch of one shown before.
func (s Sample) write(b *strings.Builder, whole bool) {
	_, special, _ := strings.Cut(s.Name, " ")
	for _, l := range format.Langs {
		heading := languageNames[l]
		if special != "" {
			heading = special + ", " + heading
		}
		in := s.Mail
		in.Lang = l
		if !whole || in.forOwner() || in.Template == codeTemplate { // nobody's reply
			in.write(b, heading)
			continue
		}
		in.Automatic = false
		in.write(b, heading)
		in.Automatic = true
		in.write(b, heading+", automatic")
	}
}

// codeTemplate brings a one-time code, which nobody at the business writes.
const codeTemplate = "code"

func (in MailInput) write(b *strings.Builder, heading string) {
	subject, body := Mail(in)
	fmt.Fprintf(b, "\n### %s\n\n```text\nSubject: %s\n\n%s```\n", heading, subject, body)
}

// causes say when a mail goes out that follows no event of the machines.
var causes = map[string]string{
	news:                "Any event the customer is told of that has no mail of its own.",
	codeTemplate:        "A possible known customer asked for a one-time code; to the address on file.",
	"signin":            "To someone who works at the business: they asked to sign in.",
	"invite":            "To someone who is to work at the business: they were invited.",
	"owner.message":     "To the owner: the customer wrote.",
	"owner.refund_due":  "To the owner: three days before a refund is due, and on the day, at nine in the morning.",
	"owner.reminder":    "To the owner: a rule asked to be reminded.",
	"owner.draft_offer": "To the owner: automation wanted more than its limits; at most one an hour and item.",
	"owner.held_reply":  "To the owner: a reply of automation's named an amount; at most one an hour and item.",
	"owner.mail_failed": "To the owner: a mail to the customer failed for good.",
	"owner.digest":      "To the owner: more than twenty notices within an hour.",
	"owner.notice":      "To the owner: the first mail of a day that belongs to no conversation.",
}

// cause says when a mail goes out.
func cause(template string) string {
	if why, ok := causes[template]; ok {
		return why
	}
	if event, ok := strings.CutPrefix(template, ownerPrefix); ok {
		return "To the owner: the customer's `" + event + "`."
	}
	var parts []string
	for _, t := range customerMails {
		if t.template == template {
			parts = append(parts, t.String())
		}
	}
	if template == "reply" {
		parts = append(parts, "any message of the business's on an item")
	}
	return "After " + strings.Join(parts, "; ") + "."
}

// String is a row of the table from event to mail in words.
func (t trigger) String() string {
	s := "`" + t.event + "`"
	if t.of != "" {
		s += " of " + kinds[t.of]
	}
	if t.from != "" {
		s += " from " + string(t.from)
	}
	switch t.by {
	case inbox.SideCustomer:
		s += " by the customer"
	case inbox.SideBusiness:
		s += " by the business"
	}
	if t.said {
		s += " with words"
	}
	if t.kind != "" {
		s += " (a " + t.kind + ")"
	}
	return s
}

var kinds = map[inbox.Type]string{
	inbox.TypeBooking: "a booking", inbox.TypeOrder: "an order", inbox.TypeQuote: "a quote request",
	inbox.TypeMessage: "a message", inbox.TypeRefund: "a return",
}
