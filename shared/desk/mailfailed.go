package desk

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// MailFailed gives up a mail to a customer: in one write its row fails, the item
// says so and asks for a person, and a note stays inside (05 §4.10). m is the
// mail as it will stand, under the lease it was taken with. When the item moves
// twice meanwhile, the mail's row alone is written. It says whether it gave the
// mail up: not when another run sent it or took it over.
func (d *Desk) MailFailed(ctx context.Context, m inbox.Mail) (given bool, err error) {
	for range 2 {
		f, err := d.facts(ctx, store.Want{ItemID: m.ItemID})
		if refusal(err) == inbox.CodeNotFound {
			break
		}
		if err != nil {
			return false, err
		}
		err = d.tell(ctx, decide.MailFailed(f, m, d.env()).Write)
		if lost, ok := store.AsLost(err); !ok || !lost.Version {
			return err == nil, err
		}
	}
	err = d.Store.MailDone(ctx, &m)
	if lost, ok := store.AsLost(err); ok && lost.Version {
		return false, nil
	}
	return err == nil, err
}
