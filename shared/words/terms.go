package words

import (
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Line is one line of an order or quote; Total is nil while its price is not
// the business's.
type Line struct {
	Quantity int64
	Name     string
	Total    *inbox.Money
}

// Personal says that a price was chosen for this customer by a reward or by
// automation (02 §7.3).
type Personal struct {
	List inbox.Money // the list price of the whole
	Says string      // the business's own line about it, "" for none
}

// Delivery is how an order reaches the customer.
type Delivery struct {
	Method string // pickup, delivery, digital
	When   *inbox.Instant
}

// Offered is what the business put to the customer: another time, an order as
// it would take it, or a quote (02 §1.4).
type Offered struct {
	Start    *inbox.Instant
	Lasts    int          // of a change, how long the booking would take, in minutes, when that is another length; else 0
	Price    *inbox.Money // of the whole: its own, else the item's
	Unpriced bool         // Price is not the business's
	Personal *Personal
	Lines    []Line
	Delivery *Delivery
	Notes    string     // of a quote
	Creates  inbox.Type // what a quote becomes: booking or order
	// Until is the last moment to say yes; nil for none.
	Until        *inbox.Instant
	Held         bool       // its places are held until then
	ChangeBy     inbox.Side // of a change to a promise: who asks for it; "" for an offer before one
	Withdrawable bool       // it does not bind the business
}

// fact answers the placeholders that begin with "new.".
func (p *Offered) fact(l format.Lang, zone *time.Location, name string) (string, bool) {
	if p == nil {
		p = &Offered{}
	}
	when := func(i inbox.Instant) string { return format.DateTime(l, i, zone) }
	switch name {
	case "when":
		return written(p.Start, when), true
	case "lasts":
		return format.Duration(p.Lasts), true
	case "price":
		return written(p.Price, func(m inbox.Money) string { return format.Money(l, m) }), true
	case "lines":
		return listed(l, p.Lines, "\n"), true
	case "inline":
		return listed(l, p.Lines, "; "), true
	case "asked":
		return p.asked(l, zone), true
	case "list":
		return p.Personal.list(l), true
	case "says":
		return p.Personal.says(), true
	case "delivery":
		return p.Delivery.date(l, zone), true
	case "notes":
		return plain(p.Notes), true
	case "until":
		return written(p.Until, when), true
	}
	return "", false
}

// asked is an order as someone would have it, on one line: its lines, and its day
// when it has one.
func (p *Offered) asked(l format.Lang, zone *time.Location) string {
	lines := listed(l, p.Lines, "; ")
	if p.Delivery.date(l, zone) == "" {
		return lines
	}
	return lines + "; " + fill(sayCore(l, "new.on", ""), func(string) (string, bool) { return p.Delivery.date(l, zone), true })
}

// list is the list price beside the one that was chosen.
func (p *Personal) list(l format.Lang) string {
	if p == nil {
		return ""
	}
	return format.Money(l, p.List)
}

func (p *Personal) says() string {
	if p == nil {
		return ""
	}
	return format.OneLine(p.Says)
}

// date is the day of a delivery, "" for none.
func (d *Delivery) date(l format.Lang, zone *time.Location) string {
	if d == nil {
		return ""
	}
	return written(d.When, func(i inbox.Instant) string { return format.Date(l, i, zone) })
}

// dated says whether a delivery by a method has its day.
func (d *Delivery) dated(method string) bool {
	return d != nil && d.When != nil && d.Method == method
}

// listed are lines as people read them, with something between them.
func listed(l format.Lang, lines []Line, between string) string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = format.Line(l, line.Quantity, line.Name, line.Total)
	}
	return strings.Join(all, between)
}
