// Package machine holds the five state machines of 01 §5 as data: which event
// takes an item from which state to which, who may fire it, what has to hold
// and what follows. The files in data/ are the truth; the code here reads them,
// checks them and answers three questions: which row an event means (Resolve),
// whether a row is narrowed for this caller (PersonOnly, MoneyRule), and which
// events a reader is offered (Allowed). What needs a clock, settings or a
// ledger of offers is decided elsewhere.
package machine
