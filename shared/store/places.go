package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// claimPrefix begins the attribute of a claim in an hour row; the claim's id
// follows.
const claimPrefix = "c_"

// sandboxResource begins the resource of places that sandbox items hold.
const sandboxResource = "sandbox:"

// maxHourRow is the size past which an hour row takes no more claims (00 §4).
const maxHourRow = 350 << 10

// placesKeptDays is how long an hour row is kept after its hour (00 §4).
const placesKeptDays = 90

var claimLetters = map[inbox.ClaimKind]string{
	inbox.ClaimBooking: "b", inbox.ClaimHold: "h", inbox.ClaimAsk: "a",
}

// encodeClaim is a claim as it stands in an hour row: kind, from, length,
// until and offer, base 36, separated by commas; what is missing at the end is
// left out. The id is the attribute's name.
func encodeClaim(c inbox.Claim) string {
	b := []byte(claimLetters[c.Kind])
	b = strconv.AppendInt(b, int64(c.From), 36)
	b = append(b, ',')
	b = strconv.AppendInt(b, int64(c.To-c.From), 36)
	if c.Until != nil || c.OfferID != "" {
		b = append(b, ',')
	}
	if c.Until != nil {
		b = strconv.AppendInt(b, int64(*c.Until), 36)
	}
	if c.OfferID != "" {
		b = append(append(b, ','), c.OfferID...)
	}
	return string(b)
}

// decodeClaim reads what encodeClaim wrote.
func decodeClaim(resource, id, text string) (inbox.Claim, error) {
	c := inbox.Claim{ID: id, Resource: resource}
	for kind, letter := range claimLetters {
		if strings.HasPrefix(text, letter) {
			c.Kind = kind
		}
	}
	parts := strings.SplitN(text, ",", 4)
	if c.Kind == "" || len(parts) < 2 {
		return c, fmt.Errorf("store: claim %s of %s cannot be read: %q", id, resource, text)
	}
	from, err1 := strconv.ParseInt(parts[0][1:], 36, 64)
	length, err2 := strconv.ParseInt(parts[1], 36, 64)
	if err1 != nil || err2 != nil {
		return c, fmt.Errorf("store: claim %s of %s cannot be read: %q", id, resource, text)
	}
	c.From, c.To = inbox.Instant(from), inbox.Instant(from+length)
	if len(parts) > 2 && parts[2] != "" {
		until, err := strconv.ParseInt(parts[2], 36, 64)
		if err != nil {
			return c, fmt.Errorf("store: claim %s of %s cannot be read: %q", id, resource, text)
		}
		c.Until = inbox.Ptr(inbox.Instant(until))
	}
	if len(parts) > 3 {
		c.OfferID = parts[3]
	}
	return c, nil
}

// hourOf reads which hour row a row is.
func hourOf(r table.Row) (inbox.HourRow, error) {
	hour, err := strconv.ParseInt(r.String(table.SortKey), 10, 64)
	return inbox.HourRow{Resource: strings.TrimPrefix(r.String(table.PartitionKey), hourPrefix), Hour: hour}, err
}

// claimsOf reads the claims of an hour row.
func claimsOf(r table.Row) ([]inbox.Claim, error) {
	h, err := hourOf(r)
	if err != nil {
		return nil, err
	}
	var claims []inbox.Claim
	for name, v := range r {
		id, ok := strings.CutPrefix(name, claimPrefix)
		if !ok {
			continue
		}
		text, _ := v.(string)
		c, err := decodeClaim(h.Resource, id, text)
		if err != nil {
			return nil, err
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// placesOf gathers what stands in hour rows; rows asked for and absent have
// rev 0. A row over its size has its rev with a minus: nothing can be claimed
// on it.
func placesOf(asked []inbox.HourRow, rows []table.Row) (inbox.Places, error) {
	p := inbox.Places{Revs: make(map[inbox.HourRow]int64, len(asked))}
	for _, h := range asked {
		p.Revs[h] = 0
	}
	type place struct{ resource, id string }
	seen := map[place]bool{}
	for _, r := range rows {
		h, err := hourOf(r)
		if err != nil {
			return p, err
		}
		p.Revs[h] = r.Int(attrRev)
		if table.Size(r) > maxHourRow {
			p.Revs[h] = -p.Revs[h]
		}
		claims, err := claimsOf(r)
		if err != nil {
			return p, err
		}
		for _, c := range claims {
			if !seen[place{c.Resource, c.ID}] {
				seen[place{c.Resource, c.ID}] = true
				p.Claims = append(p.Claims, c)
			}
		}
	}
	return p, nil
}

// withReal adds the real rows beside sandbox ones: sandbox items are judged
// against both, real items never see a sandbox claim (01 §10.5).
func withReal(rows []inbox.HourRow) []inbox.HourRow {
	all := make([]inbox.HourRow, 0, len(rows))
	seen := make(map[inbox.HourRow]bool, len(rows))
	add := func(h inbox.HourRow) {
		if !seen[h] {
			seen[h] = true
			all = append(all, h)
		}
	}
	for _, h := range rows {
		add(h)
		if real, ok := strings.CutPrefix(h.Resource, sandboxResource); ok {
			add(inbox.HourRow{Resource: real, Hour: h.Hour})
		}
	}
	return all
}

// PlacesOf reads the claims of hour rows, those of the real rows beside sandbox
// ones included: one storage call for each 100 rows.
func (s *Store) PlacesOf(ctx context.Context, rows []inbox.HourRow) (inbox.Places, error) {
	all := withReal(rows)
	keys := make([]table.Key, len(all))
	for i, h := range all {
		keys[i] = hourKey(h)
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return inbox.Places{}, err
	}
	return placesOf(all, inOrder(keys, found))
}

// inOrder lists the rows found in the order of the keys.
func inOrder(keys []table.Key, found map[table.Key]table.Row) []table.Row {
	rows := make([]table.Row, 0, len(found))
	for _, k := range keys {
		if r := found[k]; r != nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// PlacesRange reads the claims that touch [from, to) on a resource, and with
// sandbox those of its sandbox rows too: one storage call for each, as long as
// the rows fit in 1 MB. Revs holds the rows that exist alone. resource is the
// real one.
func (s *Store) PlacesRange(ctx context.Context, resource string, sandbox bool, from, to inbox.Instant) (inbox.Places, error) {
	resources := []string{resource}
	if sandbox {
		resources = append(resources, sandboxResource+resource)
	}
	var rows []table.Row
	for _, r := range resources {
		if !usable(hourKey(inbox.HourRow{Resource: r})) || to <= from {
			continue
		}
		page, err := s.queryAll(ctx, table.Query{
			Table: tableInbox, Partition: hourPrefix + r,
			From: hourSort(int64(from) / inbox.Hour), To: hourSort((int64(to) - 1) / inbox.Hour),
		}, 0)
		if err != nil {
			return inbox.Places{}, err
		}
		rows = append(rows, page...)
	}
	return placesOf(nil, rows)
}
