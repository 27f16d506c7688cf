package words

// portugueseRight is what an item says of itself and a mail says too: the right
// to withdraw, a price, what goes back.
var portugueseRight = table{
	"fact.personal":         "Este preço foi definido para si por decisão automatizada. Preço de tabela: {list}.",
	"fact.says":             "{says}",
	"subject.two":           "{first} e mais 1 artigo",
	"subject.several":       "{first} e mais {more} artigos",
	"new.personal":          "Este preço foi definido para si por decisão automatizada. Preço de tabela: {new.list}.",
	"new.says":              "{new.says}",
	"new.held":              "Guardamos este horário para si até lá.",
	"new.unheld":            "Este horário não está guardado para si: fica para quem o marcar primeiro.",
	"new.withdrawable":      "Até aceitar, ainda podemos voltar atrás.",
	"right.label":           "Retrate-se do contrato aqui",
	"right.label.uk":        "Retrate-se do contrato aqui",
	"right.confirm":         "Confirmar retratação",
	"right.confirm.uk":      "Confirmar retratação",
	"statement@booking":     "Pela presente comunico que me retrato do meu contrato relativo a {what}, referência {reference}.",
	"statement@order":       "Pela presente comunico que me retrato do meu contrato de compra e venda de {what}, referência {reference}.",
	"statement":             "Pela presente comunico que me retrato do meu contrato relativo a {what}, referência {reference}.",
	"statement.uk@booking":  "Pela presente comunico que me retrato do meu contrato relativo a {what}, referência {reference}.",
	"statement.uk@order":    "Pela presente comunico que me retrato do meu contrato de compra e venda de {what}, referência {reference}.",
	"statement.uk":          "Pela presente comunico que me retrato do meu contrato relativo a {what}, referência {reference}.",
	"why.not_agreed":        "Ainda nada foi acordado, por isso não há nada de que se retratar.",
	"why.business_customer": "O direito de retratação é dos consumidores.",
	"why.not_paid":          "Ainda não foi pago, por isso pode simplesmente cancelar.",
	"why.started":           "Já começou.",
	"why.lapsed":            "O prazo para se retratar deste contrato terminou.",
	"refund.by":             "Envie a devolução, por favor, até {refund.by}.",
	"refund.money":          "Vamos reembolsar {refund.amount} pela forma como pagou, até {refund.due}.",
}
