package words

// portugueseProblems are refusals a customer may hear (03 §3, Languages).
var portugueseProblems = table{
	"problem.slot_taken":                 "Esse horário está ocupado. Escolha outro, por favor.",
	"problem.past":                       "Esse horário já passou. Escolha um mais tarde, por favor.",
	"problem.not_too_soon":               "Isso é demasiado em cima da hora para nós. Escolha, por favor, um horário a partir de {earliest}.",
	"problem.within_cancellation_window": "Já não pode ser cancelado aqui: era possível até {until}. Escreva-nos, por favor.",
	"problem.started":                    "O horário já começou, por isso já não pode ser cancelado aqui. Escreva-nos, por favor.",
	"problem.promise_ahead":              "O horário já começou, por isso já não pode ser alterado aqui. Escreva-nos, por favor.",
	"problem.wrong_state":                "Isso já não é possível. {human}",
	"problem.version_conflict":           "Algo mudou desde que viu. {human}",
	"problem.no_offer":                   "Nada aguarda a sua resposta. {human}",
	"problem.proposal_present":           "Nada aguarda a sua resposta. {human}",
	"problem.has_quote":                  "Nada aguarda a sua resposta. {human}",
	"problem.offer_changed":              "Houve uma alteração desde que viu. {human}",
	"problem.offer_expired":              "Podia ser aceite até {until}. Escreva-nos, por favor, ou envie um novo pedido.",
	"problem.not_allowed":                "Não tem acesso a esse pedido. Use, por favor, o acesso que recebeu quando o enviou.",
	"problem.bad_code":                   "Não é esse o código, ou já foi usado.",
	"problem.code_expired":               "O código já não é válido. Peça outro, por favor.",
	"problem.too_many_attempts":          "Não há mais códigos por agora. Escreva-nos antes, por favor.",
	"problem.already_verified":           "Já confirmámos a sua identidade.",
	"problem.nothing_to_verify":          "Não há nada para comprovar aqui.",
	"problem.not_found":                  "Não encontramos esse pedido.",
	"problem.no_service":                 "Não aceitamos marcações para isso.",
	"problem.closed":                     "Estamos fechados nessa altura. Escolha outro horário, por favor.",
	"problem.idempotency_mismatch":       "Isso já foi enviado antes com outro conteúdo. Envie-o como um novo pedido, por favor.",
	"problem.unavailable":                "Há muitas pessoas a pedir ao mesmo tempo. Nada foi alterado; tente de novo daqui a pouco.",
}
