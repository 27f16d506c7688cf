package store

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// itemDoc is the document of an item's row. It is written on every change of an
// item, so it is small: what the key and the index attributes say already is not
// in it, instants are milliseconds, hashes base64url, claims as in an hour row.
// The payload is as the doors show it.
type itemDoc struct {
	Type      inbox.Type          `json:"t"`
	State     inbox.State         `json:"s"`
	Version   int                 `json:"n"`
	Channel   inbox.Channel       `json:"c"`
	Subject   *string             `json:"j,omitempty"`
	Location  *string             `json:"l,omitempty"`
	Linked    *string             `json:"k,omitempty"`
	Priority  int                 `json:"p,omitempty"`
	Created   int64               `json:"at"`
	Closed    int64               `json:"end,omitempty"`
	Payload   json.RawMessage     `json:"pl"`
	Token     string              `json:"tok,omitempty"`
	Expires   int64               `json:"exp,omitempty"`
	Clocked   bool                `json:"clk,omitempty"`
	Match     inbox.Match         `json:"m,omitempty"`
	Possible  string              `json:"pos,omitempty"`
	Customer  bool                `json:"by,omitempty"`
	Locale    string              `json:"lc,omitempty"`
	Unpriced  bool                `json:"up,omitempty"`
	Corrected bool                `json:"cor,omitempty"`
	Claims    []string            `json:"cl,omitempty"`
	Rights    []inbox.Withdrawal  `json:"w,omitempty"`
	OfferRev  int                 `json:"o,omitempty"`
	Agreed    *inbox.OfferPointer `json:"ag,omitempty"`
	Agreement agreementDoc        `json:"agr,omitzero"`
	Asked     int                 `json:"q,omitempty"`
	AskedSeq  int                 `json:"qs,omitempty"`
	AskedWith string              `json:"qe,omitempty"`
	HeldFor   []string            `json:"hf,omitempty"`
	Happened  []string            `json:"hp,omitempty"`
	ClosedBy  inbox.Side          `json:"cb,omitempty"`
	AgreedAt  int64               `json:"aa,omitempty"`
	Payments  []inbox.Payment     `json:"py,omitempty"`
	PayAsked  int64               `json:"pa,omitempty"`
	Refunds   []string            `json:"rf,omitempty"`
	Refunded  int                 `json:"rr,omitempty"`
	Entry     string              `json:"te,omitempty"`
	Event     string              `json:"e"`
	Hash      string              `json:"h"`
	Due       string              `json:"due,omitempty"` // the event; when is in attrDue
}

// agreementDoc is an agreement under short names; instants are milliseconds.
type agreementDoc struct {
	Due     inbox.Instant
	End     inbox.Instant
	Changes int
	Round   int
}

// MarshalJSON writes the four numbers in order, those at the end that are 0 left
// out.
func (a agreementDoc) MarshalJSON() ([]byte, error) {
	numbers := []int64{int64(a.Due), int64(a.End), int64(a.Changes), int64(a.Round)}
	for len(numbers) > 0 && numbers[len(numbers)-1] == 0 {
		numbers = numbers[:len(numbers)-1]
	}
	return json.Marshal(numbers)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (a *agreementDoc) UnmarshalJSON(raw []byte) error {
	var n [4]int64
	if err := json.Unmarshal(raw, &n); err != nil {
		return err
	}
	a.Due, a.End, a.Changes, a.Round = inbox.Instant(n[0]), inbox.Instant(n[1]), int(n[2]), int(n[3])
	return nil
}

func itemDocOf(r *inbox.Record) (itemDoc, error) {
	i := &r.Item
	payload, err := json.Marshal(i.Payload)
	d := itemDoc{
		Type: i.Type, State: i.State, Version: i.Version, Channel: i.Channel, Subject: i.Subject, Location: i.LocationID,
		Linked: i.LinkedItemID, Priority: i.Flags.Priority, Created: int64(i.CreatedAt), Closed: millis(i.ClosedAt), Payload: payload,
		Token: shortHash(r.AccessTokenHash), Expires: millis(r.RequestExpiresAt), Clocked: r.Clocked, Match: r.CustomerMatch,
		Possible: r.PossiblePartyID, Customer: r.ByCustomer, Locale: r.Locale, Unpriced: r.Unpriced, Corrected: r.Corrected,
		Rights: r.WithdrawalFlags, OfferRev: r.OfferRev, Agreed: r.AgreedOffer, Agreement: agreementDoc(r.Agreement), Entry: r.LastEntryID, Event: r.LastEventID,
		Hash: shortHash(r.LastHash), Due: r.DueKind, Asked: r.AskedRev, AskedSeq: r.AskedSeq, AskedWith: r.AskedEntryID, HeldFor: r.HeldFor, Happened: r.Happened, ClosedBy: r.ClosedBy,
		AgreedAt: millis(r.AgreedAt), Payments: r.Payments, PayAsked: millis(r.PaymentAskedAt), Refunds: r.Refunds, Refunded: r.RefundsRev,
	}
	for _, c := range r.Claims {
		d.Claims = append(d.Claims, c.ID+" "+c.Resource+" "+encodeClaim(c))
	}
	return d, err
}

// record fills in what the document holds.
func (d itemDoc) record(r *inbox.Record) (err error) {
	i := &r.Item
	i.Type, i.State, i.Version, i.Channel, i.Subject, i.LocationID = d.Type, d.State, d.Version, d.Channel, d.Subject, d.Location
	i.LinkedItemID, i.Flags.Priority, i.CreatedAt, i.ClosedAt = d.Linked, d.Priority, inbox.Instant(d.Created), instant(d.Closed)
	r.AccessTokenHash, r.RequestExpiresAt, r.Clocked, r.CustomerMatch = longHash(d.Token), instant(d.Expires), d.Clocked, d.Match
	r.PossiblePartyID, r.ByCustomer, r.Locale, r.Unpriced, r.Corrected = d.Possible, d.Customer, d.Locale, d.Unpriced, d.Corrected
	r.WithdrawalFlags, r.OfferRev, r.AgreedOffer, r.LastEntryID, r.LastEventID = d.Rights, d.OfferRev, d.Agreed, d.Entry, d.Event
	r.Agreement = inbox.Agreement(d.Agreement)
	r.LastHash, r.DueKind, r.AskedRev, r.HeldFor, r.Happened, r.ClosedBy = longHash(d.Hash), d.Due, d.Asked, d.HeldFor, d.Happened, d.ClosedBy
	r.AgreedAt, r.AskedSeq, r.AskedEntryID = instant(d.AgreedAt), d.AskedSeq, d.AskedWith
	r.Payments, r.PaymentAskedAt, r.Refunds, r.RefundsRev = d.Payments, instant(d.PayAsked), d.Refunds, d.Refunded
	for _, text := range d.Claims {
		parts := strings.SplitN(text, " ", 3)
		if len(parts) != 3 {
			return fmt.Errorf("store: claim of an item cannot be read: %q", text)
		}
		c, err := decodeClaim(parts[1], parts[0], parts[2])
		if err != nil {
			return err
		}
		r.Claims = append(r.Claims, c)
	}
	i.Payload, err = inbox.DecodePayload(d.Type, d.Payload)
	return err
}

// itemRow is an item as it is stored: the document, the rev, and the attributes
// that put it into the indexes and come and go with what it says.
func itemRow(rec *inbox.Record) (table.Row, error) {
	d, err := itemDocOf(rec)
	if err != nil {
		return nil, err
	}
	r, err := putDoc(itemKey(rec.Item.ID), d)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(rec.Rev)
	indexItem(r, rec)
	return r, nil
}

// indexItem sets the attributes of the indexes.
func indexItem(r table.Row, rec *inbox.Record) {
	i := &rec.Item
	list := listPartition(i.Flags.Sandbox, shard(i.ID, listShards))
	r[attrChanged], r[attrAll] = stamp(i.UpdatedAt, i.ID), list
	if i.ClosedAt == nil {
		r[attrOpen] = list
	}
	if i.Flags.NeedsHuman {
		r[attrHuman] = list
	}
	if rec.MailFailed {
		r[attrFailed] = list
	}
	if i.PartyID != "" {
		r[attrParty] = i.PartyID
	}
	if rec.DueAt != nil {
		r[attrQueue], r[attrDue] = queue(queueItems, i.ID), stamp(*rec.DueAt, i.ID)
	}
}

// recordOf reads an item's row; nil of nil.
func recordOf(r table.Row) (*inbox.Record, error) {
	d, err := docOf[itemDoc](r)
	if d == nil || err != nil {
		return nil, err
	}
	rec := &inbox.Record{Rev: int(r.Int(attrRev)), MailFailed: r.Has(attrFailed)}
	i := &rec.Item
	i.ID, i.PartyID = strings.TrimPrefix(r.String(table.PartitionKey), itemPartition("")), r.String(attrParty)
	i.Flags.NeedsHuman, i.Flags.Sandbox = r.Has(attrHuman), strings.HasPrefix(r.String(attrAll), "s")
	if i.UpdatedAt, err = stampTime(r.String(attrChanged)); err != nil {
		return nil, err
	}
	if r.Has(attrDue) {
		at, err := stampTime(r.String(attrDue))
		if err != nil {
			return nil, err
		}
		rec.DueAt = &at
	}
	return rec, d.record(rec)
}

// stampTime is the instant in a stamp.
func stampTime(stamp string) (inbox.Instant, error) {
	at, err := strconv.ParseInt(stamp[:min(len(stamp), stampDigits)], 10, 64)
	return inbox.Instant(at), err
}

func millis(i *inbox.Instant) int64 {
	if i == nil {
		return 0
	}
	return int64(*i)
}

func instant(ms int64) *inbox.Instant {
	if ms == 0 {
		return nil
	}
	return inbox.Ptr(inbox.Instant(ms))
}

// shortHash is a SHA-256 in hex as base64url; longHash takes it back. Anything
// else is left as it is.
func shortHash(s string) string {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 || hex.EncodeToString(b) != s {
		return s
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func longHash(s string) string {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 32 {
		return s
	}
	return hex.EncodeToString(b)
}
