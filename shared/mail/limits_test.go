package mail

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// with is a message of one sender, with more header fields and a body.
func with(fields, body string) []byte {
	return []byte("From: Ana <ana@example.com>\r\nSubject: Hi\r\nMessage-ID: <1@example.com>\r\n" + fields + "\r\n" + body)
}

// filled repeats a piece up to a size in bytes.
func filled(piece string, size int) string { return strings.Repeat(piece, size/len(piece)+1)[:size] }

// nested is a message of several levels with a file of a size inside.
func nested(levels, size int) []byte {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
	}
	b.WriteString("Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n" + filled(strings.Repeat("QUJD", 19)+"\r\n", size))
	return append([]byte("From: ana@example.com\r\n"), b.String()...)
}

// TestCostly: what is made to cost much costs little: at most a second of the
// processor, where a quiet machine needs some tens of milliseconds.
func TestCostly(t *testing.T) {
	const most = MaxRaw - 4096
	html := "Content-Type: text/html; charset=utf-8\r\n"
	cases := map[string]func() []byte{ // made one by one: together they are a gigabyte
		"ok/plain text":             func() []byte { return with("", filled("These are words of a person.\r\n", most)) },
		"ok/one line":               func() []byte { return with("", filled("word ", most)) },
		"ok/quoted lines":           func() []byte { return with("", filled("> quoted\r\n", most)) },
		"ok/blank lines":            func() []byte { return with("", filled("\r\n", most)) },
		"ok/attribution beginnings": func() []byte { return with("", filled("On a\r\n", most)) },
		"ok/header labels":          func() []byte { return with("", filled("From: x\r\nTo: y\r\n", most)) },
		"ok/references":             func() []byte { return with("", filled("Reference: ", most)) },
		"ok/base64 text": func() []byte {
			return with("Content-Transfer-Encoding: base64\r\n", filled(strings.Repeat("QUJD", 19)+"\r\n", most))
		},
		"ok/base64 broken": func() []byte { return with("Content-Transfer-Encoding: base64\r\n", filled("QUJ*D=", most)) },
		"ok/quoted-printable": func() []byte {
			return with("Content-Transfer-Encoding: quoted-printable\r\n", filled("=C3=A3=\r\n", most))
		},
		"ok/utf-16": func() []byte { return with("Content-Type: text/plain; charset=utf-16le\r\n", filled("a\x00", most)) },
		"ok/japanese": func() []byte {
			return with("Content-Type: text/plain; charset=iso-2022-jp\r\n", filled("\x1b$B$\"\x1b(B", most))
		},
		"ok/decomposed letters": func() []byte {
			return with("Content-Type: text/plain; charset=utf-8\r\n", "a"+filled("\u0303", most-2))
		},
		"ok/html open tags":   func() []byte { return with(html, filled("<b>", most)) },
		"ok/html closed tags": func() []byte { return with(html, filled("<i>", most/2)+filled("</b>", most/2)) },
		"ok/html hidden":      func() []byte { return with(html, filled(`<div style="display:none">`, most)) },
		"ok/html styles":      func() []byte { return with(html, `<p style="`+filled("a:b;", most-100)+`">x`) },
		"ok/html classes":     func() []byte { return with(html, `<p class="`+filled("gmail_quotes ", most-100)+`">x`) },
		"ok/html attributes":  func() []byte { return with(html, "<p "+filled("a=b ", most-100)+">x") },
		"ok/html comment":     func() []byte { return with(html, "<!--"+filled("-", most-100)) },
		"ok/html entities":    func() []byte { return with(html, filled("&amp", most)) },
		"ok/html breaks":      func() []byte { return with(html, filled("<br>", most)) },
		"ok/one level":        func() []byte { return nested(1, most-1000) },
		"ok/twenty levels":    func() []byte { return nested(20, most-4000) },
		"ok/thousand levels":  func() []byte { return nested(1000, 1<<20) },
		"ok/delimiters":       func() []byte { return with("Content-Type: multipart/mixed; boundary=b\r\n", filled("--b\r\n", most)) },
		"ok/almost delimiters": func() []byte {
			return with("Content-Type: multipart/mixed; boundary=b\r\n", "--b\r\n\r\n"+filled("\r\n--bb", most-100))
		},
		"ok/one-letter boundary":     func() []byte { return with("Content-Type: multipart/mixed; boundary=-\r\n", filled("-", most)) },
		"ok/recipients":              func() []byte { return with("To: "+filled("a@example.com, ", 200<<10)+"\r\n", "x") },
		"ok/commas":                  func() []byte { return with("To: "+filled(",", 200<<10)+"\r\n", "x") },
		"ok/angle brackets":          func() []byte { return with("To: "+filled("<", 200<<10)+"\r\n", "x") },
		"ok/quotes":                  func() []byte { return with("To: "+filled(`a"@b,`, 200<<10)+"\r\n", "x") },
		"ok/names without addresses": func() []byte { return with("To: "+filled("a,", 200<<10)+"\r\n", "x") },
		"ok/comments":                func() []byte { return with("To: "+filled("(", 200<<10)+"\r\n", "x") },
		"ok/encoded word beginnings": func() []byte { return with("To: "+filled("=?a?q?", 200<<10)+"\r\n", "x") },
		"ok/encoded words in To":     func() []byte { return with("To: "+filled("=?utf-8?q?a?=", 200<<10)+"\r\n", "x") },
		"ok/ids":                     func() []byte { return with("References: "+filled("<a@b> ", 200<<10)+"\r\n", "x") },
		"ok/id beginnings":           func() []byte { return with("References: "+filled("<", 200<<10)+"\r\n", "x") },
		"ok/continuation lines":      func() []byte { return with("X: a\r\n"+filled(" b\r\n", 200<<10)+"\r\n", "x") },
		"ok/parameters":              func() []byte { return with("Content-Type: text/plain; "+filled("a=b;", 200<<10)+"\r\n", "x") },
		"ok/fields":                  func() []byte { return with(filled("A:b\r\n", 200<<10), "x") },
		"ok/file name pieces": func() []byte {
			return with("Content-Disposition: attachment; "+filled("filename*1=a;", 200<<10)+"\r\n", "x")
		},
		"ok/bounce with addresses": func() []byte {
			return with("X-Failed-Recipients: "+filled("a@example.com,", 200<<10)+"\r\n", filled("a@example.com\r\n", most-300<<10))
		},
		"ok/report groups": func() []byte {
			return with("Content-Type: message/delivery-status\r\n", filled("Final-Recipient: rfc822; a@b.example\r\nStatus: 5.0.0\r\n\r\n", most))
		},
		"ok/nothing but zero bytes": func() []byte { return with("", filled("\x00", most)) },
		"ok/files":                  func() []byte { return manyFiles(150, most/150-200) },
	}
	for name, build := range cases {
		t.Run(name, func(t *testing.T) {
			raw := build()
			if len(raw) > MaxRaw {
				t.Fatalf("%d bytes", len(raw))
			}
			var r Received
			var err error
			spent, held := cost(func() { r, err = Parse(raw, Delivery{}) })
			if err != nil {
				t.Errorf("%v", err)
			}
			if spent > time.Second || held > 256<<20 {
				t.Errorf("took %v and %d MiB", spent, held>>20)
			}
			if testing.Verbose() {
				t.Logf("%v, %d MiB", spent, held>>20)
			}
			checkClean(t, r)
			checkFiles(t, r.Attachments, sample{})
		})
	}
}

func manyFiles(n, size int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "--b\r\nContent-Type: image/png; name=%d.png\r\nContent-ID: <%d>\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n", i, i, filled("QUJD", size))
	}
	return with("Content-Type: multipart/mixed; boundary=b\r\n", b.String())
}

// inHeader is a message whose header block has a size in bytes.
func inHeader(size int) func() []byte {
	return func() []byte {
		empty := with("X-Long: \r\n", "x")
		return with("X-Long: "+filled("word ", size-len(empty)+3)+"\r\n", "x")
	}
}

// TestLimits: each limit of 05 §5.3 on both sides.
func TestLimits(t *testing.T) {
	message := func(fields, body string) func() []byte { return func() []byte { return with(fields, body) } }
	body := func(n int) func() []byte { return message("", strings.Repeat("ã", n)) }
	files := func(sizes ...int) func() []byte { return func() []byte { return binaryFiles(sizes...) } }
	cases := map[string]struct {
		raw   func() []byte
		err   error
		check func(t *testing.T, r Received)
	}{
		"ok/text of 20,000 characters": {body(MaxText), nil, func(t *testing.T, r Received) {
			if r.Cut || r.Text != strings.Repeat("ã", MaxText) {
				t.Errorf("cut %v", r.Cut)
			}
		}},
		"ok/text of one more": {body(MaxText + 1), nil, func(t *testing.T, r Received) {
			if !r.Cut || r.Text != strings.Repeat("ã", MaxText)+"\n"+CutLine {
				t.Errorf("cut %v, %d bytes", r.Cut, len(r.Text))
			}
		}},
		"ok/subject of 501 characters": {func() []byte { return append([]byte("Subject: "+strings.Repeat("é", 501)+"\r\n"), with("", "x")...) }, nil, func(t *testing.T, r Received) {
			if r.Subject != strings.Repeat("é", MaxSubject) {
				t.Errorf("%d bytes", len(r.Subject))
			}
		}},
		"ok/name of 201 characters": {func() []byte { return []byte("From: " + strings.Repeat("x", 201) + " <ana@example.com>\r\n\r\nx") }, nil, func(t *testing.T, r Received) {
			if len(r.From.Name) != MaxName {
				t.Errorf("%d", len(r.From.Name))
			}
		}},
		"ok/just 25 MiB": {message("", filled("x ", MaxRaw-len(with("", "")))), nil, func(t *testing.T, r Received) {
			if !r.Cut {
				t.Error("not cut")
			}
		}},
		"fail/a byte over 25 MiB": {message("", filled("x ", MaxRaw-len(with("", ""))+1)), ErrTooLarge, headOnly},
		"fail/30 MiB":             {message("", filled("x ", 30<<20)), ErrTooLarge, headOnly},
		"fail/header of 300 KiB":  {message("X-Long: "+filled("word ", 300<<10)+"\r\n", "x"), ErrMalformed, headOnly},
		"fail/header without end": {message(filled("A: b\r\n", 400<<10), ""), ErrMalformed, headOnly},
		"ok/header of 255 KiB": {message("X-Long: "+filled("word ", 255<<10)+"\r\n", "x"), nil, func(t *testing.T, r Received) {
			if r.Text != "x" {
				t.Errorf("%q", r.Text)
			}
		}},
		"ok/header of just 256 KiB":       {inHeader(MaxHeader), nil, reads("x")},
		"fail/header of a byte more":      {inHeader(MaxHeader + 1), ErrMalformed, headOnly},
		"fail/header folded past 256 KiB": {message("X-Long: "+filled("word\r\n ", 300<<10)+"end\r\n", "x"), ErrMalformed, headOnly},
		"fail/no body, and folded past it": {func() []byte {
			return bytes.TrimSuffix(with("X-Long: "+filled("word\r\n ", 300<<10)+"end\r\n", ""), []byte("\r\n"))
		}, ErrMalformed, headOnly},
		"ok/a file of 10 MiB": {files(MaxAttachment), nil, func(t *testing.T, r Received) {
			if len(r.Attachments) != 1 || !r.Attachments[0].Kept || r.Attachments[0].Bytes != MaxAttachment {
				t.Errorf("%d files", len(r.Attachments))
			}
		}},
		"ok/a file of a byte more": {files(MaxAttachment + 1), nil, func(t *testing.T, r Received) {
			if a := r.Attachments[0]; a.Kept || a.Content != nil || a.Bytes != MaxAttachment+1 {
				t.Errorf("kept %v of %d", a.Kept, a.Bytes)
			}
		}},
		"ok/as many levels as are read": {message(inLevels(MaxDepth-1, "Words.")), nil, reads("Words.")},
		"ok/a level more":               {message(inLevels(MaxDepth, "Words.")), nil, reads(UnreadLine)},
		"ok/as many parts as are read":  {message(inParts(MaxParts)), nil, reads(strings.Repeat("Words.\n\n", MaxParts-1) + "Words.")},
		"ok/a part more":                {message(inParts(MaxParts + 1)), nil, reads(strings.Repeat("Words.\n\n", MaxParts) + UnreadLine)},
		"ok/files of 21 MiB": {files(7<<20, 7<<20, 7<<20, 100), nil, func(t *testing.T, r Received) {
			if a := r.Attachments; !a[0].Kept || !a[1].Kept || a[2].Kept || !a[3].Kept {
				t.Errorf("kept %v %v %v %v", a[0].Kept, a[1].Kept, a[2].Kept, a[3].Kept)
			}
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			raw := c.raw()
			var r Received
			var err error
			spent, held := cost(func() { r, err = Parse(raw, Delivery{}) })
			if !errors.Is(err, c.err) {
				t.Fatalf("%v, want %v", err, c.err)
			}
			if spent > time.Second || held > 256<<20 {
				t.Errorf("took %v and %d MiB", spent, held>>20)
			}
			c.check(t, r)
		})
	}
}

// reads: the text is this and no more.
func reads(text string) func(t *testing.T, r Received) {
	return func(t *testing.T, r Received) {
		if r.Text != text || r.Cut {
			t.Errorf("cut %v, %q", r.Cut, r.Text)
		}
	}
}

// inLevels are the fields and body of a text within so many multiparts.
func inLevels(levels int, text string) (fields, body string) {
	for i := range levels {
		text = fmt.Sprintf("--l%d\r\n%s\r\n%s\r\n--l%d--\r\n", i, fields, text, i)
		fields = fmt.Sprintf("Content-Type: multipart/mixed; boundary=l%d\r\n", i)
	}
	return fields, text
}

// inParts are the fields and body of so many texts side by side.
func inParts(n int) (fields, body string) {
	return "Content-Type: multipart/mixed; boundary=p\r\n", strings.Repeat("--p\r\n\r\nWords.\r\n", n) + "--p--\r\n"
}

// headOnly: what a notice about a refused mail shows.
func headOnly(t *testing.T, r Received) {
	if r.From.Email != "ana@example.com" || r.Subject != "Hi" || r.MessageID != "1@example.com" || r.Text != "" || r.Attachments != nil {
		t.Errorf("%+v", r)
	}
}

func binaryFiles(sizes ...int) []byte {
	var b bytes.Buffer
	for i, size := range sizes {
		fmt.Fprintf(&b, "--b\r\nContent-Type: application/octet-stream; name=%d.bin\r\nContent-Transfer-Encoding: binary\r\n\r\n%s\r\n", i, filled("\x01\x02", size))
	}
	b.WriteString("--b--\r\n")
	return with("Content-Type: multipart/mixed; boundary=b\r\n", b.String())
}
