// Package catalogue says what services and products cost, what a request for
// them becomes when the catalogue prices it, and who may change an entry (01
// §1.5, 02 §6, 03 §2.4 and §12). It is pure.
package catalogue
