package words

// englishRight is what an item says of itself and a mail says too: the right to
// withdraw, a price, what goes back.
var englishRight = table{
	"fact.personal":         "This price was set for you by automated decision-making. List price: {list}.",
	"fact.says":             "{says}",
	"subject.two":           "{first} and 1 more",
	"subject.several":       "{first} and {more} more",
	"new.personal":          "This price was set for you by automated decision-making. List price: {new.list}.",
	"new.says":              "{new.says}",
	"new.held":              "We are keeping this time for you until then.",
	"new.unheld":            "We are not keeping this time for you: it goes to whoever books it first.",
	"new.withdrawable":      "Until you accept, we may still take this back.",
	"right.label":           "Withdraw from contract here",
	"right.label.uk":        "Cancel this contract here",
	"right.confirm":         "Confirm withdrawal",
	"right.confirm.uk":      "Confirm cancellation",
	"statement@booking":     "I hereby give notice that I withdraw from my contract for {what}, reference {reference}.",
	"statement@order":       "I hereby give notice that I withdraw from my contract of sale of {what}, reference {reference}.",
	"statement":             "I hereby give notice that I withdraw from my contract for {what}, reference {reference}.",
	"statement.uk@booking":  "I hereby give notice that I cancel my contract for {what}, reference {reference}.",
	"statement.uk@order":    "I hereby give notice that I cancel my contract of sale of {what}, reference {reference}.",
	"statement.uk":          "I hereby give notice that I cancel my contract for {what}, reference {reference}.",
	"why.not_agreed":        "Nothing is agreed yet, so there is nothing to withdraw from.",
	"why.business_customer": "The right of withdrawal is for consumers.",
	"why.not_paid":          "It is not paid yet, so it can simply be cancelled.",
	"why.started":           "It has begun already.",
	"why.lapsed":            "The time to withdraw from this contract is over.",
	"refund.by":             "Please send it back by {refund.by}.",
	"refund.money":          "We will pay back {refund.amount} the way you paid, by {refund.due}.",
}
