package words

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

var update = flag.Bool("update", false, "write the golden mails anew")

// goldenMails names a mail for every template and every branch in one; the text
// is in testdata/mail.
func goldenMails(t *testing.T) map[string]MailInput {
	with := func(in MailInput, f func(*MailInput)) MailInput { f(&in); return in }
	cut := func(template string, s, from inbox.State) MailInput {
		return MailInput{Template: template, Lang: format.En, About: haircut(t, s), Name: "Ana Lima", Business: "Studio Ana", FromState: from, ItemID: "01J9ZK3M5V8R2T4W6X007K3QXA"}
	}
	of := func(template string, typ inbox.Type, s, from inbox.State, subject string) MailInput {
		in := cut(template, s, from)
		in.About.Type, in.About.Subject, in.About.Start, in.About.Price = typ, subject, nil, nil
		return in
	}
	order := of("ack.order", inbox.TypeOrder, "received", "", "2 × Chain")
	order.About.Price = eur(4200)
	order.About.Lines = []Line{{2, "Chain", eur(3700)}, {1, "Engraving", eur(500)}}
	app := func(in *MailInput) { in.AppURL = "https://inbox.example.com/app/" }
	return map[string]MailInput{
		"ack.booking":          cut("ack.booking", "requested", ""),
		"ack.booking unpriced": with(cut("ack.booking", "requested", ""), func(in *MailInput) { in.About.Unpriced = true }),
		"ack.booking bare": with(cut("ack.booking", "requested", ""), func(in *MailInput) {
			*in = MailInput{Template: in.Template, About: About{Type: inbox.TypeBooking, State: "requested"}}
		}),
		"ack.order": order,
		"ack.order unpriced": with(order, func(in *MailInput) {
			in.About.Unpriced = true
			in.About.Lines = []Line{{2, "Chain", eur(3700)}, {1, "Engraving", nil}}
		}),
		"ack.quote":                of("ack.quote", inbox.TypeQuote, "received", "", "Frame"),
		"needs_info booking":       with(cut("needs_info", "needs_info", "requested"), func(in *MailInput) { in.Words = "How long is your hair?\r\nShort or long?" }),
		"needs_info automatic":     with(of("needs_info", inbox.TypeQuote, "needs_info", "received", "Frame"), func(in *MailInput) { in.Words = "Which size?"; in.Automatic = true }),
		"needs_info order":         of("needs_info", inbox.TypeOrder, "needs_info", "received", ""),
		"booking.confirmed":        with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) { in.CancelUntil = CancelUntil(start, 1440, start-3*inbox.Day) }),
		"booking.confirmed words":  with(cut("booking.confirmed", "confirmed", "requested"), func(in *MailInput) { in.Words = "Please come five minutes early."; in.Automatic = true }),
		"declined booking":         with(cut("declined", "declined", "requested"), func(in *MailInput) { in.Words = "We are away that week." }),
		"declined order":           of("declined", inbox.TypeOrder, "declined", "received", "2 × Chain"),
		"declined quote":           of("declined", inbox.TypeQuote, "declined", "received", "Frame"),
		"cancelled.as_asked":       cut("cancelled.as_asked", "cancelled_by_customer", "confirmed"),
		"cancelled.as_asked early": cut("cancelled.as_asked", "cancelled_by_customer", "requested"),
		"cancelled.by_us":          with(cut("cancelled.by_us", "cancelled_by_business", "confirmed"), func(in *MailInput) { in.Words = "The power is out." }),
		"cancelled.by_us order":    of("cancelled.by_us", inbox.TypeOrder, "cancelled", "accepted", "2 × Chain"),
		"booking.expired":          cut("booking.expired", "expired", "requested"),
		"booking.expired question": cut("booking.expired", "expired", "needs_info"),
		"order.expired":            of("order.expired", inbox.TypeOrder, "expired", "received", "2 × Chain"),
		"quote.expired question":   of("quote.expired", inbox.TypeQuote, "expired", "needs_info", "Frame"),
		"reply":                    with(of("reply", inbox.TypeMessage, "answered", "open", "Opening hours"), func(in *MailInput) { in.Words = "Hi Ana,\n\nwe open at nine.\n" }),
		"reply again":              with(of("reply", inbox.TypeMessage, "answered", "open", "RE: re: Opening hours"), func(in *MailInput) { in.Words = "At nine." }),
		"reply automatic":          with(of("reply", inbox.TypeMessage, "answered", "open", ""), func(in *MailInput) { in.Words = "We open at nine."; in.Automatic = true }),
		"reply awaiting details":   with(cut("reply", "needs_info", ""), func(in *MailInput) { in.Words = "Did you see our question?" }),
		"message.answered":         of("message.answered", inbox.TypeMessage, "answered", "open", "Opening hours"),
		"news":                     with(cut("news", "no_show", "confirmed"), func(in *MailInput) { in.Business = "" }),
		"owner.create":             with(cut("owner.create", "requested", ""), app),
		"owner.create message":     with(of("owner.create", inbox.TypeMessage, "open", "", "Opening hours"), func(in *MailInput) { app(in); in.Text = "When do you open?\n\n" + strings.Repeat("And close? ", 30) }),
		"owner.create unknown":     with(cut("owner.create", "requested", ""), func(in *MailInput) { in.Name, in.About.Subject = "", "" }),
		"owner.message":            with(of("owner.message", inbox.TypeMessage, "open", "", "Opening hours"), func(in *MailInput) { app(in); in.Text = "And on Sunday?" }),
		"owner.provide_info":       with(cut("owner.provide_info", "requested", "needs_info"), func(in *MailInput) { app(in); in.Text = "Long hair." }),
		"owner.cancel":             with(cut("owner.cancel", "cancelled_by_customer", "confirmed"), app),
		"owner.cancel_late":        with(cut("owner.cancel_late", "cancelled_by_customer", "confirmed"), app),
	}
}

func TestGoldenMails(t *testing.T) {
	seen := map[string]bool{}
	for name, in := range goldenMails(t) {
		seen[in.Template] = true
		subject, body := Mail(in)
		got := "Subject: " + subject + "\n\n" + body
		file := filepath.Join("testdata", "mail", strings.ReplaceAll(name, " ", "-")+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
		if strings.ContainsAny(got, "{}") || strings.Contains(got, "\n\n\n") || strings.Contains(got, " \n") {
			t.Errorf("%s: a placeholder or a block is empty:\n%s", name, got)
		}
	}
	for _, name := range Templates() {
		if !seen[name] {
			t.Errorf("%s has no golden mail", name)
		}
	}
	files, err := os.ReadDir(filepath.Join("testdata", "mail"))
	if err != nil || len(files) != len(goldenMails(t)) {
		t.Errorf("%d golden files for %d mails, %v", len(files), len(goldenMails(t)), err)
	}
}

// TestRows: every key and condition that a row names exists, for every type the
// mail can be about.
func TestRows(t *testing.T) {
	conditional, said := map[string]bool{}, map[string]bool{}
	for name, row := range mailRows {
		for _, b := range row.blocks {
			for _, l := range b {
				conditional[l.when], said[l.key] = true, true
				if l.when != "" && conditions[l.when] == nil {
					t.Errorf("%s: no condition %q", name, l.when)
				}
			}
		}
		said[row.subject] = true
	}
	for name := range conditions {
		if !conditional[name] {
			t.Errorf("condition %q is used by no row", name)
		}
	}
	for key := range englishMail {
		if base, _, _ := strings.Cut(key, "@"); !said[base] && base != "owner.customer" {
			t.Errorf("%s is said by no row", key)
		}
	}
	for name, in := range goldenMails(t) {
		row := mailRows[in.Template]
		for _, key := range keysOf(row) {
			if say(format.En, key, in.About.Type) == "" {
				t.Errorf("%s: %s says nothing of a %s", name, key, in.About.Type)
			}
		}
	}
}

func keysOf(row mailRow) []string {
	keys := []string{row.subject}
	for _, b := range row.blocks {
		for _, l := range b {
			keys = append(keys, l.key)
		}
	}
	return keys
}

// hostile texts try to add a header, a line or a placeholder.
var hostile = []string{
	"Ana\r\nBcc: evil@example.com", "Ana\nX: y", "Ana\rX: y", "Ana\u2028Bcc: evil@example.com", "Ana\u2029x",
	"\r\n\r\n<html>", "{words}{human}{business}", "\x00\x01\x1f\x7f", "Ana\u0085Bcc: x", "\v\f", "\xff\xfe\n", strings.Repeat("\n", 100) + "x",
}

// TestHostileTextAddsNothing: whatever a customer typed as name, subject or
// first words, every mail has as many lines as with plain text, and its subject
// is one line.
func TestHostileTextAddsNothing(t *testing.T) {
	for name, in := range goldenMails(t) {
		plainText := in
		plainText.Name, plainText.About.Subject, plainText.Text = "Ana", "Haircut", "Hello"
		_, want := Mail(plainText)
		for _, bad := range hostile {
			evil := in
			evil.Name, evil.About.Subject, evil.Text = bad+"z", bad+"z", bad+"z"
			for i := range evil.About.Lines {
				evil.About.Lines[i].Name = bad
			}
			subject, body := Mail(evil)
			if countLines(subject) != 1 || strings.TrimSpace(subject) != subject {
				t.Errorf("%s with %q: subject %q", name, bad, subject)
			}
			if countLines(body) != countLines(want) {
				t.Errorf("%s with %q: %d lines, want %d:\n%s", name, bad, countLines(body), countLines(want), body)
			}
			if strings.Contains(bad, "{words}") && !strings.Contains(body+subject, "{words}{human}{business}z") {
				t.Errorf("%s: a customer's braces were filled in: %q\n%s", name, subject, body)
			}
		}
	}
}

// countLines counts what any reader could take for a line.
func countLines(s string) int {
	n := 1
	for _, r := range s {
		if strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r) {
			n++
		}
	}
	return n
}

// TestHostileBusinessName: the business's name is one line too.
func TestHostileBusinessName(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		in := MailInput{Template: rapid.SampledFrom(Templates()).Draw(r, "template"), About: haircut(t, "confirmed")}
		in.Business = "S" + rapid.String().Draw(r, "business") + "z"
		in.Name = "A" + rapid.String().Draw(r, "name")
		in.About.Subject = rapid.String().Draw(r, "subject") + "z"
		subject, body := Mail(in)
		plainText := in
		plainText.Business, plainText.Name, plainText.About.Subject = "S", "A", "z"
		if _, want := Mail(plainText); countLines(body) != countLines(want) || countLines(subject) != 1 {
			r.Fatalf("%q\n%s", subject, body)
		}
	})
}

// TestWordsAreSentAsWritten: the business's words come through but for their
// line ends, and braces in them stay.
func TestWordsAreSentAsWritten(t *testing.T) {
	in := MailInput{Template: "reply", About: About{Type: inbox.TypeMessage, State: "answered"}}
	for name, c := range map[string]struct{ words, want string }{
		"ok/plain":       {"Hi.", "Hi."},
		"ok/line ends":   {"a\r\nb\rc\nd", "a\nb\nc\nd"},
		"ok/inner blank": {"a\n\n\n  b  c", "a\n\n\n  b  c"},
		"ok/ends":        {"\n\na\n\n", "a"},
		"ok/braces":      {"{reference} {name}", "{reference} {name}"},
		"ok/separators":  {"a\u2028b", "a\u2028b"},
	} {
		in.Words = c.words
		if _, body := Mail(in); body != c.want+"\n\nYou can reply to this email; your reply reaches us.\n" {
			t.Errorf("%s: %q", name, body)
		}
	}
}

// TestDisclosure holds 05 §1.6's line and its place in the footer.
func TestDisclosure(t *testing.T) {
	const line = "This reply was sent automatically. Reply to reach a person."
	for _, name := range Templates() {
		for _, automatic := range []bool{false, true} {
			in := MailInput{Template: name, About: haircut(t, "confirmed"), Automatic: automatic, Words: "w", Business: "Studio Ana"}
			_, body := Mail(in)
			footer := "\n\nReference: 7K3QXA\nYou can reply to this email; your reply reaches us.\n\nStudio Ana\n"
			if automatic {
				footer = "\n\n" + line + "\nReference: 7K3QXA\n\nStudio Ana\n"
			}
			if strings.HasPrefix(name, ownerPrefix) {
				if strings.Contains(body, line) {
					t.Errorf("%s: the owner is told of automation", name)
				}
			} else if !strings.HasSuffix(body, footer) {
				t.Errorf("%s, automatic %v: %s", name, automatic, body)
			}
		}
	}
}

func TestMailFallsBack(t *testing.T) {
	in := MailInput{Template: "order.sent_by_balloon", Lang: "xx", About: haircut(t, "confirmed")}
	subject, body := Mail(in)
	if subject != "News about Haircut" || !strings.Contains(body, Human(format.En, in.About)) {
		t.Errorf("%s\n%s", subject, body)
	}
}

func TestCancelUntil(t *testing.T) {
	for name, c := range map[string]struct {
		window int
		now    inbox.Instant
		want   *inbox.Instant
	}{
		"ok/a day before":     {1440, start - 2*inbox.Day, inbox.Ptr(start - inbox.Day)},
		"ok/the last moment":  {1440, start - inbox.Day - 1, inbox.Ptr(start - inbox.Day)},
		"fail/now":            {1440, start - inbox.Day, nil},
		"fail/past":           {1440, start - inbox.Hour, nil},
		"fail/no window":      {0, start - 2*inbox.Day, nil},
		"fail/after it began": {60, start + 1, nil},
	} {
		got := CancelUntil(start, c.window, c.now)
		if (got == nil) != (c.want == nil) || (got != nil && *got != *c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTemplates(t *testing.T) {
	for name, c := range map[string]struct {
		typ        inbox.Type
		event      string
		words      bool
		byBusiness bool
		want       string
	}{
		"ok/booking":             {inbox.TypeBooking, "create", false, false, "ack.booking"},
		"ok/order":               {inbox.TypeOrder, "create", false, false, "ack.order"},
		"ok/quote":               {inbox.TypeQuote, "create", false, false, "ack.quote"},
		"fail/message":           {inbox.TypeMessage, "create", false, false, ""},
		"ok/question":            {inbox.TypeOrder, "request_info", true, true, "needs_info"},
		"ok/confirm":             {inbox.TypeBooking, "confirm", false, true, "booking.confirmed"},
		"ok/decline":             {inbox.TypeQuote, "decline", false, true, "declined"},
		"ok/quote, by them":      {inbox.TypeQuote, "decline", false, false, "news"},
		"ok/cancel":              {inbox.TypeBooking, "cancel", false, false, "cancelled.as_asked"},
		"ok/order, by us":        {inbox.TypeOrder, "cancel", false, true, "cancelled.by_us"},
		"ok/late":                {inbox.TypeBooking, "cancel_late", false, false, "cancelled.as_asked"},
		"ok/recorded":            {inbox.TypeBooking, "record_cancel", false, true, "cancelled.as_asked"},
		"ok/recorded late":       {inbox.TypeBooking, "record_cancel_late", false, true, "cancelled.as_asked"},
		"ok/by us":               {inbox.TypeBooking, "cancel_by_business", false, true, "cancelled.by_us"},
		"ok/booking lapsed":      {inbox.TypeBooking, "expire", false, false, "booking.expired"},
		"ok/order lapsed":        {inbox.TypeOrder, "expire", false, false, "order.expired"},
		"ok/quote lapsed":        {inbox.TypeQuote, "expire", false, false, "quote.expired"},
		"ok/answer in words":     {inbox.TypeMessage, "answer", true, true, "reply"},
		"ok/answer without":      {inbox.TypeMessage, "answer", false, true, "message.answered"},
		"ok/no row of its own":   {inbox.TypeOrder, "request_payment", false, true, "news"},
		"fail/their own details": {inbox.TypeBooking, "provide_info", false, false, ""},
		"fail/completed":         {inbox.TypeBooking, "complete", false, true, ""},
		"fail/nobody came":       {inbox.TypeBooking, "no_show", false, true, ""},
		"fail/spam":              {inbox.TypeMessage, "mark_spam", false, true, ""},
		"fail/flags":             {inbox.TypeMessage, "flags", false, true, ""},
	} {
		got, mailed := CustomerTemplate(c.typ, c.event, c.words, c.byBusiness)
		if mailed != (c.want != "") || (mailed && got != c.want) {
			t.Errorf("%s: %q, %v", name, got, mailed)
		}
		if _, ok := mailRows[got]; mailed && !ok {
			t.Errorf("%s: %q is no mail", name, got)
		}
	}
	for event, want := range map[string]string{
		"create": "owner.create", "provide_info": "owner.provide_info", "cancel": "owner.cancel",
		"cancel_late": "owner.cancel_late", "reopen": "owner.message", "confirm": "",
	} {
		got, mailed := OwnerTemplate(event, false)
		if got != want || mailed != (want != "") {
			t.Errorf("%s: %q, %v", event, got, mailed)
		}
	}
	if got, _ := OwnerTemplate("", true); got != "owner.message" {
		t.Errorf("an entry: %q", got)
	}
}
