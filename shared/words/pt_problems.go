package words

// portugueseProblems are refusals a customer may hear (03 §3, Languages).
var portugueseProblems = table{
	"problem.slot_taken":           "Esse horário está ocupado. Escolha outro, por favor.",
	"problem.past":                 "Esse horário já passou. Escolha um mais tarde, por favor.",
	"problem.not_too_soon":         "É demasiado cedo para nós. Escolha, por favor, um horário a partir de {earliest}.",
	"problem.cancellation_window":  "Já não pode ser cancelado aqui: era possível até {until}. Escreva-nos, por favor.",
	"problem.started":              "O horário já começou, por isso já não pode ser cancelado aqui. Escreva-nos, por favor.",
	"problem.wrong_state":          "Isso já não é possível. {human}",
	"problem.version_conflict":     "Algo mudou desde que viu. {human}",
	"problem.not_found":            "Não encontramos esse pedido.",
	"problem.no_service":           "Não aceitamos marcações para isso.",
	"problem.closed":               "Estamos fechados nessa altura. Escolha outro horário, por favor.",
	"problem.idempotency_mismatch": "Isso já foi enviado antes com outro conteúdo. Envie-o como um novo pedido, por favor.",
	"problem.unavailable":          "Há muitas pessoas a pedir ao mesmo tempo. Nada foi alterado; tente de novo daqui a pouco.",
}
