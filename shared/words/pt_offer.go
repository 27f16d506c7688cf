package words

// portugueseOffer is what is said of suggestions that wait for an answer, and of
// those that a person takes over.
var portugueseOffer = table{
	"human.change":                      "Gostaríamos de alterar para: {new.inline}.",
	"human.change.stays":                "Gostaríamos de a alterar.",
	"human.change.lasts":                "Duraria {new.lasts}.",
	"human.change@booking":              "Gostaríamos de mudar para {new.when}.",
	"human.asked":                       "Pediu: {new.asked}. Até confirmarmos, a sua encomenda fica como está.",
	"human.asked@booking":               "Pediu {new.when}. Até confirmarmos, a sua marcação fica como está.",
	"human.offered":                     "Sugerimos {new.when}.",
	"human.offered@quote_request":       "É para {new.when}.",
	"human.offered.lines":               "Sugerimos: {new.inline}.",
	"human.offered.lines@quote_request": "O nosso orçamento: {new.inline}.",
	"human.offered.price":               "O total é {new.price}.",
	"human.offered.price@booking":       "O preço é {new.price}.",
	"new.on":                            "data de entrega: {new.delivery}",
	"human.offered.delivery":            "Data de entrega: {new.delivery}.",
	"human.offered.until":               "Pode aceitar até {new.until}.",

	"suggested.start":       "Horário sugerido: {value}.",
	"suggested.people":      "Número de pessoas: {value}.",
	"suggested.quantity":    "Quantidade: {value}.",
	"suggested.line":        "{quantity} × {name}.",
	"suggested.line.price":  "{quantity} × {name}, a {price} cada.",
	"suggested.line.number": "linha {number}",
	"suggested.delivery":    "Entrega: {value}.",
	"suggested.price":       "Preço sugerido: {value}.",
	"suggested.yes":         "Aceito: {value}",

	"passed_on":        "Passámos isto a uma pessoa, que lhe responderá.",
	"passed_on.until":  "A nossa sugestão mantém-se até {until}.",
	"passed_on.right":  "Pode retratar-se do contrato por inteiro.",
	"passed_on.agreed": "O que foi acordado mantém-se.",
}

// portugueseVerify is what a customer reads who may be a known one.
var portugueseVerify = table{
	"verify.guide": "Pode ser um cliente que já conhecemos. Para continuar como esse cliente, peça-nos um código: é enviado para o endereço que temos. Depois envie-o com verify_customer.",
}
