package words

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

var update = flag.Bool("update", false, "write the golden mails anew")

// goldenMails are the samples by name; the text of each language is in
// testdata/mail.
func goldenMails(t *testing.T) map[string]MailInput {
	mails := map[string]MailInput{}
	for _, s := range Samples(lisbon(t)) {
		if _, twice := mails[s.Name]; twice {
			t.Errorf("two samples %q", s.Name)
		}
		if template, _, _ := strings.Cut(s.Name, " "); template != s.Mail.Template {
			t.Errorf("the sample %q is a %s", s.Name, s.Mail.Template)
		}
		mails[s.Name] = s.Mail
	}
	return mails
}

func TestGoldenMails(t *testing.T) {
	seen := map[string]bool{}
	for name, in := range goldenMails(t) {
		seen[in.Template] = true
		for _, l := range format.Langs {
			in.Lang = l
			goldenMail(t, filepath.Join("testdata", "mail", string(l), strings.ReplaceAll(name, " ", "-")+".txt"), in)
		}
	}
	for _, name := range Templates() {
		if !seen[name] {
			t.Errorf("%s has no golden mail", name)
		}
	}
	for _, l := range format.Langs {
		files, err := os.ReadDir(filepath.Join("testdata", "mail", string(l)))
		if err != nil || len(files) != len(goldenMails(t)) {
			t.Errorf("%s: %d golden files for %d mails, %v", l, len(files), len(goldenMails(t)), err)
		}
	}
}

func goldenMail(t *testing.T, file string, in MailInput) {
	subject, body := Mail(in)
	got := "Subject: " + subject + "\n\n" + body
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
		t.Errorf("%s:\n%s\nwant\n%s", file, got, want)
	}
	if strings.ContainsAny(got, "{}") || strings.Contains(got, "\n\n\n") || strings.Contains(got, " \n") || strings.Contains(got, ": \n") {
		t.Errorf("%s: a placeholder or a block is empty:\n%s", file, got)
	}
}

// TestRows: every key and condition that a row names exists, for every type the
// mail can be about.
func TestRows(t *testing.T) {
	conditional, said := map[string]bool{}, map[string]bool{}
	for name, row := range mailRows() {
		for _, b := range append([]block{row.subject}, row.blocks...) {
			for _, l := range b {
				conditional[l.when], said[l.key] = true, true
				if l.when != "" && conditions()[l.when] == nil {
					t.Errorf("%s: no condition %q", name, l.when)
				}
			}
		}
	}
	for name := range conditions() {
		if !conditional[name] {
			t.Errorf("condition %q is used by no row", name)
		}
	}
	for _, part := range []table{englishMail, englishPromise, englishOwner} {
		for key := range part {
			if base, _, _ := strings.Cut(key, "@"); !said[base] && !elsewhere.MatchString(base) {
				t.Errorf("%s is said by no row", key)
			}
		}
	}
	for name, in := range goldenMails(t) {
		row := mailRows()[in.Template]
		for _, b := range append([]block{row.subject}, row.blocks...) {
			for _, l := range b {
				if (l.when == "" || conditions()[l.when](in)) && say(format.En, l.key, in.About.Type) == "" {
					t.Errorf("%s: %s says nothing of a %s", name, l.key, in.About.Type)
				}
			}
		}
	}
}

// elsewhere are keys that code says, not rows: labels of links, statements,
// reasons.
var elsewhere = regexp.MustCompile(`^(owner\.customer|subject\.two|subject\.several|link\..*|right\.(label|confirm)(\.uk)?|why\..*|statement(\.uk|\.some)?)$`)

// hostile texts try to add a header, a line or a placeholder.
var hostile = []string{
	"Ana\r\nBcc: evil@example.com", "Ana\nX: y", "Ana\rX: y", "Ana\u2028Bcc: evil@example.com", "Ana\u2029x",
	"\r\n\r\n<html>", "{words}{human}{business}", "\x00\x01\x1f\x7f", "Ana\u0085Bcc: x", "\v\f", "\xff\xfe\n", strings.Repeat("\n", 100) + "x",
}

// TestHostileTextAddsNothing: whatever a customer typed as name, subject, first
// words or the name of a line, every mail has as many lines as with plain text,
// and its subject is one line; so does the business's line about a price.
func TestHostileTextAddsNothing(t *testing.T) {
	for name, in := range goldenMails(t) {
		for _, l := range format.Langs {
			in.Lang = l
			_, want := Mail(typed(in, "Hello"))
			for _, bad := range hostile {
				subject, body := Mail(typed(in, bad+"z"))
				if countLines(subject) != 1 || strings.TrimSpace(subject) != subject {
					t.Errorf("%s with %q: subject %q", name, bad, subject)
				}
				if countLines(body) != countLines(want) {
					t.Errorf("%s with %q: %d lines, want %d:\n%s", name, bad, countLines(body), countLines(want), body)
				}
				if strings.Contains(bad, "{words}") && !bare[in.Template] && !strings.Contains(body+subject, "{words}{human}{business}z") {
					t.Errorf("%s: a customer's braces were filled in: %q\n%s", name, subject, body)
				}
			}
		}
	}
}

// bare are the mails that hold nothing a customer typed.
var bare = map[string]bool{"code": true, "signin": true, "invite": true, "owner.notice": true}

// typed is a mail with a text wherever somebody typed one.
func typed(in MailInput, text string) MailInput {
	in.Name, in.About.Subject, in.Text = text, text, text
	named := func(lines []Line) []Line {
		lines = slices.Clone(lines)
		for i := range lines {
			lines[i].Name = text
		}
		return lines
	}
	says := func(p *Personal) *Personal {
		if p == nil || p.Says == "" {
			return p
		}
		return &Personal{p.List, text}
	}
	in.About.Lines, in.About.Personal = named(in.About.Lines), says(in.About.Personal)
	if o := in.About.Offered; o != nil {
		offered := *o
		offered.Lines, offered.Personal = named(o.Lines), says(o.Personal)
		in.About.Offered = &offered
	}
	in.Digest.Last = slices.Clone(in.Digest.Last)
	for i := range in.Digest.Last {
		in.Digest.Last[i].Subject = text
	}
	return in
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

// TestDisclosure holds 05 §1.6's line in both languages, and its place in the
// footer.
func TestDisclosure(t *testing.T) {
	for l, said := range map[format.Lang]struct{ automatic, reference, reply string }{
		format.En: {"This reply was sent automatically. Reply to reach a person.", "Reference: 7K3QXA", "You can reply to this email; your reply reaches us."},
		format.Pt: {"Esta resposta foi enviada de forma automática. Responda para falar com uma pessoa.", "Referência: 7K3QXA", "Pode responder a este email; a sua resposta chega até nós."},
	} {
		for name, in := range goldenMails(t) {
			in.Lang, in.Business, in.About.Reference = l, "Studio Ana", "7K3QXA"
			for _, automatic := range []bool{false, true} {
				in.Automatic = automatic
				_, body := Mail(in)
				footer := "\n\n" + said.reference + "\n" + said.reply + "\n\nStudio Ana\n"
				if automatic {
					footer = "\n\n" + said.automatic + "\n" + said.reference + "\n\nStudio Ana\n"
				}
				if in.forOwner() {
					if strings.Contains(body, said.automatic) {
						t.Errorf("%s: the owner is told of automation", name)
					}
				} else if !strings.HasSuffix(body, footer) {
					t.Errorf("%s, automatic %v: %s", name, automatic, body)
				}
			}
		}
	}
}

func TestMailFallsBack(t *testing.T) {
	in := MailInput{Template: "order.sent_by_balloon", Lang: "xx", About: haircut(t, "confirmed")}
	subject, body := Mail(in)
	human, _, _ := strings.Cut(Human(format.En, in.About), " Reference:")
	if subject != "News about Haircut" || !strings.Contains(body, human) || strings.Count(body, "Reference:") != 1 {
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
	us, they := inbox.SideBusiness, inbox.SideCustomer
	for name, c := range map[string]struct {
		cause Cause
		want  string
	}{
		"ok/booking":              {Cause{Type: booking, Event: "create", By: they}, "ack.booking"},
		"ok/order":                {Cause{Type: order, Event: "create", By: they}, "ack.order"},
		"ok/quote":                {Cause{Type: quote, Event: "create", By: they}, "ack.quote"},
		"fail/message":            {Cause{Type: inbox.TypeMessage, Event: "create", By: they}, ""},
		"ok/question":             {Cause{Type: order, Event: "request_info", By: us, Said: true}, "needs_info"},
		"ok/another time":         {Cause{Type: booking, Event: "propose", From: "requested", By: us}, "booking.proposed"},
		"ok/changes":              {Cause{Type: order, Event: "propose", From: "received", By: us}, "order.proposed"},
		"ok/quoted":               {Cause{Type: quote, Event: "quote", From: "received", By: us}, "quote.quoted"},
		"ok/time countered":       {Cause{Type: booking, Event: "counter", From: "proposed", By: they}, "booking.counter"},
		"ok/order countered":      {Cause{Type: order, Event: "counter", From: "proposed", By: they}, "order.counter"},
		"ok/quote countered":      {Cause{Type: quote, Event: "counter", From: "quoted", By: they}, "quote.counter"},
		"ok/time taken back":      {Cause{Type: booking, Event: "retract", From: "proposed", By: us}, "booking.retracted"},
		"ok/changes taken back":   {Cause{Type: order, Event: "retract", From: "proposed", By: us}, "order.retracted"},
		"ok/quote taken back":     {Cause{Type: quote, Event: "retract", From: "quoted", By: us}, "quote.retracted"},
		"ok/confirm":              {Cause{Type: booking, Event: "confirm", From: "requested", By: us}, "booking.confirmed"},
		"ok/a yes by phone":       {Cause{Type: booking, Event: "confirm", From: "proposed", By: us}, "booking.confirmed"},
		"ok/their yes to a time":  {Cause{Type: booking, Event: "accept", From: "proposed", By: they}, "booking.accepted"},
		"ok/order accepted":       {Cause{Type: order, Event: "accept", From: "received", By: us}, "order.accepted"},
		"ok/their yes to changes": {Cause{Type: order, Event: "accept", From: "proposed", By: they}, "order.accepted"},
		"ok/their yes to a quote": {Cause{Type: quote, Event: "accept", From: "quoted", By: they}, "quote.accepted"},
		"ok/and by phone":         {Cause{Type: quote, Event: "accept", From: "quoted", By: us}, "quote.accepted"},
		"ok/decline":              {Cause{Type: quote, Event: "decline", From: "quoted", By: us}, "declined"},
		"ok/quote, by them":       {Cause{Type: quote, Event: "decline", From: "quoted", By: they}, "quote.declined"},
		"ok/cancel":               {Cause{Type: booking, Event: "cancel", From: "confirmed", By: they}, "cancelled.as_asked"},
		"ok/no to a time":         {Cause{Type: booking, Event: "cancel", From: "proposed", By: they}, "booking.declined_time"},
		"ok/no to changes":        {Cause{Type: order, Event: "cancel", From: "proposed", By: they}, "cancelled.as_asked"},
		"ok/no to a time, told":   {Cause{Type: booking, Event: "record_cancel", From: "proposed", By: us}, "cancelled.as_asked"},
		"ok/order, by us":         {Cause{Type: order, Event: "cancel", From: "proposed", By: us}, "cancelled.by_us"},
		"ok/late":                 {Cause{Type: booking, Event: "cancel_late", From: "confirmed", By: they}, "cancelled.as_asked"},
		"ok/recorded":             {Cause{Type: booking, Event: "record_cancel", From: "confirmed", By: us}, "cancelled.as_asked"},
		"ok/recorded late":        {Cause{Type: booking, Event: "record_cancel_late", From: "confirmed", By: us}, "cancelled.as_asked"},
		"ok/by us":                {Cause{Type: booking, Event: "cancel_by_business", From: "confirmed", By: us}, "cancelled.by_us"},
		"ok/booking lapsed":       {Cause{Type: booking, Event: "expire", From: "requested", By: us}, "booking.expired"},
		"ok/order lapsed":         {Cause{Type: order, Event: "expire", From: "proposed", By: us}, "order.expired"},
		"ok/quote lapsed":         {Cause{Type: quote, Event: "expire", From: "quoted", By: us}, "quote.expired"},
		"ok/answer in words":      {Cause{Type: inbox.TypeMessage, Event: "answer", From: "open", By: us, Said: true}, "reply"},
		"ok/answer without":       {Cause{Type: inbox.TypeMessage, Event: "answer", From: "open", By: us}, "message.answered"},
		"ok/no row of its own":    {Cause{Type: order, Event: "sent_by_balloon", From: "accepted", By: us}, "news"},
		"ok/change of a booking":  {Cause{Type: booking, Event: "propose_change", From: "confirmed", By: us}, "booking.change.propose"},
		"ok/theirs":               {Cause{Type: booking, Event: "propose_change", From: "confirmed", By: they}, "booking.change.propose"},
		"ok/change of an order":   {Cause{Type: order, Event: "propose_change", From: "paid", By: us}, "order.change.propose"},
		"ok/changed":              {Cause{Type: order, Event: "accept_change", From: "paid", By: they}, "order.change.accept"},
		"ok/kept as it is":        {Cause{Type: booking, Event: "decline_change", From: "confirmed", By: they}, "booking.change.decline"},
		"ok/change taken back":    {Cause{Type: booking, Event: "retract_change", From: "confirmed", By: us}, "booking.change.retract"},
		"ok/change lapsed":        {Cause{Type: order, Event: "expire_change", From: "accepted", By: us}, "order.change.expire"},
		"ok/payment asked for":    {Cause{Type: order, Event: "request_payment", From: "accepted", By: us}, "order.awaiting_payment"},
		"ok/paid":                 {Cause{Type: order, Event: "record_payment", From: "awaiting_payment", By: us}, "order.paid"},
		"ok/paid after sending":   {Cause{Type: order, Event: "record_payment", From: "fulfilled", By: us}, "order.paid"},
		"ok/booking paid":         {Cause{Type: booking, Event: "record_payment", From: "confirmed", By: us}, "booking.paid"},
		"ok/payment failed":       {Cause{Type: order, Event: "payment_failed", From: "awaiting_payment", By: us}, "order.payment_failed"},
		"ok/sent":                 {Cause{Type: order, Event: "fulfil", From: "paid", By: us}, "order.fulfilled"},
		"ok/withdrawn":            {Cause{Type: order, Event: "withdraw", From: "paid", By: they}, "order.withdrawn"},
		"ok/withdrawal recorded":  {Cause{Type: booking, Event: "record_withdrawal", From: "confirmed", By: us}, "booking.withdrawn"},
		"ok/goods to come back":   {Cause{Type: refund, Event: "create", By: they, Kind: "withdrawal"}, "refund.withdrawn"},
		"ok/return asked for":     {Cause{Type: refund, Event: "create", By: they, Kind: "faulty"}, "refund.received"},
		"ok/return approved":      {Cause{Type: refund, Event: "approve", From: "requested", By: us}, "refund.approved"},
		"ok/goods arrived":        {Cause{Type: refund, Event: "goods_back", From: "approved", By: us}, "refund.goods_back"},
		"ok/goods disputed":       {Cause{Type: refund, Event: "dispute_goods", From: "goods_received", By: us, Said: true}, "refund.disputed"},
		"ok/settled":              {Cause{Type: refund, Event: "record_settlement", From: "approved", By: us}, "refund.refunded"},
		"ok/refunded":             {Cause{Type: refund, Event: "refund", From: "approved", By: us}, "refund.refunded"},
		"ok/return refused":       {Cause{Type: refund, Event: "reject", From: "requested", By: us, Said: true}, "refund.rejected"},
		"ok/return dropped":       {Cause{Type: refund, Event: "cancel", From: "approved", By: they}, "refund.cancelled"},
		"ok/dropped by phone":     {Cause{Type: refund, Event: "record_cancel", From: "approved", By: us}, "refund.cancelled"},
		"fail/return opened":      {Cause{Type: order, Event: "request_return", From: "fulfilled", By: they}, ""},
		"fail/in the making":      {Cause{Type: order, Event: "start_fulfilment", From: "paid", By: us}, ""},
		"fail/delivered":          {Cause{Type: order, Event: "record_delivery", From: "fulfilled", By: us}, ""},
		"fail/charged back":       {Cause{Type: order, Event: "charge_back", From: "paid", By: us}, ""},
		"fail/payment overdue":    {Cause{Type: order, Event: "lapse", From: "awaiting_payment", By: us}, ""},
		"fail/their own details":  {Cause{Type: booking, Event: "provide_info", From: "needs_info", By: they}, ""},
		"fail/completed":          {Cause{Type: booking, Event: "complete", From: "confirmed", By: us}, ""},
		"fail/nobody came":        {Cause{Type: booking, Event: "no_show", From: "confirmed", By: us}, ""},
		"fail/spam":               {Cause{Type: inbox.TypeMessage, Event: "mark_spam", From: "open", By: us}, ""},
		"fail/flags":              {Cause{Type: inbox.TypeMessage, Event: "flags", From: "open", By: us}, ""},
	} {
		got, mailed := CustomerTemplate(c.cause)
		if mailed != (c.want != "") || (mailed && got != c.want) {
			t.Errorf("%s: %q, %v", name, got, mailed)
		}
		if _, ok := mailRows()[got]; mailed && !ok {
			t.Errorf("%s: %q is no mail", name, got)
		}
	}
	for event, want := range map[string]string{
		"create": "owner.create", "provide_info": "owner.provide_info", "cancel": "owner.cancel", "counter": "owner.counter",
		"accept": "owner.accept", "decline": "owner.decline", "cancel_late": "owner.cancel_late", "reopen": "owner.message",
		"propose_change": "owner.propose_change", "accept_change": "owner.accept_change", "decline_change": "owner.decline_change",
		"retract_change": "owner.retract_change", "withdraw": "owner.withdraw", "request_return": "owner.request_return",
		"confirm": "", "": "",
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

func TestSupersedes(t *testing.T) {
	for name, c := range map[string]struct {
		newer, older string
		want         bool
	}{
		"ok/paid at once":          {"record_payment", "accept", true},
		"ok/payment asked for":     {"request_payment", "accept", true},
		"ok/confirmed, paid":       {"record_payment", "confirm", true},
		"ok/another time instead":  {"propose", "propose", true},
		"ok/time taken back":       {"retract", "propose", true},
		"ok/time accepted":         {"accept", "propose", true},
		"ok/a yes by phone":        {"confirm", "propose", true},
		"ok/another suggestion":    {"counter", "propose", true},
		"ok/time declined":         {"cancel", "propose", true},
		"ok/declined by us":        {"decline", "propose", true},
		"ok/quote replaced":        {"quote", "quote", true},
		"ok/quote taken back":      {"retract", "quote", true},
		"ok/quote accepted":        {"accept", "quote", true},
		"ok/change replaced":       {"propose_change", "propose_change", true},
		"ok/change accepted":       {"accept_change", "propose_change", true},
		"ok/change withdrawn with": {"withdraw", "propose_change", true},
		"fail/paid, not changed":   {"record_payment", "propose_change", false},
		"fail/refunded":            {"refund", "goods_back", false},
		"fail/cancelled":           {"cancel", "confirm", false},
		"fail/declined":            {"reopen", "decline", false},
		"fail/a question":          {"confirm", "request_info", false},
		"fail/confirmed meanwhile": {"confirm", "retract", false},
		"fail/in the wrong order":  {"accept", "record_payment", false},
	} {
		if got := Supersedes(c.newer, c.older); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
