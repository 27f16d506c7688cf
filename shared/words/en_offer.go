package words

// englishOffer is what is said of suggestions that a person takes over.
var englishOffer = table{
	"human.change":                      "We would like to change it to: {new.inline}.",
	"human.change.stays":                "We would like to change it.",
	"human.change.lasts":                "It would last {new.lasts}.",
	"human.change@booking":              "We would like to move it to {new.when}.",
	"human.asked":                       "You asked for: {new.asked}. Until we confirm it, your order stays as it is.",
	"human.asked@booking":               "You asked for {new.when}. Until we confirm it, your booking stays as it is.",
	"human.offered":                     "We suggest {new.when}.",
	"human.offered@quote_request":       "It is for {new.when}.",
	"human.offered.lines":               "We suggest: {new.inline}.",
	"human.offered.lines@quote_request": "Our quote: {new.inline}.",
	"human.offered.price":               "The total is {new.price}.",
	"human.offered.price@booking":       "The price is {new.price}.",
	"new.on":                            "date of delivery: {new.delivery}",
	"human.offered.delivery":            "Date of delivery: {new.delivery}.",
	"human.offered.until":               "You can accept until {new.until}.",

	"suggested.start":       "Suggested time: {value}.",
	"suggested.people":      "Number of people: {value}.",
	"suggested.quantity":    "Quantity: {value}.",
	"suggested.line":        "{quantity} × {name}.",
	"suggested.line.price":  "{quantity} × {name}, at {price} each.",
	"suggested.line.number": "line {number}",
	"suggested.delivery":    "Delivery: {value}.",
	"suggested.price":       "Suggested price: {value}.",
	"suggested.yes":         "I accept: {value}",

	"passed_on":        "We have passed this on to a person, who will answer you.",
	"passed_on.until":  "Our suggestion still stands until {until}.",
	"passed_on.right":  "You may withdraw from the whole of it.",
	"passed_on.agreed": "What was agreed stands.",
}
