package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// identity says how far the customer of the facts' item was recognised, and
// whether a one-time code would help: when the item may be a known customer's
// who has an e-mail address (03 §7). SentTo is the masked address that the
// latest code went to, null before one was asked for.
func identity(f *Facts) inbox.Identity {
	id := inbox.Identity{Recognised: match(f.Record), Passes: []struct{}{}, Networks: []struct{}{}}
	if _, p := verifiable(f); p == nil {
		id.Verify.Available = true
		id.Guide = inbox.Ptr(words.VerifyGuide(customerLang(f)))
	}
	if c := f.Code; c != nil && id.Recognised == inbox.MatchWeak {
		id.Verify.SentTo = inbox.Ptr(MaskAddress(c.Address))
	}
	return id
}
