// Package calendar says when the business can be booked: opening hours and
// closures, the grid of start times, free times, capacity and notice (01 §9,
// §10). It is pure: the claims that stand and the present instant are given.
package calendar
