package work_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"strings"
	"sync"

	"typedinbox/shared/mail"
)

// sent is a mail as it left, read as a person's program would.
type sent struct {
	mail.Outgoing
	header netmail.Header
	text   string
}

func (s sent) subject() string {
	v, err := new(mime.WordDecoder).DecodeHeader(s.header.Get("Subject"))
	if err != nil {
		panic(err)
	}
	return v
}

// post is a mail service that keeps what it takes and fails as it is told.
type post struct {
	mu    sync.Mutex
	mails []sent
	// before and after are called around the taking of a mail; their error is
	// answered, before: instead of taking it.
	before, after func(n int, out mail.Outgoing) error
	calls         int
}

func (*post) Name() string { return "post" }

func (p *post) Send(_ context.Context, out mail.Outgoing) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if p.before != nil {
		if err := p.before(p.calls, out); err != nil {
			return "", err
		}
	}
	m, err := netmail.ReadMessage(strings.NewReader(string(out.Raw)))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		return "", err
	}
	p.mails = append(p.mails, sent{out, m.Header, strings.ReplaceAll(string(text), "\r\n", "\n")})
	id := fmt.Sprintf("0100-%d", len(p.mails))
	if p.after != nil {
		return id, p.after(p.calls, out)
	}
	return id, nil
}

func (p *post) all() []sent {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]sent(nil), p.mails...)
}

// fails answers the next calls with these errors, nil for none.
func (p *post) fails(errs ...error) {
	first := p.calls
	p.before = func(n int, _ mail.Outgoing) error {
		if i := n - first - 1; i < len(errs) {
			return errs[i]
		}
		return nil
	}
}

// refusedBy makes an error of the mail service.
func refusedBy(c mail.Class) error {
	return &mail.SendError{Class: c, Cause: errors.New(c.String() + " for ana@example.com")}
}
