package work_test

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// allowedHeaders are all that a mail of ours may have (05 §4.3).
var allowedHeaders = []string{
	"Auto-Submitted", "Content-Language", "Content-Transfer-Encoding", "Content-Type", "From", "In-Reply-To", "Mime-Version",
	"References", "Reply-To", "Subject", "To", "X-Auto-Response-Suppress", "X-Inbox-Mail",
}

// TestHostileHeaders: whatever anybody typed, in every field that reaches a header, each
// mail of a promise's life has the headers of 05 §4.3, each once, and no other.
func TestHostileHeaders(t *testing.T) {
	for name, bad := range map[string]string{
		"ok/plain":            "Studio",
		"fail/line":           "Studio\r\nBcc: evil@example.com",
		"fail/bare line feed": "Studio\nBcc: evil@example.com\n\nHello",
		"fail/bare return":    "Studio\rBcc: evil@example.com",
		"fail/separators":     "Studio\u2028Bcc: evil@example.com\u2029\u0085X: y",
		"fail/encoded word":   "=?utf-8?Q?=0D=0ABcc:_evil@example.com?=",
		"fail/quotes":         `Studio" <evil@example.com>, "x`,
		"fail/long":           strings.Repeat("Stúdio ", 60) + "\r\nBcc: evil@example.com",
		"fail/not a text":     "Studio\x00\x1b\x7f\xff\xfeBcc: x",
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).linked()
			w.must(w.patient(func() error {
				return w.store.SaveSetUp(w.ctx, store.SetUp{Profile: &inbox.Profile{Name: bad, Timezone: "Europe/Lisbon", Currency: "EUR", Version: 2}})
			}))
			o := w.asked(func(r *inbox.CreateBookingRequest) {
				r.Contact.Name = strings.ToValidUTF8(bad, "")
			})
			w.wait(2 * inbox.Minute)
			w.sweep()
			w.proposes(o, 2, "")
			w.sweep()
			w.accepts(o)
			w.sweep()
			w.reply(assistant, o, inbox.ReplyRequest{Body: bad})
			w.moves(owner, o, 24)
			w.sweep()
			w.cancels(o, "No.")
			order := w.created(func(c inbox.Call) (inbox.Answer, error) {
				return w.desk.CreateOrder(w.ctx, c, inbox.CreateOrderRequest{
					Payload: inbox.Order{
						OrderedItem: []inbox.OrderLine{{Name: format.Cut(strings.ToValidUTF8(bad, ""), 190), Quantity: 1, Price: inbox.Money{Value: 1500, Currency: "EUR"}}},
						TotalPrice:  inbox.Money{Value: 1500, Currency: "EUR"},
					},
					Contact: &inbox.Contact{Name: "Ana", Email: anaEmail},
				})
			})
			w.fire(owner, order, "accept", "")
			w.sweep()
			mails := w.post.all()
			if len(mails) < 8 {
				t.Fatalf("%d mails", len(mails))
			}
			for _, m := range mails {
				for key, values := range m.header {
					if !slices.Contains(allowedHeaders, key) || len(values) != 1 {
						t.Errorf("%s has %s %q", m.Template, key, values)
					}
				}
				if to := m.header.Get("To"); to != m.To || strings.Contains(to, "evil") || strings.ContainsAny(m.subject(), "\r\n\u2028\u2029\u0085") {
					t.Errorf("%s to %q: %q", m.Template, to, m.subject())
				}
				if m.header.Get("X-Auto-Response-Suppress") != "OOF, AutoReply" || m.header.Get("X-Inbox-Mail") == "" {
					t.Errorf("%s: %v", m.Template, m.header)
				}
			}
		})
	}
}
