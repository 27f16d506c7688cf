package inbox

// PartyKind is what a party is (09).
type PartyKind string

// The kinds of party.
const (
	PartyHuman   PartyKind = "human"
	PartyAgent   PartyKind = "agent"
	PartyUnknown PartyKind = "unknown"
)

// Party is a customer of the business (01 §15.1).
type Party struct {
	ID          string    `json:"id"`
	Kind        PartyKind `json:"kind"`
	DisplayName string    `json:"displayName"` // name, else email
	Locale      string    `json:"locale,omitempty"`
	Contact     Contact   `json:"contact"`
	Notes       string    `json:"notes,omitempty"`
	ErasedAt    *Instant  `json:"erasedAt,omitempty"`
	MergedInto  string    `json:"mergedInto,omitempty"`
	Verified    string    `json:"verified,omitempty"` // the normalised e-mail address that was proven, "" for none
	CreatedAt   Instant   `json:"createdAt"`
	UpdatedAt   Instant   `json:"updatedAt"`
	// Rev is raised by every write of the row; 0 is a row that was written once.
	Rev int `json:"-"`
}

// ContactKind is what a contact value is.
type ContactKind string

// The kinds of contact.
const (
	ContactEmail ContactKind = "email"
	ContactPhone ContactKind = "phone"
)

// PartyContact is one normalised address or number of a party; (party, kind,
// value) is unique and a value may belong to many parties (01 §15.1).
type PartyContact struct {
	PartyID    string      `json:"partyId"`
	Kind       ContactKind `json:"kind"`
	Value      string      `json:"value"`
	VerifiedAt *Instant    `json:"verifiedAt,omitempty"`
	CreatedAt  Instant     `json:"createdAt"`
	// Added says that somebody with a credential of the party's added it later;
	// nothing shows that it is the party's own.
	Added bool `json:"added,omitempty"`
}
