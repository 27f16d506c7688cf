package office

import (
	"context"
	"slices"

	"typedinbox/shared/calendar"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// GetAvailability is the opening hours, the services with hours of their own
// and the closures (03 §7).
func (o *Office) GetAvailability(ctx context.Context, _ inbox.Call, _ inbox.Nothing) (inbox.Answer, error) {
	h, err := o.hours(ctx)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(h.view())
}

// hours is what is stored about opening hours.
type hours struct {
	zone      string
	catalogue *store.Catalogue
	closures  []inbox.Closure
	closed    int // version of the closures
}

func (o *Office) hours(ctx context.Context) (*hours, error) {
	l, err := o.effective(ctx, store.Want{Closures: true})
	if err != nil {
		return nil, err
	}
	c, err := o.Store.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	zone := decide.BusinessOf(l.Profile, settings.Effective(l.SettingsRaw)).ZoneName
	return &hours{zone: zone, catalogue: c, closures: l.Hours.Closures, closed: l.ClosuresVersion}, nil
}

// version is that of a stored week, 0 for none; a week that was cleared keeps
// its row.
func (h *hours) version(serviceID string) int {
	if serviceID == "" {
		return h.catalogue.Hours.Business.Version
	}
	return h.catalogue.Hours.Versions[serviceID]
}

func (h *hours) view() inbox.Availability {
	a := inbox.Availability{
		Timezone: h.zone, Weekly: h.catalogue.Hours.Business.Week,
		Overrides: []inbox.HoursOverride{}, Closures: h.closures,
	}
	if a.Weekly == nil {
		a.Weekly = inbox.Week{}
	}
	if a.Closures == nil {
		a.Closures = []inbox.Closure{}
	}
	for id, week := range h.catalogue.Hours.Own {
		a.Overrides = append(a.Overrides, inbox.HoursOverride{ServiceID: id, Weekly: week.Week})
	}
	slices.SortFunc(a.Overrides, func(a, b inbox.HoursOverride) int {
		if a.ServiceID < b.ServiceID {
			return -1
		}
		return 1
	})
	return a
}

// known says whether a service exists, archived or not.
func (h *hours) known(serviceID string) bool {
	return slices.ContainsFunc(h.catalogue.Services, func(s inbox.Service) bool { return s.ID == serviceID })
}

// SetOpeningHours replaces the hours of the business, or of one service
// (03 §6.5). A day left out is closed.
func (o *Office) SetOpeningHours(ctx context.Context, call inbox.Call, req inbox.SetHoursRequest) (inbox.Answer, error) {
	week, problems := calendar.CheckWeek(req.Weekly)
	if len(problems) > 0 {
		return inbox.Answer{}, inbox.InvalidInput(problems...)
	}
	if week == nil {
		week = inbox.Week{}
	}
	return o.week(ctx, call, "hours.set", req, req.ServiceID, week)
}

// ClearServiceHours takes a service's own hours away, so those of the business
// hold for it again.
func (o *Office) ClearServiceHours(ctx context.Context, call inbox.Call, req inbox.ClearHoursRequest) (inbox.Answer, error) {
	return o.week(ctx, call, "hours.clear", req, req.ServiceID, nil)
}

// week writes one week; nil takes a service's own away.
func (o *Office) week(ctx context.Context, call inbox.Call, operation string, req any, serviceID string, week inbox.Week) (inbox.Answer, error) {
	return o.write(ctx, call, operation, req, func(ctx context.Context, _ inbox.Instant) (change, error) {
		h, err := o.hours(ctx)
		if err != nil {
			return change{}, err
		}
		if serviceID != "" && !h.known(serviceID) {
			if week == nil {
				return change{}, inbox.NotFound()
			}
			return change{}, inbox.InvalidField("service_id", "there is no such service")
		}
		doc := store.WeekDoc{ServiceID: serviceID, Week: week, Version: h.version(serviceID) + 1}
		h.catalogue.Hours.Put(doc)
		return change{setUp: store.SetUp{Weeks: []store.WeekDoc{doc}}, status: 200, body: h.view()}, nil
	})
}

// SetClosures replaces the list of closures (03 §6.5).
func (o *Office) SetClosures(ctx context.Context, call inbox.Call, req inbox.SetClosuresRequest) (inbox.Answer, error) {
	if problems := calendar.CheckClosures(req.Closures); len(problems) > 0 {
		return inbox.Answer{}, inbox.InvalidInput(problems...)
	}
	return o.write(ctx, call, "closures.set", req, func(ctx context.Context, _ inbox.Instant) (change, error) {
		h, err := o.hours(ctx)
		if err != nil {
			return change{}, err
		}
		h.closures = req.Closures
		doc := store.ClosuresDoc{Closures: req.Closures, Version: h.closed + 1}
		return change{setUp: store.SetUp{Closures: &doc}, status: 200, body: h.view()}, nil
	})
}
