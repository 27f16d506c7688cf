package words

import (
	"os"
	"strings"
	"testing"

	"typedinbox/shared/format"
)

// TestCommitted: docs/mails.md is what the tables say.
func TestCommitted(t *testing.T) {
	committed, err := os.ReadFile("../../docs/mails.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(committed) != Markdown(lisbon(t)) {
		t.Error("docs/mails.md is not what the tables say: run make generate")
	}
}

// TestPageShowsEveryMail in every language, and automatic where automation may
// act.
func TestPageShowsEveryMail(t *testing.T) {
	page := Markdown(lisbon(t))
	for _, template := range Templates() {
		_, rest, ok := strings.Cut(page, "\n## "+template+"\n")
		if !ok {
			t.Errorf("%s is not on the page", template)
			continue
		}
		part, _, _ := strings.Cut(rest, "\n## ")
		for _, l := range format.Langs {
			automatic := strings.Contains(part, languageNames[l]+", automatic\n\n```text\nSubject: ")
			if !strings.Contains(part, languageNames[l]+"\n\n```text\nSubject: ") {
				t.Errorf("%s is not shown in %s", template, l)
			}
			if customers := !(MailInput{Template: template}).forOwner() && template != codeTemplate; automatic != customers {
				t.Errorf("%s in %s: shown as automatic %v", template, l, automatic)
			}
		}
		if cause(template) == "After ." {
			t.Errorf("%s: nothing causes it", template)
		}
	}
	if strings.Contains(page, "<") || strings.Contains(page, "{") {
		t.Error("the page holds a tag or a placeholder")
	}
}
