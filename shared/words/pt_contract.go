package words

// portugueseContract is what a customer confirms before an order or a booking
// that costs something is written (02 §5.3, §9.2).
var portugueseContract = table{
	"confirm.ask":    "{summary} Ainda nada foi enviado. Pergunte ao cliente e, só com um sim claro, envie de novo o mesmo pedido com este terms_sha.",
	"confirm.accept": "{summary} Ainda nada foi marcado. Pergunte ao cliente e, só com um sim claro, envie de novo a mesma resposta com este terms_sha.",

	"summary@booking": "{name}, {when}, por {total}.",
	"summary@order":   "A sua encomenda: {lines}. Total: {total}.",
	"summary.line":    "{quantity} × {name} ({price})",

	"summary.trader":  "Contrata com {trader}.",
	"summary.address": "Contrata com {trader}, {address}.",

	"summary.right@order":      "Pode retratar-se do contrato no prazo de {days} dias a contar da receção dos artigos.",
	"summary.right@booking":    "Pode retratar-se do contrato no prazo de {days} dias a contar da marcação.",
	"summary.right.uk@order":   "Pode retratar-se do contrato no prazo de {days} dias a contar da receção dos artigos.",
	"summary.right.uk@booking": "Pode retratar-se do contrato no prazo de {days} dias a contar da marcação.",
	"summary.soon.uk": "Começa antes de esses {days} dias terminarem: ao confirmar, pede que comece nessa altura; " +
		"se se retratar depois de ter começado, paga o que foi feito até então, e, uma vez totalmente prestado, já não se pode retratar.",
	"right.name":    "direito de retratação",
	"right.name.uk": "direito de retratação",
	"summary.soon": "Começa antes de esses {days} dias terminarem: ao confirmar, pede que comece nessa altura; " +
		"se se retratar depois de ter começado, paga o que foi feito até então, e, uma vez totalmente prestado, já não se pode retratar.",

	"summary.pay": "Ao confirmar, assume a obrigação de pagar {total}.",

	"excepted.personalised":     "Não há {right}, porque é feito por medida.",
	"excepted.perishable":       "Não há {right}, porque se deteriora depressa.",
	"excepted.sealed_hygiene":   "Não há {right} depois de quebrado o selo, por razões de saúde e higiene.",
	"excepted.sealed_media":     "Não há {right} depois de quebrado o selo da gravação ou do software.",
	"excepted.mixed":            "Não há {right}, porque, depois de entregue, fica misturado de forma inseparável com outros artigos.",
	"excepted.dated_leisure":    "Não há {right}, porque é para uma data marcada.",
	"excepted.urgent_repair":    "Não há {right}, porque pediu uma reparação urgente.",
	"excepted.digital_started":  "Não há {right} depois de iniciado o fornecimento do conteúdo digital, como pede.",
	"excepted.price_fluctuates": "Não há {right}, porque o preço segue um mercado que não controlamos.",

	"right.goods":      "Pode retratar-se deste contrato no prazo de {right.days} dias a contar da receção dos artigos.",
	"right.goods.uk":   "Pode retratar-se deste contrato no prazo de {right.days} dias a contar da receção dos artigos.",
	"right.service":    "Pode retratar-se deste contrato no prazo de {right.days} dias a contar da marcação.",
	"right.service.uk": "Pode retratar-se deste contrato no prazo de {right.days} dias a contar da marcação.",
	"right.until":      "Pode retratar-se deste contrato até {right.until}.",
	"right.until.uk":   "Pode retratar-se deste contrato até {right.until}.",
	"right.excepted":   "{right.exception}",
	"right.form":       statutoryForm,
	"right.form.uk":    statutoryForm,
	"right.trader":     "{trader}",
	"right.vat":        "NIF {vat}",
}

// statutoryForm is the form of the Portuguese law (livre resolução), whatever
// the law of the contract: no other is in the language.
const statutoryForm = "Modelo de formulário de livre resolução\n" +
	"(só deve preencher e devolver o presente formulário se quiser resolver o contrato)\n" +
	"- Para: {trader.form}\n" +
	"- Pela presente comunico/comunicamos (*) que resolvo/resolvemos (*) do meu/nosso (*) contrato de compra e venda relativo ao seguinte bem (*) / " +
	"para a prestação do seguinte serviço (*): {bare}, referência {reference}\n" +
	"- Solicitado em (*) / recebido em (*):\n- Nome do(s) consumidor(es):\n- Endereço do(s) consumidor(es):\n" +
	"- Assinatura do(s) consumidor(es) (só no caso de o presente formulário ser notificado em papel):\n- Data:\n(*) Riscar o que não interessa."
