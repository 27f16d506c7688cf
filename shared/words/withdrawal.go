package words

import (
	"slices"
	"strconv"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Withdrawal is what a confirmation says of the right to withdraw from the
// contract that it confirms (05 §3.3, 02 §9.9).
type Withdrawal struct {
	Excepted inbox.Withdrawal // why there is no right, standard or "" when there is
	Goods    bool             // of goods, else of a service
	Days     int              // of the period, while it has not begun
	Until    *inbox.Instant   // its end, once it has begun
	Country  string           // whose law the business's contracts follow
	Trader   Trader
}

// Trader is the business in law.
type Trader struct{ Name, Address, Phone, Email, VATID string }

// IsExcepted says whether the contract has no right of withdrawal.
func (w *Withdrawal) IsExcepted() bool {
	return w.Excepted != "" && w.Excepted != inbox.WithdrawalStandard
}

// The blocks of a confirmation: the right, or why there is none, then the
// statutory form and who the business is.
var withdrawalBlocks = []block{
	{
		{"right.goods", "right goods"}, {"right.goods.uk", "right goods uk"}, {"right.service", "right service"}, {"right.service.uk", "right service uk"},
		{"right.until", "right until"}, {"right.until.uk", "right until uk"}, {"right.excepted", "right excepted"},
		{"right.link", "right link"}, {"right.link.uk", "right link uk"},
	},
	{{"right.form", "right form"}, {"right.form.uk", "right form uk"}},
	{{"right.trader", "right"}},
}

// confirmation is a customer's mail that confirms a contract.
func confirmation(subject block, blocks ...block) mailRow {
	return mailRow{subject, slices.Concat([]block{greeting}, blocks, []block{own}, withdrawalBlocks, []block{byReply, footer, sender})}
}

// right is the condition of a line about a right that holds, in the words of the
// law of the United Kingdom or of any other.
func right(uk bool, more func(*Withdrawal) bool) func(MailInput) bool {
	return func(in MailInput) bool {
		w := in.Withdrawal
		return w != nil && !w.IsExcepted() && british(in.Lang, w.Country) == uk && more(w)
	}
}

// What a line about the right may depend on besides.
func ofGoods(w *Withdrawal) bool   { return w.Until == nil && w.Goods }
func ofService(w *Withdrawal) bool { return w.Until == nil && !w.Goods }
func hasBegun(w *Withdrawal) bool  { return w.Until != nil }
func always(*Withdrawal) bool      { return true }

// right answers the placeholders about the right of withdrawal.
func (in MailInput) right(name string) (string, bool) {
	w := in.Withdrawal
	if w == nil {
		w = &Withdrawal{}
	}
	t := w.Trader
	if t.Name == "" {
		t.Name = in.Business
	}
	switch name {
	case "right.days":
		return strconv.Itoa(w.Days), true
	case "right.until":
		return in.when(w.Until), true
	case "right.exception":
		return excepted(in.Lang, w.Excepted, w.Country), true
	case "right.url":
		return in.withdrawURL(), true
	case "trader":
		return parts(" · ", t.Name, t.Address, t.Phone, t.Email, in.vat(t)), true
	case "trader.form":
		return parts(", ", t.Name, t.Address, t.Email), true
	}
	return "", false
}

// vat is the business's tax number with its label.
func (in MailInput) vat(t Trader) string {
	if t.VATID == "" {
		return ""
	}
	return fill(say(in.Lang, "right.vat", ""), func(name string) (string, bool) { return format.OneLine(t.VATID), name == "vat" })
}

// parts joins what is there, each on one line.
func parts(between string, all ...string) string {
	var there []string
	for _, s := range all {
		if s = format.OneLine(s); s != "" {
			there = append(there, s)
		}
	}
	return strings.Join(there, between)
}
