package inbox

// Personal lists, for each place where an event keeps values, the paths whose
// values are about a person. They enter an event's hash as salted MACs, so an
// erasure can blank them and the chain still verifies (00 §4). A path names
// top-level keys; everything below one is personal with it.
var Personal = struct {
	Reason  bool     // event.reason
	Payload []string // keys of diff.payload
	Input   []string // keys of meta.input
	Meta    []string // keys of meta
}{
	Reason:  true,
	Payload: []string{"text", "subject", "inReplyTo", "description", "deliveryAddress", "billingAddress", "shippingAddress", "notes", "reason", "instructions", "disputed", "quote"},
	Input:   []string{"note", "notes", "text", "instructions"},
	Meta:    []string{"actor_name"},
}
