package mail

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParse: whatever arrives is read without a panic, keeps its promises and
// is read the same way twice.
func FuzzParse(f *testing.F) {
	for _, s := range corpus(f) {
		f.Add(s.raw)
	}
	empty := ""
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, d := range []Delivery{{}, {From: &empty, To: []string{string(raw)}}} {
			r, err := Parse(raw, d)
			if err != nil && err != ErrNoSender && err != ErrMalformed && err != ErrTooLarge {
				t.Fatal(err)
			}
			if (r.From.Email == "") != (err == ErrNoSender) && err != ErrMalformed {
				t.Fatalf("from %q, error %v", r.From.Email, err)
			}
			checkClean(t, r)
			checkFiles(t, r.Attachments, sample{})
			for _, thread := range []Thread{{}, {Strong: true}, {Strong: true, Soon: true}} {
				if j := r.Automatic(thread); j.Automatic != (j.Kind != "") {
					t.Fatalf("%+v", j)
				}
			}
			again, _ := Parse(raw, d)
			if again.DuplicateKey() != r.DuplicateKey() || again.BodyHash != r.BodyHash || again.Text != r.Text {
				t.Fatal("read differently the second time")
			}
		}
	})
}

// FuzzFrom: an author is one normalised address or none, and a name never holds
// a second line.
func FuzzFrom(f *testing.F) {
	for _, s := range []string{
		"Ana <ana@example.com>", `"Silva, Ana" <ana@example.com>`, "ana@example.com (Ana)", "a@b.example, c@d.example", "G: a@b.example;", "=?utf-8?Q?a=0D=0Ab?= <a@b.example>",
		`"\"<a@b.example>" <c@d.example>`, "<a@b.example", "a@b@c.example", "<@r:a@b.example>", "((a)) a@b.example", "=?utf-8?q?x,?= <a@b.example>",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		from, err := readAuthor(header{{"from", value}})
		if (err == nil) != (from.Email != "") || !oneCleanLine(from.Name) || utf8.RuneCountInString(from.Name) > MaxName {
			t.Fatalf("%q %v", from, err)
		}
		if err == nil && (strings.ContainsAny(from.Email, " \t\r\n<>,;\"") || strings.Count(from.Email, "@") != 1) {
			t.Fatalf("address %q", from.Email)
		}
		list, _ := readMailboxes(value)
		if strings.Count(value, "@") < len(list)-strings.Count(value, "<") {
			t.Fatalf("%d mailboxes of %q", len(list), value)
		}
	})
}

// FuzzHTML: text comes out, never markup that hides something, and what is kept
// is part of the whole.
func FuzzHTML(f *testing.F) {
	for _, s := range []string{
		"<p>Hello<p>you", `<div style="display:none">x</div>y`, `<div class="gmail_quote">q</div>z`, "<li>a<li>b", "<table><td>a<td>b", "<pre>a\n b</pre>", "<script>x</script>", "<svg><title>x", "a&amp;b&#0;&#x110000;",
		`<blockquote type="cite">x</blockquote>`, `<div id="divRplyFwdMsg">x</div>y`, "<b></i></b></b>", "<!-- x", "<head><title>t</title><body>b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		kept, whole := htmlText(src)
		if len(kept) > len(whole) || strings.Contains(kept, "\n\n\n") || strings.Contains(whole, "\n\n\n") {
			t.Fatalf("kept %q of %q", kept, whole)
		}
		hidden, _ := htmlText(`<div style="display:none">` + strings.NewReplacer("<", "", ">", "", "&", "").Replace(src) + "</div>")
		if hidden != "" {
			t.Fatalf("hidden text shows: %q", hidden)
		}
	})
}

// FuzzStripQuoted: it never strips to nothing, invents no line, and a text
// stripped is stripped.
func FuzzStripQuoted(f *testing.F) {
	for _, s := range []string{
		"Yes\n\nOn Thu, Ana wrote:\n> no", "> a\nb", "a\n-- \nb", "a\n____________________\nFrom: x\nTo: y@z.example", "a\nFrom: b\nTo: c", "On x\ny wrote:\n> q\nanswer", "Sent from my telephone", "a\n---------- Forwarded message\nFrom: x\nSubject: y\nz",
		"Le lun. 1, X a écrit :\n> a", "\n\n\n", "a\n> b\n> c\nd",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		src = text(src)
		out := stripQuoted(src)
		if (strings.TrimSpace(out) == "") != (strings.TrimSpace(src) == "") {
			t.Fatalf("%q became %q", src, out)
		}
		lines := map[string]bool{}
		for l := range strings.SplitSeq(src, "\n") {
			lines[strings.TrimRight(l, " \t\r")] = true
		}
		for l := range strings.SplitSeq(out, "\n") {
			if !lines[l] && l != "" {
				t.Fatalf("line %q is new", l)
			}
		}
	})
}

// FuzzBounce: a mail system's words give a bounded report or none.
func FuzzBounce(f *testing.F) {
	for name, s := range corpus(f) {
		if strings.HasPrefix(name, "bounce-") {
			_, body, _ := readHeader(s.raw)
			f.Add("failure notice", string(body))
		}
	}
	f.Fuzz(func(t *testing.T, subject, body string) {
		raw := "From: MAILER-DAEMON@example.com\r\nSubject: " + line(subject) + "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + body
		r, _ := Parse([]byte(raw), Delivery{})
		checkClean(t, r)
		if j := r.Automatic(Thread{}); !j.Automatic || j.Kind != AutoBounce {
			t.Fatalf("%+v", j)
		}
		if r.Report == nil {
			return
		}
		for _, to := range r.Report.Recipients {
			if to.Action == "" || utf8.RuneCountInString(to.Diagnostic) > maxDiagnostic || to.Permanent() && to.Action != ActionFailed {
				t.Fatalf("%+v", to)
			}
		}
	})
}

// FuzzWords: headers decode to text whatever they claim to be.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"=?utf-8?Q?a?= =?utf-8?B?w6k=?=", "=?iso-2022-jp?B?GyRCJCIbKEI=?=", "=?x?q?=ff?=", "=?", "=?a?b?c", "=?utf-8?q?=?utf-8?q?a?=?=", strings.Repeat("a", MaxSubject-1) + " b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := headerText(s, MaxSubject); !oneCleanLine(got) || utf8.RuneCountInString(got) > MaxSubject {
			t.Fatalf("%q", got)
		}
	})
}
