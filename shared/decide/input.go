package decide

import (
	"bytes"
	"encoding/json"

	"typedinbox/shared/inbox"
	"typedinbox/shared/schema"
)

// input is what a transition was sent with, validated (01 §4).
type input struct {
	value        any // the typed input, kept in the event's meta; nil when nothing was sent
	note         string
	reasonCode   string
	askedAt      inbox.Instant      // when a recorded no was said
	paymentURL   bool               // names where to pay
	secret       bool               // words carried a secret, now hidden
	lines        []inbox.ReturnLine // that are to come back
	returnReason string
	wants        string
	priced       bool // names a price of the sender's own
}

// decoders read the inputs by their names in the machine's tables.
var decoders = map[string]func(*move) (input, []inbox.FieldProblem){
	"note":         (*move).readNote,
	"details":      (*move).readDetails,
	"recordCancel": (*move).readRecordCancel,
	"proposeTime":  (*move).readProposeTime,
	"counterTime":  (*move).readCounterTime,
	"proposeOrder": (*move).readProposeOrder,
	"counterOrder": (*move).readCounterOrder,
	"quote":        (*move).readQuote,
	"counterQuote": (*move).readCounterQuote,
	"changeTime":   (*move).readChangeTime,
	"changeOrder":  (*move).readChangeOrder,

	"withdraw":         (*move).readWithdraw,
	"recordWithdrawal": (*move).readRecordWithdrawal,
	"return":           (*move).readReturn,
	"openReturn":       (*move).readOpenReturn,
	"approve":          (*move).readApprove,
	"reject":           (*move).readWords,
	"disputeGoods":     (*move).readWords,
	"goodsBack":        (*move).readGoodsBack,
	"refund":           (*move).readRefund,
	"settlement":       (*move).readSettlement,

	"payment":        (*move).readPayment,
	"paymentRequest": (*move).readPaymentRequest,
	"fulfil":         (*move).readFulfil,
	"delivery":       (*move).readDelivery,
}

func (m *move) readInput() *inbox.Problem {
	read := decoders[m.row.Input]
	if m.converted != "" {
		read = (*move).readConverted
	}
	in, problems := read(m)
	if len(problems) > 0 {
		return inbox.InvalidInput(problems...)
	}
	m.in, m.masked = in, in.secret
	return nil
}

func (m *move) readNote() (in input, problems []inbox.FieldProblem) {
	if m.saysNothing() {
		return in, nil
	}
	v, problems := decode[inbox.NoteInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.value, in.note, in.reasonCode = v, v.Note, v.ReasonCode
	return in, problems
}

func (m *move) readDetails() (in input, problems []inbox.FieldProblem) {
	if m.saysNothing() {
		return in, nil
	}
	v, problems := decode[inbox.DetailsInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.value, in.note = v, v.Note
	return in, problems
}

// saysNothing is the usual input of an event that needs none.
func (m *move) saysNothing() bool { return len(m.r.Input) == 0 }

// readRecordCancel reads a customer's no that the business writes down. The
// moment it was said is the arrival of the entry it names, else askedAt, else
// now.
func (m *move) readRecordCancel() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.RecordCancelInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	at, problem := m.askedAt(v)
	if problem != nil {
		return in, []inbox.FieldProblem{*problem}
	}
	v.AskedAt = &at
	in.value, in.note, in.askedAt = v, v.Note, at
	return in, nil
}

// Tolerance of askedAt on both sides, for clocks that differ (01 §4).
const askedTolerance = inbox.Minute

func (m *move) askedAt(v inbox.RecordCancelInput) (inbox.Instant, *inbox.FieldProblem) {
	born, now := m.rec.Item.CreatedAt, m.e.Now
	if v.EntryID != "" {
		return m.arrival(v.EntryID)
	}
	if m.table.IsPromise(m.from) && !m.c.IsPerson() {
		return 0, &inbox.FieldProblem{Path: "input.entryId", Problem: inbox.Missing,
			Message: "name the customer's message that says so"}
	}
	if v.AskedAt == nil {
		return now, nil
	}
	at := *v.AskedAt
	if at < born.Add(-askedTolerance) || at > now.Add(askedTolerance) {
		return 0, &inbox.FieldProblem{Path: "input.askedAt", Problem: inbox.Invalid,
			Message: "must lie between the item's creation and now"}
	}
	return min(max(at, born), now), nil
}

// arrival is when the inbound entry that the input names came in.
func (m *move) arrival(id string) (inbox.Instant, *inbox.FieldProblem) {
	t := m.f.Entry
	if t == nil || t.ID != id || t.ItemID != m.rec.Item.ID || t.Direction != inbox.DirectionIn {
		return 0, &inbox.FieldProblem{Path: "input.entryId", Problem: inbox.Invalid,
			Message: "must be a message of the customer's on this item"}
	}
	return t.CreatedAt, nil
}

// decode reads a typed input; nothing sent is an empty object.
func decode[T any](raw json.RawMessage) (T, []inbox.FieldProblem) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	v, problems := schema.Decode[T](raw, "input")
	fields := make([]inbox.FieldProblem, len(problems))
	for i, p := range problems {
		fields[i] = inbox.FieldProblem{Path: p.Path, Problem: inbox.Fault(p.Problem), Message: p.Message}
	}
	return v, fields
}
