package decide

import (
	"errors"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// Told is a refusal as its customer hears it: in their language and in the
// business's voice, where there are words for it (03 §3, Languages). Code,
// fields and details stay; so does every other error, and what anybody else is
// told. locale is that of a contact a create names; an item has its own.
func Told(f Facts, c inbox.Caller, locale string, now inbox.Instant, err error) error {
	var p *inbox.Problem
	if err == nil || !c.IsCustomer() || !errors.As(err, &p) {
		return err
	}
	facts := words.ProblemFacts{Zone: f.Business.Zone}
	key := refusalKey(p)
	if locale == "" {
		locale = spoken(f.Party)
	}
	if f.Record != nil && p.Code != inbox.CodeNotAllowed && p.Code != inbox.CodeNotFound {
		locale = f.Record.Locale
		a := about(&f)
		a.State = machine.Of(a.Type).SeenByCustomer(a.State)
		facts.About = &a
	}
	key = f.refusalOfTime(key, now, &facts)
	said, ok := words.Problem(format.Language(locale, f.Business.Languages), key, facts)
	if !ok {
		return err
	}
	told := *p
	told.Detail = said
	return &told
}

// refusalKey names a refusal: by its guard, else by its code. A time that is not
// offered, and would not be with every place free, is told from one that is taken.
func refusalKey(p *inbox.Problem) string {
	if guard, ok := p.Details["guard"].(string); ok && (p.Code == inbox.CodeGuardFailed || p.Code == inbox.CodeSlotTaken && p.Details["startTime"] == nil) {
		return guard
	}
	if reason, ok := p.Details["reason"].(string); ok && reason != "" {
		return reason
	}
	return string(p.Code)
}

// refusalOfTime adds the moment that a refusal is about, and tells what is over
// from what is too early or too late.
func (f *Facts) refusalOfTime(key string, now inbox.Instant, facts *words.ProblemFacts) string {
	switch key {
	case "not_too_soon":
		notice := int64(f.Settings.Booking.MinNoticeMin) * inbox.Minute
		facts.Earliest = inbox.Ptr((now.Add(notice)/inbox.Minute + 1) * inbox.Minute)
	case string(withinCancellationWindow):
		b := booked(f.Record)
		if b == nil || b.StartTime <= now {
			return "started"
		}
		facts.Until = inbox.Ptr(b.StartTime.Add(-int64(f.Settings.Booking.CancellationWindowMin) * inbox.Minute))
	case string(inbox.CodeOfferExpired):
		if f.Offer != nil {
			facts.Until = f.Offer.ValidThrough
		}
	}
	return key
}

func booked(r *inbox.Record) *inbox.Booking {
	if r == nil {
		return nil
	}
	return r.Item.Payload.Booking
}
