package mail

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// answer is a mail that surely answers one of ours.
func answer(t *testing.T, fields, body string) Received {
	t.Helper()
	r, err := Parse([]byte("From: Ana <ana@example.com>\r\nContent-Type: text/plain; charset=utf-8\r\n"+fields+"\r\n"+body), Delivery{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestEverySubject: each listed subject in each of the ways a program writes it.
func TestEverySubject(t *testing.T) {
	forms := map[string]func(string) string{
		"alone": func(s string) string { return s }, "upper case": strings.ToUpper, "answered": func(s string) string { return "Re: AW: RE: " + s },
		"colon": func(s string) string { return s + ": Booking" }, "French colon": func(s string) string { return "TR : " + s + " : Booking" },
		"dash": func(s string) string { return s + " – Booking" }, "hyphen": func(s string) string { return s + "- Booking" }, "bracket": func(s string) string { return s + " [Booking]" },
		"paren": func(s string) string { return s + " (Booking)" }, "date": func(s string) string { return s + " 12/10/2026" }, "until": func(s string) string { return s + " until 12 October" },
		"bis": func(s string) string { return s + " bis 12. Oktober" }, "até": func(s string) string { return s + " até segunda-feira" }, "name": func(s string) string { return s + " Ana Silva" },
		"no accents": casefold,
	}
	for _, s := range automaticSubjects {
		for form, write := range forms {
			t.Run("ok/"+s+"/"+form, func(t *testing.T) {
				r := answer(t, "Subject: "+write(s)+"\r\n", "x")
				if j := r.Automatic(Thread{Strong: true}); !j.Automatic || j.Kind != AutoReply || !strings.HasPrefix(j.Why, "subject: ") {
					t.Errorf("%q: %+v", write(s), j)
				}
				if j := r.Automatic(Thread{}); j.Automatic {
					t.Errorf("%q alone: %+v", write(s), j)
				}
			})
		}
		for _, longer := range []string{s + "xyz", "The " + s, s + " of towels in our room"} {
			if got := automaticSubject(longer); got != "" && !strings.HasSuffix(strings.ToLower(s), " from") {
				t.Errorf("fail/%q taken for %q", longer, got)
			}
		}
	}
}

// TestEveryPhrase: each phrase in a sentence, wrapped over two lines, and in
// capitals; each kind counts where it should.
func TestEveryPhrase(t *testing.T) {
	check := func(t *testing.T, p string, machine bool) {
		said := strings.ReplaceAll(p, "…", "my dear ")
		for _, text := range []string{said, "Hello,\r\n\r\n" + said + ", thank you.", strings.ToUpper(said), strings.Replace(said, " ", "\r\n", 1), casefold(said)} {
			r := answer(t, "Subject: Re: Booking\r\n", text)
			want := map[Thread]bool{{}: false, {Soon: true}: false, {Strong: true}: machine, {Strong: true, Soon: true}: true}
			for thread, yes := range want {
				if j := r.Automatic(thread); j.Automatic != yes {
					t.Errorf("%q given %+v: %+v", text, thread, j)
				}
			}
		}
	}
	for _, p := range []string{"Este e-mail foi enviado automaticamente", "Questa e-mail è stata inviata automaticamente", "Diese Email wurde automatisch"} {
		t.Run("ok/machine/"+p, func(t *testing.T) { check(t, p, true) })
	}
	for _, p := range machinePhrases {
		t.Run("ok/machine/"+p, func(t *testing.T) { check(t, p, true) })
	}
	for _, p := range awayPhrases {
		t.Run("ok/away/"+p, func(t *testing.T) { check(t, p, false) })
	}
}

// TestWordsAsSpecified compares the lists with the tables of 05 §5.10.
func TestWordsAsSpecified(t *testing.T) {
	spec, err := os.ReadFile("../../../shared/spec/05-mail-and-pages.md")
	if err != nil {
		t.Skip("the specification is not beside the project")
	}
	quoted := regexp.MustCompile("`([^`]+)`")
	column := func(from, to string, n int) []string {
		_, rest, ok := strings.Cut(string(spec), from)
		if !ok {
			t.Fatalf("no %q", from)
		}
		rest, _, _ = strings.Cut(rest, to)
		var list []string
		for l := range strings.SplitSeq(rest, "\n") {
			cells := strings.Split(l, "|")
			if len(cells) <= n+1 || !strings.Contains(l, "`") {
				continue
			}
			for _, m := range quoted.FindAllStringSubmatch(cells[n], -1) {
				list = append(list, m[1])
			}
		}
		return list
	}
	const subjects, phrases, end = "\nSubjects (case-insensitive", "\nPhrases (same folding", "\nNot automatic, but never"
	for what, pair := range map[string][2][]string{
		"subjects": {column(subjects, phrases, 2), automaticSubjects}, "machine": {column(phrases, end, 2), machinePhrases}, "away": {column(phrases, end, 3), awayPhrases},
	} {
		if len(pair[0]) < 30 || !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s differ:\n%q\n%q", what, pair[0], pair[1])
		}
	}
}

// TestHeaderSigns: each signal of the header, alone, whatever is answered.
func TestHeaderSigns(t *testing.T) {
	empty, someone := "", "ana@example.com"
	cases := map[string]struct {
		raw  string
		d    Delivery
		kind Automation // "" for a person
	}{
		"ok/nothing":                     {"From: ana@example.com", Delivery{From: &someone}, ""},
		"ok/null envelope":               {"From: ana@example.com", Delivery{From: &empty}, AutoReply},
		"ok/null Return-Path":            {"From: ana@example.com\r\nReturn-Path: <>", Delivery{}, AutoReply},
		"ok/null Return-Path with blank": {"From: ana@example.com\r\nReturn-Path: < >", Delivery{From: &someone}, AutoReply},
		"ok/auto-generated":              {"From: ana@example.com\r\nAuto-Submitted: auto-generated", Delivery{}, AutoReply},
		"ok/auto-replied in capitals":    {"From: ana@example.com\r\nAUTO-SUBMITTED: Auto-Replied", Delivery{}, AutoReply},
		"ok/an extension":                {"From: ana@example.com\r\nAuto-Submitted: x-robot;a=b", Delivery{}, AutoReply},
		"ok/a comment before it":         {"From: ana@example.com\r\nAuto-Submitted: (by (a) robot) auto-replied", Delivery{}, AutoReply},
		"fail/a comment before no":       {"From: ana@example.com\r\nAuto-Submitted: (a person) no", Delivery{}, ""},
		"fail/comments within comments":  {"From: ana@example.com\r\nAuto-Submitted: (by (a) person)no(t a robot)", Delivery{}, ""},
		"fail/a comment alone":           {"From: ana@example.com\r\nAuto-Submitted: (auto-replied", Delivery{}, ""},
		"fail/auto-submitted no":         {"From: ana@example.com\r\nAuto-Submitted: no", Delivery{}, ""},
		"fail/auto-submitted empty":      {"From: ana@example.com\r\nAuto-Submitted:", Delivery{}, ""},
		"ok/X-Autoreply":                 {"From: ana@example.com\r\nX-Autoreply: yes", Delivery{}, AutoReply},
		"ok/X-Autorespond":               {"From: ana@example.com\r\nX-Autorespond:", Delivery{}, AutoReply},
		"ok/X-Autoresponder":             {"From: ana@example.com\r\nX-Autoresponder: 1", Delivery{}, AutoReply},
		"ok/X-Auto-Reply-From":           {"From: ana@example.com\r\nX-Auto-Reply-From: a@b.example", Delivery{}, AutoReply},
		"ok/Precedence auto_reply":       {"From: ana@example.com\r\nPrecedence: auto_reply", Delivery{}, AutoReply},
		"ok/Precedence bulk":             {"From: ana@example.com\r\nPrecedence: Bulk", Delivery{}, AutoReply},
		"ok/Precedence junk":             {"From: ana@example.com\r\nPrecedence: junk", Delivery{}, AutoReply},
		"fail/Precedence list":           {"From: ana@example.com\r\nPrecedence: list", Delivery{}, ""},
		"fail/Precedence first-class":    {"From: ana@example.com\r\nPrecedence: first-class", Delivery{}, ""},
		"ok/X-Failed-Recipients":         {"From: ana@example.com\r\nX-Failed-Recipients: b@example.com", Delivery{}, AutoBounce},
		"ok/report without parts":        {"From: ana@example.com\r\nContent-Type: multipart/report; boundary=x", Delivery{}, AutoBounce},
		"ok/report with a part":          {"From: ana@example.com\r\nContent-Type: multipart/report; report-type=disposition-notification; boundary=x\r\n\r\n--x\r\n\r\nread\r\n--x--", Delivery{}, AutoReceipt},
		"ok/report of feedback":          {"From: ana@example.com\r\nContent-Type: multipart/report; report-type=feedback-report; boundary=x\r\n\r\n--x\r\n\r\nbad\r\n--x--", Delivery{}, AutoFeedback},
		"ok/delivery-status":             {"From: ana@example.com\r\nContent-Type: message/delivery-status", Delivery{}, AutoBounce},
		"ok/mailer-daemon":               {"From: MAILER-DAEMON@example.com", Delivery{}, AutoBounce},
		"ok/postmaster":                  {"From: postmaster@example.com", Delivery{}, AutoBounce},
		"fail/postmaster's assistant":    {"From: postmasters@example.com", Delivery{}, ""},
		"fail/suppress alone":            {"From: ana@example.com\r\nX-Auto-Response-Suppress: All", Delivery{}, ""},
		"fail/rules loop alone":          {"From: ana@example.com\r\nX-MS-Exchange-Inbox-Rules-Loop: a@b.example", Delivery{}, ""},
		"fail/list":                      {"From: ana@example.com\r\nList-Id: <a.example>", Delivery{}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := Parse([]byte(c.raw+"\r\nSubject: x\r\n\r\nWords.\r\n"), c.d)
			if strings.Contains(c.raw, "\r\n\r\n") {
				r, err = Parse([]byte(c.raw), c.d)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, thread := range []Thread{{}, {Strong: true}, {Strong: true, Soon: true}} {
				if j := r.Automatic(thread); j.Automatic != (c.kind != "") || j.Kind != c.kind {
					t.Errorf("given %+v: %+v", thread, j)
				}
			}
		})
	}
}

// TestExchange: the two headers of Exchange count with a word of the lists, the
// one that inbox rules set on people's mail never with words a person might
// write, unless the mail answers ours.
func TestExchange(t *testing.T) {
	const suppress, loop = "X-Auto-Response-Suppress: OOF\r\n", "X-MS-Exchange-Inbox-Rules-Loop: a@b.example\r\n"
	cases := map[string]struct {
		fields, body  string
		alone, strong bool
	}{
		"ok/suppress and subject":    {suppress + "Subject: Out of office: x\r\n", "x", true, true},
		"ok/suppress and machine":    {suppress, "This is an automatic reply.", true, true},
		"ok/suppress and away":       {suppress, "I am out of the office.", true, true},
		"fail/suppress and words":    {suppress, "I will be there at ten.", false, false},
		"ok/rules loop and subject":  {loop + "Subject: Resposta automática\r\n", "x", true, true},
		"ok/rules loop and machine":  {loop, "Esta é uma resposta automática.", true, true},
		"ok/rules loop and away":     {loop, "I am on holiday in Lisbon and want to book.", false, true},
		"fail/rules loop and words":  {loop, "Is ten free?", false, false},
		"fail/away without a header": {"", "I am on holiday in Lisbon.", false, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := answer(t, c.fields, c.body)
			if j := r.Automatic(Thread{}); j.Automatic != c.alone {
				t.Errorf("alone %+v", j)
			}
			if j := r.Automatic(Thread{Strong: true}); j.Automatic != c.strong {
				t.Errorf("answering %+v", j)
			}
		})
	}
}

func TestUnanswerable(t *testing.T) {
	cases := map[string]struct {
		from, fields string
		want         bool
	}{
		"ok/person": {"ana@example.com", "", false}, "ok/suppress OOF": {"ana@example.com", "X-Auto-Response-Suppress: OOF, DR\r\n", false},
		"fail/suppress All": {"ana@example.com", "X-Auto-Response-Suppress: All\r\n", true}, "fail/suppress AutoReply": {"ana@example.com", "X-Auto-Response-Suppress: DR, autoreply\r\n", true},
		"fail/list": {"ana@example.com", "Precedence: list\r\n", true}, "fail/List-Id": {"ana@example.com", "List-Id: x\r\n", true}, "fail/List-Unsubscribe": {"ana@example.com", "List-Unsubscribe: <x>\r\n", true},
		"fail/noreply": {"noreply@example.com", "", true}, "fail/no-reply": {"No-Reply@example.com", "", true}, "fail/no_reply": {"no_reply@example.com", "", true}, "fail/donotreply": {"donotreply@example.com", "", true},
		"fail/do-not-reply": {"do-not-reply@example.com", "", true}, "fail/nao-responda": {"nao-responda@example.com", "", true}, "fail/naoresponder": {"naoresponder@example.com", "", true},
		"fail/notification": {"notification@example.com", "", true}, "fail/notifications": {"notifications@example.com", "", true}, "fail/no-reply with a tag": {"no-reply+42@example.com", "", true},
		"ok/noreplyson": {"noreplyson@example.com", "", false}, "ok/a name with it inside": {"ana.noreply@example.com", "", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := Parse([]byte("From: "+c.from+"\r\n"+c.fields+"\r\nx"), Delivery{})
			if err != nil || r.Signs.Unanswerable != c.want {
				t.Errorf("%v %v", r.Signs.Unanswerable, err)
			}
		})
	}
}
