package mail

import (
	"io"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
)

func plain() Message {
	return Message{
		MailID: "01J0MAIL00000000000000000A", From: Address{"Studio Lumen", "hello@studio.example"}, To: "customer@example.com",
		ReplyTo: "reply@studio.example", Subject: "Confirmed: Portrait session", Body: "Hello,\n\nSee you.\n", Lang: "en",
		Mark: "01J0MAIL00000000000000000A.abcdefgh",
	}
}

func read(t *testing.T, raw []byte) (*mail.Message, string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		t.Fatalf("unreadable mail: %v\n%s", err, raw)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	return m, string(body)
}

func TestBuild(t *testing.T) {
	cases := map[string]struct {
		change func(*Message)
		check  func(t *testing.T, m *mail.Message, body string)
	}{
		"ok/headers": {nil, func(t *testing.T, m *mail.Message, body string) {
			want := map[string]string{
				"From": `"Studio Lumen" <hello@studio.example>`, "To": "customer@example.com", "Reply-To": "reply@studio.example",
				"Subject": "Confirmed: Portrait session", "Content-Language": "en", "Mime-Version": "1.0",
				"X-Auto-Response-Suppress": "OOF, AutoReply", "X-Inbox-Mail": "01J0MAIL00000000000000000A.abcdefgh",
				"Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "quoted-printable",
			}
			for k, v := range want {
				if got := m.Header.Get(k); got != v {
					t.Errorf("%s: got %q, want %q", k, got, v)
				}
			}
			for _, absent := range []string{"Auto-Submitted", "In-Reply-To", "References", "Bcc", "Cc", "Precedence", "Message-Id", "Date"} {
				if _, ok := m.Header[absent]; ok {
					t.Errorf("%s is set", absent)
				}
			}
			if body != "Hello,\r\n\r\nSee you.\r\n" {
				t.Errorf("body %q", body)
			}
		}},
		"ok/automatic": {func(m *Message) { m.AutoSubmitted = "auto-generated" }, func(t *testing.T, m *mail.Message, _ string) {
			if m.Header.Get("Auto-Submitted") != "auto-generated" {
				t.Error("not marked")
			}
		}},
		"ok/words outside ASCII": {func(m *Message) {
			m.Subject = "Marcação confirmada: " + strings.Repeat("sessão de retrato ", 20)
			m.From.Name = "Estúdio Lúmen"
			m.Body = "Olá — até já\n"
		}, func(t *testing.T, m *mail.Message, body string) {
			got, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
			if err != nil || got != "Marcação confirmada: "+strings.Repeat("sessão de retrato ", 20) {
				t.Errorf("subject %q %v", got, err)
			}
			from, err := m.Header.AddressList("From")
			if err != nil || from[0].Name != "Estúdio Lúmen" || from[0].Address != "hello@studio.example" {
				t.Errorf("from %v %v", from, err)
			}
			if body != "Olá — até já\r\n" {
				t.Errorf("body %q", body)
			}
		}},
		"ok/text that looks like an encoded word": {func(m *Message) {
			m.Subject = "=?utf-8?Q?=0D=0ABcc:_all@example.com?= " + strings.Repeat("sessão ", 30)
			m.From.Name = "=?utf-8?Q?=0D=0ABcc:_all@example.com?="
		}, func(t *testing.T, m *mail.Message, body string) {
			noNewHeader(t, m, body)
			got, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
			if want := "=?utf-8?Q?=0D=0ABcc:_all@example.com?= " + strings.Repeat("sessão ", 30); err != nil || got != want {
				t.Errorf("subject %q %v", got, err)
			}
			if from, err := m.Header.AddressList("From"); err != nil || from[0].Name != "=?utf-8?Q?=0D=0ABcc:_all@example.com?=" {
				t.Errorf("from %v %v", from, err)
			}
		}},
		"ok/subject that tries to add a header": {func(m *Message) { m.Subject = "Hi\r\nBcc: all@example.com\r\n\r\nbody" }, noNewHeader},
		"ok/name that tries to add a header":    {func(m *Message) { m.From.Name = "A\" <x@y.example>\r\nBcc: all@example.com" }, noNewHeader},
		"ok/line separator in a subject":        {func(m *Message) { m.Subject = "Hi\u2028Bcc: all@example.com" }, noNewHeader},
		"ok/body that looks like a header": {func(m *Message) { m.Body = "Bcc: all@example.com\n.\nFrom nobody\n" }, func(t *testing.T, m *mail.Message, body string) {
			noNewHeader(t, m, body)
			if body != "Bcc: all@example.com\r\n.\r\nFrom nobody\r\n" {
				t.Errorf("body %q", body)
			}
		}},
		"ok/references": {func(m *Message) {
			m.InReplyTo = "<a@b.example>"
			m.References = []string{"<a@b.example>", "<c@d.example>"}
		}, func(t *testing.T, m *mail.Message, _ string) {
			if m.Header.Get("References") != "<a@b.example> <c@d.example>" || m.Header.Get("In-Reply-To") != "<a@b.example>" {
				t.Errorf("%v", m.Header)
			}
		}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := plain()
			if c.change != nil {
				c.change(&m)
			}
			raw, err := Build(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(string(raw), "\r\n") {
				if len(line) > 998 || strings.ContainsAny(line, "\r\n") {
					t.Errorf("line of %d bytes: %q", len(line), line)
				}
			}
			parsed, body := read(t, raw)
			c.check(t, parsed, body)
		})
	}
}

func noNewHeader(t *testing.T, m *mail.Message, _ string) {
	t.Helper()
	if _, ok := m.Header["Bcc"]; ok {
		t.Error("a header was added")
	}
	if from, err := m.Header.AddressList("From"); err != nil || len(from) != 1 || from[0].Address != "hello@studio.example" {
		t.Errorf("from became %v %v", from, err)
	}
	if to, err := m.Header.AddressList("To"); err != nil || len(to) != 1 {
		t.Errorf("to became %v %v", to, err)
	}
}

func TestBuildRefuses(t *testing.T) {
	cases := map[string]func(*Message){
		"fail/two recipients":          func(m *Message) { m.To = "a@example.com, b@example.com" },
		"fail/recipient with a name":   func(m *Message) { m.To = "Customer <customer@example.com>" },
		"fail/recipient with a header": func(m *Message) { m.To = "customer@example.com\r\nBcc: b@example.com" },
		"fail/no sender":               func(m *Message) { m.From.Email = "" },
		"fail/reply-to is no address":  func(m *Message) { m.ReplyTo = "nobody" },
		"fail/too large":               func(m *Message) { m.Body = strings.Repeat("x", MaxBytes) },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			m := plain()
			change(&m)
			if raw, err := Build(m); err == nil {
				t.Errorf("built\n%s", raw)
			}
		})
	}
}

func FuzzBuild(f *testing.F) {
	f.Add("Subject", "Name", "Body")
	f.Add("a\r\nBcc: x@y.example", "b\"\r\n", "c\n.\n")
	f.Fuzz(func(t *testing.T, subject, name, body string) {
		m := plain()
		m.Subject, m.From.Name, m.Body = subject, name, body
		raw, err := Build(m)
		if err != nil {
			return
		}
		parsed, err := mail.ReadMessage(strings.NewReader(string(raw)))
		if err != nil {
			t.Fatalf("%v\n%q", err, raw)
		}
		if len(parsed.Header) > 11 || parsed.Header.Get("Bcc") != "" {
			t.Fatalf("headers %v", parsed.Header)
		}
	})
}
