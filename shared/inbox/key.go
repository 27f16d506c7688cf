package inbox

// Key is an API key as it is stored: the secret only as its hash (03 §9.1).
type Key struct {
	ID         string   `json:"id"`
	Hash       string   `json:"hash"` // lower-case hex SHA-256 of the whole key
	Hint       string   `json:"hint"` // first 12 characters, …, last 4
	Name       string   `json:"name"`
	Kind       KeyKind  `json:"kind"`
	Scopes     []Scope  `json:"scopes"`
	PartyID    string   `json:"partyId,omitempty"`
	UserID     string   `json:"userId,omitempty"`
	CreatedBy  string   `json:"createdBy"`
	CreatedAt  Instant  `json:"createdAt"`
	LastUsedAt *Instant `json:"lastUsedAt,omitempty"` // written at most once a minute
	ExpiresAt  *Instant `json:"expiresAt,omitempty"`
	RevokedAt  *Instant `json:"revokedAt,omitempty"`
}

// KeyKind is what a key opens.
type KeyKind string

// The kinds of key.
const (
	KeyOwner       KeyKind = "owner"
	KeyIntegration KeyKind = "integration"
	KeyAgent       KeyKind = "agent"
)

// Live says whether the key opens anything at an instant.
func (k Key) Live(now Instant) bool {
	return k.RevokedAt == nil && (k.ExpiresAt == nil || now < *k.ExpiresAt)
}
