package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strings"
	"unicode/utf8"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Numbers of shards. A shard takes 1,000 write units a second; these leave room
// for far more than the 25 bookings a second of 08 §7.
const (
	listShards   = 4
	dueShards    = 4
	answerShards = 16
)

func key(pk, sk string) table.Key {
	return table.Key{Table: tableInbox, Partition: pk, Sort: sk}
}

// Sort keys inside an item's partition. Entries, the item and its offers stand
// together in this order, so one query reads a view.
const (
	sortCode     = "f" // between entries and item, so that the query of a view reads it
	sortItem     = "i"
	sortOffer    = "i#"
	sortEntry    = "e#"
	sortJob      = "j#"
	sortMail     = "m#"
	sortAnchor   = "a"
	sortReceived = "r"
	sortWords    = "w"
)

func itemPartition(id string) string { return "i#" + id }

func itemKey(id string) table.Key { return key(itemPartition(id), sortItem) }

func offerKey(itemID string, rev int) table.Key {
	return key(itemPartition(itemID), fmt.Sprintf("%s%04d", sortOffer, rev))
}

func entryKey(itemID, id string) table.Key { return key(itemPartition(itemID), sortEntry+id) }

func jobKey(itemID, id string) table.Key { return key(itemPartition(itemID), sortJob+id) }

func mailKey(itemID, effectID string) table.Key { return key(itemPartition(itemID), sortMail+effectID) }

func anchorKey(itemID string) table.Key { return key(itemPartition(itemID), sortAnchor) }

func eventKey(itemID string, seq int) table.Key {
	return table.Key{Table: tableEvents, Partition: itemID, Sort: fmt.Sprintf("%06d", seq)}
}

func partyKey(id string) table.Key { return key("p#"+id, "p") }

func contactPartition(kind inbox.ContactKind, value string) string {
	return "c#" + string(kind) + "#" + value
}

func contactKey(c inbox.PartyContact) table.Key {
	return key(contactPartition(c.Kind, c.Value), c.PartyID)
}

// provenMark begins the sort key of the second row of a proven contact: it sorts
// before every id, so the proven come first.
const provenMark = "!"

func provenKey(c inbox.PartyContact) table.Key {
	return key(contactPartition(c.Kind, c.Value), provenMark+c.PartyID)
}

func wordsKey(itemID string) table.Key { return key(itemPartition(itemID), sortWords) }

// wordPartition holds the words that begin with the same two letters, of real
// items or of tests.
func wordPartition(sandbox bool, word string) string {
	two := []rune(word)
	return "t#" + side(sandbox) + "#" + string(two[:min(2, len(two))])
}

func wordKey(sandbox bool, word, itemID string) table.Key {
	return key(wordPartition(sandbox, word), word+"#"+itemID)
}

func referencePartition(sandbox bool, reference string) string {
	return "x#" + side(sandbox) + "#" + reference
}

func referenceKey(sandbox bool, itemID string) table.Key {
	return key(referencePartition(sandbox, inbox.Reference(itemID)), itemID)
}

// side is r for real items, s for those of tests.
func side(sandbox bool) string {
	if sandbox {
		return "s"
	}
	return "r"
}

func codeKey(itemID string) table.Key { return key(itemPartition(itemID), sortCode) }

func triesKey(address string) table.Key { return key("otp#"+address, "o") }

func messageIDKey(messageID string) table.Key { return key("u#"+digest(messageID), "u") }

// answerKey is the row of a stored answer. Rows of one shard are read together
// when old ones are pruned.
func answerKey(scope, idempotencyKey string) table.Key {
	sum := sha256.Sum256([]byte(scope + "\x00" + idempotencyKey))
	shard := hex.EncodeToString(sum[:1])[:1]
	return key("k#"+shard, base64.RawURLEncoding.EncodeToString(sum[:]))
}

const hourPrefix = "h#"

func hourKey(r inbox.HourRow) table.Key { return key(hourPrefix+r.Resource, hourSort(r.Hour)) }

func hourSort(hour int64) string { return fmt.Sprintf("%07d", hour) }

// Set-up documents have a partition each; the catalogue shares one, so that it
// can be listed.
var (
	settingsKey = key("cfg#settings", "d")
	profileKey  = key("cfg#profile", "d")
	closuresKey = key("cfg#closures", "d")
	floorsKey   = key("cfg#floors", "d")
	hoursKey    = key(catalogue, sortHours)
)

const (
	catalogue   = "cat"
	sortHours   = "sh#" // beside the services, so that one query reads both
	sortService = "sv#"
	sortProduct = "p#"
)

func serviceHoursKey(serviceID string) table.Key { return key(catalogue, sortHours+serviceID) }

func serviceKey(id string) table.Key { return key(catalogue, sortService+id) }

func productKey(id string) table.Key { return key(catalogue, sortProduct+id) }

func skuKey(sku string) table.Key { return key("sku#"+sku, "p") }

func holderKey(holder string) table.Key { return key("hold#"+holder, "h") }

func apiKeyKey(hash string) table.Key { return key("key#"+hash, "k") }

func apiKeyListKey(id string) table.Key { return key("keys", id) }

func ackKey(addressHash string) table.Key { return key("ack#"+addressHash, "a") }

func sentKey(kind, of string) table.Key { return key("sent#"+kind+"#"+digest(of), "c") }

func mailRefKey(kind, value string) table.Key { return key("ref#"+kind+"#"+digest(value), "m") }

func digestKey(id string) table.Key { return key(id, "d") }

func linkKey(jti string) table.Key { return key("l#"+jti, "l") }

// digest makes any text fit for a key.
func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// shard spreads ids over n partitions of an index.
func shard(id string, n int) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return int(h.Sum32() % uint32(n))
}

// listPartition is the partition of a list: r for real items, s for sandbox
// ones, and the shard.
func listPartition(sandbox bool, shard int) string {
	if sandbox {
		return fmt.Sprintf("s%d", shard)
	}
	return fmt.Sprintf("r%d", shard)
}

// stampDigits is how many digits of milliseconds begin a stamp.
const stampDigits = 13

// stamp orders index entries: milliseconds, then the id.
func stamp(at inbox.Instant, id string) string {
	return fmt.Sprintf("%0*d%s", stampDigits, int64(at), id)
}

// stampID is the id in a stamp.
func stampID(stamp string) string {
	return stamp[min(len(stamp), stampDigits):]
}

// usable says whether a key can be a row's at all; callers put ids in keys that
// came from outside.
func usable(k table.Key) bool {
	return k.Partition != "" && k.Sort != "" && !strings.HasSuffix(k.Partition, "#") &&
		len(k.Partition) <= table.MaxPartition && len(k.Sort) <= table.MaxSort &&
		utf8.ValidString(k.Partition) && utf8.ValidString(k.Sort)
}

func keyOf(tableName string, r table.Row) table.Key {
	return table.Key{Table: tableName, Partition: r.String(table.PartitionKey), Sort: r.String(table.SortKey)}
}

// newRow begins a row of a key with the schema number.
func newRow(k table.Key) table.Row {
	return table.Row{table.PartitionKey: k.Partition, table.SortKey: k.Sort, attrSchema: int64(SchemaNumber)}
}
