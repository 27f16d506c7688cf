package store

import (
	"context"

	"typedinbox/shared/inbox"
)

// MaxFloors is how many floors one document takes.
const MaxFloors = 5000

// FloorsDoc holds every floor: minor units by kind (product, service) and id
// (02 §6.4). It stands apart from the catalogue, so that no read of the
// catalogue can tell of it.
type FloorsDoc struct {
	Minor   map[string]map[string]int64 `json:"m"`
	Version int                         `json:"version"`
}

// Of is the floor of an entry, nil for none.
func (d *FloorsDoc) Of(kind, id string) *int64 {
	if v, ok := d.Minor[kind][id]; ok {
		return &v
	}
	return nil
}

// Set sets a floor, or clears it where it is nil.
func (d *FloorsDoc) Set(f inbox.Floor) {
	if d.Minor == nil {
		d.Minor = map[string]map[string]int64{}
	}
	of := d.Minor[f.Kind]
	switch {
	case f.FloorMinor == nil:
		delete(of, f.RefID)
	case of == nil:
		d.Minor[f.Kind] = map[string]int64{f.RefID: *f.FloorMinor}
	default:
		of[f.RefID] = *f.FloorMinor
	}
}

// Len counts the floors.
func (d *FloorsDoc) Len() int {
	n := 0
	for _, of := range d.Minor {
		n += len(of)
	}
	return n
}

// Floors reads the floors, an empty document when none was ever set: one
// storage call.
func (s *Store) Floors(ctx context.Context) (*FloorsDoc, error) {
	r, err := s.get(ctx, floorsKey)
	if err != nil {
		return nil, err
	}
	d, err := docOf[FloorsDoc](r)
	if d == nil {
		d = &FloorsDoc{}
	}
	return d, err
}
