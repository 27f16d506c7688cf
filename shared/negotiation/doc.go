// Package negotiation holds what the two sides put to each other: the ledger of
// offers of an item, the terms an offer holds and their fingerprint, and the
// words that name money (01 §8, 02 §1, 09). It is pure.
package negotiation
