package words

// englishContract is what a customer confirms before an order or a booking that
// costs something is written (02 §5.3), and why there is no right of withdrawal
// for some of it (02 §9.2).
var englishContract = table{
	"confirm.ask":    "{summary} Nothing is sent yet. Ask the customer, and only on a clear yes send the same request again with this terms_sha.",
	"confirm.accept": "{summary} Nothing is booked yet. Ask the customer, and only on a clear yes send the same answer again with this terms_sha.",

	"summary@booking": "{name}, {when}, for {total}.",
	"summary@order":   "Your order: {lines}. Total: {total}.",
	"summary.line":    "{quantity} × {name} ({price})",

	"summary.trader":  "You contract with {trader}.",
	"summary.address": "You contract with {trader}, {address}.",

	"summary.right@order":      "You may withdraw from the contract within {days} days of receiving the goods.",
	"summary.right@booking":    "You may withdraw from the contract within {days} days of booking.",
	"summary.right.uk@order":   "You may cancel the contract within {days} days of receiving the goods.",
	"summary.right.uk@booking": "You may cancel the contract within {days} days of booking.",
	"summary.soon.uk": "It starts before these {days} days are over: by confirming you ask for it to start then; " +
		"if you cancel after it began, you pay for what was done until then, and once it is fully done you can no longer cancel.",
	"right.name":    "right of withdrawal",
	"right.name.uk": "right to cancel",
	"summary.soon": "It starts before these {days} days are over: by confirming you ask for it to start then; " +
		"if you withdraw after it began, you pay for what was done until then, and once it is fully done you can no longer withdraw.",

	"summary.pay": "By confirming you take on an obligation to pay {total}.",

	"excepted.personalised":     "There is no {right}, since it is made to your order.",
	"excepted.perishable":       "There is no {right}, since it spoils quickly.",
	"excepted.sealed_hygiene":   "There is no {right} once the seal is broken, for reasons of health and hygiene.",
	"excepted.sealed_media":     "There is no {right} once the seal of the recording or software is broken.",
	"excepted.mixed":            "There is no {right}, since it is mixed inseparably with other things once delivered.",
	"excepted.dated_leisure":    "There is no {right}, since it is for a set date.",
	"excepted.urgent_repair":    "There is no {right}, since you asked for an urgent repair.",
	"excepted.digital_started":  "There is no {right} once the digital content is being supplied, as you ask.",
	"excepted.price_fluctuates": "There is no {right}, since the price follows a market we do not control.",

	"right.goods":      "You may withdraw from this contract within {right.days} days of receiving the goods.",
	"right.goods.uk":   "You may cancel this contract within {right.days} days of receiving the goods.",
	"right.service":    "You may withdraw from this contract within {right.days} days of booking.",
	"right.service.uk": "You may cancel this contract within {right.days} days of booking.",
	"right.until":      "You may withdraw from this contract until {right.until}.",
	"right.until.uk":   "You may cancel this contract until {right.until}.",
	"right.excepted":   "{right.exception}",
	"right.form": "Model withdrawal form\n" +
		"(complete and return this form only if you wish to withdraw from the contract)\n" +
		"- To: {trader.form}\n" +
		"- I/We (*) hereby give notice that I/We (*) withdraw from my/our (*) contract of sale of the following goods (*) / for the provision of the following service (*): {bare}, reference {reference}\n" +
		"- Ordered on (*) / received on (*):\n- Name of consumer(s):\n- Address of consumer(s):\n" +
		"- Signature of consumer(s) (only if this form is notified on paper):\n- Date:\n(*) Delete as appropriate.",
	"right.form.uk": "Model cancellation form\n" +
		"- To: {trader.form}\n" +
		"- I/We [*] hereby give notice that I/We [*] cancel my/our [*] contract of sale of the following goods [*] / for the supply of the following service [*]: {bare}, reference {reference}\n" +
		"- Ordered on [*] / received on [*]:\n- Name of consumer(s):\n- Address of consumer(s):\n" +
		"- Signature of consumer(s) (only if this form is notified on paper):\n- Date:\n[*] Delete as appropriate.",
	"right.trader": "{trader}",
	"right.vat":    "VAT {vat}",
}
