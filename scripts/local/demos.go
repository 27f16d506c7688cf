package main

import (
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

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
	// A trade quotes: what it does has a price from, a price on request, or a
	// fixed one for the visit alone. A time it proposes is kept for the customer.
	"trades": {
		profile: inbox.UpdateProfileRequest{
			Name: inbox.Ptr("Harbour Plumbing"), Timezone: inbox.Ptr("Europe/London"), Currency: inbox.Ptr("GBP"),
			Languages: []string{"en"},
		},
		settings: `{"notifications": {"ownerEmail": "owner@plumbing.example"}, "booking": {"holdOnPropose": true, "minNoticeMin": 120},
			"negotiation": {"offerValidHours": 72}}`,
		week: inbox.Week{
			"mon": {{"08:00", "17:00"}}, "tue": {{"08:00", "17:00"}}, "wed": {{"08:00", "17:00"}},
			"thu": {{"08:00", "17:00"}}, "fri": {{"08:00", "16:00"}},
		},
		services: []catalogue.ServiceInput{
			{
				Name: inbox.Ptr("Survey visit"), Description: inbox.Ptr("We look at the work and say what it costs."),
				DurationMin: inbox.Ptr(60), BufferAfterMin: inbox.Ptr(30), GranularityMin: inbox.Ptr(30), Sort: inbox.Ptr(1),
				Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr[int64](4500)},
			},
			{
				Name: inbox.Ptr("Boiler repair"), Description: inbox.Ptr("By the hour, parts apart."),
				DurationMin: inbox.Ptr(120), BufferAfterMin: inbox.Ptr(30), GranularityMin: inbox.Ptr(30), Sort: inbox.Ptr(2),
				Price: &inbox.ServicePrice{Model: "from", Value: inbox.Ptr[int64](9000)},
			},
			{
				Name: inbox.Ptr("Bathroom installation"), Description: inbox.Ptr("Old one out, new one in. Tell us what you have in mind."),
				DurationMin: inbox.Ptr(480), Sort: inbox.Ptr(3), Price: &inbox.ServicePrice{Model: "quote"},
			},
		},
	},
	// A shop sells goods at list prices, and one that is made to measure.
	"shop": {
		profile: inbox.UpdateProfileRequest{
			Name: inbox.Ptr("Casa do Papel"), Timezone: inbox.Ptr("Europe/Lisbon"), Currency: inbox.Ptr("EUR"),
			Languages: []string{"en", "pt"},
		},
		settings: `{"notifications": {"ownerEmail": "owner@papel.example"}, "returns": {"days": 30}}`,
		week: inbox.Week{
			"mon": {{"10:00", "13:00"}, {"14:00", "19:00"}}, "tue": {{"10:00", "13:00"}, {"14:00", "19:00"}},
			"wed": {{"10:00", "13:00"}, {"14:00", "19:00"}}, "thu": {{"10:00", "13:00"}, {"14:00", "19:00"}},
			"fri": {{"10:00", "13:00"}, {"14:00", "19:00"}}, "sat": {{"10:00", "14:00"}},
		},
		services: []catalogue.ServiceInput{
			{
				Name: inbox.Ptr("Bookbinding workshop"), Description: inbox.Ptr("Three hours, one notebook to take home."),
				DurationMin: inbox.Ptr(180), Capacity: inbox.Ptr(6), GranularityMin: inbox.Ptr(60),
				Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr[int64](4900), Per: "person"},
			},
		},
		products: []catalogue.ProductInput{
			{SKU: inbox.Ptr("NB-A5"), Name: inbox.Ptr("Notebook A5, linen"), Price: &inbox.Money{Value: 1850, Currency: "EUR"}, Stock: []byte("40")},
			{SKU: inbox.Ptr("NB-A4"), Name: inbox.Ptr("Notebook A4, linen"), Price: &inbox.Money{Value: 2600, Currency: "EUR"}, Stock: []byte("25")},
			{SKU: inbox.Ptr("INK-BL"), Name: inbox.Ptr("Ink, blue"), Description: inbox.Ptr("Fifty millilitres."), Price: &inbox.Money{Value: 950, Currency: "EUR"}},
			{
				SKU: inbox.Ptr("BOX-MTM"), Name: inbox.Ptr("Box made to measure"), Price: &inbox.Money{Value: 6400, Currency: "EUR"},
				Withdrawal: inbox.Ptr(inbox.Withdrawal("personalised")),
			},
		},
	},
}
