package inbox

// Inputs of transitions (01 §4), by the names the machines' tables use. The
// `in` tags are their limits.

// NoteInput is the input of every event without one of its own.
type NoteInput struct {
	Note       string `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode string `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
}

// DetailsInput holds what a customer adds, or the answer to a message.
type DetailsInput struct {
	Note string `json:"note,omitempty" in:"len=0..20000"`
}

// RecordCancelInput is the customer's no that a business writes down. Note is
// trimmed and required; AskedAt defaults to now; EntryID names the inbound
// entry that says so.
type RecordCancelInput struct {
	Note    string   `json:"note" in:"required,trim,len=1..2000"`
	AskedAt *Instant `json:"askedAt,omitempty"`
	EntryID string   `json:"entryId,omitempty" in:"len=0..64"`
}

// ProposeTimeInput is another time for a booking.
type ProposeTimeInput struct {
	StartTime  Instant `json:"startTime" in:"required"`
	EndTime    Instant `json:"endTime" in:"required"`
	TotalPrice *Money  `json:"totalPrice,omitempty"`
	Note       string  `json:"note,omitempty" in:"len=0..2000"`
}

// CounterTimeInput is the customer's other time.
type CounterTimeInput struct {
	StartTime  Instant `json:"startTime" in:"required"`
	TotalPrice *Money  `json:"totalPrice,omitempty"`
	Note       string  `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode string  `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
}

// ProposeOrderInput is the order as the business would take it.
type ProposeOrderInput struct {
	OrderedItem  []OrderLine `json:"orderedItem" in:"required,items=1..200"`
	Delivery     *Delivery   `json:"delivery,omitempty"`
	ValidThrough *Instant    `json:"validThrough,omitempty"`
	Note         string      `json:"note,omitempty" in:"len=0..2000"`
}

// CounterLine changes one line of a proposed order; quantity 0 drops it.
type CounterLine struct {
	Index     int    `json:"index" in:"required,num=0..199"`
	Quantity  int64  `json:"quantity" in:"required,num=0..1000000"`
	UnitPrice *Money `json:"unitPrice,omitempty"`
}

// CounterOrderInput is the customer's answer to a proposed order.
type CounterOrderInput struct {
	Lines        []CounterLine `json:"lines,omitempty" in:"items=0..200"`
	DeliveryWhen *Instant      `json:"deliveryWhen,omitempty"`
	Note         string        `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode   string        `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
}

// QuoteInput is the business's quote.
type QuoteInput struct {
	TotalPrice   Money       `json:"totalPrice" in:"required"`
	ValidThrough *Instant    `json:"validThrough,omitempty"`
	Lines        []QuoteLine `json:"lines,omitempty" in:"items=0..100"`
	Notes        string      `json:"notes,omitempty" in:"len=0..2000"`
	Creates      string      `json:"creates,omitempty" in:"enum=booking|order"`
	StartTime    *Instant    `json:"startTime,omitempty"`
	EndTime      *Instant    `json:"endTime,omitempty"`
	Note         string      `json:"note,omitempty" in:"len=0..2000"`
}

// CounterQuoteInput is the customer's answer to a quote.
type CounterQuoteInput struct {
	Quantity   *int64   `json:"quantity,omitempty" in:"num=1..1000000"`
	StartTime  *Instant `json:"startTime,omitempty"`
	Note       string   `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode string   `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
}

// ChangeTimeInput asks to move a promised booking; a customer names a start.
type ChangeTimeInput struct {
	StartTime    Instant  `json:"startTime" in:"required"`
	EndTime      *Instant `json:"endTime,omitempty"`
	TotalPrice   *Money   `json:"totalPrice,omitempty"`
	ValidThrough *Instant `json:"validThrough,omitempty"`
	Note         string   `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode   string   `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
}

// ChangeLine asks for another quantity of a line of a promised order; 0 drops
// it.
type ChangeLine struct {
	Index    int   `json:"index" in:"required,num=0..199"`
	Quantity int64 `json:"quantity" in:"required,num=0..1000000"`
}

// ChangeOrderInput asks to change a promised order; lines and deliveryWhen are
// the customer's, the rest the business's.
type ChangeOrderInput struct {
	OrderedItem  []OrderLine  `json:"orderedItem,omitempty" in:"items=1..200"`
	Delivery     *Delivery    `json:"delivery,omitempty"`
	Lines        []ChangeLine `json:"lines,omitempty" in:"items=0..200"`
	DeliveryWhen *Instant     `json:"deliveryWhen,omitempty"`
	ValidThrough *Instant     `json:"validThrough,omitempty"`
	Note         string       `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode   string       `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
}

// WithdrawInput is a customer's withdrawal from a contract.
type WithdrawInput struct {
	Note  string       `json:"note,omitempty" in:"len=0..2000"`
	Lines []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
}

// RecordWithdrawalInput is a withdrawal the business writes down.
type RecordWithdrawalInput struct {
	Note    string       `json:"note" in:"required,trim,len=1..2000"`
	AskedAt *Instant     `json:"askedAt,omitempty"`
	EntryID string       `json:"entryId,omitempty" in:"len=0..64"`
	Lines   []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
}

// ReturnInput asks to send goods back.
type ReturnInput struct {
	ReasonCode string       `json:"reasonCode" in:"required,enum=changed_mind|faulty|wrong_item|not_as_described|other"`
	Lines      []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
	Wants      string       `json:"wants,omitempty" in:"enum=refund|exchange|credit"`
	Note       string       `json:"note,omitempty" in:"len=0..2000"`
}

// OpenReturnInput is a return the business opens.
type OpenReturnInput struct {
	ReasonCode string       `json:"reasonCode" in:"required,enum=changed_mind|faulty|wrong_item|not_as_described|other"`
	Lines      []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
	Wants      string       `json:"wants,omitempty" in:"enum=refund|exchange|credit"`
	Note       string       `json:"note" in:"required,trim,len=1..2000"`
	AskedAt    *Instant     `json:"askedAt,omitempty"`
	EntryID    string       `json:"entryId,omitempty" in:"len=0..64"`
}

// ApproveInput approves a return.
type ApproveInput struct {
	GoodsBack    *bool         `json:"goodsBack,omitempty"`
	ReturnBy     *Instant      `json:"returnBy,omitempty"`
	Instructions *Instructions `json:"instructions,omitempty"`
	Note         string        `json:"note,omitempty" in:"len=0..2000"`
}

// WordsInput is a note the customer reads.
type WordsInput struct {
	Note string `json:"note" in:"required,trim,len=1..2000"`
}

// GoodsBackInput says when goods arrived.
type GoodsBackInput struct {
	ReceivedAt *Instant `json:"receivedAt,omitempty"`
	Note       string   `json:"note,omitempty" in:"len=0..2000"`
}

// RefundInput says what was paid back.
type RefundInput struct {
	PaymentRef string `json:"paymentRef,omitempty" in:"trim,len=0..200"` // required unless nothing is owed
	Amount     *Money `json:"amount,omitempty"`
	Note       string `json:"note,omitempty" in:"len=0..2000"`
}

// SettlementInput says what smaller amount the customer agreed to.
type SettlementInput struct {
	Amount  Money  `json:"amount" in:"required"`
	Note    string `json:"note" in:"required,trim,len=1..2000"`
	EntryID string `json:"entryId,omitempty" in:"len=0..64"`
}

// PaymentInput says what was paid; without an amount, the rest.
type PaymentInput struct {
	PaymentRef string `json:"paymentRef" in:"required,trim,len=1..200"`
	Amount     *Money `json:"amount,omitempty"`
}

// PaymentRequestInput asks for payment.
type PaymentRequestInput struct {
	PaymentURL string `json:"paymentUrl,omitempty" in:"url"`
	Note       string `json:"note,omitempty" in:"len=0..2000"`
}

// FulfilInput says when an order was sent or handed over.
type FulfilInput struct {
	Note        string   `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode  string   `json:"reasonCode,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
	DeliveredAt *Instant `json:"deliveredAt,omitempty"`
}

// DeliveryInput says when an order arrived.
type DeliveryInput struct {
	DeliveredAt *Instant `json:"deliveredAt,omitempty"`
	Note        string   `json:"note,omitempty" in:"len=0..2000"`
}
