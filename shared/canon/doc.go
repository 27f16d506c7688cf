// Package canon holds every form whose bytes matter: canonical JSON (RFC 8785)
// and the hashes over it, the keys derived from the instance secret with their
// labels in one table, the secret box, and the formats of keys, tokens and
// addresses that the inbox mints.
//
// Nothing here reads a clock or a source of randomness: random bytes are
// arguments.
package canon
