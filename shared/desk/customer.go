package desk

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// VerifyCustomer asks for a one-time code, or with a code makes the item the
// known customer's (01 §15.4, 03 §5.1). 202 [inbox.CodeSent], 200
// [inbox.Recognised].
//
// Problems: not_found, not_allowed, nothing_to_verify, already_verified,
// bad_code, code_expired, too_many_attempts, unavailable.
func (d *Desk) VerifyCustomer(ctx context.Context, call inbox.Call, req inbox.VerifyRequest) (inbox.Answer, error) {
	return d.act(ctx, "verify_customer", req, verb{
		call: call, want: store.Want{ItemID: req.ItemID},
		people: func(ctx context.Context, f *decide.Facts) error { return d.verifying(ctx, f, req.Code) },
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.Verify(f, call.Caller, req.Code, e)
		},
	})
}

// verifying reads what a one-time code is judged on: who the customer may be,
// what was sent and guessed, and for a guess who else has the address.
func (d *Desk) verifying(ctx context.Context, f *decide.Facts, guess string) (err error) {
	address := decide.ReachedAt(f.Possible)
	if guess != "" {
		if f.Code == nil {
			return nil
		}
		address = f.Code.Address
		if f.Possible, err = d.Store.Root(ctx, f.Code.PartyID); err != nil {
			return err
		}
		if f.Holders, err = d.Store.Holders(ctx, address); err != nil {
			return err
		}
	}
	if address != "" {
		f.Tries, err = d.Store.Tries(ctx, decide.AddressKey(address))
	}
	return err
}

// people resolves whose the item is, and who a customer who asks may be.
func (d *Desk) people(ctx context.Context, v verb, f *decide.Facts) error {
	if p := f.Party; p != nil && p.MergedInto != "" {
		root, err := d.Store.Root(ctx, p.MergedInto)
		if err != nil {
			return err
		}
		if root != nil {
			f.Party = root
			decide.Resolve(f.Record, root)
		}
	}
	if v.call.IsCustomer() {
		if err := d.possible(ctx, f); err != nil {
			return err
		}
	}
	if v.people != nil {
		return v.people(ctx, f)
	}
	return nil
}

// possible reads who the customer of a weak match may be: one storage call.
func (d *Desk) possible(ctx context.Context, f *decide.Facts) (err error) {
	if f.Record.CustomerMatch == inbox.MatchWeak {
		f.Possible, err = d.Store.Root(ctx, f.Record.PossiblePartyID)
	}
	return err
}

// owned reads what the customer's view needs of people: for an agent with a
// party of its own, whose the item is by now; and who a weak match may be. No
// storage call for a stranger.
func (d *Desk) owned(ctx context.Context, f *decide.Facts, call inbox.Call) error {
	if call.PartyID != "" && f.Record.Item.PartyID != call.PartyID {
		root, err := d.Store.Root(ctx, f.Record.Item.PartyID)
		if err != nil {
			return err
		}
		decide.Resolve(f.Record, root)
	}
	return d.possible(ctx, f)
}

// history counts what the item's customer did here, over the party set.
func (d *Desk) history(ctx context.Context, r *inbox.Record) (inbox.History, error) {
	set, err := d.Store.PartySet(ctx, r.Item.PartyID)
	if err != nil {
		return inbox.History{}, err
	}
	items, err := d.Store.ItemsOfSet(ctx, set)
	return decide.HistoryOf(items, r.Item.ID), err
}

// CustomerSummary sums up what the inbox keeps of a customer, over the party set,
// under any of its ids (03 §5.2, §7). Tests are counted too: they are kept.
// Problems: not_found.
func (d *Desk) CustomerSummary(ctx context.Context, call inbox.Call, req inbox.CustomerRequest) (inbox.Answer, error) {
	p, err := d.Store.Root(ctx, req.PartyID)
	if err != nil {
		return inbox.Answer{}, err
	}
	if p == nil {
		return inbox.Answer{}, inbox.NotFound()
	}
	s := inbox.CustomerSummary{PartyID: p.ID, Name: p.DisplayName, ErasedAt: p.ErasedAt}
	if s.Parties, err = d.Store.PartySet(ctx, p.ID); err != nil {
		return inbox.Answer{}, err
	}
	items, err := d.Store.ItemsOfSet(ctx, s.Parties)
	if err != nil {
		return inbox.Answer{}, err
	}
	for i := range items {
		if err := d.sum(ctx, &s, &items[i]); err != nil {
			return inbox.Answer{}, err
		}
	}
	return reading(s, "")
}

// sum counts one item with its conversation and its mails.
func (d *Desk) sum(ctx context.Context, s *inbox.CustomerSummary, r *inbox.Record) error {
	entries, mails, err := d.Store.Volume(ctx, r.Item.ID)
	s.Items++
	s.Entries += entries
	s.Emails += mails
	if r.Item.ClosedAt == nil {
		s.OpenItems++
	}
	return err
}
