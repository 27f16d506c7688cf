package mail

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CutLine ends a text that was longer than what is kept (05 §5.3).
const CutLine = "[The rest of this message was cut.]"

// UnreadLine ends a text of a message with more levels or parts than are read,
// or stands in its place: the raw mail alone has the rest (05 §5.3).
const UnreadLine = "[Parts of this message were not read.]"

// maxAttribution is how much may stand between the two ends of an attribution
// line, and over how many lines (05 §5.5).
const (
	minAttribution   = 3
	maxAttribution   = 200
	attributionLines = 3
)

// stripQuoted takes quoted history and signature off a text (05 §5.5). Lines
// that begin with > are dropped wherever they stand; the first line that begins
// history or a signature ends the text, once something was written before it.
// It never strips to nothing: a text that is all history, or begins with the
// header of one, is kept whole.
func stripQuoted(s string) string {
	lines := strings.Split(s, "\n")
	var kept []string
	written := false
	length := 0
	for i := 0; i < len(lines) && length <= utf8.UTFMax*MaxText; i++ { // more is cut anyway
		t := strings.TrimSpace(lines[i])
		if strings.HasPrefix(t, ">") {
			continue
		}
		if t != "" && isForward(t) {
			kept = append(kept, lines[i:]...) // a message passed on is content
			break
		}
		if n := attribution(lines, i); n > 0 && (written || quotedNext(lines, i+n)) {
			if written && !answersBelow(lines, i+n) {
				break
			}
			i += n - 1 // the quotation is marked: what stands between and below it is theirs
			continue
		}
		if t != "" && !written && earlier(lines, i, t) {
			return tidy(s) // passed on without a word
		}
		if t != "" && written && endsText(lines, i, t) {
			break
		}
		written = written || t != ""
		kept = append(kept, strings.TrimRight(lines[i], " \t"))
		length += len(t)
	}
	if out := tidy(strings.Join(kept, "\n")); out != "" {
		return out
	}
	return tidy(s)
}

// endsText says whether a line begins what is not the sender's message any
// more: an earlier message or a signature.
func endsText(lines []string, i int, t string) bool {
	return t == "--" || earlier(lines, i, t) || deviceLine(t)
}

// earlier says whether a line begins an earlier message.
func earlier(lines []string, i int, t string) bool {
	switch t[0] {
	case '-':
		return originalMark(t)
	case '_':
		return underscores(t) && (headerBlock(lines, i+1) || headerBlock(lines, i+2))
	}
	return headerBlock(lines, i) && (i == 0 || !formLine(lines[i-1]))
}

// formLine says whether a line is one of a form's, as websites mail them: a short
// label and a value. From and Subject under it are more of the form.
func formLine(l string) bool {
	label, value, ok := strings.Cut(strings.Trim(strings.TrimSpace(l), "*"), ":")
	label = strings.Trim(label, "* \u00a0")
	last, _ := utf8.DecodeLastRuneInString(label)
	return ok && strings.TrimSpace(value) != "" && len(label) <= 20 && unicode.IsLetter(last) && strings.Count(label, " ") < 2
}

// underscores says whether a line is twenty or more of them and nothing else.
func underscores(t string) bool { return len(t) >= 20 && strings.Trim(t, "_") == "" }

// originalWords stand between dashes before an earlier message.
var originalWords = map[string]bool{
	"original message": true, "mensagem original": true, "mensaje original": true, "message d'origine": true, "message original": true,
	"ursprungliche nachricht": true, "original-nachricht": true, "urspr. nachricht": true, "messaggio originale": true, "oorspronkelijk bericht": true,
	"reply message": true, "original appointment": true, "mail original": true, "ursprungliche mail": true,
}

// originalMark says whether a line is -----Original Message----- in one of the
// languages.
func originalMark(t string) bool {
	if !strings.HasPrefix(t, "--") || !strings.HasSuffix(t, "--") || len(t) > 100 {
		return false
	}
	return originalWords[casefold(strings.Trim(t, "- "))]
}

// attributed is how mail programs introduce a quotation: what the line begins
// with and what it ends with, folded. Those that could begin a person's own
// sentence need a digit or an address between.
var attributed = []struct {
	begins, ends string
	date         bool
}{
	{"on ", "wrote:", false}, {"em ", "escreveu:", false}, {"a ", "escreveu:", false}, {"le ", "a ecrit:", false}, {"el ", "escribio:", false},
	{"no dia ", "escreveu:", true}, {"as ", "escreveu:", true}, {"o dia ", "escreveu:", true}, {"il ", "ha scritto:", true}, {"op ", ":", true},
	{"am ", ":", true}, {"", "escreveu:", true}, {"", "wrote:", true}, {"", "a ecrit:", true}, {"", "escribio:", true}, {"", "ha scritto:", true},
}

// attribution says how many lines from i on introduce a quotation, 0 for none.
func attribution(lines []string, i int) int {
	joined := ""
	near := lines[i:min(len(lines), i+attributionLines)]
	if !slices.ContainsFunc(near, func(l string) bool { return strings.HasSuffix(strings.TrimRight(l, " \t\u00a0"), ":") }) {
		return 0
	}
	for n := 1; n <= attributionLines && i+n <= len(lines); n++ {
		t := strings.TrimSpace(lines[i+n-1])
		if t == "" || strings.HasPrefix(t, ">") || len(joined)+len(t) > 2*maxAttribution {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + t)
		if strings.HasSuffix(t, ":") && introduces(joined) {
			return n
		}
	}
	return 0
}

func introduces(whole string) bool {
	t := strings.ReplaceAll(casefold(whole), " :", ":")
	for _, a := range attributed {
		rest, begins := strings.CutPrefix(t, a.begins)
		middle, ends := strings.CutSuffix(rest, a.ends)
		n := utf8.RuneCountInString(strings.TrimSpace(middle))
		if !begins || !ends || n < minAttribution || n > maxAttribution || a.date && !dated(middle) {
			continue
		}
		if a.begins == "" && !strings.Contains(middle, "@") || !wrote(a.begins, middle) {
			continue
		}
		return true
	}
	return strings.Contains(t, "@") && len(t) < maxAttribution &&
		(strings.Contains(t, "> escreveu ") || strings.Contains(t, "> schrieb am ") || t[0] >= '0' && t[0] <= '9' && strings.HasSuffix(t, ">:"))
}

// wrote says whether the verb stands where a language has it before who wrote.
func wrote(begins, middle string) bool {
	switch begins {
	case "am ":
		return strings.Contains(middle, " schrieb ") || strings.HasSuffix(middle, " schrieb") || strings.HasSuffix(middle, " geschrieben")
	case "op ":
		return strings.Contains(middle, " schreef ") || strings.HasSuffix(middle, " schreef")
	}
	return true
}

// dated says whether a text has a digit or an address.
func dated(s string) bool { return strings.ContainsAny(s, "0123456789@") }

// quotedNext says whether the next line that is not blank is quoted.
func quotedNext(lines []string, i int) bool {
	for ; i < len(lines); i++ {
		if t := strings.TrimSpace(lines[i]); t != "" {
			return strings.HasPrefix(t, ">")
		}
	}
	return false
}

// answersBelow says whether a marked quotation begins at i and something was
// written between its lines or under them: then the marks tell what is quoted.
func answersBelow(lines []string, i int) bool {
	if !quotedNext(lines, i) {
		return false
	}
	for ; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if t == "" || strings.HasPrefix(t, ">") || wrapped(lines, i) {
			continue
		}
		return attribution(lines, i) == 0 && !endsText(lines, i, t)
	}
	return false
}

// wrapped says whether a line looks like the end of a quoted one that a mail
// program broke without marking it: between two quoted lines, the first of them
// long, and itself no beginning of a sentence.
func wrapped(lines []string, i int) bool {
	if i == 0 || i+1 >= len(lines) {
		return false
	}
	before, after := strings.TrimSpace(lines[i-1]), strings.TrimSpace(lines[i+1])
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(lines[i]))
	return !unicode.IsUpper(first) && !unicode.IsDigit(first) && len(before) >= 65 && before[0] == '>' && strings.HasPrefix(after, ">")
}

// headerLabels are the fields of an earlier message shown in a text, folded.
// Those marked stand in no list a person writes of a journey.
var headerLabels = map[string]bool{
	"from": false, "de": false, "von": false, "da": false, "van": false, "date": false, "data": false, "datum": false, "fecha": false,
	"to": false, "para": false, "an": false, "a": false, "aan": false, "cc": false, "bcc": false, "reply-to": false, "importance": false,
	"sent": true, "enviado": true, "enviada": true, "enviadas": true, "enviado em": true, "enviada em": true, "verzonden": true, "enviado el": true, "envoye": true, "gesendet": true, "inviato": true,
	"subject": true, "assunto": true, "asunto": true, "objet": true, "sujet": true, "betreff": true, "oggetto": true, "onderwerp": true,
}

// headerBlock says whether two or more lines from i on are the header of an
// earlier message: among them an address, a subject or when it was sent, so that
// a journey's From, To and Date stay what the customer wrote.
func headerBlock(lines []string, i int) bool {
	n, proof := 0, false
	for ; i+n < len(lines) && n < 8; n++ {
		label, value, ok := strings.Cut(strings.Trim(strings.TrimSpace(lines[i+n]), "*"), ":")
		if !ok || len(label) > 20 {
			return n >= 2 && proof
		}
		sure, known := headerLabels[casefold(strings.Trim(label, "* \u00a0"))]
		if !known {
			break
		}
		proof = proof || sure || strings.Contains(value, "@")
	}
	return n >= 2 && proof
}

// deviceWords begin the line a telephone puts under a mail, folded.
var deviceWords = []string{
	"sent from my ", "sent from yahoo mail", "sent from outlook", "sent from mail for", "sent from mail<", "sent from proton mail", "sent with proton mail", "get outlook for ", "enviado do meu ", "enviado a partir do ",
	"enviado da minha ", "obter o outlook para ", "obter outlook para ", "enviado desde mi ", "enviado desde correo ", "enviado do yahoo mail", "enviado do outlook", "enviado do correio ", "enviado do email para ", "envoye de mon ", "envoye depuis mon ", "envoye a partir d",
	"von meinem ", "von meinem/", "gesendet von mail", "gesendet von outlook", "gesendet von meinem ", "gesendet von iphone", "gesendet von yahoo", "gesendet mit der ",
	"inviato da iphone", "inviato da ipad", "inviato da outlook", "inviato da posta", "inviato da mail", "inviato da yahoo", "inviato da smartphone", "inviato dal mio ",
	"obtener outlook para ", "obtenir outlook pour ", "telecharger outlook pour ", "outlook fur ", "holen sie sich outlook fur ", "scarica outlook per ", "ottieni outlook per ",
}

func deviceLine(t string) bool {
	if len(t) > 200 {
		return false
	}
	if strings.IndexByte("sSgGeEoOvViItThH", t[0]) < 0 {
		return false
	}
	f := casefold(t)
	for _, w := range deviceWords {
		if rest, ok := strings.CutPrefix(f, w); ok && (!strings.HasPrefix(w, "von meinem") && w != "gesendet mit der " || strings.Contains(rest, "gesendet") || strings.Contains(rest, " app")) {
			return true
		}
	}
	return false
}

// forwardWords stand, folded, where a message begins that was passed on.
var forwardWords = []string{
	"forwarded message", "mensagem reencaminhada", "mensagem encaminhada", "mensaje reenviado", "message transfere", "message reexpedie", "weitergeleitete nachricht", "messaggio inoltrato",
	"begin forwarded message", "inicio da mensagem reencaminhada", "inicio da mensagem encaminhada", "inicio del mensaje reenviado",
	"debut du message reexpedie", "debut du message transfere", "anfang der weitergeleiteten nachricht", "inizio messaggio inoltrato",
}

// isForward says whether a line begins a message that was passed on: the words
// between dashes, or alone with at most a colon.
func isForward(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) > 200 {
		return false
	}
	dashed := strings.HasPrefix(s, "--")
	f := casefold(strings.Trim(s, "- "))
	for _, w := range forwardWords {
		if rest, ok := strings.CutPrefix(f, w); ok && (dashed || strings.Trim(rest, " :") == "") {
			return true
		}
	}
	return false
}
