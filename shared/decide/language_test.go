package decide

import (
	"errors"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// inPortuguese is a request of somebody who speaks Portuguese.
func inPortuguese(r CreateRequest) CreateRequest {
	contact := *r.Contact
	contact.Locale = "pt-PT"
	r.Contact = &contact
	return r
}

// TestCustomersLanguage: what a customer reads of an item, their buttons, what
// they confirm and what they are shown of an offer is in their language, what the
// business reads in the business's.
func TestCustomersLanguage(t *testing.T) {
	w := newWorld(t)
	owner := w.actors()["P owner"]
	var asked *inbox.Problem
	if _, err := w.once(w.customer(), inPortuguese(bookingRequest())); !errors.As(err, &asked) {
		t.Fatal("a priced booking was not asked to be confirmed")
	}
	if s, _ := asked.Details["summary"].(string); !strings.Contains(s, "Ao confirmar, assume a obrigação de pagar") || !strings.HasPrefix(asked.Detail, s) || !strings.Contains(asked.Detail, "Ainda nada foi enviado.") {
		t.Errorf("asked %q", asked.Detail)
	}
	w.create(w.customer(), inPortuguese(bookingRequest()))
	start := w.f.Record.Item.Payload.Booking.StartTime.Add(2 * inbox.Hour)
	w.fire(owner, "propose", `{"startTime":"`+start.String()+`","endTime":"`+start.Add(inbox.Hour).String()+`"}`)
	theirs, ours := CustomerView(w.f, w.customer(), w.env()), OwnerView(w.f, owner, w.env())
	if !strings.HasPrefix(theirs.Human, "A sua marcação ") || !strings.Contains(theirs.Human, "aguarda a sua resposta") {
		t.Errorf("they read %q", theirs.Human)
	}
	if theirs.Offer == nil || !strings.Contains(theirs.Offer.Human, "Sugerimos ") || !strings.Contains(theirs.Offer.Human, "Este horário não está guardado para si") {
		t.Errorf("they are shown %+v", theirs.Offer)
	}
	if w.f.Offer.Shown == nil || w.f.Offer.Shown.Lang != "pt" {
		t.Errorf("kept as shown: %+v", w.f.Offer.Shown)
	}
	labels := map[string]string{}
	for _, n := range theirs.Next {
		labels[n.Action] = n.Label
	}
	if labels["accept_offer"] != "Aceitar" || labels["suggest_time"] != "Sugerir outro horário" || labels["decline_offer"] != "Recusar" {
		t.Errorf("next %v", labels)
	}
	if !strings.HasPrefix(ours.Human, "Booking ") || !strings.Contains(ours.Human, "waits for the customer's answer to your time") {
		t.Errorf("the business reads %q", ours.Human)
	}
	var yes *inbox.Problem
	if _, err := AcceptOffer(w.f, w.customer(), inbox.AcceptOfferRequest{ItemID: w.f.Record.Item.ID}, w.env()); !errors.As(err, &yes) || !strings.Contains(yes.Detail, "Ainda nada foi marcado.") {
		t.Errorf("a yes without a fingerprint: %v", err)
	}
}

// TestWhoClosed: what the customer ended reads as they asked, what the business
// ended as the business's.
func TestWhoClosed(t *testing.T) {
	for name, c := range map[string]struct {
		request CreateRequest
		by      string
		event   string
		want    string
	}{
		"ok/order, by them":       {orderRequest(), "", "cancel", "is cancelled, as you asked"},
		"ok/order, by us":         {orderRequest(), "P owner", "cancel", "is cancelled by us; we are sorry"},
		"ok/order, told by phone": {orderRequest(), "P owner", "record_cancel", "is cancelled, as you asked"},
		"ok/quote, by them":       {quoteRequest(), "", "decline", "is closed, as you asked"},
		"ok/quote, by us":         {quoteRequest(), "P owner", "decline", "could not be taken; we are sorry"},
	} {
		w := newWorld(t)
		w.f.Products = products()
		w.create(w.customer(), c.request)
		caller, input := w.customer(), `{"note":"No."}`
		if c.by != "" {
			caller = w.actors()[c.by]
		}
		w.fire(caller, c.event, input)
		if got := CustomerView(w.f, w.customer(), w.env()).Human; !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
