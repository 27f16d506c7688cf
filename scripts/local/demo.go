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

// demos by the value of DEMO; none furnishes nothing.
var demos = map[string]*demo{
	"none": nil,
	"appointments": {
		profile: inbox.UpdateProfileRequest{
			Name: inbox.Ptr("Studio Lumen"), Timezone: inbox.Ptr("Europe/Lisbon"), Currency: inbox.Ptr("EUR"),
			Languages: []string{"en", "pt"},
		},
		settings: `{"notifications": {"ownerEmail": "owner@studio.example"}}`,
		week: inbox.Week{
			"mon": {{"09:00", "18:00"}}, "tue": {{"09:00", "18:00"}}, "wed": {{"09:00", "18:00"}},
			"thu": {{"09:00", "18:00"}}, "fri": {{"09:00", "18:00"}}, "sat": {{"10:00", "13:00"}},
		},
		services: []catalogue.ServiceInput{
			{
				Name: inbox.Ptr("Portrait session"), Description: inbox.Ptr("One person, one set, ten pictures."),
				DurationMin: inbox.Ptr(60), BufferAfterMin: inbox.Ptr(15), GranularityMin: inbox.Ptr(30), Sort: inbox.Ptr(1),
				Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr[int64](9000)},
			},
			{
				Name: inbox.Ptr("Photo walk"), Description: inbox.Ptr("Two hours through the old town, for up to five bookings at a time."),
				DurationMin: inbox.Ptr(120), Capacity: inbox.Ptr(5), GranularityMin: inbox.Ptr(60), Sort: inbox.Ptr(2),
				Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr[int64](2500), Per: "person"},
			},
			{
				Name: inbox.Ptr("Consultation"), Description: inbox.Ptr("What would you like to do? By telephone or at the studio."),
				DurationMin: inbox.Ptr(30), Sort: inbox.Ptr(3),
			},
		},
		products: []catalogue.ProductInput{
			{SKU: inbox.Ptr("PRINT-A3"), Name: inbox.Ptr("Print, A3"), Price: &inbox.Money{Value: 3500, Currency: "EUR"}},
		},
	},
}

// furnish sets up the demo business on the first start; a business that was set
// up stays as it is.
func (w *world) furnish() error {
	d, ok := demos[w.demo]
	if !ok {
		return fmt.Errorf("DEMO is %q; it takes appointments or none", w.demo)
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
