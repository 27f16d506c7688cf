package desk

import (
	"context"
	"slices"
	"time"

	"typedinbox/shared/calendar"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Bounds of a page of free times (05 §6.5, §7).
const (
	pageDays     = 7
	pageSlots    = 40
	pageDaysMost = 366 // ahead of today
)

// FreeTimes are the free start times of some days, as pages show them.
type FreeTimes struct {
	Zone  *time.Location
	Slots []inbox.Slot // earliest first, whole days, at most 40
	// From is the first day shown; Earlier and Later the first days of the pages
	// before and after, "" for none. YYYY-MM-DD in Zone.
	From, Earlier, Later string

	all   []inbox.Slot   // of these days, shown or not
	asked calendar.Query // what they are the answer to
}

// Offers says whether a time is free in the days that the page begins with.
func (t FreeTimes) Offers(start inbox.Instant) bool {
	return slices.ContainsFunc(t.all, func(s inbox.Slot) bool { return s.StartTime == start })
}

// Taken says whether a time would be free were nobody else booked for it.
func (t FreeTimes) Taken(start inbox.Instant) bool {
	q := t.asked
	q.Places.Claims = nil
	return !t.Offers(start) && slices.ContainsFunc(calendar.FreeTimes(q), func(s inbox.Slot) bool { return s.StartTime == start })
}

// freeTimes lists the free times of a service from a day on, today for "" and for
// what is no day or past. The places of own, an item, count as free, and the time
// that it has now, except, is not offered.
func (d *Desk) freeTimes(ctx context.Context, f decide.Facts, from string, sandbox bool, own []inbox.Claim, except *inbox.Instant) (FreeTimes, error) {
	zone := f.Business.Zone
	if zone == nil {
		zone = time.UTC
	}
	now := d.Clock()
	today := midnight(now.Time().In(zone))
	first := firstDay(today, from)
	t := FreeTimes{Zone: zone, From: first.Format(time.DateOnly)}
	start, end := inbox.InstantOf(first), inbox.InstantOf(first.AddDate(0, 0, pageDays))
	lo, hi := calendar.Around(*f.Service, start, end)
	places, err := d.Store.PlacesRange(ctx, calendar.ResourceKey(f.Service.ID, "", false), sandbox, lo, hi)
	if err != nil {
		return t, err
	}
	places.Claims = slices.DeleteFunc(places.Claims, func(c inbox.Claim) bool {
		return slices.ContainsFunc(own, func(o inbox.Claim) bool { return o.ID == c.ID })
	})
	t.asked = calendar.Query{
		Service: *f.Service, Week: f.Week, Closures: f.Closures, Zone: zone, From: start, To: end,
		Now: now, NoticeMin: f.Settings.Booking.MinNoticeMin, Places: places,
	}
	all := calendar.FreeTimes(t.asked)
	all = slices.DeleteFunc(all, func(s inbox.Slot) bool { return except != nil && s.StartTime == *except })
	t.all = all
	next := first.AddDate(0, 0, pageDays)
	t.Slots, next = wholeDays(all, zone, next)
	if !next.After(today.AddDate(0, 0, pageDaysMost)) {
		t.Later = next.Format(time.DateOnly)
	}
	if first.After(today) {
		t.Earlier = later(today, first.AddDate(0, 0, -pageDays)).Format(time.DateOnly)
	}
	return t, nil
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// firstDay is the day that a page begins with.
func firstDay(today time.Time, from string) time.Time {
	day, err := time.ParseInLocation(time.DateOnly, from, today.Location())
	if err != nil || day.Before(today) {
		return today
	}
	if most := today.AddDate(0, 0, pageDaysMost); day.After(most) {
		return most
	}
	return day
}

// wholeDays are as many whole days of slots as a page has room for, and the day
// after them. A day that has more than that alone is thinned out evenly.
func wholeDays(all []inbox.Slot, zone *time.Location, end time.Time) ([]inbox.Slot, time.Time) {
	if len(all) <= pageSlots {
		return all, end
	}
	day := func(s inbox.Slot) time.Time { return midnight(s.StartTime.Time().In(zone)) }
	cut := day(all[pageSlots])
	n := slices.IndexFunc(all, func(s inbox.Slot) bool { return day(s).Equal(cut) })
	if n > 0 {
		return all[:n], cut
	}
	whole := slices.IndexFunc(all, func(s inbox.Slot) bool { return day(s).After(cut) })
	if whole < 0 {
		whole = len(all)
	}
	step := (whole + pageSlots - 1) / pageSlots
	var some []inbox.Slot
	for i := 0; i < whole; i += step {
		some = append(some, all[i])
	}
	return some, cut.AddDate(0, 0, 1)
}

// linkTimes are the free times that the page of a link shows, nil for none.
func (d *Desk) linkTimes(ctx context.Context, f decide.Facts, p *decide.LinkPage, from string) (*FreeTimes, error) {
	b := f.Record.Item.Payload.Booking
	if p.Status != decide.LinkFresh || !p.Say.Picks() || b == nil {
		return nil, nil
	}
	if f.Service == nil || !f.Service.Active { // nothing is free of what is offered no more
		return &FreeTimes{Zone: f.Business.Zone}, nil
	}
	except := &b.StartTime
	if b.Proposed != nil {
		except = &b.Proposed.StartTime
	}
	t, err := d.freeTimes(ctx, f, from, f.Record.Item.Flags.Sandbox, f.Record.Claims, except)
	return &t, err
}

// onRequest says whether a service has a price only on request.
func onRequest(s inbox.Service) bool { return s.Price != nil && s.Price.Model == catalogue.ModelQuote }

// Shop is what the business shows of itself on its front page (05 §7).
type Shop struct {
	decide.Business
	Services []inbox.Service // active ones that open at times or are priced on request, in the owner's order
	Test     bool            // everything is a test
}

// Shop reads the front page. Three storage calls at most.
func (d *Desk) Shop(ctx context.Context) (Shop, error) {
	f, err := d.facts(ctx, store.Want{})
	if err != nil {
		return Shop{}, err
	}
	c, err := d.Store.Catalogue(ctx)
	if err != nil {
		return Shop{}, err
	}
	s := Shop{Business: f.Business, Test: f.Settings.TestMode}
	s.Services = slices.DeleteFunc(c.Services, func(s inbox.Service) bool { return !s.Active || !onRequest(s) && !c.Opens(s.ID) })
	catalogue.SortServices(s.Services)
	return s, nil
}

// Booking is what the page of a service to book shows.
type Booking struct {
	decide.Business
	Service inbox.Service
	Times   FreeTimes
	Test    bool
}

// Booking reads the page of a service with its free times from a day on.
// Problems: not_found for a service that cannot be booked on a page: unknown,
// archived, or priced on request (05 §7).
func (d *Desk) Booking(ctx context.Context, serviceID, from string, sandbox bool) (Booking, error) {
	f, err := d.facts(ctx, store.Want{ServiceID: serviceID, Hours: true, Closures: true})
	if err != nil {
		return Booking{}, err
	}
	b := Booking{Business: f.Business, Test: f.Settings.TestMode}
	if f.Service == nil || !f.Service.Active || onRequest(*f.Service) {
		return b, inbox.NotFound()
	}
	b.Service = *f.Service
	b.Times, err = d.freeTimes(ctx, f, from, sandbox || f.Settings.TestMode, nil, nil)
	return b, err
}

// Answered says whether a request under the call's idempotency key was answered
// before, with the same content or another. One storage call.
func (d *Desk) Answered(ctx context.Context, call inbox.Call) (bool, error) {
	a, err := d.Store.Answered(ctx, call.IdempotencyScope(), call.IdempotencyKey, d.Clock())
	return a != nil, err
}
