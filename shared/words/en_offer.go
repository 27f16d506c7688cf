package words

// englishOffer is what is said of suggestions that a person takes over.
var englishOffer = table{
	"human.offered":                     "We suggest {new.when}.",
	"human.offered@quote_request":       "It is for {new.when}.",
	"human.offered.lines":               "We suggest: {new.inline}.",
	"human.offered.lines@quote_request": "Our quote: {new.inline}.",
	"human.offered.price":               "The total is {new.price}.",
	"human.offered.price@booking":       "The price is {new.price}.",
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

	"passed_on":        "We have passed this on to a person, who will answer you.",
	"passed_on.until":  "Our suggestion still stands until {until}.",
	"passed_on.agreed": "What was agreed stands.",
}
