package desk

import (
	"context"
	"slices"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// threadLines is how much of a conversation a view shows (03 §7).
const threadLines = 50

// load reads what a verb needs: one read by the keys the request names, then,
// on an item, one read by the keys the item names. It answers the stored
// answer instead when the request was answered before.
func (d *Desk) load(ctx context.Context, v verb) (decide.Facts, *store.StoredAnswer, error) {
	want := v.want
	want.Settings, want.Profile = true, true
	if v.thread {
		want.Thread = threadLines
	}
	first, err := d.Store.Load(ctx, want)
	if err != nil {
		return decide.Facts{}, nil, err
	}
	if first.Idem != nil {
		return factsOf(first), first.Idem, nil
	}
	f := factsOf(first)
	if want.ItemID == "" {
		return f, nil, nil
	}
	if f.Record == nil {
		return f, nil, inbox.NotFound()
	}
	return f, nil, d.loadRest(ctx, v, &f)
}

// loadRest reads what the item itself names: its party, its offers, its service
// with hours, its products, the places of its time, and what its customer holds.
func (d *Desk) loadRest(ctx context.Context, v verb, f *decide.Facts) error {
	r := f.Record
	want := store.Want{PartyID: r.Item.PartyID, EntryItemID: r.Item.ID, EntryID: v.entryID, OfferItemID: r.Item.ID}
	if o := r.Item.Payload.Offer(); o != nil && f.Offer == nil {
		want.OfferRev = o.Rev
	}
	if f.Asked == nil {
		want.AskedRev = r.AskedRev
	}
	if f.Agreed == nil {
		want.AgreedRev = r.Underlying()
	}
	want.Items = decide.Related(r)
	want.ServiceID = serviceNamed(r.Item.Payload)
	if want.ServiceID != "" {
		want.Hours, want.Closures = v.rows != nil, v.rows != nil
	}
	want.ProductIDs, want.SKUs = catalogue.Refs(append(linesOf(r.Item.Payload), v.lines...))
	if v.rows != nil {
		want.Rows = v.rows(*f)
	}
	if v.holds != nil && v.holds(*f) {
		want.Holders = []string{inbox.PartyHolder(r.Item.PartyID, r.Item.Flags.Sandbox)}
	}
	second, err := d.Store.Load(ctx, want)
	if err != nil {
		return err
	}
	f.Party, f.Entry, f.Places = second.Party, second.Entry, second.Places
	applyProducts(f, second)
	if err := d.people(ctx, v, f); err != nil {
		return err
	}
	f.Holds = others(second.Held, r.Item.ID)
	if second.Offer != nil {
		f.Offer = second.Offer
	}
	if second.Asked != nil {
		f.Asked = second.Asked
	}
	if second.Agreed != nil {
		f.Agreed = second.Agreed
	}
	applyCatalogue(f, second, want.ServiceID)
	return d.relate(ctx, f, second.Items)
}

// applyProducts adds the products that an order names.
func applyProducts(f *decide.Facts, l *store.Loaded) {
	f.Products = l.Products
	for _, p := range l.Products {
		f.Basis["product:"+p.ID] = p.Version
	}
}

// serviceNamed is the service that a payload names, "" for none.
func serviceNamed(p inbox.Payload) string {
	switch {
	case p.Booking != nil:
		return p.Booking.ReservationFor.ServiceID
	case p.Quote != nil:
		return p.Quote.ItemOffered.ServiceID
	}
	return ""
}

// linesOf are the lines of an order as it stands, as put forward instead and as
// an open change would leave it.
func linesOf(p inbox.Payload) []inbox.OrderLine {
	if p.Order == nil {
		return nil
	}
	lines := slices.Clip(p.Order.OrderedItem)
	if p.Order.Proposed != nil {
		lines = append(lines, p.Order.Proposed.OrderedItem...)
	}
	if p.Order.Change != nil {
		lines = append(lines, p.Order.Change.OrderedItem...)
	}
	return lines
}

// others counts the items that are not the one of an id.
func others(items []string, id string) int {
	n := 0
	for _, i := range items {
		if i != id {
			n++
		}
	}
	return n
}

// factsOf turns what the first read found into facts.
func factsOf(l *store.Loaded) decide.Facts {
	f := decide.Facts{
		Settings: settings.Effective(l.SettingsRaw), Basis: inbox.Basis{},
		Record: l.Record, Party: l.Party, Offer: l.Offer, Asked: l.Asked, Agreed: l.Agreed, Entry: l.Entry, Places: l.Places, Thread: l.Thread,
		Products: l.Products, People: decide.People{Known: l.Known, Code: l.Code},
	}
	f.Business = decide.BusinessOf(l.Profile, f.Settings)
	f.Basis["settings"], f.Basis["profile"] = l.SettingsVersion, l.Profile.Version
	applyProducts(&f, l)
	if l.Service != nil {
		applyCatalogue(&f, l, l.Service.ID)
	}
	return f
}

// applyCatalogue adds the service, its effective week and the closures.
func applyCatalogue(f *decide.Facts, l *store.Loaded, serviceID string) {
	if l.Service != nil {
		f.Service = l.Service
		f.Basis["service"] = l.Service.Version
	}
	if l.Hours != nil {
		f.Week, f.Closures = l.Hours.For(serviceID), l.Hours.Closures
		f.Basis["hours"], f.Basis["closures"] = l.HoursVersion, l.ClosuresVersion
	}
}
