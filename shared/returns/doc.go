// Package returns is the arithmetic of undoing a contract: the right of
// withdrawal at a moment, what is owed for what comes back, and by when
// (01 §14, 02 §9). It is pure: the moment and the zone are parameters.
package returns
