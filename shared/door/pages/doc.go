// Package pages holds the pages for people: behind the links in mails (05 §6),
// and the business's public front page with its forms (05 §7). They are whole
// without a script, load nothing from anywhere, and say nothing a mail did not.
//
// Pages are written by a small builder of elements that escapes every value:
// html/template makes a function of ten megabytes one of fourteen.
package pages
