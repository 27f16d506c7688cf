package machine

import (
	"sync"

	"typedinbox/shared/inbox"
)

// GuardInfo is one entry of the closed list of guards (01 §6).
type GuardInfo struct {
	ID       Guard        `json:"id"`
	Sees     string       `json:"sees"`    // the payload "before" the input is applied, "after", or "-"
	Implied  bool         `json:"implied"` // judged without standing on a row
	Holds    string       `json:"holds"`
	Problems []inbox.Code `json:"problems"` // what it answers on failure
	Details  string       `json:"details"`  // what the problem's details hold beside the guard
}

// EffectInfo is one entry of the closed list of effects (01 §7).
type EffectInfo struct {
	ID      Effect `json:"id"`
	Where   string `json:"where"`   // in the same "write", or an entry of its "job"
	Implied bool   `json:"implied"` // follows every transition, stands on no row
	Text    string `json:"text"`
}

// ActionInfo is one entry of the closed list of offer actions (01 §8.2).
type ActionInfo struct {
	ID   OfferAction `json:"id"`
	Text string      `json:"text"`
}

// Guards lists every guard.
func Guards() []GuardInfo { return must(readGuards()) }

// Effects lists every effect.
func Effects() []EffectInfo { return must(readEffects()) }

// Actions lists every offer action.
func Actions() []ActionInfo { return must(readActions()) }

var (
	readGuards  = listOf[GuardInfo]("guards")
	readEffects = listOf[EffectInfo]("effects")
	readActions = listOf[ActionInfo]("actions")
)

func listOf[T any](name string) func() ([]T, error) {
	return sync.OnceValues(func() ([]T, error) {
		var l []T
		err := read(name, &l)
		return l, err
	})
}

// InputNames lists the inputs of 01 §4 in its order.
var InputNames = []string{
	"note", "details", "proposeTime", "counterTime", "proposeOrder", "counterOrder", "quote",
	"counterQuote", "changeTime", "changeOrder", "recordCancel", "withdraw", "recordWithdrawal",
	"return", "openReturn", "approve", "reject", "disputeGoods", "goodsBack", "refund",
	"settlement", "payment", "paymentRequest", "fulfil", "delivery",
}

// NewInput is a pointer to an empty input of 01 §4 by its name in the tables,
// for a decoder to fill; nil for a name that does not exist.
func NewInput(name string) any {
	switch name {
	case "note":
		return new(inbox.NoteInput)
	case "details":
		return new(inbox.DetailsInput)
	case "proposeTime":
		return new(inbox.ProposeTimeInput)
	case "counterTime":
		return new(inbox.CounterTimeInput)
	case "proposeOrder":
		return new(inbox.ProposeOrderInput)
	case "counterOrder":
		return new(inbox.CounterOrderInput)
	case "quote":
		return new(inbox.QuoteInput)
	case "counterQuote":
		return new(inbox.CounterQuoteInput)
	case "changeTime":
		return new(inbox.ChangeTimeInput)
	case "changeOrder":
		return new(inbox.ChangeOrderInput)
	case "recordCancel":
		return new(inbox.RecordCancelInput)
	}
	return newMoneyInput(name)
}

// newMoneyInput is the part of NewInput for returns, payments and deliveries.
func newMoneyInput(name string) any {
	switch name {
	case "withdraw":
		return new(inbox.WithdrawInput)
	case "recordWithdrawal":
		return new(inbox.RecordWithdrawalInput)
	case "return":
		return new(inbox.ReturnInput)
	case "openReturn":
		return new(inbox.OpenReturnInput)
	case "approve":
		return new(inbox.ApproveInput)
	case "reject", "disputeGoods":
		return new(inbox.WordsInput)
	case "goodsBack":
		return new(inbox.GoodsBackInput)
	case "refund":
		return new(inbox.RefundInput)
	case "settlement":
		return new(inbox.SettlementInput)
	case "payment":
		return new(inbox.PaymentInput)
	case "paymentRequest":
		return new(inbox.PaymentRequestInput)
	case "fulfil":
		return new(inbox.FulfilInput)
	case "delivery":
		return new(inbox.DeliveryInput)
	}
	return nil
}

// About describes the states of a type, a paragraph each: who moves an item
// in, who moves it out, and what happens when nobody acts. nil for a type that
// does not exist.
func About(t inbox.Type) map[inbox.State]string {
	if Of(t) == nil {
		return nil
	}
	var doc struct {
		States map[inbox.State]string `json:"states"`
	}
	if err := read(string(t), &doc); err != nil {
		panic(err)
	}
	return doc.States
}

// GroupInfo is one of the letters of the tables with who it stands for.
type GroupInfo struct {
	Letter string
	Who    string
}

// Groups lists the letters of 01 §2.1.
func Groups() []GroupInfo {
	var list []GroupInfo
	for _, l := range groupLetters {
		list = append(list, GroupInfo{l.letter, l.who})
	}
	return list
}
