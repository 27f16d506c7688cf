package words

import (
	"strconv"
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Contract is what a customer is about to agree to (02 §5.3).
type Contract struct {
	Type  inbox.Type     // booking or order
	Name  string         // of the service, for a booking
	Start *inbox.Instant // of a booking
	Zone  *time.Location // the business's; nil is UTC
	Lines []Line         // of an order
	Total inbox.Money
	// Personal says that the total was chosen for this customer; nil when not.
	Personal *Personal

	Trader, Address string // the business in law, "" when it names none
	Country         string // whose law the contract follows

	Flag         inbox.Withdrawal // standard, or why there is no right of withdrawal
	Days         int              // of the right
	NoConsumers  bool             // the business sells to businesses alone, who have no such right
	StartsWithin bool             // a booking begins before these days are over
}

// Summary is what is being confirmed, in one string, its parts in the order of
// 02 §5.3: what, from whom, the right of withdrawal or why there is none, and
// that it costs.
func Summary(l format.Lang, c Contract) string {
	l = Written(l)
	keys := []string{"summary"}
	if c.Personal != nil {
		keys = append(keys, "fact.personal")
	}
	if c.Personal.says() != "" {
		keys = append(keys, "fact.says")
	}
	switch {
	case c.Trader == "":
	case c.Address == "":
		keys = append(keys, "summary.trader")
	default:
		keys = append(keys, "summary.address")
	}
	switch {
	case c.NoConsumers:
	case c.Flag != "" && c.Flag != inbox.WithdrawalStandard:
		keys = append(keys, "excepted."+string(c.Flag))
	case c.Type == inbox.TypeBooking && c.StartsWithin:
		keys = append(keys, lawful("summary.right", l, c.Country), lawful("summary.soon", l, c.Country))
	default:
		keys = append(keys, lawful("summary.right", l, c.Country))
	}
	keys = append(keys, "summary.pay")
	parts := make([]string, len(keys))
	for i, key := range keys {
		parts[i] = fill(sayCore(l, key, c.Type), func(name string) (string, bool) { return c.fact(l, name) })
	}
	return strings.Join(parts, " ")
}

// AskToConfirm is the detail of the problem that carries a summary: nothing was
// written, and only a clear yes sends it.
func AskToConfirm(l format.Lang, summary string) string {
	return fill(sayCore(Written(l), "confirm.ask", ""), func(name string) (string, bool) { return summary, name == "summary" })
}

// AskToAccept is [AskToConfirm] for a yes to what the business put forward.
func AskToAccept(l format.Lang, summary string) string {
	return fill(sayCore(Written(l), "confirm.accept", ""), func(name string) (string, bool) { return summary, name == "summary" })
}

func (c Contract) fact(l format.Lang, name string) (string, bool) {
	switch name {
	case "name":
		return format.OneLine(c.Name), true
	case "when":
		return written(c.Start, func(i inbox.Instant) string { return format.DateTime(l, i, c.Zone) }), true
	case "total":
		return format.Money(l, c.Total), true
	case "lines":
		return c.lines(l), true
	case "trader":
		return format.OneLine(c.Trader), true
	case "address":
		return format.OneLine(c.Address), true
	case "list":
		return c.Personal.list(l), true
	case "says":
		return c.Personal.says(), true
	case "right":
		return sayCore(l, lawful("right.name", l, c.Country), ""), true
	case "days":
		return strconv.Itoa(c.Days), true
	}
	return "", false
}

func (c Contract) lines(l format.Lang) string {
	parts := make([]string, len(c.Lines))
	for i, line := range c.Lines {
		parts[i] = fill(sayCore(l, "summary.line", c.Type), func(name string) (string, bool) {
			switch name {
			case "quantity":
				return strconv.FormatInt(line.Quantity, 10), true
			case "name":
				return format.OneLine(line.Name), true
			case "price":
				return written(line.Total, func(m inbox.Money) string { return format.Money(l, m) }), true
			}
			return "", false
		})
	}
	return strings.Join(parts, ", ")
}
