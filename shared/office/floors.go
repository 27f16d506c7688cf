package office

import (
	"context"
	"slices"
	"strings"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// GetFloors lists the floors that are set (03 §5.3). Only the owner in person
// reads them (02 §6.4).
func (o *Office) GetFloors(ctx context.Context, call inbox.Call, _ inbox.Nothing) (inbox.Answer, error) {
	if err := inPerson(call); err != nil {
		return inbox.Answer{}, err
	}
	doc, err := o.Store.Floors(ctx)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(floorsOf(doc))
}

// SetFloors sets the floors that it names, null clears one, the others stay.
// Problems: not_allowed, invalid_input (an entry that is not there, a floor
// above its price), limit_reached.
func (o *Office) SetFloors(ctx context.Context, call inbox.Call, req inbox.FloorsRequest) (inbox.Answer, error) {
	if err := inPerson(call); err != nil {
		return inbox.Answer{}, err
	}
	return o.write(ctx, call, "floors.set", req, func(ctx context.Context, _ inbox.Instant) (change, error) {
		if err := o.checkFloors(ctx, req.Floors); err != nil {
			return change{}, err
		}
		doc, err := o.Store.Floors(ctx)
		if err != nil {
			return change{}, err
		}
		for _, f := range req.Floors {
			doc.Set(f)
		}
		if doc.Len() > store.MaxFloors {
			return change{}, inbox.Refuse(inbox.CodeLimitReached, "There can be %d floors. Nothing was changed.", store.MaxFloors)
		}
		doc.Version++
		return change{setUp: store.SetUp{Floors: doc}, status: 200, body: floorsOf(doc)}, nil
	})
}

// checkFloors compares floors with the prices as they stand.
func (o *Office) checkFloors(ctx context.Context, floors []inbox.Floor) error {
	l, err := o.Store.Load(ctx, store.Want{ProductIDs: catalogue.FloorProducts(floors)})
	if err != nil {
		return err
	}
	c, err := o.Store.Catalogue(ctx)
	if err != nil {
		return err
	}
	if problems := catalogue.CheckFloors(floors, c.Services, l.Products); len(problems) > 0 {
		return inbox.InvalidInput(problems...)
	}
	return nil
}

func inPerson(call inbox.Call) error {
	if call.IsOwnerInPerson() {
		return nil
	}
	return inbox.NotAllowed("owner_in_person", "Floors are the owner's alone, in person.")
}

// floorsOf lists floors by kind and id.
func floorsOf(doc *store.FloorsDoc) inbox.Floors {
	list := inbox.Floors{Floors: make([]inbox.Floor, 0, doc.Len())}
	for kind, of := range doc.Minor {
		for id, minor := range of {
			list.Floors = append(list.Floors, inbox.Floor{Kind: kind, RefID: id, FloorMinor: &minor})
		}
	}
	slices.SortFunc(list.Floors, func(a, b inbox.Floor) int {
		return strings.Compare(a.Kind+" "+a.RefID, b.Kind+" "+b.RefID)
	})
	return list
}
