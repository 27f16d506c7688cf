// Package store keeps what the inbox keeps, on a [table.Database]: items with
// their events, offers, threads, jobs and mails, places in hour rows, stored
// answers, the catalogue and the set-up documents. It is the only package that
// knows keys; [Rows] describes every row, docs/keys.md is made from it.
//
// A write commits whole or not at all ([Store.Commit]). What a write lost, and
// why, is a [*Lost]. Reads are by key and strongly consistent but for lists and
// due work, which read an index and look at the rows again. Reads are tried
// again when the database is busy and answer an unavailable [*inbox.Problem]
// when that does not help (00 §3). Every row past its time counts as absent.
package store
