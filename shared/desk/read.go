package desk

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"typedinbox/shared/calendar"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// GetItemStatus is the item as its customer reads it; an owner-side caller gets
// the owner's view (03 §5.1). Problems: not_found, not_allowed.
func (d *Desk) GetItemStatus(ctx context.Context, call inbox.Call, req inbox.ItemStatusQuery) (inbox.Answer, error) {
	if call.IsOwnerSide() {
		return d.GetItem(ctx, call, inbox.ItemRequest{ItemID: req.ItemID})
	}
	f, err := d.facts(ctx, store.Want{ItemID: req.ItemID, Thread: threadLines})
	if err == nil {
		err = d.owned(ctx, &f, call)
	}
	if err == nil {
		err = decide.Owns(f.Record, call.Caller)
	}
	if err == nil {
		err = d.related(ctx, &f)
	}
	if err != nil {
		return inbox.Answer{}, decide.Told(f, call.Caller, "", d.Clock(), err)
	}
	etag := ETag(f.Record)
	if req.IfNoneMatch == etag {
		return inbox.Answer{Status: 304, ETag: etag}, nil
	}
	return reading(decide.CustomerView(f, call.Caller, d.env()), etag)
}

// ETag is the weak tag of an item's view: a reply or a note bumps no version
// and still changes the answer (09).
func ETag(r *inbox.Record) string {
	last := r.LastEntryID
	if last == "" {
		last = "0"
	}
	return fmt.Sprintf(`W/"%d-%s"`, r.Item.Version, last)
}

// GetItem is everything about one item as the business reads it (03 §5.2).
func (d *Desk) GetItem(ctx context.Context, call inbox.Call, req inbox.ItemRequest) (inbox.Answer, error) {
	f, err := d.facts(ctx, store.Want{ItemID: req.ItemID})
	if err != nil {
		return inbox.Answer{}, err
	}
	v := verb{call: call}
	if err := d.loadRest(ctx, v, &f); err != nil {
		return inbox.Answer{}, err
	}
	events, err := d.Store.Events(ctx, req.ItemID)
	if err != nil {
		return inbox.Answer{}, err
	}
	entries, err := d.Store.Thread(ctx, req.ItemID, 0)
	if err != nil {
		return inbox.Answer{}, err
	}
	mails, err := d.Store.Mails(ctx, req.ItemID)
	if err != nil {
		return inbox.Answer{}, err
	}
	h, err := d.history(ctx, f.Record)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(decide.Detail(f, call.Caller, events, entries, mails, h, d.env()), ETag(f.Record))
}

// facts reads the item and what is the business's, and refuses an unknown id.
func (d *Desk) facts(ctx context.Context, want store.Want) (decide.Facts, error) {
	want.Settings, want.Profile = true, true
	l, err := d.Store.Load(ctx, want)
	if err != nil {
		return decide.Facts{}, err
	}
	f := factsOf(l)
	if want.ItemID != "" && f.Record == nil {
		return f, inbox.NotFound()
	}
	return f, nil
}

func (d *Desk) env() decide.Env { return decide.Env{Now: d.Clock(), Source: d.Source} }

// reading is the answer of a read.
func reading(body any, etag string) (inbox.Answer, error) {
	b, err := json.Marshal(body)
	return inbox.Answer{Status: 200, Body: b, ETag: etag}, err
}

// ListItems is the owner's list, newest change first (03 §5.2, §6.5). Tests are
// shown when they are asked for, and in test mode beside what is real (03 §18).
func (d *Desk) ListItems(ctx context.Context, call inbox.Call, req inbox.ListItemsQuery) (inbox.Answer, error) {
	f, err := d.facts(ctx, store.Want{})
	if err != nil {
		return inbox.Answer{}, err
	}
	words, reference := decide.SearchFor(req.Q)
	records, next, err := d.Store.ListItems(ctx, store.ListQuery{
		Words: words, Reference: reference, Searching: strings.TrimSpace(req.Q) != "",
		Type: req.Type, State: req.State, NeedsHuman: req.NeedsHuman, MailFailed: req.MailFailed,
		Sandbox: req.Sandbox != nil && *req.Sandbox, Both: req.Sandbox == nil && f.Settings.TestMode,
		Open: req.OpenOnly == nil || *req.OpenOnly, Cursor: req.Cursor, Limit: limit(req.Limit, 50),
	})
	if err != nil {
		return inbox.Answer{}, err
	}
	parties, err := d.Store.Parties(ctx, partyIDs(records))
	if err != nil {
		return inbox.Answer{}, err
	}
	refunds, err := d.refundsOf(ctx, records)
	if err != nil {
		return inbox.Answer{}, err
	}
	page := inbox.Page[inbox.OwnerView]{Items: make([]inbox.OwnerView, 0, len(records)), NextCursor: next}
	for i := range records {
		f.Record, f.Party = &records[i], parties[records[i].Item.PartyID]
		f.Refunds = refunds[f.Record.Item.ID]
		decide.Resolve(f.Record, f.Party)
		page.Items = append(page.Items, decide.OwnerView(f, call.Caller, d.env()))
	}
	return reading(page, "")
}

func limit(asked *int, usual int) int {
	if asked == nil {
		return usual
	}
	return *asked
}

func partyIDs(records []inbox.Record) []string {
	seen := map[string]bool{}
	var ids []string
	for _, r := range records {
		if id := r.Item.PartyID; id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// CheckAvailability lists free start times (01 §10.3, 03 §5.1).
func (d *Desk) CheckAvailability(ctx context.Context, call inbox.Call, req inbox.AvailabilityQuery) (inbox.Answer, error) {
	if p := calendar.CheckRange(req.From, req.To); p != nil {
		return inbox.Answer{}, inbox.InvalidInput(*p)
	}
	f, err := d.facts(ctx, store.Want{ServiceID: req.ServiceID, Hours: true, Closures: true})
	if err != nil {
		return inbox.Answer{}, err
	}
	s := f.Service
	if s == nil || !s.Active {
		return inbox.Answer{}, inbox.InvalidField("service_id", "there is no such service to book")
	}
	sandbox := call.Sandbox || f.Settings.TestMode
	from, to := calendar.Around(*s, req.From, req.To)
	places, err := d.Store.PlacesRange(ctx, calendar.ResourceKey(s.ID, "", false), sandbox, from, to)
	if err != nil {
		return inbox.Answer{}, err
	}
	slots := calendar.FreeTimes(calendar.Query{
		Service: *s, Week: f.Week, Closures: f.Closures, Zone: f.Business.Zone, From: req.From, To: req.To,
		Now: d.Clock(), NoticeMin: f.Settings.Booking.MinNoticeMin, Limit: limit(req.Limit, 200), Places: places,
	})
	return reading(inbox.Slots{Service: inbox.SlotService{ID: s.ID, Name: s.Name, DurationMin: s.DurationMin}, Slots: slots}, "")
}
