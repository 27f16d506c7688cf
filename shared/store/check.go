package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/table"
)

// Check recounts the whole inbox from its rows and says in sentences what does
// not fit; nothing when all is well (00 §4):
//
//   - every item: versions and events without a gap, the chain of hashes, the
//     end of the chain, at most one open offer and the pointer to it, the
//     deadline, the index attributes, no part of a write missing, and what an
//     accepted quote became; what goes back of a promise;
//   - every place: each claim of an item in each of its hour rows and the other
//     way round.
//
// It may run while others write: what does not fit is looked at a second time,
// and only what still does not is told. Items are found by an index, so those of
// the last moments may be missing.
func (s *Store) Check(ctx context.Context) ([]string, error) {
	first, err := s.check(ctx)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	second, err := s.check(ctx)
	return slices.DeleteFunc(second, func(f string) bool { return !slices.Contains(first, f) }), err
}

// checker gathers findings.
type checker struct {
	s        *Store
	settings settings.Settings
	version  int // of the settings
	findings []string
	claims   map[inbox.HourRow]map[string]inbox.Claim // what the items hold
}

func (c *checker) found(format string, args ...any) {
	c.findings = append(c.findings, fmt.Sprintf(format, args...))
}

func (s *Store) check(ctx context.Context) ([]string, error) {
	l, err := s.Load(ctx, Want{Settings: true})
	if err != nil {
		return nil, err
	}
	c := &checker{
		s: s, settings: settings.Effective(l.SettingsRaw), version: l.SettingsVersion,
		claims: map[inbox.HourRow]map[string]inbox.Claim{},
	}
	for _, sandbox := range []bool{false, true} {
		if err := c.items(ctx, sandbox); err != nil {
			return nil, err
		}
	}
	if err := c.places(ctx); err != nil {
		return nil, err
	}
	slices.Sort(c.findings)
	return c.findings, nil
}

func (c *checker) items(ctx context.Context, sandbox bool) error {
	seen := map[string]bool{}
	for cursor := ""; ; {
		items, next, err := c.s.AllItems(ctx, sandbox, 100, cursor)
		if err != nil {
			return err
		}
		ids := []string{}
		for _, rec := range items {
			if !seen[rec.Item.ID] {
				seen[rec.Item.ID] = true
				ids = append(ids, rec.Item.ID)
			}
		}
		if err := c.page(ctx, ids); err != nil {
			return err
		}
		if next == nil {
			return nil
		}
		cursor = *next
	}
}

// readers is how many items a check reads at a time; each is a few calls that
// mostly wait.
const readers = 8

// page reads items side by side and judges them one after the other.
func (c *checker) page(ctx context.Context, ids []string) error {
	parts, errs := make([]parts, len(ids)), make([]error, len(ids))
	var wg sync.WaitGroup
	slots := make(chan struct{}, readers)
	for i, id := range ids {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			parts[i], errs[i] = c.s.partsOf(ctx, id)
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for _, p := range parts {
		if p.rec != nil {
			c.item(p)
		}
	}
	return nil
}

// parts are the rows of one item, read after one another.
type parts struct {
	row     table.Row
	rec     *inbox.Record
	offers  []inbox.Offer
	rows    map[string]bool // every sort key of the item's partition
	events  []table.Row
	party   *inbox.Party
	linked  *inbox.Record   // what it became, or what it was born of
	refunds []*inbox.Record // of a promise, those that are there
	held    []string        // the customers whose rows name it
}

func (c *checker) item(p parts) {
	c.chain(p)
	c.offers(p)
	c.index(p)
	c.whole(p)
	for _, claim := range p.rec.Claims {
		for _, h := range claim.Rows() {
			if c.claims[h] == nil {
				c.claims[h] = map[string]inbox.Claim{}
			}
			c.claims[h][claim.ID] = claim
		}
	}
}

func (s *Store) partsOf(ctx context.Context, id string) (p parts, err error) {
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: itemPartition(id)}, 0)
	if err != nil {
		return p, err
	}
	p.rows = map[string]bool{}
	for _, r := range rows {
		sk := r.String(table.SortKey)
		p.rows[sk] = true
		switch {
		case sk == sortItem:
			p.row = r
			p.rec, err = recordOf(r)
		case strings.HasPrefix(sk, sortOffer):
			var o inbox.Offer
			err = readDoc(r, &o)
			p.offers = append(p.offers, o)
		}
		if err != nil {
			return p, err
		}
	}
	if p.rec != nil && p.rec.Item.PartyID != "" {
		if p.party, err = s.Party(ctx, p.rec.Item.PartyID); err != nil {
			return p, err
		}
	}
	if p.rec != nil && p.rec.Item.LinkedItemID != nil {
		if p.linked, err = s.Item(ctx, *p.rec.Item.LinkedItemID); err != nil {
			return p, err
		}
	}
	if p.rec != nil {
		if p.refunds, err = s.refundsOf(ctx, p.rec); err != nil {
			return p, err
		}
		if p.held, err = s.heldOf(ctx, p.rec); err != nil {
			return p, err
		}
	}
	p.events, err = s.eventRows(ctx, id)
	return p, err
}

// chain checks versions, states and hashes of the events.
func (c *checker) chain(p parts) {
	id, prev := p.rec.Item.ID, ""
	var last inbox.Event
	for n, r := range p.events {
		e, m, err := eventOf(r)
		if err != nil {
			c.found("item %s: event %d cannot be read: %v", id, n+1, err)
			return
		}
		if e.Seq != n+1 {
			c.found("item %s: event %d stands where %d belongs", id, e.Seq, n+1)
			return
		}
		if e.PrevHash != prev {
			c.found("item %s: event %d does not follow the one before it", id, e.Seq)
		}
		if n > 0 && (e.FromState == nil || *e.FromState != last.ToState) {
			c.found("item %s: event %d leaves another state than event %d came to", id, e.Seq, n)
		}
		if err := verify(e, m); err != nil {
			c.found("item %s: event %d: %v", id, e.Seq, err)
		}
		prev, last = e.Hash, e
	}
	if p.rec.Item.Version != len(p.events) {
		c.found("item %s: version %d with %d events", id, p.rec.Item.Version, len(p.events))
		return
	}
	if p.rec.LastEventID != last.ID || p.rec.LastHash != last.Hash || p.rec.Item.State != last.ToState {
		c.found("item %s: it does not end where its events end", id)
	}
	c.due(p.rec, last)
}

// due checks the deadline. Under settings that changed since the last event it
// may stand early or late, but never come or go (01 §19.4).
func (c *checker) due(rec *inbox.Record, last inbox.Event) {
	at, event := decide.DueAt(rec, c.settings)
	switch {
	case (at == nil) != (rec.DueAt == nil) || event != rec.DueKind:
		c.found("item %s: its deadline is for %q, not %q", rec.Item.ID, rec.DueKind, event)
	case at != nil && *at != *rec.DueAt && last.Meta.Basis["settings"] == c.version:
		c.found("item %s: its deadline is %s, not %s", rec.Item.ID, *rec.DueAt, *at)
	}
}

// offers checks the ledger of offers and the pointer to the open one.
func (c *checker) offers(p parts) {
	id, open := p.rec.Item.ID, []inbox.Offer(nil)
	for n, o := range p.offers {
		if o.Rev != n+1 {
			c.found("item %s: offer %d stands where %d belongs", id, o.Rev, n+1)
		}
		if o.Status == inbox.OfferOpen {
			open = append(open, o)
		}
	}
	if p.rec.OfferRev != len(p.offers) {
		c.found("item %s: newest offer %d of %d", id, p.rec.OfferRev, len(p.offers))
	}
	pointer := p.rec.Item.Payload.Offer()
	points := pointer != nil && pointer.Status == inbox.OfferOpen
	switch {
	case len(open) > 1:
		c.found("item %s: %d open offers", id, len(open))
	case len(open) == 1 && (!points || pointer.ID != open[0].ID || pointer.Rev != open[0].Rev):
		c.found("item %s: it does not point to its open offer %d", id, open[0].Rev)
	case len(open) == 0 && points:
		c.found("item %s: it points to offer %d as open, and none is", id, pointer.Rev)
	}
}

// index checks that the item stands in the indexes it belongs to.
func (c *checker) index(p parts) {
	want, err := itemRow(p.rec)
	if err != nil {
		c.found("item %s: %v", p.rec.Item.ID, err)
		return
	}
	for _, name := range []string{attrAll, attrOpen, attrHuman, attrFailed, attrChanged, attrQueue, attrDue, attrParty} {
		if p.row.String(name) != want.String(name) {
			c.found("item %s: index attribute %s is %q, not %q", p.rec.Item.ID, name, p.row.String(name), want.String(name))
		}
	}
}

// whole checks that what the item names is there.
func (c *checker) whole(p parts) {
	id := p.rec.Item.ID
	c.holders(p)
	c.links(p)
	c.promise(p)
	c.refunds(p)
	if e := p.rec.LastEntryID; e != "" && !p.rows[sortEntry+e] {
		c.found("item %s: its last entry %s is missing", id, e)
	}
	if p.rec.Item.PartyID != "" && p.party == nil {
		c.found("item %s: its party %s is missing", id, p.rec.Item.PartyID)
	}
}

// links checks that an accepted quote and what it became are both there and name
// each other (02 §1.10).
func (c *checker) links(p parts) {
	i := p.rec.Item
	switch {
	case i.LinkedItemID == nil:
		if i.Type == inbox.TypeQuote && i.State == inbox.StateAccepted {
			c.found("item %s: it was accepted and became nothing", i.ID)
		}
	case p.linked == nil:
		c.found("item %s: item %s, which it is linked to, is missing", i.ID, *i.LinkedItemID)
	case i.Type == inbox.TypeQuote || p.linked.Item.Type == inbox.TypeQuote:
		if back := p.linked.Item.LinkedItemID; back == nil || *back != i.ID {
			c.found("item %s: item %s is not linked back to it", i.ID, p.linked.Item.ID)
		}
	}
}

// holders checks that the rows of customers name the item just as long as an
// open offer of it holds places.
func (c *checker) holders(p parts) {
	id, holds := p.rec.Item.ID, false
	for _, claim := range p.rec.Claims {
		holds = holds || claim.Kind == inbox.ClaimHold
		if pointer := p.rec.Item.Payload.Offer(); claim.Kind == inbox.ClaimHold &&
			(pointer == nil || pointer.ID != claim.OfferID || pointer.Status != inbox.OfferOpen || !pointer.Held) {
			c.found("item %s: places are held for offer %s, which is not open", id, claim.OfferID)
		}
	}
	if holds != (len(p.rec.HeldFor) > 0) {
		c.found("item %s: it holds places for %d customers", id, len(p.rec.HeldFor))
	}
	for _, h := range p.rec.HeldFor {
		if !slices.Contains(p.held, h) {
			c.found("item %s: the row of %s does not name it", id, h)
		}
	}
	for _, h := range p.held {
		if !slices.Contains(p.rec.HeldFor, h) {
			c.found("item %s: the row of %s names it, and it holds nothing", id, h)
		}
	}
}

// heldOf lists the customers whose rows name an item, of those it has to do
// with.
func (s *Store) heldOf(ctx context.Context, rec *inbox.Record) ([]string, error) {
	var names []string
	asked := append([]string{inbox.PartyHolder(rec.Item.PartyID, rec.Item.Flags.Sandbox)}, rec.HeldFor...)
	for _, h := range slices.Compact(slices.Sorted(slices.Values(asked))) {
		row, err := s.get(ctx, holderKey(h))
		if err != nil {
			return nil, err
		}
		if row.Has(heldPrefix + rec.Item.ID) {
			names = append(names, h)
		}
	}
	return names, nil
}

// places compares the hour rows with what the items hold.
func (c *checker) places(ctx context.Context) error {
	resources := map[string]bool{}
	catalogue, err := c.s.Catalogue(ctx)
	if err != nil {
		return err
	}
	for _, service := range catalogue.Services {
		resources["service:"+service.ID], resources[sandboxResource+"service:"+service.ID] = true, true
	}
	for h := range c.claims {
		resources[h.Resource] = true
	}
	for _, resource := range slices.Sorted(maps.Keys(resources)) {
		if err := c.resource(ctx, resource); err != nil {
			return err
		}
	}
	for h, claims := range c.claims {
		for id := range claims {
			c.found("claim %s of %s is missing in its hour row %d", id, h.Resource, h.Hour)
		}
	}
	return nil
}

// resource compares the hour rows of one resource and crosses off what fits.
func (c *checker) resource(ctx context.Context, resource string) error {
	rows, err := c.s.queryAll(ctx, table.Query{Table: tableInbox, Partition: hourPrefix + resource}, 0)
	if err != nil {
		return err
	}
	for _, r := range rows {
		h, err := hourOf(r)
		if err != nil {
			return err
		}
		stored, err := claimsOf(r)
		if err != nil {
			return err
		}
		for _, claim := range stored {
			held, ok := c.claims[h][claim.ID]
			switch {
			case !ok:
				c.found("claim %s of %s in hour row %d is held by no item", claim.ID, resource, h.Hour)
			case encodeClaim(held) != encodeClaim(claim):
				c.found("claim %s of %s in hour row %d is not as its item says", claim.ID, resource, h.Hour)
			}
			delete(c.claims[h], claim.ID)
		}
	}
	return nil
}
