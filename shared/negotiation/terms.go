package negotiation

import (
	"encoding/json"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// TermsOffered is what is booked, as the customer's terms name it.
type TermsOffered struct {
	Name      string `json:"name"`
	ServiceID string `json:"serviceId"`
}

// TimeTerms are the terms of form time (02 §1.4). ItemOffered stands on the
// customer's side alone.
type TimeTerms struct {
	ItemOffered *TermsOffered `json:"itemOffered,omitempty"`
	StartTime   inbox.Instant `json:"startTime"`
	EndTime     inbox.Instant `json:"endTime"`
	PartySize   *int          `json:"partySize,omitempty"`
	TotalPrice  *inbox.Money  `json:"totalPrice,omitempty"`
}

// asked projects what a customer asks for from the payload, by the item's type;
// a type without an entry does not negotiate.
var asked = map[inbox.Type]func(inbox.Payload) (inbox.Form, any){
	inbox.TypeBooking: func(p inbox.Payload) (inbox.Form, any) {
		b := p.Booking
		return inbox.FormTime, TimeTerms{
			ItemOffered: &TermsOffered{Name: b.ReservationFor.Name, ServiceID: b.ReservationFor.ServiceID},
			StartTime:   b.StartTime, EndTime: b.EndTime, PartySize: b.PartySize, TotalPrice: b.TotalPrice,
		}
	},
}

// Negotiates says whether items of the type have offers.
func Negotiates(t inbox.Type) bool { return asked[t] != nil }

// Terms are the form and the whole terms of what a customer asks for with a
// payload, and their fingerprint (02 §1.4, §1.5). The type must negotiate.
func Terms(t inbox.Type, p inbox.Payload) (form inbox.Form, terms json.RawMessage, sha string) {
	form, value := asked[t](p)
	terms, err := canon.JSON(value)
	if err != nil {
		panic(err) // our own structs of strings, numbers and instants
	}
	return form, terms, canon.TermsSHA(string(form), terms)
}
