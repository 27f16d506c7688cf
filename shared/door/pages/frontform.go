package pages

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/desk"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/schema"
	"typedinbox/shared/words"
)

// Limits of the forms, in characters (05 §7).
const (
	mostName  = 200
	mostEmail = 254
	mostText  = 5000
	mostItem  = 120 // of the first line that names a quote
)

// filled is what a form was filled in with.
type filled struct {
	name, email, text, once string
	start                   string // of a booking
	service                 string
	terms                   string // the fingerprint that was confirmed
	trapped                 bool   // a machine filled in what no person sees
}

// read takes what was sent; a page answers what cannot be read.
func (v *visit) read() (filled, *answer) {
	f, err := readForm(v.Request)
	if err != nil {
		status, kind := http.StatusUnprocessableEntity, "unread"
		if errors.Is(err, errLarge) {
			status, kind = http.StatusRequestEntityTooLarge, "large"
		}
		a := v.told(status, kind)
		return filled{}, &a
	}
	in := filled{
		name: f.text("name"), email: f.text("email"), text: f.text("text"), once: f.Get("once"), start: f.Get("time"),
		service: f.Get("service"), terms: f.Get("terms_sha"), trapped: f.text("website") != "",
	}
	if !isOnce(in.once) {
		in.once = onceKey()
	}
	return in, nil
}

// fault is what is wrong with what was filled in, "" for nothing.
func (in filled) fault(needsText bool) string {
	switch {
	case in.name == "":
		return "front.missing.name"
	case longer(in.name, mostName) || longer(in.email, mostEmail) || longer(in.text, mostText):
		return "front.long"
	case in.email == "" || !schema.IsEmail(in.email):
		return "front.bad.email"
	case unwritable(in.name) || unwritable(in.text):
		return "front.bad"
	case needsText && in.text == "":
		return "page.text.missing"
	}
	return ""
}

// contact is who sends the form, in the page's language.
func (v *visit) contact(in filled) *inbox.Contact {
	return &inbox.Contact{Name: in.name, Email: in.email, Locale: string(v.lang)}
}

func (v *visit) call(in filled) inbox.Call {
	return inbox.Call{Caller: v.caller, IdempotencyKey: in.once}
}

// thanks leads to what happens next.
func thanks(kind string) answer {
	return answer{status: http.StatusSeeOther, location: "/p/sent?sent=" + kind}
}

// refused answers a form that the inbox did not take: the page again with what
// was filled in, and why.
func (v *visit) refused(err error, again func(alert string) page) answer {
	var p *inbox.Problem
	if !errors.As(err, &p) {
		return v.fault(err)
	}
	var key string
	switch {
	case p.Code == inbox.CodeSlotTaken || p.Details["guard"] == "not_too_soon":
		key = "page.refused.slot_taken"
	case p.Code == inbox.CodeIdempotencyMismatch:
		key = "front.again"
	case p.Code == inbox.CodeInvalidInput || p.Code == inbox.CodeGuardFailed:
		key = faultOf(p)
	default:
		return v.fault(err)
	}
	return answer{status: http.StatusUnprocessableEntity, page: again(v.word(key)), err: err}
}

// faultOf names the fault of an input for people.
func faultOf(p *inbox.Problem) string {
	for _, f := range p.Fields {
		switch {
		case strings.Contains(f.Path, "email"):
			return "front.bad.email"
		case strings.Contains(f.Path, "Time"):
			return "page.refused.slot_free"
		}
	}
	return "front.bad"
}

// person are the fields of who sends a form, with the trap no person sees.
func (v *visit) person(in filled) group {
	field := func(name, kind, label, value, complete string, most int) node {
		return el("div", attr{"class", "field"}, el("label", attr{"for", name}, label), el("input",
			attr{"id", name}, attr{"name", name}, attr{"type", kind}, attr{"value", value}, attr{"autocomplete", complete},
			attr{"maxlength", strconv.Itoa(most)}, attr{"required", ""}))
	}
	return group{
		field("name", "text", v.word("front.name"), in.name, "name", mostName),
		field("email", "email", v.word("front.email"), in.email, "email", mostEmail),
		el("div", attr{"class", "trap"}, attr{"aria-hidden", "true"}, el("label", attr{"for", "website"}, "Website"),
			el("input", attr{"id", "website"}, attr{"name", "website"}, attr{"type", "text"}, attr{"autocomplete", "off"}, attr{"tabindex", "-1"})),
		hidden("once", in.once),
	}
}

// book shows a service with its free times and the form.
func (v *visit) book() answer {
	q := v.URL.Query()
	b, err := v.shop.Booking(v.Context(), q.Get("service"), q.Get("from"), v.caller.Sandbox)
	if err != nil {
		return v.missing(err)
	}
	return answer{status: http.StatusOK, page: v.bookPage(b, filled{once: onceKey()}, "")}
}

// missing is the page of a service that cannot be booked here.
func (v *visit) missing(err error) answer {
	var p *inbox.Problem
	if errors.As(err, &p) && p.Code == inbox.CodeNotFound {
		return v.told(http.StatusNotFound, "nowhere")
	}
	return v.fault(err)
}

func (v *visit) bookPage(b desk.Booking, in filled, alert string) page {
	p := v.blank(words.PageBook(v.lang, b.Service.Name))
	p.alert = alert
	p.main = paragraphs([]string{v.facts(b.Service), b.Service.Description, words.PageZone(v.lang, b.Times.Zone, b.Times.Slots)})
	here := "/p/book?service=" + url.QueryEscape(b.Service.ID)
	f := el("form", attr{"method", "post"}, attr{"action", "/p/book"}, hidden("service", b.Service.ID))
	f.inner = append(f.inner, picker(v.lang, b.Times, in.start)...)
	f.inner = append(f.inner, weeks(v.lang, b.Times, here+"&")...)
	if len(b.Times.Slots) == 0 {
		p.main = append(p.main, f.inner[1:]...)
		return p
	}
	f.inner = append(f.inner, v.person(in)...)
	f.inner = append(f.inner, area("text", v.word("front.note"), in.text, mostText, false), el("button", attr{"type", "submit"}, v.word("front.book")))
	p.main = append(p.main, f)
	return p
}

// postBook asks for the time. What costs something is first summed up, with a
// button that says so; only the second press writes (02 §5).
func (v *visit) postBook() answer {
	in, unread := v.read()
	switch {
	case unread != nil:
		return *unread
	case in.trapped:
		return thanks("booking")
	}
	b, err := v.shop.Booking(v.Context(), in.service, day(in.start, v.Zone), v.caller.Sandbox)
	if err != nil {
		return v.missing(err)
	}
	again := func(alert string) page { return v.bookPage(b, in, alert) }
	start, err := inbox.ParseInstant(in.start)
	fault := in.fault(false)
	if err != nil {
		fault = "page.time.choose"
	}
	if fault == "" && !b.Times.Offers(start) {
		switch sent, err := v.shop.Answered(v.Context(), v.call(in)); { // a form sent again finds its own time taken
		case err != nil:
			return v.fault(err)
		case !sent && b.Times.Taken(start):
			fault = "page.refused.slot_taken"
		case !sent:
			fault = "page.refused.slot_free"
		}
	}
	if fault != "" {
		return answer{status: http.StatusUnprocessableEntity, page: again(v.word(fault))}
	}
	_, err = v.shop.CreateBooking(v.Context(), v.call(in), inbox.CreateBookingRequest{
		Payload: inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: b.Service.ID, Name: b.Service.Name},
			StartTime:      start, EndTime: start.Add(int64(b.Service.DurationMin) * inbox.Minute),
		},
		Contact: v.contact(in), Message: in.text, TermsSHA: in.terms,
	})
	var p *inbox.Problem
	switch {
	case err == nil:
		return thanks("booking")
	case errors.As(err, &p) && p.Code == inbox.CodeConfirmTerms:
		return v.confirm(b, in, p)
	}
	return v.refused(err, again)
}

// confirm sums up what is about to be ordered, and asks.
func (v *visit) confirm(b desk.Booking, in filled, p *inbox.Problem) answer {
	summary, _ := p.Details["summary"].(string)
	sha, _ := p.Details["terms_sha"].(string)
	out := v.blank(v.word("front.confirm"))
	if _, changed := p.Details["changed"]; changed {
		out.alert = v.word("front.changed")
	}
	out.main = append(paragraphs([]string{summary}), el("form", attr{"method", "post"}, attr{"action", "/p/book"},
		hidden("service", b.Service.ID), hidden("time", in.start), hidden("name", in.name), hidden("email", in.email),
		hidden("text", in.text), hidden("once", in.once), hidden("terms_sha", sha),
		el("button", attr{"type", "submit"}, v.word("page.button.pay"))))
	out.nav = group{el("nav", attr{"aria-label", v.word("page.others")}, el("ul", attr{"class", "ways"},
		el("li", el("a", attr{"href", "/p/book?service=" + url.QueryEscape(b.Service.ID)}, v.word("page.link.other_time")))))}
	return answer{status: http.StatusOK, page: out}
}

// quote shows the form that asks for a price.
func (v *visit) quote() answer {
	return answer{status: http.StatusOK, page: v.textPage("quote", v.onRequest(v.URL.Query().Get("service")), filled{once: onceKey()}, "")}
}

// onRequest is the service of an id, "" for none that has a price on request.
func (v *visit) onRequest(id string) inbox.Service {
	for _, s := range v.Services {
		if s.ID == id && s.Price != nil && s.Price.Model == catalogue.ModelQuote {
			return s
		}
	}
	return inbox.Service{}
}

// message shows the form that sends a message.
func (v *visit) message() answer {
	return answer{status: http.StatusOK, page: v.textPage("message", inbox.Service{}, filled{once: onceKey()}, "")}
}

// textPage is a form of a name, an address and a text.
func (v *visit) textPage(kind string, s inbox.Service, in filled, alert string) page {
	p := v.blank(v.word("front." + kind))
	p.alert = alert
	f := el("form", attr{"method", "post"}, attr{"action", "/p/" + kind})
	if s.ID != "" {
		p.main = append(p.main, el("p", s.Name))
		f.inner = append(f.inner, hidden("service", s.ID))
	}
	f.inner = append(f.inner, v.person(in)...)
	f.inner = append(f.inner, area("text", v.word("front."+kind+".text"), in.text, mostText, true), el("button", attr{"type", "submit"}, v.word("front."+kind+".send")))
	p.main = append(p.main, f)
	return p
}

// postText takes a form of a name, an address and a text.
func (v *visit) postText(kind string, create func(filled, inbox.Service) error) answer {
	in, unread := v.read()
	switch {
	case unread != nil:
		return *unread
	case in.trapped:
		return thanks(kind)
	}
	s := v.onRequest(in.service)
	again := func(alert string) page { return v.textPage(kind, s, in, alert) }
	if fault := in.fault(true); fault != "" {
		return answer{status: http.StatusUnprocessableEntity, page: again(v.word(fault))}
	}
	if err := create(in, s); err != nil {
		return v.refused(err, again)
	}
	return thanks(kind)
}

// postQuote asks for a price: of a service, else of what the first line names.
func (v *visit) postQuote() answer {
	return v.postText("quote", func(in filled, s inbox.Service) error {
		first, _, _ := strings.Cut(in.text, "\n")
		item := inbox.ItemOffered{Name: format.Cut(format.OneLine(first), mostItem)}
		if s.ID != "" {
			item = inbox.ItemOffered{Name: s.Name, ServiceID: s.ID}
		}
		_, err := v.shop.RequestQuote(v.Context(), v.call(in), inbox.RequestQuoteRequest{
			Payload: inbox.QuoteRequest{ItemOffered: item, Description: in.text}, Contact: v.contact(in),
		})
		return err
	})
}

// postMessage sends a message.
func (v *visit) postMessage() answer {
	return v.postText("message", func(in filled, _ inbox.Service) error {
		_, err := v.shop.SendMessage(v.Context(), v.call(in), inbox.SendMessageRequest{Body: in.text, Contact: v.contact(in)})
		return err
	})
}
