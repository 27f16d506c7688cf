// Package work is what is done after a commit and on the clock (00 §3): it runs
// the jobs that writes left behind, composes and sends mail, fires what has come
// due, and does the day's upkeep.
//
// Everything may be run twice, by the stream, the sweep or after a crash: each
// effect has an id of its own, and what is done once under it is not done again.
// The one exception is the moment between the mail service's yes and our mark of
// it; a process that dies there leaves a second copy with the same content
// (05 §4.6).
package work
