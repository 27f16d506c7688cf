package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

// sentMail is one mail as it went out (00 §7).
type sentMail struct {
	ID       string            `json:"id"`
	To       string            `json:"to"`
	From     string            `json:"from"`
	ReplyTo  string            `json:"reply_to"`
	Subject  string            `json:"subject"`
	Text     string            `json:"text"`
	HTML     string            `json:"html"`
	Headers  map[string]string `json:"headers"`
	Raw      string            `json:"raw"`
	ItemID   string            `json:"item_id"`
	Template string            `json:"template"`
	At       inbox.Instant     `json:"at"`
}

// mailbox stands in for the mail service: it delivers every mail to itself,
// minting an id and rewriting Message-ID and Date as the service does.
type mailbox struct {
	clock  func() inbox.Instant
	source *inbox.Source
	file   string // where mails are kept, "" for memory alone

	mu    sync.Mutex
	mails []sentMail
	// fails, when set, answers instead of the next hand-overs.
	fails []error
}

func newMailbox(clock func() inbox.Instant, source *inbox.Source, dir string) (*mailbox, error) {
	m := &mailbox{clock: clock, source: source}
	if dir == "" {
		return m, nil
	}
	m.file = filepath.Join(dir, "mailbox.jsonl")
	f, err := os.Open(m.file)
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 4*mail.MaxBytes)
	for lines.Scan() {
		var s sentMail
		if json.Unmarshal(lines.Bytes(), &s) == nil { // a line cut by a crash is skipped
			m.mails = append(m.mails, s)
		}
	}
	return m, lines.Err()
}

// Name of the transport.
func (*mailbox) Name() string { return "mailbox" }

// Send keeps one mail and answers the id it minted.
func (m *mailbox) Send(_ context.Context, out mail.Outgoing) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.fails) > 0 {
		err := m.fails[0]
		m.fails = m.fails[1:]
		if err != nil {
			return "", err
		}
	}
	now := m.clock()
	id := "0100" + hex.EncodeToString(m.source.Bytes(16))
	raw := slices.Concat(
		[]byte("Message-ID: <"+id+"@"+wireDomain+">\r\n"),
		[]byte("Date: "+now.Time().Format(time.RFC1123Z)+"\r\n"), out.Raw)
	sent, err := readMail(raw)
	if err != nil {
		return "", &mail.SendError{Class: mail.Final, Cause: err}
	}
	if sent.From != out.From && !strings.HasSuffix(sent.From, "<"+out.From+">") {
		return "", &mail.SendError{Class: mail.Final, Cause: errors.New("the From of the message is not the sender's")}
	}
	sent.ID, sent.To, sent.ItemID, sent.Template, sent.At = id, out.To, out.ItemID, out.Template, now
	if err := m.keep(sent); err != nil {
		return "", err
	}
	m.mails = append(m.mails, sent)
	return id, nil
}

// keep appends a mail to the file.
func (m *mailbox) keep(s sentMail) error {
	if m.file == "" {
		return nil
	}
	f, err := os.OpenFile(m.file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return json.NewEncoder(f).Encode(s)
}

// list gives mails newest first, narrowed by recipient and by time.
func (m *mailbox) list(to string, since inbox.Instant) []sentMail {
	m.mu.Lock()
	defer m.mu.Unlock()
	found := []sentMail{}
	for _, s := range slices.Backward(m.mails) {
		if (to == "" || strings.EqualFold(s.To, to)) && s.At >= since {
			found = append(found, s)
		}
	}
	return found
}

// readMail shows a raw mail as a person's program would.
func readMail(raw []byte) (sentMail, error) {
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return sentMail{}, err
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		return sentMail{}, err
	}
	words := new(mime.WordDecoder)
	s := sentMail{Raw: string(raw), Text: strings.ReplaceAll(string(text), "\r\n", "\n"), Headers: map[string]string{}}
	for name := range m.Header {
		value, err := words.DecodeHeader(m.Header.Get(name))
		if err != nil {
			value = m.Header.Get(name)
		}
		s.Headers[name] = value
	}
	s.From, s.ReplyTo, s.Subject = s.Headers["From"], s.Headers["Reply-To"], s.Headers["Subject"]
	return s, nil
}
