package store

import (
	"fmt"
	"strings"
)

// RowKind describes one kind of row: where it is, what is in it, who writes it
// and why its partition is not hot (08 §4).
type RowKind struct {
	Name       string
	Table      string
	Partition  string // with <placeholders>
	Sort       string
	Attributes string
	Written    string // by what, and under which condition
	NotHot     string
}

// Rows is every kind of row there is.
var Rows = []RowKind{
	{"item", tableInbox, "i#<item>", "i", "v d r la lo lh lm lt qp qt pp",
		"every write on the item; put where r is the one read, or where none stands",
		"one item's partition; its writers take turns by r as they must"},
	{"offer", tableInbox, "i#<item>", "i#<rev, 4 digits>", "v d",
		"the write that opens or closes it; the item's r guards it",
		"one item's partition"},
	{"thread entry", tableInbox, "i#<item>", "e#<entry>", "v d",
		"the write that says it; put where none stands",
		"one item's partition"},
	{"job", tableInbox, "i#<item>", "j#<job>", "v d r qp qt ready",
		"the write that owes it; then lease, marks, put back and fail under r; deleted when finished",
		"one item's partition"},
	{"mail", tableInbox, "i#<item>", "m#<effect>", "v d r st qp qt",
		"composition, put where none stands; lease under r; result while st is queued or retrying",
		"one item's partition"},
	{"link", tableInbox, "l#<link>", "l", "v d r ttl",
		"the composition of its mail, put where none stands; once by the write it acts in, where r is the one read", "a partition each"},
	{"mail anchor", tableInbox, "i#<item>", "a", "v d",
		"the first composition of a mail to the customer", "one item's partition"},
	{"event", tableEvents, "<item>", "<seq, 6 digits>", "v d s",
		"the write that makes it, put where none stands; never changed", "one item's partition"},
	{"places held for a customer", tableInbox, "hold#<p:party, behind sandbox: for tests>", "h", "v h_<item>",
		"a proposal that begins to hold, whatever ends it; no condition", "a partition for each customer who was ever held a place"},
	{"hour row", tableInbox, "h#<resource>", "<hours since 1970, 7 digits>", "v r c_<claim> ttl",
		"a claim, under the r that was judged, which it raises; a release takes c_<claim> away without a condition",
		"a booking writes 2 units here, so 25 a second are 50 of the partition's 1,000; only writers of the same row meet, so other hours never wait; one partition because 14 days are then one query"},
	{"stored answer", tableInbox, "k#<hex digit of the hash>", "<SHA-256 of scope and key>", "v x ttl f s a",
		"the write it answers, put where none stands or x has passed",
		"16 partitions by hash, 25 writes a second between them"},
	{"message id", tableInbox, "u#<hash of the message id; of a mail, of sender and id>", "u", "v d x ttl",
		"the write that keeps the entry or notice, put where none stands or x has passed", "a partition each"},
	{"party", tableInbox, "p#<party>", "p", "v d r pp",
		"the create that makes the party, put where none stands; then under r. pp is the party it was merged into", "a partition each"},
	{"proven contact", tableInbox, "c#<kind>#<value>", "!<party>", "v pp at ok by",
		"whatever proves it, beside the contact's own row: the proven sort first",
		"one partition for each address or number"},
	{"contact", tableInbox, "c#<kind>#<value>", "<party>", "v pp at ok by",
		"creates that name it; ok, the date it was proven, is never taken back by one; a merge moves both rows",
		"one partition for each address or number"},
	{"one-time code", tableInbox, "i#<item>", "f", "v d r x1", "asking for one and guessing at it, put where r is the one read", "one item's partition"},
	{"codes and guesses of an address", tableInbox, "otp#<hash of the address>", "o", "v d r ttl",
		"asking and guessing, put where r is the one read: that is what holds the limits", "a partition for each address; a handful a day"},
	{"words of an item", tableInbox, "i#<item>", "w", "v d r",
		"the job after a write that may change them, put where r is the one read; every word row of the item is in it", "one item's partition"},
	{"word", tableInbox, "t#<r or s>#<first two letters>", "<word>#<item>", "v",
		"with the list of words, put and deleted",
		"an item has some 15 words spread over the letters; 25 creates a second are a few dozen units for the commonest pair"},
	{"reference", tableInbox, "x#<r or s>#<six characters>", "<item>", "v", "with the first list of words", "a partition each"},
	{"settings", tableInbox, "cfg#settings", "d", "v d r", "the owner, put where r is the one read",
		"written by hand; read by key once for each write or view, 25 of 3,000 read units a second"},
	{"profile", tableInbox, "cfg#profile", "d", "v d r", "the owner, put where r is the one read", "as settings"},
	{"closures", tableInbox, "cfg#closures", "d", "v d r", "the owner, put where r is the one read", "as settings"},
	{"floors", tableInbox, "cfg#floors", "d", "v d r", "the owner, put where r is the one read", "written and read by hand"},
	{"pepper of address hashes", tableInbox, "cfg#pepper", "d", "v d", "once, put where none stands", "read for each acknowledgement alone"},
	{"opening hours", tableInbox, catalogue, "sh#<service, or nothing for the business>", "v d r",
		"the owner, put where r is the one read", "written by hand; two small rows read by key for each booking"},
	{"service", tableInbox, catalogue, "sv#<service>", "v d r", "the owner, put where r is the one read",
		"written by hand; one row read by key for each booking; the list is cached at the doors"},
	{"product", tableInbox, catalogue, "p#<product>", "v d r", "the owner, put where r is the one read", "as services"},
	{"sku", tableInbox, "sku#<sku>", "p", "v o", "the write of the product, put where none stands or o is the product", "a partition each"},
	{"API key", tableInbox, "key#<hash>", "k", "v d r u",
		"minting, put where none stands; u, the last use, at most once a minute", "a partition each"},
	{"API key by id", tableInbox, "keys", "<key>", "v o", "minting, put where none stands", "written by hand, read by hand"},
	{"acknowledgements of an address", tableInbox, "ack#<hash of the address>", "a", "v d r ttl",
		"the worker, put where r is the one read", "a partition for each address; three a day"},
	{"mail or item by a mail's id", tableInbox, "ref#<provider, anchor, plus or mail>#<hash of the id>", "m", "v d",
		"the result of a sending; a composition, for our own id, the thread's anchor and the reply address", "a partition each"},
	{"received mail", tableInbox, "i#in:<the service's id>", "r", "v d r ttl",
		"its delivery, put with its job where none stands; then under r, at last by the write it comes to", "a partition each"},
	{"notice", tableInbox, "n#<year and month>", "<notice>", "v d r ttl",
		"a mail that answers no item, put where none stands; counted and seen under r",
		"the limits let 400 mails an hour in"},
	{"once", tableInbox, "once#<hash of what was told>", "o", "v o x ttl",
		"the first notice of a kind in a period, put where none stands or x has passed", "a partition each"},
	{"suppressed address", tableInbox, "sup", "<hash of the address>", "v d r",
		"a mail that could not be delivered, a complaint, put where r is the one read", "one partition, so that it can be listed; only failures write it"},
	{"limit", tableInbox, "lim#<class>#<hash of whom>", "b", "v d r ttl",
		"each mail that comes in, put where r is the one read", "the whole mailbox's one takes at most 400 mails an hour"},
	{"automation's mails", tableInbox, "sent#<item or address>#<hash>", "c", "v d r ttl",
		"the worker, put where r is the one read", "a partition each; ten a day"},
	{"digest", tableInbox, "digest:<hour>", "d", "v d r ttl",
		"an alert past the owner's twenty an hour, put where r is the one read", "a partition for each hour"},
	{"sender", tableInbox, "cfg#sender", "d", "v d r",
		"the hourly look at the identity, a refusal of the mail service's, put where r is the one read", "read for each mail; written once an hour"},
}

// AccessPattern is one way rows are read.
type AccessPattern struct {
	Want string
	How  string
}

// AccessPatterns are the ways rows are read, none by a scan (08 §4).
var AccessPatterns = []AccessPattern{
	{"what a verb needs", "one batch read by key: stored answer, settings, profile, service, weeks, closures, item, party, offer, entry, hour rows"},
	{"an item as its customer sees it", "one query of the item's partition, newest first: offers, item and newest entries stand together; one batch read for settings and profile"},
	{"everything about an item", "queries of its partition by prefix; its events by one query of their own table"},
	{"items, newest change first", "index all, open, human or failed: four shards merged, rows read by key and judged again"},
	{"a customer's items", "index party, newest created first, rows read by key"},
	{"a customer by e-mail or phone", "one query of the contact's partition, the proven first"},
	{"the root of a merged party", "one read by key for each pointer, at most eight"},
	{"a customer's items over merged parties", "index party for the parties merged into one and for its contacts, then as a customer's items for each, at most 50"},
	{"an item by reference", "one query of the reference's partition"},
	{"items by words", "one query for each word by its beginning; the ids that have all are read, or looked for in the list, and judged by each item's own words"},
	{"how many items hold places for a customer", "one read by key, with what a proposal reads"},
	{"places of a resource over 14 days", "one query of the resource's partition by hour, two for a sandbox request"},
	{"what is due", "index due, a partition for each kind (i items, j jobs, m mails, f failed jobs) and shard, by time"},
	{"jobs and mails of an item", "one query of the item's partition by prefix"},
	{"a mail by the service's id or our own", "one read by key"},
	{"the item that a mail answers", "one read by the tokens of its recipients, one by the message ids it names, one by the customer's own, then by reference or by its sender"},
	{"whether a mail came in before", "one read by the hash of its message id and sender"},
	{"notices, newest first", "one query for each month, at most five"},
	{"what is known of an address that mail did not reach", "one read by the address's hash; all by one query"},
	{"a link of a mail", "one read by its id"},
	{"what can be booked", "one query of the catalogue: weeks and services stand together"},
	{"products", "the catalogue by prefix, paged by id"},
	{"an API key", "one read by the key's hash"},
	{"a message id", "one read by its hash"},
}

// attributeNames say what the short names mean.
var attributeNames = [][2]string{
	{attrSchema, "schema number of the row"}, {attrDoc, "the row's document, JSON"}, {attrRev, "raised by every write that must not be lost"},
	{attrExpires, "milliseconds after which the row counts as absent"}, {"ttl", "second after which the table may delete the row"},
	{attrReady, "on a job to run at once: what the stream's filter looks at"},
	{attrAll + ", " + attrOpen + ", " + attrHuman + ", " + attrFailed, "list partitions: r or s (sandbox) and shard"}, {attrChanged, "time of last change and id"},
	{attrQueue + ", " + attrDue, "due work: kind and shard, time and id"}, {attrParty, "the party it belongs to"}, {attrState, "status of a mail"},
	{attrFingerprint + ", " + attrStatus + ", " + attrAnswer, "of a stored answer: fingerprint, status, body compressed and sealed; s on an event: salts and MACs of personal values"},
	{heldPrefix + "<item>", "an item on which places are held for the customer"},
	{attrAdded, "on a contact that a credential of the party's added later"}, {attrSealed, "a one-time code, sealed, while it can be used"},
	{claimPrefix + "<claim>", "one claim: kind, from, length, until, offer, base 36"},
	{attrCreated + ", " + attrVerified, "when a contact was given, when it was verified"}, {attrOwner, "the id a look-up row leads to"}, {attrUsed, "when a key was last used"},
}

// KeysDoc is docs/keys.md. largest is the action count of the largest write.
func KeysDoc(largest int) string {
	var b strings.Builder
	b.WriteString("# Keys and access patterns\n\nMade from the tables in `shared/store/rows.go`; a test holds it equal.\n\n")
	b.WriteString("Every key is `pk` and `sk`. A partition takes 1,000 write units and 3,000 read units a second.\n\n")
	b.WriteString("| row | table | pk | sk | attributes | written by | why not hot |\n|---|---|---|---|---|---|---|\n")
	for _, r := range Rows {
		fmt.Fprintf(&b, "| %s | %s | `%s` | `%s` | `%s` | %s | %s |\n", r.Name, r.Table, r.Partition, r.Sort, r.Attributes, r.Written, r.NotHot)
	}
	b.WriteString("\n## Attributes\n\n| name | holds |\n|---|---|\n")
	for _, a := range attributeNames {
		fmt.Fprintf(&b, "| `%s` | %s |\n", a[0], a[1])
	}
	b.WriteString("\n## Indexes\n\nAll hold keys alone. An item or job stands in an index while it has the attributes.\n\n| index | of table | partition | sort | why not hot |\n|---|---|---|---|---|\n")
	for _, t := range Schema().Tables {
		for _, i := range t.Indexes {
			fmt.Fprintf(&b, "| %s | %s | `%s` | `%s` | %s |\n", i.Name, t.Name, i.Partition, i.Sort, indexNotHot[i.Name])
		}
	}
	b.WriteString("\n## How rows are read\n\n| wanted | how |\n|---|---|\n")
	for _, a := range AccessPatterns {
		fmt.Fprintf(&b, "| %s | %s |\n", a.Want, a.How)
	}
	fmt.Fprintf(&b, "\n## The largest write\n\n%d actions of the 100 a transaction may have: a change of time that takes 40 hour rows and gives back another 40, "+
		"with its stored answer, item, event, two offers, two entries and their message id, two contacts and two jobs.\n", largest)
	return b.String()
}

var indexNotHot = map[string]string{
	indexAll:    "four shards by item; 25 bookings a second with three writes each are 150 units over all",
	indexOpen:   "as all",
	indexHuman:  "as all, and few items",
	indexFailed: "as all, and few items",
	indexDue:    "four shards for each kind of work",
	indexParty:  "one partition for each party",
}
