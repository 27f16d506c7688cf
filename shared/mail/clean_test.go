package mail

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"typedinbox/shared/decide"
)

// checkClean holds what Parse promises of every message, whatever stands in it.
func checkClean(t *testing.T, r Received) {
	t.Helper()
	for what, s := range map[string]string{
		"name": r.From.Name, "address": r.From.Email, "contact": r.Contact.Name, "shown": r.FromShown, "subject": r.Subject,
		"id": r.MessageID, "date": r.Date, "mark": r.Mark, "in reply to": r.InReplyTo, "sender": r.Sender,
	} {
		if !oneCleanLine(s) {
			t.Errorf("%s is no clean line: %q", what, s)
		}
	}
	for _, list := range [][]string{r.Recipients, r.Keys.IDs, r.Keys.Tokens, r.Keys.References} {
		for _, s := range list {
			if s == "" || !oneCleanLine(s) {
				t.Errorf("in a list: %q", s)
			}
		}
	}
	for _, a := range append([]string{r.From.Email, r.Contact.Email}, r.Recipients...) {
		if n, ok := decide.NormalEmail(a); a != "" && (!ok || n != a) {
			t.Errorf("address %q is not normalised", a)
		}
	}
	if n := utf8.RuneCountInString(r.Text); n == 0 && r.BodyHash != "" || n > MaxText+1+len(CutLine) || r.Cut != (n > MaxText) || !utf8.ValidString(r.Text) {
		t.Errorf("text of %d characters, cut %v", n, r.Cut)
	}
	if strings.ContainsFunc(r.Text, func(c rune) bool { return c != '\n' && c != '\t' && unicode.IsControl(c) || turns(c) }) {
		t.Errorf("control characters in %q", r.Text)
	}
	if len(r.Keys.IDs) > MaxIDs || utf8.RuneCountInString(r.Subject) > MaxSubject || utf8.RuneCountInString(r.From.Name) > MaxName || len(r.Keys.References) > maxReferences {
		t.Error("over a limit")
	}
	kept := 0
	for _, f := range r.Attachments {
		if !oneCleanLine(f.Name) || strings.ContainsAny(f.Name, `/\`) || f.Name == "" {
			t.Errorf("file name %q", f.Name)
		}
		if f.Kept {
			kept++
		}
	}
	if kept > MaxAttachments || len(r.Attachments) > MaxParts+1 {
		t.Errorf("%d files, %d kept", len(r.Attachments), kept)
	}
	if r.Report != nil && (len(r.Report.IDs) > MaxIDs || len(r.Report.Recipients) > maxReportRecipients || !oneCleanLine(r.Report.Reason) || !oneCleanLine(r.Report.Mark)) {
		t.Errorf("report %+v", r.Report)
	}
}

func oneCleanLine(s string) bool {
	return utf8.ValidString(s) && s == strings.TrimSpace(s) && !strings.ContainsFunc(s, func(c rune) bool {
		return unicode.IsControl(c) || c == '\u2028' || c == '\u2029' || turns(c)
	})
}
