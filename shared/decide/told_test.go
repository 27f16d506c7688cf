package decide

import (
	"errors"
	"testing"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// TestToldToACustomer: a customer hears a refusal in their language and the business's
// voice; codes and details stay, and so does what others are told.
func TestToldToACustomer(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	now := inbox.InstantOf(time.Date(2026, 10, 5, 9, 0, 30, 0, time.UTC))
	customer := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: inbox.ChannelREST}}
	owner := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelOwnerUI}}
	facts := func(locale string, start inbox.Instant) Facts {
		f := Facts{Settings: settings.Effective(nil), Business: Business{Zone: lisbon, Languages: []string{"pt", "en"}}}
		f.Settings.Booking.MinNoticeMin, f.Settings.Booking.CancellationWindowMin = 60, 1440
		if locale != "" {
			f.Record = &inbox.Record{Locale: locale, Item: inbox.Item{
				ID: "01J9ZK3M5V8R2T4W6X007K3QXA", Type: inbox.TypeBooking, State: inbox.StateConfirmed, Subject: inbox.Ptr("Corte"),
				Payload: inbox.Payload{Booking: &inbox.Booking{StartTime: start}},
			}}
		}
		return f
	}
	lapsed := facts("en", now)
	lapsed.Offer = &inbox.Offer{Status: inbox.OfferOpen, By: inbox.SideBusiness, ValidThrough: inbox.Ptr(now.Add(-inbox.Hour))}
	tomorrow := now.Add(12 * inbox.Hour)
	taken := inbox.Refuse(inbox.CodeSlotTaken, "Raw.").With("capacity", 1)
	notOffered := func() *inbox.Problem { return inbox.Refuse(inbox.CodeSlotTaken, "Raw.").With("guard", "slot_free") }
	for name, c := range map[string]struct {
		facts  Facts
		caller inbox.Caller
		locale string
		err    error
		want   string
	}{
		"ok/their language":           {facts("en-GB", now), customer, "", taken, "That time is taken. Please choose another one."},
		"ok/the business's":           {facts("fr", now), customer, "", taken, "Esse horário está ocupado. Escolha outro, por favor."},
		"ok/a create names its own":   {facts("", now), customer, "en", taken, "That time is taken. Please choose another one."},
		"ok/a create names none":      {facts("", now), customer, "", taken, "Esse horário está ocupado. Escolha outro, por favor."},
		"ok/not offered":              {facts("en", now), customer, "", notOffered(), "We take no bookings at that time. Please choose another one."},
		"ok/offered, and taken":       {facts("en", now), customer, "", notOffered().With("startTime", now), "That time is taken. Please choose another one."},
		"ok/too soon":                 {facts("en", now), customer, "", inbox.GuardFailed("not_too_soon", "Raw."), "That is too soon for us. Please choose a time from Monday, 5 October 2026 at 11:01 (Western European Time) on."},
		"ok/too late":                 {facts("en", tomorrow), customer, "", inbox.GuardFailed("within_cancellation_window", "Raw."), "It can no longer be cancelled here: that was possible until Sunday, 4 October 2026 at 22:00 (Western European Time). Please write to us."},
		"ok/begun":                    {facts("en", now), customer, "", inbox.GuardFailed("within_cancellation_window", "Raw."), "The time has begun, so it can no longer be cancelled here. Please write to us."},
		"ok/where it stands":          {facts("pt", now.Add(inbox.Hour)), customer, "", inbox.Refuse(inbox.CodeWrongState, "Raw."), `Isso já não é possível. A sua marcação "Corte" para segunda-feira, 5 de outubro de 2026 às 11:00 (hora da Europa Ocidental) está confirmada. Referência: 7K3QXA.`},
		"ok/lapsed":                   {lapsed, customer, "", inbox.Refuse(inbox.CodeOfferExpired, "Raw."), "It could be accepted until Monday, 5 October 2026 at 09:00 (Western European Time). Please write to us or send a new request."},
		"ok/not theirs, nothing told": {facts("en", now), customer, "", inbox.NotAllowed("", "Raw."), "Não tem acesso a esse pedido. Use, por favor, o acesso que recebeu quando o enviou."},
		"ok/wrapped":                  {facts("en", now), customer, "", errors.Join(taken), "That time is taken. Please choose another one."},
		"fail/the owner":              {facts("en", now), owner, "", taken, "Raw."},
		"fail/no words for it":        {facts("en", now), customer, "", inbox.GuardFailed("round_left", "Raw."), "Raw."},
		"fail/input":                  {facts("en", now), customer, "", inbox.InvalidField("input.note", "too long"), "Invalid: input.note. Nothing was written; correct it and retry with the same idempotency key."},
		"fail/a reason of its own":    {facts("en", now), customer, "", inbox.NotAllowed("owner_only", "Raw."), "Raw."},
		"fail/lapsed, date not known": {facts("en", now), customer, "", inbox.Refuse(inbox.CodeOfferExpired, "Raw."), "Raw."},
		"ok/no time known":            {facts("", now), customer, "en", inbox.GuardFailed("within_cancellation_window", "Raw."), "The time has begun, so it can no longer be cancelled here. Please write to us."},
	} {
		var before, got *inbox.Problem
		errors.As(c.err, &before)
		raw := before.Detail
		if !errors.As(Told(c.facts, c.caller, c.locale, now, c.err), &got) || got.Detail != c.want {
			t.Errorf("%s: %q, want %q", name, got.Detail, c.want)
		}
		if got.Code != before.Code || len(got.Details) != len(before.Details) || before.Detail != raw {
			t.Errorf("%s: more than the sentence changed: %+v of %+v", name, got, before)
		}
	}
	if unexpected := errors.New("disk"); Told(facts("en", now), customer, "", now, unexpected) != unexpected || Told(Facts{}, customer, "", now, nil) != nil {
		t.Error("what is no refusal changed")
	}
}
