package desk

import (
	"context"

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
		return decide.Facts{}, first.Idem, nil
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

// loadRest reads what the item itself names: its party, its offer, its service
// with hours, and the places of its time.
func (d *Desk) loadRest(ctx context.Context, v verb, f *decide.Facts) error {
	r := f.Record
	want := store.Want{PartyID: r.Item.PartyID, EntryItemID: r.Item.ID, EntryID: v.entryID}
	if o := r.Item.Payload.Offer(); o != nil && f.Offer == nil {
		want.OfferItemID, want.OfferRev = r.Item.ID, o.Rev
	}
	if b := r.Item.Payload.Booking; b != nil {
		want.ServiceID = b.ReservationFor.ServiceID
		want.Hours, want.Closures = v.rows != nil, v.rows != nil
	}
	if v.rows != nil {
		want.Rows = v.rows(*f)
	}
	second, err := d.Store.Load(ctx, want)
	if err != nil {
		return err
	}
	f.Party, f.Entry, f.Places = second.Party, second.Entry, second.Places
	if second.Offer != nil {
		f.Offer = second.Offer
	}
	applyCatalogue(f, second, want.ServiceID)
	return nil
}

// factsOf turns what the first read found into facts.
func factsOf(l *store.Loaded) decide.Facts {
	f := decide.Facts{
		Settings: settings.Effective(l.SettingsRaw), Basis: inbox.Basis{},
		Record: l.Record, Party: l.Party, Offer: l.Offer, Entry: l.Entry, Places: l.Places, Thread: l.Thread,
	}
	f.Business = decide.BusinessOf(l.Profile, f.Settings)
	f.Basis["settings"], f.Basis["profile"] = l.SettingsVersion, l.Profile.Version
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
