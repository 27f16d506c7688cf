package calendar

import (
	"slices"
	"sort"

	"typedinbox/shared/inbox"
)

// Interval is a span of time, [StartTime, EndTime).
type Interval struct {
	StartTime inbox.Instant `json:"startTime"`
	EndTime   inbox.Instant `json:"endTime"`
}

// ResourceKey names what a booking's places are taken on: the resource when it
// names one, else the service, in a key space of its own for sandbox items
// (01 §10.1, §10.5).
func ResourceKey(serviceID, resourceID string, sandbox bool) string {
	key := "service:" + serviceID
	if resourceID != "" {
		key = "resource:" + resourceID
	}
	if sandbox {
		return "sandbox:" + key
	}
	return key
}

// Claim is the exact time a booking of a service takes: buffers included
// (01 §10.5).
func Claim(s inbox.Service, start, end inbox.Instant) (from, to inbox.Instant) {
	return start.Add(-int64(s.BufferBeforeMin) * inbox.Minute), end.Add(int64(s.BufferAfterMin) * inbox.Minute)
}

// Span refuses a claim [from, to) that touches more than [inbox.MaxClaimHours]
// UTC hours, on endTime (00 §4).
func Span(from, to inbox.Instant) *inbox.FieldProblem {
	first, last := floorDiv(int64(from), inbox.Hour), floorDiv(int64(to)-1, inbox.Hour)
	if last-first+1 <= inbox.MaxClaimHours {
		return nil
	}
	return &inbox.FieldProblem{Path: "endTime", Problem: inbox.Invalid,
		Message: "the time is too long: with its buffers it may touch at most 40 hours"}
}

// FirstFull finds the first part of [from, to) in which no place is left, nil
// when there is a place at every instant; from and to are a claim's, buffers
// included. The item's own claims are the caller's to leave out. An ask past its
// until is ignored, and no ask stands in the way of a person at the business
// (00 §4).
func FirstFull(claims []inbox.Claim, capacity int, from, to, now inbox.Instant, person bool) *Interval {
	return newProfile(claims, func(c inbox.Claim) bool {
		return c.Kind == inbox.ClaimAsk && (person || lapsed(c, now))
	}).firstFull(capacity, from, to)
}

// lapsed says whether a claim has ended by itself; only an ask does.
func lapsed(c inbox.Claim, now inbox.Instant) bool {
	return c.Kind == inbox.ClaimAsk && c.Until != nil && *c.Until <= now
}

// profile is how many claims stand from each instant on, in order: the sweep
// line over exact intervals.
type profile []step

type step struct {
	at    inbox.Instant
	taken int // from at until the next step
}

func newProfile(claims []inbox.Claim, ignore func(inbox.Claim) bool) profile {
	edges := make([]step, 0, 2*len(claims))
	for _, c := range claims {
		if c.From < c.To && !ignore(c) {
			edges = append(edges, step{c.From, 1}, step{c.To, -1})
		}
	}
	slices.SortFunc(edges, func(a, b step) int { return compare(a.at, b.at) })
	p := edges[:0]
	taken := 0
	for _, e := range edges {
		taken += e.taken
		if n := len(p); n > 0 && p[n-1].at == e.at {
			p[n-1].taken = taken
			continue
		}
		p = append(p, step{e.at, taken})
	}
	return p
}

func compare(a, b inbox.Instant) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// from is the index of the step that holds at an instant, -1 before the first.
func (p profile) from(i inbox.Instant) int {
	return sort.Search(len(p), func(k int) bool { return p[k].at > i }) - 1
}

// most is the largest number taken at any instant of [from, to).
func (p profile) most(from, to inbox.Instant) int {
	most := 0
	for k := max(p.from(from), 0); k < len(p) && p[k].at < to; k++ {
		most = max(most, p[k].taken)
	}
	return most
}

func (p profile) firstFull(capacity int, from, to inbox.Instant) *Interval {
	for k := max(p.from(from), 0); k < len(p) && p[k].at < to; k++ {
		if p[k].taken < capacity {
			continue
		}
		full := Interval{max(p[k].at, from), to}
		for k++; k < len(p) && p[k].at < to; k++ {
			if p[k].taken < capacity {
				full.EndTime = p[k].at
				break
			}
		}
		return &full
	}
	return nil
}
