// Package schema is the one definition of every input. The json and in tags of
// a Go struct say which fields a request has and within which limits; from the
// same tags a request is decoded and checked ([Decode], [DecodeQuery]) and
// described as JSON Schema ([Describe]), so the two cannot differ.
//
// Unknown fields are dropped at every level, names are case-sensitive, of a
// name written twice the last one counts, and null on an optional field is the
// same as leaving it out (03 §3, §6). All faults are told at once, each with
// the path of its field.
//
// # The in tag
//
// Parts are separated by commas:
//
//	required     the field must be there and not be null
//	nullable     null is a value of its own; see [Optional]
//	out          only the inbox writes it: dropped from any request
//	business     only the business writes it: dropped from a customer's request, see [DecodeOf]
//	trim         white space at both ends goes before anything is checked
//	len=a..b     characters of a string (Unicode code points)
//	num=a..b     the range of a number
//	items=a..b   entries of a list or map; other limits then bind each entry
//	enum=a|b|c   one of these
//	email        an address
//	url          an absolute http or https address, at most 2000 characters
//	date         YYYY-MM-DD, a day that exists
//	currency     three letters, upper-cased
//	words        not blank; kept as it is
//	passes       at most 8 strings of at most 200 characters, apart by white space (04 §3.2)
//	terms_sha    43 characters of base64url (02 §1.5)
//	object       json.RawMessage: any JSON object
//	any          json.RawMessage: any JSON, null included and kept
//	any=integer  the same, described as that type or null, within its limits; who reads it checks
//	default=v    what an absent string, number or boolean is
//	match=expr   a regular expression; the rest of the tag, so the last part
//
// Fields with a query tag are read by [DecodeQuery]; those with a path or header
// tag are the door's to fill and in neither.
//
// A type with an UnmarshalJSON of its own is checked by it, and its error is
// the message.
package schema
