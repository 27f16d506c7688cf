package model

import (
	"testing"

	"github.com/anishathalye/porcupine"

	"typedinbox/shared/table"
)

// plantedSeeds is how many histories a planted mistake has to show itself in.
const plantedSeeds = 5

// TestLinearFinds: the histories find the mistakes that they are for, planted in
// the table under the store. Each mistake breaks what is written, not what is
// read, and breaks nothing that a single client would see.
func TestLinearFinds(t *testing.T) {
	for name, found := range map[string]func(testing.TB, uint64) bool{
		"fail/a dropped condition: places written over others": func(t testing.TB, seed uint64) bool {
			return placesBroken(t, seed, func(db table.Database) table.Database { return unconditional{db, isHour} })
		},
		"fail/a claim after the commit: places written once the next one writes": func(t testing.TB, seed uint64) bool {
			return placesBroken(t, seed, newClaimsLater)
		},
		"fail/a dropped version: an item written over others": func(t testing.TB, seed uint64) bool {
			s := newItems(t, seed, func(db table.Database) table.Database { return unconditional{db, isItem} })
			s.play(seed, linearSteps, s.step)
			return s.check(itemModel) == porcupine.Illegal
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(plantedSeeds) {
				if found(t, seed) {
					return
				}
			}
			t.Errorf("%d histories and nothing found", plantedSeeds)
		})
	}
}

// placesBroken says whether a history of places finds the mistake; those with
// holds and those without take turns.
func placesBroken(t testing.TB, seed uint64, wrap func(table.Database) table.Database) bool {
	hold := seed%2 == 1
	p := newPlaces(t, seed, hold, wrap)
	p.play(seed, linearSteps, p.step)
	return p.check(placeModel(hold)) == porcupine.Illegal
}

// TestLinearKeepsVersions: the item's row alone keeps versions apart; that an
// event stands where none stood is a second guard.
func TestLinearKeepsVersions(t *testing.T) {
	s := newItems(t, 1, func(db table.Database) table.Database { return unconditional{db, isEvent} })
	s.play(1, linearSteps, s.step)
	if got := s.check(itemModel); got != porcupine.Ok {
		t.Errorf("the history is %s", got)
		s.explain(itemModel)
	}
}
