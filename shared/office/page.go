package office

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// usualPage is how many entries a page of a list has unless the caller says.
const usualPage = 50

// place is where an entry stands in a list of the catalogue: by these, in this
// order (03 §12). A cursor holds one, so a list goes on behind it whatever became
// of the entry meanwhile.
type place struct {
	last bool // an archived entry
	sort int
	name string // its beginning, in lower case
	id   string
}

// maxPlaceName is how much of a name stands in a cursor, in bytes: with the rest
// and in base64 it stays under the 200 characters of 03 §3.
const maxPlaceName = 80

func servicePlace(s inbox.Service) place { return place{!s.Active, s.Sort, beginning(s.Name), s.ID} }

func productPlace(p inbox.Product) place { return place{!p.Active, 0, beginning(p.Name), p.ID} }

func beginning(name string) string {
	name = strings.ToLower(name)
	if len(name) > maxPlaceName {
		name = strings.ToValidUTF8(name[:maxPlaceName], "")
	}
	return name
}

func (p place) before(q place) bool {
	if p.last != q.last {
		return q.last
	}
	return cmp.Or(cmp.Compare(p.sort, q.sort), cmp.Compare(p.name, q.name), cmp.Compare(p.id, q.id)) < 0
}

// between divides the parts of a place; no name holds it.
const between = "\x1f"

// cursor names a place in the list of a filter.
func (p place) cursor(filter string) string {
	parts := []string{strconv.FormatBool(p.last), strconv.Itoa(p.sort), p.name, p.id}
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, between))) + "." + canon.SHA256Hex([]byte(filter))[:8]
}

// placeOf reads a cursor, which is good for the filter it was made with alone.
func placeOf(cursor, filter string) (p place, ok bool) {
	encoded, hash, _ := strings.Cut(cursor, ".")
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	parts := strings.Split(string(raw), between)
	if err != nil || len(parts) != 4 || hash != canon.SHA256Hex([]byte(filter))[:8] {
		return place{}, false
	}
	p.name, p.id = parts[2], parts[3]
	p.last, err = strconv.ParseBool(parts[0])
	sort, err2 := strconv.Atoi(parts[1])
	p.sort = sort
	return p, err == nil && err2 == nil
}

// pageOf cuts a page out of an ordered list, behind the place the cursor names
// (03 §3).
func pageOf[T, V any](req inbox.PageQuery, filter string, list []T, at func(T) place, view func(T) V) (inbox.Answer, error) {
	start := 0
	if req.Cursor != "" {
		from, ok := placeOf(req.Cursor, filter)
		if !ok {
			return inbox.Answer{}, inbox.InvalidField("cursor", "is not a cursor of this list with these filters")
		}
		start = behind(list, at, from)
	}
	limit := usualPage
	if req.Limit != nil {
		limit = *req.Limit
	}
	end := min(start+limit, len(list))
	page := inbox.Page[V]{Items: make([]V, 0, end-start)}
	for _, e := range list[start:end] {
		page.Items = append(page.Items, view(e))
	}
	if end < len(list) {
		page.NextCursor = inbox.Ptr(at(list[end-1]).cursor(filter))
	}
	return reading(page)
}

// behind is the index of the first entry behind a place. The entry that stands
// there says it best: names that begin alike go on by what a cursor does not hold.
func behind[T any](list []T, at func(T) place, from place) int {
	if i := slices.IndexFunc(list, func(e T) bool { return at(e) == from }); i >= 0 {
		return i + 1
	}
	if i := slices.IndexFunc(list, func(e T) bool { return from.before(at(e)) }); i >= 0 {
		return i
	}
	return len(list)
}
