package pages_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/pages"
	"typedinbox/shared/inbox"
)

// troubled is a desk whose links meet trouble: when they are read, or pressed.
type troubled struct {
	*desk.Desk
	read, press error
	panics      bool
}

func (d troubled) Link(ctx context.Context, token, from string) (desk.LinkPage, error) {
	if d.panics {
		panic("a bug in the pages")
	}
	if d.read != nil {
		return desk.LinkPage{}, d.read
	}
	return d.Desk.Link(ctx, token, from)
}

func (d troubled) PressLink(ctx context.Context, token, terms string, p decide.Press) (desk.LinkPage, error) {
	if d.press == nil {
		return d.Desk.PressLink(ctx, token, terms, p)
	}
	page, err := d.Desk.Link(ctx, token, "")
	return page, errors.Join(d.press, err)
}

// TestTrouble: every refusal of 05 §6.6 has its status and its page, and our own
// faults are told without a word of what they are.
func TestTrouble(t *testing.T) {
	burns := errors.New("the table burns")
	for name, c := range map[string]struct {
		desk   troubled
		method string
		status int
		says   string
	}{
		"fail/read, busy":     {troubled{read: inbox.Unavailable(nil)}, "GET", 503, "Please try again in a moment."},
		"fail/read":           {troubled{read: burns}, "GET", 500, "Something went wrong"},
		"fail/read for press": {troubled{read: burns}, "POST", 500, "Something went wrong"},
		"fail/a bug":          {troubled{panics: true}, "GET", 500, "Something went wrong"},
		"fail/busy":           {troubled{press: inbox.Unavailable(nil)}, "POST", 503, "Nothing was sent"},
		"fail/press":          {troubled{press: burns}, "POST", 500, "Something went wrong"},
		"fail/internal":       {troubled{press: inbox.Refuse(inbox.CodeInternal, "")}, "POST", 500, "Something went wrong"},
		"fail/expired":        {troubled{press: inbox.Refuse(inbox.CodeOfferExpired, "")}, "POST", 410, "The time we suggested could be accepted until"},
		"fail/changed":        {troubled{press: inbox.Refuse(inbox.CodeOfferChanged, "")}, "POST", 409, "Please use the link in our latest email."},
		"fail/wrong state":    {troubled{press: inbox.Refuse(inbox.CodeWrongState, "")}, "POST", 409, "This can no longer be done here"},
		"fail/version":        {troubled{press: inbox.Refuse(inbox.CodeVersionConflict, "")}, "POST", 409, "This can no longer be done here"},
		"fail/other words":    {troubled{press: inbox.Refuse(inbox.CodeIdempotencyMismatch, "")}, "POST", 409, "This was already done"},
		"fail/input":          {troubled{press: inbox.InvalidField("x", "is wrong")}, "POST", 422, "Something in the form is not right."},
		"fail/guard":          {troubled{press: inbox.GuardFailed("odd", "")}, "POST", 409, "Confirm this time"},
		"fail/used meanwhile": {troubled{press: &decide.StaleLink{Status: decide.LinkUsed}}, "POST", 409, "This was already done"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.proposed()
			token := w.mail(id, inbox.LinkAcceptTime)[inbox.LinkAcceptTime]
			form, _ := w.get(token).form()
			c.desk.Desk = w.desk
			var sent url.Values
			if c.method == http.MethodPost {
				sent = form
			}
			s := w.do(pages.Customer(quiet, c.desk), c.method, "/c/"+token, sent).is(c.status)
			s.has(c.says)
			if strings.Contains(s.body, "burns") || strings.Contains(s.body, "bug") {
				t.Error("it tells what went wrong inside")
			}
			if busy := c.status == 503; busy != (s.header.Get("Retry-After") != "") {
				t.Errorf("Retry-After %q", s.header.Get("Retry-After"))
			}
			if s.header.Get("Content-Security-Policy") == "" || s.header.Get("Referrer-Policy") != "no-referrer" {
				t.Error("the headers are missing")
			}
			if got := w.item(id).Item.State; got != inbox.StateProposed {
				t.Errorf("state %s", got)
			}
		})
	}
}
