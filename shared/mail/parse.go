package mail

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
)

// Parse reads a raw message with what came with it (05 §5.4–§5.6). It is
// lenient: no broken part fails a mail. [ErrTooLarge], [ErrMalformed] and
// [ErrNoSender] say why the mail can be no entry; what could be read stands in
// the answer all the same. Attachments may share the memory of raw.
func Parse(raw []byte, d Delivery) (Received, error) {
	var r Received
	h, body, whole := readHeader(raw[:min(len(raw), MaxRaw)])
	err := r.readHead(h, d)
	switch {
	case len(raw) > MaxRaw:
		return r, ErrTooLarge
	case !whole:
		return r, ErrMalformed
	}
	var bounded scan
	root := bounded.message(h, body)
	words := bodyOf(root)
	r.Report = readReport(root, words.whole, r, d)
	if r.Report == nil {
		r.Attachments = attachments(root)
	}
	r.Text, r.Cut = finalText(root, words, bounded.unread)
	r.Keys.References = references(r.Subject, words.whole)
	r.BodyHash = bodyHash(root, words.whole, r.Attachments)
	r.Signs = readSigns(h, d, root, r)
	return r, err
}

// readHead takes from the header what is read of every message, a refused one
// too.
func (r *Received) readHead(h header, d Delivery) (err error) {
	r.From, err = readAuthor(h)
	r.Contact, r.Relayed = contact(h, r.From)
	r.FromShown = headerText(strings.Join(h.all("from"), ", "), MaxSubject)
	r.Sender = sender(d, h, r.From)
	r.Recipients, r.Envelope = recipients(d, h)
	r.Subject = headerText(h.get("subject"), MaxSubject)
	r.MessageID = bareID(h.get("message-id"))
	if ids := idList(h.get("in-reply-to")); len(ids) > 0 {
		r.InReplyTo = ids[0]
	}
	r.Date = headerText(h.get("date"), 100)
	r.Mark = headerText(h.get("x-inbox-mail"), 100)
	r.Keys.Tokens = replyTokens(r.Recipients)
	r.Keys.IDs = threadIDs(h)
	return err
}

// finalText is what is kept of the words (05 §5.3, §5.5).
func finalText(root *part, p prose, unread bool) (text string, cut bool) {
	if encrypted(root, p) {
		return encryptedText, false
	}
	source := p.kept
	if blank(source) {
		source = p.whole
	}
	text = stripQuoted(source)
	if unread {
		text = joinText(text, UnreadLine)
	}
	switch {
	case blank(text):
		return emptyText, false
	case longer(text, MaxText):
		return strings.TrimRight(cutRunes(text, MaxText), "\n") + "\n" + CutLine, true
	}
	return strings.Trim(text, "\n"), false
}

// bodyHash tells two bodies apart: the whole text, and every file.
func bodyHash(root *part, whole string, files []Attachment) string {
	h := sha256.New()
	b := bufio.NewWriter(h)
	for w := range strings.FieldsSeq(whole) {
		b.WriteString(w) //nolint:errcheck // a hash never fails
		b.WriteByte(0)   //nolint:errcheck // nor here
	}
	b.Flush() //nolint:errcheck // nor here
	for _, a := range files {
		writeField(h, []byte(a.Name))
		writeField(h, a.Content)
	}
	if len(files) == 0 && strings.TrimSpace(whole) == "" {
		root.walk(func(p *part) {
			if p.children == nil {
				writeField(h, bytes.TrimSpace(p.body))
			}
		})
	}
	return hex.EncodeToString(h.Sum(nil))
}

func writeField(h hash.Hash, b []byte) {
	n := len(b)
	h.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
	h.Write(b)
}
