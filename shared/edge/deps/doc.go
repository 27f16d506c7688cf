// Package deps is what a function is made of on AWS: its configuration from the
// environment, its log and metrics, and the clients of the services it uses,
// each made only where it is asked for. What sends mail is in deps/sender, so
// that only functions that send link it.
package deps
