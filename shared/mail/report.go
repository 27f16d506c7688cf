package mail

import (
	"regexp"
	"strings"
	"sync"

	"typedinbox/shared/decide"
)

// Bounds of a report.
const (
	maxReportRecipients = 100
	maxReportText       = 64 << 10 // bytes of its groups read
	maxDiagnostic       = 300
)

// readReport reads what a message says about another one: the groups of the
// standards wherever they stand in it, else a mail system's own words. nil when
// it says nothing of the kind.
func readReport(root *part, words string, r Received, d Delivery) *Report {
	var report *Report
	var returned header
	root.walk(func(p *part) {
		switch p.kind {
		case "message/delivery-status", "message/global-delivery-status":
			report = orNew(report, AutoBounce)
			report.Recipients = append(report.Recipients, deliveryGroups(p.decoded())...)
		case "message/disposition-notification", "message/global-disposition-notification":
			report = orNew(report, AutoReceipt)
			report.readDisposition(p.decoded())
		case "message/feedback-report":
			report = orNew(report, AutoFeedback)
			report.readFeedback(p.decoded())
		case "message/rfc822", "message/global", "text/rfc822-headers", "message/rfc822-headers", "message/global-headers":
			if returned == nil {
				returned, _, _ = readHeader(p.decoded())
			}
		}
	})
	if report == nil {
		report = ownWords(root, words, r, d)
	} else {
		report.Recipients = report.Recipients[:min(len(report.Recipients), maxReportRecipients)]
	}
	if report == nil {
		return nil
	}
	if report.Kind == AutoBounce && len(report.Recipients) == 0 {
		report.Recipients = []ReportRecipient{ofNobody(r.Subject, words)}
	}
	report.readReturned(returned)
	if report.Reason == "" {
		report.Reason = firstLine(words)
	}
	return report
}

// ofNobody is what became of a message that a report names no recipient of: ours
// have one.
func ofNobody(subject, words string) ReportRecipient {
	told, _ := cutCopy(words[:min(len(words), reach)])
	r := ReportRecipient{Action: ActionFailed, Status: statusIn(told), Diagnostic: firstLine(told)}
	if isLate(casefold(subject), casefold(told)) {
		r.Action = ActionDelayed
	}
	return r
}

// orNew makes a report of the first kind met: a complaint or a receipt stays
// one, whatever stands beside it.
func orNew(r *Report, kind Automation) *Report {
	if r == nil {
		return &Report{Kind: kind}
	}
	return r
}

// readReturned takes from a returned message what finds it among ours.
func (r *Report) readReturned(h header) {
	if mark := h.get("x-inbox-mail"); mark != "" && r.Mark == "" {
		r.Mark = headerText(mark, 100)
	}
	ids := r.IDs
	if id := bareID(h.get("message-id")); id != "" {
		ids = append(ids, id)
	}
	r.IDs = unique(append(ids, threadIDs(h)...), MaxIDs)
}

func unique(list []string, limit int) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range list {
		if s != "" && !seen[s] && len(out) < limit {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// groups are the blocks of fields of a report, between blank lines.
func groups(b []byte) []header {
	var list []header
	for rest := b[:min(len(b), maxReportText)]; len(rest) > 0; {
		h, after, _ := readHeader(rest)
		if len(after) >= len(rest) { // no field: pass over the line
			_, after = cutLine(rest)
		}
		if len(h) > 0 {
			list = append(list, h)
		}
		rest = after
	}
	return list
}

// deliveryGroups reads the groups of message/delivery-status that speak of a
// recipient (RFC 3464 §2.3).
func deliveryGroups(b []byte) []ReportRecipient {
	var list []ReportRecipient
	for _, h := range groups(b) {
		if !h.has("final-recipient") && !h.has("original-recipient") && !h.has("action") && !h.has("status") {
			continue
		}
		r := ReportRecipient{
			Final:      typedAddress(h.get("final-recipient")),
			Original:   typedAddress(h.get("original-recipient")),
			Status:     reportForms().status.FindString(h.get("status")),
			Diagnostic: headerText(afterType(h.get("diagnostic-code")), maxDiagnostic),
			RemoteMTA:  headerText(afterType(h.get("remote-mta")), MaxName),
		}
		if r.Final == "" {
			r.Final = r.Original
		}
		if r.Status == "" {
			r.Status = statusIn(r.Diagnostic)
		}
		r.Action = action(h.get("action"), r.Status)
		list = append(list, r)
	}
	return list
}

// action is what the field says; without it a report of a class that is no
// success speaks of a failure.
func action(value, status string) Action {
	switch a := Action(strings.ToLower(firstWord(value))); a {
	case ActionFailed, ActionDelayed, ActionDelivered, ActionRelayed, ActionExpanded:
		return a
	}
	if strings.HasPrefix(status, "2") {
		return ActionDelivered
	}
	return ActionFailed
}

// afterType is a typed field's value behind its type: "smtp; 550 …".
func afterType(value string) string {
	if kind, rest, ok := strings.Cut(value, ";"); ok && !strings.ContainsAny(kind, " @<") {
		return strings.TrimSpace(rest)
	}
	return strings.TrimSpace(value)
}

// typedAddress is the address of "rfc822; a@example.com", normalised where it
// can be.
func typedAddress(value string) string {
	value = strings.Trim(headerText(afterType(value), 320), "<> ")
	if email, ok := decide.NormalEmail(value); ok {
		return email
	}
	return value
}

// reportForms are made when first used.
var reportForms = sync.OnceValue(func() (f struct{ status, reply, address *regexp.Regexp }) {
	f.status = regexp.MustCompile(`\b[245]\.\d{1,3}\.\d{1,3}\b`)
	f.reply = regexp.MustCompile(`(?:^|[^0-9.])([45]\d\d)(?:[^0-9.]|\.?$|\. )`)
	f.address = regexp.MustCompile(`[^\s<>"'(),;:\[\]@]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
	return f
})

// statusIn is the enhanced status of a line of words: as it stands there, else
// by the reply code, else by what the words say; "" when nothing tells.
func statusIn(s string) string {
	if found := reportForms().status.FindString(s); found != "" {
		return found
	}
	if m := reportForms().reply.FindStringSubmatch(s); m != nil {
		return m[1][:1] + ".0.0"
	}
	f := casefold(s)
	for _, w := range statusWords {
		if strings.Contains(f, w.words) {
			return w.status
		}
	}
	return ""
}

// statusWords are what mail systems write instead of a code, folded.
var statusWords = []struct{ words, status string }{
	{"user unknown", "5.1.1"}, {"unknown user", "5.1.1"}, {"no such user", "5.1.1"}, {"unknown recipient", "5.1.1"}, {"no mailbox here by that name", "5.1.1"},
	{"does not exist", "5.1.1"}, {"doesn't exist", "5.1.1"}, {"doesn't have a", "5.1.1"}, {"not listed in", "5.1.1"}, {"recipient address rejected", "5.1.1"}, {"address not found", "5.1.1"}, {"address couldn't be found", "5.1.1"},
	{"invalid recipient", "5.1.1"}, {"mailbox unavailable", "5.1.1"}, {"utilizador desconhecido", "5.1.1"}, {"nao existe", "5.1.1"}, {"usuario desconocido", "5.1.1"}, {"no existe", "5.1.1"}, {"n'existe pas", "5.1.1"},
	{"existiert nicht", "5.1.1"}, {"unbekannt", "5.1.1"}, {"non esiste", "5.1.1"}, {"host unknown", "5.1.2"}, {"domain not found", "5.1.2"}, {"no such domain", "5.1.2"}, {"account is disabled", "5.2.1"},
	{"mailbox is full", "4.2.2"}, {"mailbox full", "4.2.2"}, {"over quota", "4.2.2"}, {"quota exceeded", "4.2.2"}, {"caixa de correio cheia", "4.2.2"}, {"caixa cheia", "4.2.2"}, {"buzon lleno", "4.2.2"}, {"postfach ist voll", "4.2.2"},
	{"permanent error", "5.0.0"}, {"permanent fatal", "5.0.0"}, {"failed permanently", "5.0.0"}, {"timed out", "4.4.1"}, {"temporar", "4.0.0"},
}

// readDisposition reads a disposition notification (RFC 8098).
func (r *Report) readDisposition(b []byte) {
	for _, h := range groups(b) {
		if id := bareID(h.get("original-message-id")); id != "" {
			r.IDs = append(r.IDs, id)
		}
		if r.Reason == "" {
			r.Reason = headerText(h.get("disposition"), maxDiagnostic)
		}
	}
}

// readFeedback reads a complaint (RFC 5965).
func (r *Report) readFeedback(b []byte) {
	for _, h := range groups(b) {
		if t := strings.ToLower(firstWord(h.get("feedback-type"))); t != "" && r.Feedback == "" {
			r.Feedback = headerText(t, 40)
		}
		for _, to := range h.all("original-rcpt-to") {
			if len(r.Recipients) < maxReportRecipients {
				r.Recipients = append(r.Recipients, ReportRecipient{Final: typedAddress(to), Action: ActionDelivered})
			}
		}
	}
}

// firstLine is the first line of words, for a person to read.
func firstLine(words string) string {
	for l := range strings.SplitSeq(words, "\n") {
		if l = line(l); l != "" {
			return cutRunes(l, maxDiagnostic)
		}
	}
	return ""
}
