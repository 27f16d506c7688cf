package mail

import (
	"strings"

	"typedinbox/shared/decide"
)

// reach is how much of a mail system's words is read, in bytes.
const reach = 32 << 10

// ownWords reads a bounce that follows no standard: those of qmail, Exim,
// sendmail, Postfix without its report, Exchange, Domino and of large providers
// (05 §5.10). It is one when a mail system sent it and it says so; a mail that
// quotes such words is a person's. nil for anything else.
func ownWords(root *part, words string, r Received, d Delivery) *Report {
	h := root.header
	words = words[:min(len(words), reach)]
	told, copied := cutCopy(words)
	subject, f := casefold(r.Subject), casefold(told)
	failed := h.has("x-failed-recipients")
	system := failed || systemSender(h, r, d)
	if !system || !failed && !begins(subject, bounceSubjects) && !anyOf(f, bouncePhrases) {
		return nil
	}
	report := &Report{Kind: AutoBounce, Reason: reasonOf(told)}
	report.Recipients = recipientsOf(h, told, r)
	for i := range report.Recipients {
		if isLate(subject, f) {
			report.Recipients[i].Action = ActionDelayed
		}
	}
	returned, _, _ := readHeader([]byte(strings.TrimLeft(copied, "\n ")))
	report.readReturned(returned)
	return report
}

// isLate says whether a report speaks of a message that is only late, its words
// folded.
func isLate(subject, told string) bool {
	return anyOf(told, delayPhrases) || anyOf(subject, delayPhrases)
}

// systemSender says whether a mail system is named as the sender.
func systemSender(h header, r Received, d Delivery) bool {
	local := localPart(r.From.Email)
	for _, name := range []string{"mailer-daemon", "postmaster", "mailerdaemon", "mailer_daemon", "mail-daemon", "mdaemon", "mail.daemon", "microsoftexchange", "mailsystem", "mail-system"} {
		if strings.HasPrefix(local, name) {
			return true
		}
	}
	who := casefold(r.FromShown)
	return nullPath(h, d) || daemon(r.FromShown) || strings.Contains(who, "mail delivery system") || strings.Contains(who, "mail administrator") || strings.Contains(who, "mail deliver")
}

// cutCopy cuts a report where the returned message begins.
func cutCopy(words string) (told, copied string) {
	at := 0
	for l := range strings.SplitAfterSeq(words, "\n") {
		if f := casefold(l); len(l) < 300 && begins(f, copyMarks) {
			return words[:at], words[at+len(l):]
		}
		at += len(l)
	}
	return words, ""
}

// recipientsOf are those a report names: in X-Failed-Recipients, else in lines
// that begin with an address, else the first address it mentions.
func recipientsOf(h header, told string, r Received) []ReportRecipient {
	var list []ReportRecipient
	seen := map[string]bool{r.From.Email: true}
	add := func(address, reason string) {
		email, ok := decide.NormalEmail(strings.Trim(address, "<>.,;: "))
		if !ok || seen[email] || len(list) >= maxReportRecipients || daemon(email) {
			return
		}
		seen[email] = true
		list = append(list, ReportRecipient{
			Final: email, Action: ActionFailed, Status: statusIn(reason), Diagnostic: cutRunes(line(reason), maxDiagnostic),
		})
	}
	lines := strings.Split(told, "\n")
	for _, value := range h.all("x-failed-recipients") {
		for a := range strings.SplitSeq(value, ",") {
			add(a, reasonAbout(lines, strings.TrimSpace(a)))
		}
	}
	if list != nil {
		return list
	}
	for i, l := range lines {
		t := strings.TrimLeft(strings.TrimSpace(l), "<*\"'- ")
		if t == "" {
			continue
		}
		if at := reportForms().address.FindStringIndex(t); at != nil && at[0] == 0 {
			add(t[:at[1]], t[at[1]:]+" "+following(lines, i+1))
		}
	}
	if list == nil {
		if a := reportForms().address.FindString(told); a != "" {
			add(a, reasonAbout(lines, a))
		}
	}
	return list
}

// reasonAbout is what stands with an address and under it.
func reasonAbout(lines []string, address string) string {
	for i, l := range lines {
		if _, after, ok := strings.Cut(strings.ToLower(l), strings.ToLower(address)); ok && address != "" {
			return l[max(0, len(l)-len(after)):] + " " + following(lines, i+1)
		}
	}
	return strings.Join(lines, " ")
}

// following are the next lines up to another address, six at most.
func following(lines []string, i int) string {
	var b strings.Builder
	for n := 0; n < 6 && i+n < len(lines); n++ {
		t := strings.TrimSpace(lines[i+n])
		if at := reportForms().address.FindStringIndex(strings.TrimLeft(t, "<")); at != nil && at[0] == 0 {
			break
		}
		b.WriteString(t + " ")
	}
	return b.String()
}

// reasonOf is the first line that carries a code, else the first one.
func reasonOf(told string) string {
	for l := range strings.SplitSeq(told, "\n") {
		if reportForms().status.MatchString(l) || reportForms().reply.MatchString(l) {
			return cutRunes(line(l), maxDiagnostic)
		}
	}
	return firstLine(told)
}

func begins(s string, list []string) bool {
	for _, w := range list {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

func anyOf(s string, list []string) bool {
	for _, w := range list {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
