// Package inbox holds the nouns of the product: what an item, an event, an
// offer, a party or a caller is, which values each field may take, and the
// closed table of problems. It is the ground floor: every other package of the
// project speaks in these types and this one imports none of them.
//
// Clock and randomness are never read here: whoever needs an instant or an id
// is handed one (see [Source]), so a whole run can be replayed from a seed.
package inbox
