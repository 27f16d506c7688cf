// Package identity says who is calling: it turns what a request carries into an
// [inbox.Caller] (03 §2.2), mints the keys that callers use (03 §9.1) and judges
// scopes (03 §9.2).
//
// Resolving never refuses. A credential that is unknown, malformed, revoked or
// past its date is no credential, and the caller is anonymous; what an anonymous
// caller may do is the operation's to say. The only error is storage that could
// not be read, because an owner must not be taken for a stranger over it.
package identity
