package model

import (
	"typedinbox/shared/inbox"
)

// start is Monday, 5 October 2026, 08:00 in Lisbon.
var start = must(inbox.ParseInstant("2026-10-05T07:00:00Z"))

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// item is what the model knows of one item. It is written from 01, without a
// look at how the inbox does it.
type item struct {
	id, token, party string
	kind             string // booking, message
	state            string
	version          int
	created          inbox.Instant
	sandbox          bool
	entries          int
	open             bool // an offer is open

	service   *service
	from, to  inbox.Instant
	party1    int   // partySize, 1 when not said
	price     int64 // minor units, -1 for none
	unpriced  bool
	claim     *[2]inbox.Instant
	clocked   bool
	expires   inbox.Instant
	corrected bool

	owed     map[string]int // mails by recipient and what they are about
	held     map[string]int // of them those about words kept inside: one an hour is mailed, at least one
	ack      bool           // an acknowledgement is owed unless the customer hears
	heardAt  inbox.Instant  // when the customer was first told something, 0 for never
	everSpam bool
	final    bool // it reached a terminal state
}

// owe notes that a mail must come of what just happened.
func (i *item) owe(recipient, about string) { i.owed[recipient+" of "+about]++ }

// hold notes that the owner must hear of words kept inside.
func (i *item) hold(about string) {
	i.owe("owner", about)
	if i.held == nil {
		i.held = map[string]int{}
	}
	i.held["owner of "+about]++
}

// tellCustomer is a word to the customer.
func (i *item) tellCustomer(about string, now inbox.Instant) {
	i.owe("customer", about)
	i.heard(now)
}

func (i *item) heard(now inbox.Instant) {
	if i.heardAt == 0 {
		i.heardAt = now
	}
}

// service is a service as the model has set it up.
type service struct {
	id              string
	minutes         int
	before, after   int
	capacity        int
	value           int64 // -1: not priced
	perPerson       bool
	active          bool
	alternateLength int
}

// list is the list price of so many people, -1 for none.
func (s *service) list(people int) int64 {
	if s.value < 0 || !s.perPerson {
		return s.value
	}
	return s.value * int64(people)
}

// rules are the settings that the model reads.
type rules struct {
	notice, window, expire, complete int // minutes, minutes, hours, hours
	late                             string
}

var usual = rules{notice: 60, window: 1440, expire: 72, complete: 48, late: "record"}

// state machines as far as they exist, by hand from 01 §5.1 and §5.4: event,
// states it leaves, and the state it comes to.
type edge struct {
	from []string
	to   string
}

var edges = map[string]map[string][]edge{
	"booking": {
		"request_info":       {{[]string{"requested"}, "needs_info"}},
		"provide_info":       {{[]string{"needs_info"}, "requested"}},
		"confirm":            {{[]string{"requested", "needs_info"}, "confirmed"}},
		"decline":            {{[]string{"requested", "needs_info"}, "declined"}},
		"cancel":             {{[]string{"requested", "needs_info", "confirmed"}, "cancelled_by_customer"}},
		"cancel_late":        {{[]string{"confirmed"}, "cancelled_by_customer"}},
		"cancel_by_business": {{[]string{"requested", "needs_info", "confirmed"}, "cancelled_by_business"}},
		"record_cancel":      {{[]string{"requested", "needs_info", "confirmed"}, "cancelled_by_customer"}},
		"record_cancel_late": {{[]string{"confirmed"}, "cancelled_by_customer"}},
		"complete":           {{[]string{"confirmed", "no_show"}, "completed"}},
		"no_show":            {{[]string{"confirmed", "completed"}, "no_show"}},
		"expire":             {{[]string{"requested", "needs_info"}, "expired"}},
	},
	"message": {
		"answer":    {{[]string{"open"}, "answered"}},
		"reopen":    {{[]string{"answered", "closed"}, "open"}},
		"close":     {{[]string{"open", "answered"}, "closed"}},
		"mark_spam": {{[]string{"open", "answered"}, "spam"}},
		"unspam":    {{[]string{"spam"}, "open"}},
	},
}

// byCustomers are the events that the business may not fire, bySystem those of
// the sweep and of rules.
var (
	byCustomers = map[string]bool{"provide_info": true, "cancel": true, "cancel_late": true}
	bySystem    = map[string]bool{"expire": true}
	terminal    = map[string]bool{
		"completed": true, "no_show": true, "cancelled_by_customer": true, "cancelled_by_business": true,
		"declined": true, "expired": true,
	}
	promised = map[string]bool{"confirmed": true}
)

// target is where an event leads from a state, "" when it does not leave it.
func target(kind, event, state string) (to string, known bool) {
	list, known := edges[kind][event]
	for _, e := range list {
		for _, f := range e.from {
			if f == state {
				return e.to, true
			}
		}
	}
	return "", known
}
