package decide

import (
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// customerLang is the language the item's customer is written to (05 §1.2).
func customerLang(f *Facts) format.Lang {
	return format.Language(f.Record.Locale, f.Business.Languages)
}

func ownerLang(f *Facts) format.Lang { return format.Language("", f.Business.Languages) }

// CustomerLang is the language the item's customer is written to.
func CustomerLang(f Facts) format.Lang { return customerLang(&f) }

// OwnerLang is the language of the business.
func OwnerLang(f Facts) format.Lang { return ownerLang(&f) }

// customerHuman is the sentence a customer's assistant relays word for word; of
// spam it says that it is closed.
func customerHuman(f *Facts) string {
	a := about(f)
	a.State = machine.Of(a.Type).SeenByCustomer(a.State)
	return words.Human(customerLang(f), a)
}

func ownerHuman(f *Facts) string { return words.OwnerHuman(ownerLang(f), about(f)) }

// transitions puts a label on each event, for the side that fires it. What the
// business fires while an offer of its own waits records the customer's answer.
func transitions(events []string, lang format.Lang, r *inbox.Record, c inbox.Caller) []inbox.Transition {
	side := inbox.SideBusiness
	if c.IsCustomer() {
		side = inbox.SideCustomer
	}
	recorded := side == inbox.SideBusiness && (openPointer(r, inbox.SideBusiness) != nil || changeIsOwn(r.Item.Payload))
	list := make([]inbox.Transition, len(events))
	for i, event := range events {
		list[i] = inbox.Transition{Event: event, Label: words.EventLabel(lang, side, r.Item.Type, event, recorded)}
	}
	return list
}

// next lists the doors that stand open to the customer, with their labels.
func next(r *inbox.Record, events []string, lang format.Lang) []inbox.NextStep {
	names := actionsNow(r, events)
	own := machine.ChangeBy(r.Item.Payload) == inbox.SideCustomer
	steps := make([]inbox.NextStep, len(names))
	for i, name := range names {
		steps[i] = inbox.NextStep{Action: name, Label: words.ActionLabel(lang, r.Item.Type, r.Item.State, name, own)}
	}
	return steps
}
