package decide

import (
	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// Owns refuses a customer whose the item is not: neither their party's nor
// opened by the token they sent (01 §1.2). Problems: not_allowed.
func Owns(r *inbox.Record, c inbox.Caller) error {
	if p := owns(r, c); p != nil {
		return p
	}
	return nil
}

func owns(r *inbox.Record, c inbox.Caller) *inbox.Problem {
	if c.PartyID != "" && c.PartyID == r.Item.PartyID {
		return nil
	}
	if c.AccessToken != "" && canon.EqualHash(canon.HashToken(c.AccessToken), r.AccessTokenHash) {
		return nil
	}
	return inbox.NotAllowed("", "This item is not yours, or its access token is missing or wrong.")
}

// changeIsOwn says whether the open change is the business's.
func changeIsOwn(p inbox.Payload) bool { return machine.ChangeBy(p) == inbox.SideBusiness }
