package settings

import "strings"

// senderName is the local part mail is sent from unless email.fromAddress names
// an address.
const senderName = "inbox"

// Sender is the address mail is sent from: email.fromAddress when it stands at
// the stack's mail domain, else one made there; false when there is no domain
// (05 §4.1, 09).
func (s Settings) Sender(mailDomain string) (address string, ok bool) {
	if mailDomain == "" {
		return "", false
	}
	if a := s.Email.FromAddress; a != "" && strings.HasSuffix(strings.ToLower(a), "@"+strings.ToLower(mailDomain)) {
		return a, true
	}
	return senderName + "@" + mailDomain, true
}
