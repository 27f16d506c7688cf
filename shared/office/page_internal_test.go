package office

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

// page reads one page of a list of services and answers their ids and the cursor.
func page(t *testing.T, list []inbox.Service, filter, cursor string, limit int) (ids []string, next string) {
	t.Helper()
	list = slices.Clone(list)
	catalogue.SortServices(list)
	a, err := pageOf(inbox.PageQuery{Cursor: cursor, Limit: &limit}, filter, list, servicePlace, func(s inbox.Service) string { return s.ID })
	if err != nil {
		t.Fatal(err)
	}
	var p inbox.Page[string]
	if err := json.Unmarshal(a.Body, &p); err != nil {
		t.Fatal(err)
	}
	if p.NextCursor != nil {
		next = *p.NextCursor
	}
	return p.Items, next
}

// TestPageGoesOn: behind the entry a page ended with, whatever became of it
// (03 §3: keyset only).
func TestPageGoesOn(t *testing.T) {
	service := func(id, name string, sort int) inbox.Service {
		return inbox.Service{ID: id, Name: name, Sort: sort, Active: true}
	}
	shop := func() []inbox.Service {
		return []inbox.Service{service("A", "Anna", 1), service("B", "Bea", 1), service("C", "Carla", 1), service("D", "Dora", 2)}
	}
	for name, c := range map[string]struct {
		change func([]inbox.Service) []inbox.Service
		want   []string
	}{
		"ok/nothing":        {func(l []inbox.Service) []inbox.Service { return l }, []string{"C", "D"}},
		"ok/it is gone":     {func(l []inbox.Service) []inbox.Service { return slices.Delete(l, 1, 2) }, []string{"C", "D"}},
		"ok/it is archived": {func(l []inbox.Service) []inbox.Service { l[1].Active = false; return l }, []string{"C", "D", "B"}},
		"ok/it is renamed":  {func(l []inbox.Service) []inbox.Service { l[1].Name = "Aba"; return l }, []string{"C", "D"}},
		"ok/one before it":  {func(l []inbox.Service) []inbox.Service { return append(l, service("N", "Abba", 0)) }, []string{"C", "D"}},
		"ok/one behind it":  {func(l []inbox.Service) []inbox.Service { return append(l, service("N", "Bela", 1)) }, []string{"N", "C", "D"}},
		"ok/all are gone":   {func(l []inbox.Service) []inbox.Service { return nil }, []string{}},
	} {
		_, cursor := page(t, shop(), "f", "", 2)
		if got, _ := page(t, c.change(shop()), "f", cursor, 10); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPageOfLongNames: names longer than a cursor holds, one letter a page.
func TestPageOfLongNames(t *testing.T) {
	var list []inbox.Service
	for _, end := range []string{"é", "b", "a", "d", "c"} {
		list = append(list, inbox.Service{ID: "01" + strings.Repeat("X", 24), Name: strings.Repeat("é", 119) + end, Active: true, Sort: 10_000})
		list[len(list)-1].ID = list[len(list)-1].ID[:25] + strings.ToUpper(end)[:1]
	}
	all, _ := page(t, list, "f", "", 10)
	var got []string
	cursor := ""
	for range list {
		ids, next := page(t, list, "f", cursor, 1)
		if got = append(got, ids...); len(next) > 200 {
			t.Errorf("a cursor of %d characters", len(next))
		}
		cursor = next
	}
	if !slices.Equal(got, all) || cursor != "" {
		t.Errorf("%q, want %q", got, all)
	}
}

func TestCursorsRefused(t *testing.T) {
	good := place{sort: 3, name: "a", id: "I"}.cursor("f")
	for name, c := range map[string]struct{ cursor, filter string }{
		"fail/another filter": {good, "g"}, "fail/no hash": {good[:len(good)-9], "f"}, "fail/words": {"nonsense", "f"},
		"fail/no base64": {"%%%" + good, "f"}, "fail/cut": {good[4:], "f"},
	} {
		if _, ok := placeOf(c.cursor, c.filter); ok {
			t.Errorf("%s: taken", name)
		}
	}
	if p, ok := placeOf(good, "f"); !ok || p.sort != 3 || p.name != "a" || p.id != "I" || p.last {
		t.Errorf("ok/as it was: %+v", p)
	}
}
