package words

import (
	"strconv"
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// PageInput is everything the page behind a link says something of (05 §6.5).
// Every field but Lang, Action, Kind and About may be empty.
type PageInput struct {
	Lang     format.Lang
	Action   inbox.LinkAction
	Kind     PageKind
	About    About
	Business string
	// Words are the business's own: the note with what it put forward, the
	// question it asked.
	Words string
	Email string // where a confirmation goes, as the customer gave it
	Pays  bool   // pressing means an obligation to pay
	// Refusal is why pressing is refused: a guard or a code, "" for nothing.
	Refusal string
	Until   *inbox.Instant // of what is over: until when it was possible
	Paid    bool           // money for it was recorded, and it stands
	Agreed  bool           // of what is over: it was said yes to in time

	CancelBy *inbox.Instant // of a booking: the last moment to cancel it in time
	Late     bool           // that moment is past
	// Withdraws is what a cancellation that is a withdrawal pays back.
	Withdraws *PaysBack
	Right     *Right // of a withdrawal's page

	Did   string         // of a link that was used: the event, or [inbox.LinkPassedOn]
	DidAt *inbox.Instant // and when
	Still bool           // what was done still stands
}

// PaysBack is what is paid back and by when; nil parts are not known.
type PaysBack struct {
	Amount *inbox.Money
	By     *inbox.Instant
}

// Right is the statement of a withdrawal and what is known of the right
// (02 §9.4).
type Right struct {
	Text      string // the statement as it is sent
	Name      string
	Contract  string
	Label     string // of the link, the title of its page
	Confirm   string // of the button
	Available bool
	Days      int            // of the right, while its end is not fixed
	Goods     bool           // of goods, which it runs from
	Until     *inbox.Instant // its end, nil while none is fixed
	Why       string         // why there is no right, in words
	Concluded *inbox.Instant
}

// PageKind says which of the pages of a link it is.
type PageKind string

// The kinds of page.
const (
	PageAsk      PageKind = "ask"      // fresh: the form
	PageDone     PageKind = "done"     // used
	PageReplaced PageKind = "replaced" // something else stands by now
	PageLate     PageKind = "late"     // over since less than a day
	PageOver     PageKind = "over"     // over
	PageMoved    PageKind = "moved"    // can no longer be done here
	PageAlready  PageKind = "already"  // used, and pressed again
	PageChanged  PageKind = "changed"  // the form was of other terms
	PageGarbled  PageKind = "garbled"  // the form was not whole
	PageBusy     PageKind = "busy"     // unavailable
	PageFault    PageKind = "fault"    // internal
)

// PageTerm is one line of the list of terms; a value may have several lines.
type PageTerm struct{ Label, Value string }

// PageText is what stands on a page, from top to bottom.
type PageText struct {
	Heading string
	Alert   string // the reason of a refusal, first in reading order
	Lead    []string
	Quote   string // the business's words
	Terms   []PageTerm
	Notes   []string
	Field   string // label of the text field
	Button  string // "" where nothing can be done
}

// pageTerm is a row of a list of terms, which stands when its condition holds.
type pageTerm struct{ key, value, when string }

var (
	pageWhat     = pageTerm{"page.what", "fact.what", "subject"}
	pageWhen     = pageTerm{"page.when", "fact.when", "when"}
	pagePrice    = pageTerm{"page.price", "page.is.price", "price"}
	pageNewPrice = pageTerm{"page.price", "page.is.new.price", "new price"}
	pageNewTotal = pageTerm{"page.total", "page.is.new.price", "new price"}
	pageNewLines = pageTerm{"page.lines", "new.lines", "new lines"}
	pageAnswerBy = pageTerm{"page.answer_by", "page.is.new.until", "new until"}
	pageValid    = pageTerm{"page.valid", "page.is.new.until", "new until"}
	pageDelivery = []pageTerm{
		{"page.pickup", "page.is.new.delivery", "new pickup"}, {"page.delivery", "page.is.new.delivery", "new delivery"},
		{"page.digital", "page.is.new.delivery", "new digital"},
	}

	termsOfTime = []pageTerm{
		pageWhat, {"page.suggested", "fact.new.when", "new when"}, {"page.asked", "fact.when", "asked"}, pageNewPrice, pageAnswerBy,
	}
	termsOfQuote = []pageTerm{
		pageWhat, pageNewLines, pageNewTotal, {"page.for", "fact.new.when", "creates booking"}, pageValid,
	}
	termsOfOrder  = append([]pageTerm{pageWhat, pageNewLines, pageNewTotal}, append(pageDelivery, pageAnswerBy)...)
	termsOfChange = append([]pageTerm{
		pageWhat, {"page.now", "fact.when", "moves"}, {"page.instead", "fact.new.when", "moves"}, {"page.when", "fact.when", "stays"}, {"page.lasts", "page.is.new.lasts", "new lasts"}, pageNewLines, pageNewPrice,
	}, append(pageDelivery, pageAnswerBy)...)
	termsThatStand = []pageTerm{
		pageWhat, pageWhen, {"page.lines", "fact.lines", "lines"}, pagePrice, {"page.pickup", "page.is.delivery", "pickup"},
		{"page.delivery", "page.is.delivery", "delivery"}, {"page.digital", "page.is.delivery", "digital"},
		{"page.reference", "page.is.reference", "reference"},
	}
)

// pageOf is a page with a form: its terms, the notes under them, and the label of
// its text field, "" for none.
type pageOf struct {
	terms []pageTerm
	notes block
	field string
}

// notesOfYes are what a customer has to know before a yes (02 §1.8).
var notesOfYes = block{
	{"new.personal", "new personal"}, {"new.says", "new says"}, {"fact.price.open", "new price open"},
	{"new.held", "held"}, {"new.unheld", "unheld"}, {"new.withdrawable", "withdrawable"},
}

var linkPages = map[inbox.LinkAction]pageOf{
	inbox.LinkAcceptTime:   {termsOfTime, notesOfYes, ""},
	inbox.LinkAcceptQuote:  {termsOfQuote, notesOfYes, ""},
	inbox.LinkAcceptOrder:  {termsOfOrder, notesOfYes, ""},
	inbox.LinkAcceptChange: {termsOfChange, notesOfYes, ""},
	inbox.LinkDeclineTime:  {termsOfTime, nil, "page.field.reason"},
	inbox.LinkDeclineQuote: {termsOfQuote, nil, "page.field.reason"},
	inbox.LinkDeclineOrder: {termsOfOrder, nil, "page.field.reason"},
	inbox.LinkKeepAsIs:     {termsThatStand, nil, "page.field.reason"},
	inbox.LinkOtherTime:    {[]pageTerm{pageWhat}, nil, "page.field.note"},
	inbox.LinkChangeTime:   {[]pageTerm{pageWhat, {"page.now", "fact.when", "when"}}, nil, "page.field.note"},
	inbox.LinkDetails:      {[]pageTerm{pageWhat}, nil, "page.field.details"},
	inbox.LinkCancel:       {termsThatStand, nil, "page.field.reason"},
	inbox.LinkWithdraw:     {nil, nil, "page.field.withdraw"},
}

// Page is what the page behind a link says.
func Page(in PageInput) PageText {
	in.Lang = Written(in.Lang)
	switch in.Kind {
	case PageAsk:
		return in.ask()
	case PageDone:
		return in.done()
	}
	return in.told()
}

// ask is a page with a form, or with why pressing would be refused.
func (in PageInput) ask() PageText {
	if in.Action == inbox.LinkWithdraw && in.Right != nil {
		return in.withdraw()
	}
	row := linkPages[in.Action]
	p := PageText{
		Heading: in.say("page.heading." + string(in.Action)), Lead: in.lead(), Quote: in.quote(),
		Terms: in.terms(row.terms), Notes: in.notes(row.notes), Alert: in.refused(),
	}
	if !in.blocked() {
		p.Field, p.Button = in.optional(row.field), in.button()
	}
	return p
}

// blocked says whether nothing can be pressed: what was refused has no other way
// on the same page.
func (in PageInput) blocked() bool { return in.Refusal != "" && !in.Picks() }

// Picks says whether the page shows free times to choose from: its action is to
// ask for one, or the time that was put forward cannot be had any more.
func (in PageInput) Picks() bool {
	switch in.Action {
	case inbox.LinkOtherTime, inbox.LinkChangeTime:
		return true
	case inbox.LinkAcceptTime:
		return in.Refusal == "slot_taken" || in.Refusal == "not_too_soon"
	}
	return false
}

// lead are the sentences above the terms.
func (in PageInput) lead() []string {
	var lead []string
	if in.Action == inbox.LinkCancel || !in.Picks() && in.Refusal == "" {
		lead = in.all("page.nothing_yet")
	}
	return append(lead, in.all("page.lead."+string(in.Action))...)
}

func (in PageInput) quote() string {
	if in.Action == inbox.LinkCancel || in.Action == inbox.LinkChangeTime || in.Action == inbox.LinkWithdraw {
		return ""
	}
	if w := plain(in.Words); w != "" {
		return w
	}
	return plain(in.mail().offered().Notes)
}

// mail is the input of a mail about the same, whose facts and conditions pages
// share.
func (in PageInput) mail() MailInput {
	return MailInput{Lang: in.Lang, About: in.About, Business: in.Business}
}

func (in PageInput) terms(rows []pageTerm) []PageTerm {
	var terms []PageTerm
	m := in.mail()
	for _, r := range rows {
		if r.when == "moves" && (in.About.Start == nil || m.offered().Start == nil || in.About.stays()) || r.when != "moves" && !conditions()[r.when](m) {
			continue
		}
		if value := m.line(r.value); value != "" {
			terms = append(terms, PageTerm{in.say(r.key), value})
		}
	}
	return terms
}

// notes are what has to be known beside the terms.
func (in PageInput) notes(b block) []string {
	notes := lines(in.mail().lines(b))
	if in.Action != inbox.LinkCancel {
		return notes
	}
	switch {
	case in.Refusal != "":
	case in.Withdraws != nil:
		notes = append(notes, in.say("page.cancel.withdraws"))
		notes = append(notes, in.say(in.paysBack()))
	case in.CancelBy != nil && in.Late:
		notes = append(notes, in.say("page.cancel.late"))
	case in.CancelBy != nil:
		notes = append(notes, in.say("page.cancel.until"))
	}
	return notes
}

// paysBack names the sentence about what comes back, by what is known of it.
func (in PageInput) paysBack() string {
	switch w := in.Withdraws; {
	case w.Amount != nil && w.By != nil:
		return "page.pays_back"
	case w.By != nil:
		return "page.pays_back.by"
	}
	return "page.pays_back.all"
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// refused is why pressing is refused, "" when it is not.
func (in PageInput) refused() string {
	if in.Refusal == "" {
		return ""
	}
	if s := in.say("page.refused." + in.Refusal + "." + string(in.Action)); s != "" {
		return s
	}
	if s := in.say("page.refused." + in.Refusal); s != "" {
		return s
	}
	return in.say("page.refused")
}

func (in PageInput) button() string {
	if in.Picks() {
		return in.say("page.button.other_time")
	}
	if in.Pays {
		return in.say("page.button.pay")
	}
	return in.say("page.button." + string(in.Action))
}

// optional is the label of a text field, "" where there is none.
func (in PageInput) optional(key string) string {
	if in.Action == inbox.LinkAcceptTime && in.Picks() {
		key = "page.field.note"
	}
	if key == "" {
		return ""
	}
	return in.say(key)
}

// withdraw is the first of the two steps of a withdrawal (05 §6.7).
func (in PageInput) withdraw() PageText {
	r := in.Right
	p := PageText{Heading: r.Label, Lead: in.all("page.nothing_yet"), Field: in.say("page.field.withdraw"), Button: r.Confirm}
	for _, t := range []struct{ key, value string }{
		{"page.name", format.OneLine(r.Name)}, {"page.contract", plain(r.Contract)}, {"page.reference", in.About.Reference},
		{"page.concluded", written(r.Concluded, func(i inbox.Instant) string { return format.Date(in.Lang, i, in.About.Zone) })},
		{"page.copy_to", format.OneLine(in.Email)}, {"page.statement", plain(r.Text)},
	} {
		if t.value != "" {
			p.Terms = append(p.Terms, PageTerm{in.say(t.key), t.value})
		}
	}
	switch {
	case r.Available && r.Until != nil:
		p.Notes = in.all("page.right.until")
	case r.Available && r.Goods:
		p.Notes = in.all("page.right.goods")
	case r.Available:
		p.Notes = in.all("page.right.service")
	case !r.Available:
		if why := format.OneLine(r.Why); why != "" {
			p.Notes = append(p.Notes, why)
		}
		p.Notes = append(p.Notes, in.say("page.right.none"))
	}
	return p
}

// all is a sentence as a list, empty for a key that does not exist.
func (in PageInput) all(key string) []string { return lines(in.say(key)) }

// say fills one sentence of a page.
func (in PageInput) say(key string) string { return fill(say(in.Lang, key, in.About.Type), in.fact) }

func (in PageInput) fact(name string) (string, bool) {
	when := func(i inbox.Instant) string { return format.DateTime(in.Lang, i, in.About.Zone) }
	switch name {
	case "over.until":
		return written(in.Until, when), true
	case "did.at":
		return written(in.DidAt, when), true
	case "cancel.by":
		return written(in.CancelBy, when), true
	case "right.until":
		if in.Right == nil {
			return "", true
		}
		return written(in.Right.Until, when), true
	case "page.days":
		if in.Right == nil {
			return "", true
		}
		return strconv.Itoa(in.Right.Days), true
	case "back.amount":
		if in.Withdraws == nil {
			return "", true
		}
		return written(in.Withdraws.Amount, func(m inbox.Money) string { return format.Money(in.Lang, m) }), true
	case "back.by":
		if in.Withdraws == nil {
			return "", true
		}
		return written(in.Withdraws.By, func(i inbox.Instant) string { return format.Date(in.Lang, i, in.About.Zone) }), true
	case "zone":
		return format.ZoneName(in.Lang, in.zoneAt(), in.About.Zone), true
	}
	return in.mail().fact(name)
}

// zoneAt is an instant at which the zone is named: that of the item.
func (in PageInput) zoneAt() inbox.Instant {
	if in.About.Start != nil {
		return *in.About.Start
	}
	return 0
}

// PageWord is a sentence of a page that names nothing.
func PageWord(l format.Lang, key string) string { return say(Written(l), key, "") }

// LinkWord is the text of a link to another answer.
func LinkWord(l format.Lang, t inbox.Type, a inbox.LinkAction) string {
	return say(Written(l), "page.link."+string(a), t)
}

// PageFooter is the last line of a page: whose it is, and the reference.
func PageFooter(in PageInput) string {
	in.Lang = Written(in.Lang)
	if format.OneLine(in.Business) == "" {
		return format.ReferenceRow(in.Lang, in.About.Reference)
	}
	return in.say("page.footer")
}

// PageBook is the heading of the page on which a service is booked.
func PageBook(l format.Lang, service string) string {
	return fill(say(Written(l), "front.booking", ""), func(name string) (string, bool) { return format.OneLine(service), name == "service" })
}

// PageZone says in which zone the times of a page are.
func PageZone(l format.Lang, zone *time.Location, slots []inbox.Slot) string {
	if len(slots) == 0 {
		return ""
	}
	l = Written(l)
	return fill(say(l, "front.zone", ""), func(name string) (string, bool) {
		return format.ZoneName(l, slots[0].StartTime, zone), name == "zone"
	})
}

// ServicePrice is what a service costs in words: fixed, from, on request, or ""
// for none.
func ServicePrice(l format.Lang, p *inbox.ServicePrice, currency string) string {
	l = Written(l)
	switch {
	case p == nil:
		return ""
	case p.Value == nil:
		return say(l, "front.on_request", "")
	}
	if p.Currency != "" {
		currency = p.Currency
	}
	money := format.Money(l, inbox.Money{Value: *p.Value, Currency: currency})
	key := "front.price"
	if p.Model == "from" {
		key = "front.from"
	}
	if p.Per == "person" {
		key += ".person"
	}
	return fill(say(l, key, ""), func(name string) (string, bool) { return money, name == "money" })
}
