package mail

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineLength is where a header is folded (RFC 5322 §2.1.1).
const lineLength = 76

// Refusals of Build.
var (
	errTooLarge = errors.New("mail: message over 256 KiB")
	errAddress  = errors.New("mail: not an address")
)

// Build writes the MIME of a mail: one part of plain text, quoted-printable,
// CRLF. Message-ID and Date are the transport's. No value can add a header:
// control characters become a blank wherever they stand.
func Build(m Message) ([]byte, error) {
	for _, a := range []string{m.From.Email, m.To} {
		if err := CheckAddress(a); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	write := func(name, value string) {
		if value != "" {
			b.WriteString(fold(name + ": " + oneLine(value)))
		}
	}
	write("From", formatAddress(m.From))
	write("To", m.To)
	if m.ReplyTo != "" {
		if err := CheckAddress(m.ReplyTo); err != nil {
			return nil, err
		}
		write("Reply-To", m.ReplyTo)
	}
	write("Subject", encode(m.Subject))
	write("In-Reply-To", m.InReplyTo)
	write("References", strings.Join(m.References, " "))
	write("Auto-Submitted", m.AutoSubmitted)
	write("X-Auto-Response-Suppress", "OOF, AutoReply")
	write("X-Inbox-Mail", m.Mark)
	write("Content-Language", m.Lang)
	write("MIME-Version", "1.0")
	write("Content-Type", "text/plain; charset=utf-8")
	write("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	if err := writeBody(&b, m.Body); err != nil {
		return nil, err
	}
	if b.Len() > MaxBytes {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

// CheckAddress refuses what is not exactly one bare address.
func CheckAddress(s string) error {
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || a.Address != s {
		return fmt.Errorf("%w: %q", errAddress, s)
	}
	return nil
}

// writeBody writes the text with CRLF line ends, quoted-printable.
func writeBody(b *bytes.Buffer, text string) error {
	w := quotedprintable.NewWriter(b)
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if _, err := w.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n"))); err != nil {
		return err
	}
	return w.Close()
}

// formatAddress writes a mailbox: an ASCII name quoted, any other as an encoded
// word.
func formatAddress(a Address) string {
	name := strings.TrimSpace(oneLine(a.Name))
	switch {
	case name == "":
		return a.Email
	case isASCII(name) && !strings.Contains(name, encodedWord):
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `" <` + a.Email + ">"
	}
	return encode(name) + " <" + a.Email + ">"
}

// encode makes a header's words from text: itself, or encoded words of RFC 2047.
// Text that looks like an encoded word itself is encoded too, so that it is read
// as it was typed.
func encode(s string) string {
	s = oneLine(s)
	if !strings.Contains(s, encodedWord) {
		return mime.QEncoding.Encode("utf-8", s)
	}
	var words []string
	for s != "" {
		n := min(len(s), encodedBytes)
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n--
		}
		words = append(words, encodedWord+"utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(s[:n]))+"?=")
		s = s[n:]
	}
	return strings.Join(words, " ")
}

// An encoded word begins so, and holds so many bytes at most that it stays within
// 75 characters.
const (
	encodedWord  = "=?"
	encodedBytes = 45
)

// oneLine replaces line breaks and control characters by blanks.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}

func isASCII(s string) bool {
	for _, r := range s {
		if r > unicode.MaxASCII {
			return false
		}
	}
	return true
}

// fold breaks a header at blanks so that lines stay short where they can. A
// word longer than a line stays whole, up to the 998 characters a line may
// have; what no blank breaks before that is cut there.
func fold(line string) string {
	var b strings.Builder
	length := 0
	for i, word := range strings.Split(line, " ") {
		for len(word) > 990 {
			b.WriteString(word[:990] + "\r\n ")
			word, length = word[990:], 1
		}
		switch {
		case i == 0:
		case length+1+len(word) > lineLength && length > 1 && word != "":
			b.WriteString("\r\n ")
			length = 1
		default:
			b.WriteByte(' ')
			length++
		}
		b.WriteString(word)
		length += len(word)
	}
	return b.String() + "\r\n"
}
