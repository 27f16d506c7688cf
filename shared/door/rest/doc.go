// Package rest is the HTTP door (03 §3 to §5): it reads a request, finds out who
// sends it, calls one operation and renders the answer. One constructor makes
// the handler of one function, so a function's binary links only what it uses.
//
// A handler serves the routes of its function alone. It answers everything
// itself, panics included, and writes once, when the answer stands.
package rest
