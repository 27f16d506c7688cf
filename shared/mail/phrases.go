package mail

// The words of automatic answers in six languages (05 §5.10), as they are
// written; they are compared folded, so case and accents do not matter.

// automaticSubjects begin the subject of an automatic answer.
var automaticSubjects = []string{
	// English
	"Automatic reply", "Auto-reply", "Auto reply", "Autoreply", "Automatic response", "Automated reply", "Automated response",
	"Auto response", "Autoresponse", "Out of office", "Out of the office", "OOO", "Away from", "On vacation", "On annual leave",
	"On leave", "Absence",
	// Portuguese
	"Resposta automática", "Mensagem automática", "Auto-resposta", "Ausência temporária", "Ausência", "Ausente",
	"Fora do escritório", "Fora da empresa", "Em férias", "De férias",
	// Spanish
	"Respuesta automática", "Contestación automática", "Mensaje automático", "Autorespuesta", "Fuera de la oficina",
	"Fuera de oficina", "Ausencia", "Ausente", "De vacaciones", "En vacaciones",
	// French
	"Réponse automatique", "Message automatique", "Réponse d'absence", "Message d'absence", "Absence du bureau",
	"Absent du bureau", "Absent", "Absente", "En congé", "En congés", "En vacances",
	// German
	"Automatische Antwort", "Automatische Rückantwort", "Automatische Nachricht", "Automatisch generierte Antwort", "Autoantwort",
	"Abwesenheitsnotiz", "Abwesenheitsnachricht", "Abwesenheit", "Abwesend", "Nicht im Büro", "Nicht im Haus", "Außer Haus", "Im Urlaub",
	// Italian
	"Risposta automatica", "Messaggio automatico", "Risponditore automatico", "Fuori ufficio", "Fuori sede",
	"Assenza dall'ufficio", "Assenza", "Assente", "In ferie", "In vacanza",
}

// machinePhrases are those by which a machine names itself. "…" is up to 40
// characters of the same sentence.
var machinePhrases = []string{
	"this is an automatic reply", "this is an automated reply", "this is an automated response", "this is an automated message",
	"this is an automatically generated", "this message was sent automatically", "please do not reply to this",

	"esta é uma resposta automática", "esta é uma mensagem automática", "mensagem gerada automaticamente",
	"resposta gerada automaticamente", "este email foi enviado automaticamente", "por favor não responda a est",

	"esta es una respuesta automática", "este es un mensaje automático", "mensaje generado automáticamente",
	"respuesta generada automáticamente", "este correo se ha enviado automáticamente", "por favor no responda a este",

	"ceci est une réponse automatique", "ceci est un message automatique", "message généré automatiquement",
	"réponse générée automatiquement", "ce message a été envoyé automatiquement", "merci de ne pas répondre à ce",

	"dies ist eine automatische Antwort", "dies ist eine automatische Nachricht", "dies ist eine automatisch generierte",
	"dies ist eine automatisch erzeugte", "diese Nachricht wurde automatisch", "diese E-Mail wurde automatisch",
	"bitte antworten Sie nicht auf diese",

	"questa è una risposta automatica", "questo è un messaggio automatico", "messaggio generato automaticamente",
	"risposta generata automaticamente", "questa email è stata inviata automaticamente", "si prega di non rispondere a quest",
}

// awayPhrases say that somebody is away; a person might write them too.
var awayPhrases = []string{
	"I am out of the office", "I am currently out of", "I will be out of the office", "I am away from", "I am currently away",
	"I am on annual leave", "I am on vacation", "I am on holiday", "I have limited access to …mail", "will reply when I return",
	"will respond upon my return",

	"estou fora do escritório", "encontro-me fora do escritório", "encontro-me ausente", "estarei ausente", "estou ausente",
	"estou de férias", "encontro-me de férias", "estarei de férias", "acesso limitado ao …mail", "responderei quando regressar",
	"responderei assim que regress",

	"estoy fuera de la oficina", "estaré fuera de la oficina", "me encuentro fuera de", "me encuentro ausente", "estaré ausente",
	"estoy de vacaciones", "estaré de vacaciones", "me encuentro de vacaciones", "acceso limitado al correo",
	"responderé a mi regreso", "responderé a mi vuelta",

	"je suis absent", "je suis actuellement absent", "je serai absent", "je suis en congé", "je suis actuellement en congé",
	"je suis en vacances", "en dehors du bureau", "accès limité à mes …mail", "je vous répondrai à mon retour", "dès mon retour",

	"ich bin nicht im Büro", "ich bin derzeit nicht im Büro", "ich bin außer Haus", "ich bin derzeit nicht erreichbar",
	"ich bin abwesend", "ich bin bis …abwesend", "ich bin im Urlaub", "ich befinde mich im Urlaub", "ich bin bis …im Urlaub",
	"nach meiner Rückkehr",

	"sono fuori ufficio", "sarò fuori ufficio", "sono attualmente fuori", "sono assente", "sarò assente", "sono in ferie",
	"sarò in ferie", "sono in vacanza", "accesso limitato alla …mail", "risponderò al mio rientro", "risponderò al mio ritorno",
}

// dateWords may stand between a subject of the list and a date: prepositions
// and articles, the days and months of the six languages.
var dateWords = words(`until till til from on since through between starting today tomorrow the
	até ate de desde do a entre hoje amanha a partir
	hasta desde del el hoy manana
	jusqu'au jusqu'a du au depuis le aujourd'hui demain
	bis vom von ab am zum heute morgen
	fino dal al da a oggi domani
	monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
	segunda terca quarta quinta sexta sabado domingo segunda-feira terca-feira quarta-feira quinta-feira sexta-feira
	janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
	lunes martes miercoles jueves viernes enero febrero marzo mayo junio julio septiembre octubre noviembre diciembre
	lundi mardi mercredi jeudi vendredi samedi dimanche janvier fevrier mars avril mai juin juillet aout septembre octobre decembre
	montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz juni juli oktober dezember
	lunedi martedi mercoledi giovedi venerdi gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre`)

// bounceSubjects begin the subject of a mail system's own report, folded words.
var bounceSubjects = []string{
	"undeliverable", "undelivered mail returned to sender", "undelivered mail", "delivery status notification", "failure notice",
	"mail delivery failed", "mail delivery failure", "mail delivery system", "mail system error", "mail could not be delivered", "delivery failure", "delivery notification", "delivery has failed",
	"returned mail", "returned to sender", "message not delivered", "message undeliverable", "undeliverable mail", "unzustellbar", "nicht zustellbar", "warning: message", "warning: could not send", "delayed mail",
	"delivery delayed", "message delayed", "mensagem nao entregue", "nao e possivel entregar", "nao foi possivel entregar", "falha na entrega", "entrega falhou", "mensagem devolvida", "no se puede entregar", "no se ha podido entregar",
	"non remis", "non remise", "echec de remise", "echec de la remise", "retour de courrier", "non recapitabile", "messaggio non recapitato", "mancata consegna", "notificacion de estado de entrega", "notificacao de status de entrega", "notificacao do estado de entrega",
}

// bouncePhrases stand in such a report, folded.
var bouncePhrases = []string{
	"could not be delivered", "couldn't be delivered", "wasn't delivered", "was not delivered", "has not been delivered", "unable to deliver", "not able to deliver", "undeliverable", "delivery failed", "delivery has failed",
	"delivery to the following recipient", "did not reach the following recipient", "permanent fatal errors", "permanent error", "failed permanently", "returned to sender", "user unknown", "no such user", "mailbox unavailable", "address not found",
	"the following addresses had", "failed to deliver", "not yet been delivered", "delivery attempts", "could not send message", "delivery is delayed", "delayed", "nao foi possivel entregar", "nao pode ser entregue", "nao foi entregue", "no se ha podido entregar", "no se pudo entregar", "n'a pas pu etre remis", "n'a pas ete remis",
	"konnte nicht zugestellt werden", "nicht zugestellt", "non e stato possibile recapitare", "non e stato recapitato", "mailbox is full", "quota exceeded", "over quota",
}

// delayPhrases say that a message is only late, folded.
var delayPhrases = []string{
	"this is a warning message only", "you do not need to resend", "do not need to resend your message", "not yet been delivered", "delivery attempts will continue", "will continue to be attempted", "will keep trying", "(delay)", "delivery delayed", "message delayed", "warning: message", "could not send message for past",
	"still being attempted", "will be retried", "delivery temporarily suspended",
}

// copyMarks begin the line under which a mail system returns the message,
// folded.
var copyMarks = []string{
	"--- below this line is a copy of the message", "------ this is a copy of", "----- original message follows", "----- message header follows", "----- unsent message follows", "----- original message", "--- the header of the original message", "--- original message follows",
	"------ this is a copy of the message", "original message headers:", "undelivered message headers", "--- undelivered message follows", "------ original message ------", "message headers follow:", "--- message header", "--- returned message", "--- a mensagem original", "original message header:", "------- original message headers", "*** original message ***", "the original message headers are",
}
