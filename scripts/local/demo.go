package main

import (
	"context"
	"fmt"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// operator is who furnishes a demo business: the owner, in person.
var operator = inbox.Call{Caller: inbox.Caller{
	Actor: inbox.Actor{Kind: inbox.Owner, ID: "local", Channel: inbox.ChannelREST},
	Tier:  inbox.TierVerified, Scopes: []inbox.Scope{inbox.ScopeAll}, Proven: true,
}}

// demo is a business to try the inbox with.
type demo struct {
	profile  inbox.UpdateProfileRequest
	settings string
	week     inbox.Week
	services []catalogue.ServiceInput
	products []catalogue.ProductInput
}

// furnish sets up the demo business on the first start; a business that was set
// up stays as it is.
func (w *world) furnish() error {
	d, ok := demos[w.demo]
	if !ok {
		return fmt.Errorf("DEMO is %q; it takes appointments, trades, shop or none", w.demo)
	}
	if d == nil {
		return nil
	}
	ctx := context.Background()
	l, err := w.store.Load(ctx, store.Want{Profile: true, Settings: true})
	if err != nil || l.Profile.Version > 0 || l.SettingsVersion > 0 {
		return err
	}
	if _, err := w.office.UpdateSettings(ctx, operator, inbox.UpdateSettingsRequest{Doc: []byte(d.settings)}); err != nil {
		return err
	}
	if _, err := w.office.SetOpeningHours(ctx, operator, inbox.SetHoursRequest{Weekly: d.week}); err != nil {
		return err
	}
	for _, s := range d.services {
		if _, err := w.office.UpsertService(ctx, operator, catalogue.UpsertServiceRequest{ServiceInput: s}); err != nil {
			return err
		}
	}
	for _, p := range d.products {
		if _, err := w.office.UpsertProduct(ctx, operator, catalogue.UpsertProductRequest{ProductInput: p}); err != nil {
			return err
		}
	}
	// Last, because it is what tells that the business is set up.
	_, err = w.office.UpdateProfile(ctx, operator, d.profile)
	return err
}
