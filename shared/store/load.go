package store

import (
	"context"
	"encoding/json"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Want names what a verb reads first. Empty fields are not read.
type Want struct {
	IdemScope, IdemKey string        // the stored answer, see Now
	Now                inbox.Instant // a stored answer that expired by then is absent

	Settings bool
	Profile  bool

	ServiceID string
	Hours     bool // the business's week and the service's own
	Closures  bool
	// ProductIDs and SKUs are the products an order names.
	ProductIDs, SKUs []string

	ItemID  string
	PartyID string
	// Contacts are values whose holders are looked up first, at most two.
	Contacts []inbox.PartyContact
	Code     bool // the latest one-time code of ItemID; with Thread it is read anyway
	// Thread is how many of the newest thread entries of ItemID are read, internal
	// notes left out, and the item's current offer with them, in the one query that
	// reads the item.
	Thread int
	// OfferRev of OfferItemID, else of ItemID.
	OfferItemID string
	OfferRev    int
	// AskedRev is another offer of OfferItemID, the customer's newest.
	AskedRev int
	// AgreedRev is a third offer of OfferItemID: what stands while a change to it
	// is open.
	AgreedRev int
	// Items are other items, read by key: the refunds of a promise, the promise of
	// a refund.
	Items []string
	// Holders are customers who may hold places (inbox.PartyHolder).
	Holders []string
	// EntryID of EntryItemID, else of ItemID.
	EntryItemID string
	EntryID     string
	// Rows are the hour rows; beside sandbox rows the real ones are read too.
	Rows []inbox.HourRow
}

// Loaded is what was there; absent things are nil or zero.
type Loaded struct {
	Idem *StoredAnswer

	SettingsRaw     json.RawMessage // as the owner stored it, nil for none
	SettingsVersion int
	Profile         inbox.Profile

	Service         *inbox.Service
	Hours           *Hours // nil unless hours were asked for
	HoursVersion    int    // of the week that holds for ServiceID
	ClosuresVersion int
	Products        []inbox.Product // those named that exist, by id

	Record *inbox.Record
	Offer  *inbox.Offer
	Asked  *inbox.Offer
	Agreed *inbox.Offer    // what stands while a change to it is open
	Items  []*inbox.Record // those of Want.Items that are there, in its order
	Held   []string        // the items on which the Holders hold places, each once
	Party  *inbox.Party
	Known  []decide.Known // who has the Contacts
	Code   *inbox.OneTimeCode
	Entry  *inbox.Entry
	Thread []inbox.Entry // oldest first
	Places inbox.Places
}

// Load reads everything named by key in one storage call (two with Thread, one
// more for each 100 keys, one for products named by sku alone, and one for each of
// the Contacts), strongly consistent.
func (s *Store) Load(ctx context.Context, w Want) (*Loaded, error) {
	keys := w.keys()
	holders, err := s.holdersOf(ctx, w.Contacts)
	if err != nil {
		return nil, err
	}
	for _, h := range holders {
		keys = append(keys, partyKey(h.PartyID))
	}
	hours := withReal(w.Rows)
	for _, h := range hours {
		keys = append(keys, hourKey(h))
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	l := &Loaded{}
	if err := s.read(l, w, found); err != nil {
		return nil, err
	}
	hourRows := inOrder(keys[len(keys)-len(hours):], found)
	if l.Places, err = placesOf(hours, hourRows); err != nil {
		return nil, err
	}
	if l.Products, err = s.productsOf(ctx, w, found); err != nil {
		return nil, err
	}
	if l.Known, err = s.knownOf(ctx, holders, found); err != nil {
		return nil, err
	}
	if w.Thread > 0 && w.ItemID != "" {
		return l, s.readItem(ctx, l, w)
	}
	return l, nil
}

func (w Want) offerItem() string { return either(w.OfferItemID, w.ItemID) }
func (w Want) entryItem() string { return either(w.EntryItemID, w.ItemID) }
func (w Want) readsOffer() bool  { return w.OfferRev > 0 && w.offerItem() != "" }
func (w Want) readsAsked() bool {
	return w.AskedRev > 0 && w.AskedRev != w.OfferRev && w.offerItem() != ""
}
func (w Want) readsAgreed() bool  { return w.AgreedRev > 0 && w.offerItem() != "" }
func (w Want) readsEntry() bool   { return w.EntryID != "" && w.entryItem() != "" }
func (w Want) readsItem() bool    { return w.ItemID != "" && w.Thread == 0 }
func (w Want) readsAnswer() bool  { return w.IdemKey != "" }
func (w Want) readsService() bool { return w.ServiceID != "" }

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (w Want) keys() []table.Key {
	var keys []table.Key
	for _, k := range []struct {
		read bool
		key  func() table.Key
	}{
		{w.readsAnswer(), func() table.Key { return answerKey(w.IdemScope, w.IdemKey) }},
		{w.Settings, func() table.Key { return settingsKey }},
		{w.Profile, func() table.Key { return profileKey }},
		{w.readsService(), func() table.Key { return serviceKey(w.ServiceID) }},
		{w.Hours, func() table.Key { return hoursKey }},
		{w.Hours && w.readsService(), func() table.Key { return serviceHoursKey(w.ServiceID) }},
		{w.Closures, func() table.Key { return closuresKey }},
		{w.readsItem(), func() table.Key { return itemKey(w.ItemID) }},
		{w.PartyID != "", func() table.Key { return partyKey(w.PartyID) }},
		{w.Code && w.readsItem(), func() table.Key { return codeKey(w.ItemID) }},
		{w.readsOffer(), func() table.Key { return offerKey(w.offerItem(), w.OfferRev) }},
		{w.readsAsked(), func() table.Key { return offerKey(w.offerItem(), w.AskedRev) }},
		{w.readsAgreed(), func() table.Key { return offerKey(w.offerItem(), w.AgreedRev) }},
		{w.readsEntry(), func() table.Key { return entryKey(w.entryItem(), w.EntryID) }},
	} {
		if k.read {
			keys = append(keys, k.key())
		}
	}
	for _, id := range w.Items {
		keys = append(keys, itemKey(id))
	}
	for _, h := range w.Holders {
		keys = append(keys, holderKey(h))
	}
	return append(keys, w.productKeys()...)
}

// read fills in what was found.
func (s *Store) read(l *Loaded, w Want, found map[table.Key]table.Row) (err error) {
	if w.readsAnswer() {
		if l.Idem, err = s.answerOf(found[answerKey(w.IdemScope, w.IdemKey)], w.Now); err != nil {
			return err
		}
	}
	if err := readSetUp(l, w, found); err != nil {
		return err
	}
	if w.readsItem() {
		if l.Record, err = recordOf(found[itemKey(w.ItemID)]); err != nil {
			return err
		}
	}
	if l.Party, err = partyOf(found[partyKey(w.PartyID)]); err != nil {
		return err
	}
	if w.Code && w.readsItem() {
		if l.Code, err = s.codeOf(found[codeKey(w.ItemID)]); err != nil {
			return err
		}
	}
	if w.readsOffer() {
		if l.Offer, err = docOf[inbox.Offer](found[offerKey(w.offerItem(), w.OfferRev)]); err != nil {
			return err
		}
	}
	if w.readsAsked() {
		if l.Asked, err = docOf[inbox.Offer](found[offerKey(w.offerItem(), w.AskedRev)]); err != nil {
			return err
		}
	}
	if w.readsAgreed() {
		if l.Agreed, err = docOf[inbox.Offer](found[offerKey(w.offerItem(), w.AgreedRev)]); err != nil {
			return err
		}
	}
	for _, id := range w.Items {
		r, err := recordOf(found[itemKey(id)])
		if err != nil {
			return err
		}
		if r != nil {
			l.Items = append(l.Items, r)
		}
	}
	l.Held = heldBy(w.Holders, found)
	if w.readsEntry() {
		l.Entry, err = docOf[inbox.Entry](found[entryKey(w.entryItem(), w.EntryID)])
	}
	return err
}

// maxOffers is more offers than the rounds of one item come to; a query of the
// item with its thread leaves room for them.
const maxOffers = 48

// readItem reads an item, its current offer and its newest entries by one query
// of its partition, in which they stand together, newest last.
func (s *Store) readItem(ctx context.Context, l *Loaded, w Want) error {
	if !usable(itemKey(w.ItemID)) {
		return nil
	}
	_, to := table.Prefix(sortOffer)
	q := table.Query{
		Table: tableInbox, Partition: itemPartition(w.ItemID),
		From: sortEntry, To: to, Desc: true, Limit: w.Thread + maxOffers + 1,
	}
	offers := map[int]table.Row{}
	for len(l.Thread) < w.Thread {
		page, err := s.query(ctx, q)
		if err != nil {
			return err
		}
		for _, r := range page.Rows {
			if err := s.readItemRow(l, r, offers, w.Thread); err != nil {
				return err
			}
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	reverse(l.Thread)
	return readOffer(l, offers)
}

func (s *Store) readItemRow(l *Loaded, r table.Row, offers map[int]table.Row, most int) (err error) {
	switch sk := r.String(table.SortKey); {
	case sk == sortItem:
		l.Record, err = recordOf(r)
	case len(sk) > len(sortOffer) && sk[:len(sortOffer)] == sortOffer:
		offers[revIn(sk)] = r
	case sk == sortCode:
		l.Code, err = s.codeOf(r)
	case len(l.Thread) < most:
		var e inbox.Entry
		if err = readDoc(r, &e); err == nil && e.Direction != inbox.DirectionNote {
			l.Thread = append(l.Thread, e)
		}
	}
	return err
}

// readOffer picks the offer the item points to, and those that stand behind it.
func readOffer(l *Loaded, offers map[int]table.Row) (err error) {
	if l.Record == nil {
		return nil
	}
	if p := l.Record.Item.Payload.Offer(); p != nil {
		if l.Offer, err = docOf[inbox.Offer](offers[p.Rev]); err != nil {
			return err
		}
	}
	if rev := l.Record.AskedRev; rev > 0 {
		if l.Asked, err = docOf[inbox.Offer](offers[rev]); err != nil {
			return err
		}
	}
	if rev := l.Record.Underlying(); rev > 0 {
		l.Agreed, err = docOf[inbox.Offer](offers[rev])
	}
	return err
}

func revIn(sort string) int {
	n := 0
	for _, c := range sort[len(sortOffer):] {
		n = 10*n + int(c-'0')
	}
	return n
}

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
