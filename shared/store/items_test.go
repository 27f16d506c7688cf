package store_test

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// TestOtherItems: items beside the one a verb is about are read with it, in the
// order they are named; those that are not there are left out.
func TestOtherItems(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		var ids []string
		for i := range 3 {
			ids = append(ids, w.created(now.Add(int64(i)*inbox.Minute)).Item.ID)
		}
		cases := map[string]struct{ want, got []string }{
			"ok/in their order":   {[]string{ids[2], ids[0]}, []string{ids[2], ids[0]}},
			"ok/one is not there": {[]string{ids[1], "01J0000000000000000000000X", ids[2]}, []string{ids[1], ids[2]}},
			"ok/none":             {nil, nil},
			"fail/none is there":  {[]string{"01J0000000000000000000000X"}, nil},
		}
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				l, err := w.Load(w.ctx, store.Want{ItemID: ids[0], Items: c.want})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, r := range l.Items {
					got = append(got, r.Item.ID)
				}
				if !slices.Equal(got, c.got) || l.Record == nil || l.Record.Item.ID != ids[0] {
					t.Errorf("%v, want %v", got, c.got)
				}
			})
		}
	})
}
