// Package format writes dates, times with their zone, money, durations and
// references for people, in the conventions of en-GB and pt-PT, and chooses the
// language to do it in (05 §1.2, §2). Go's libraries have no CLDR dates, no
// generic zone names and no pt-PT currency pattern, so the tables are here.
package format

// nbsp is the blank that keeps an amount and its currency on one line.
const nbsp = "\u00a0"
