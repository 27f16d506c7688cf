// Package words holds every sentence a customer or an owner reads, as data: one
// table of sentences per language, one table of mails made of their keys, and a
// composer that fills them (05). A new language is a new table, a new mail is a
// new row; code changes for neither. It is handed plain structs and knows
// nothing of how items are stored.
package words
