package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeSession runs the README's session as it is printed.
func TestReadmeSession(t *testing.T) {
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the session needs %s, which this machine does not have", tool)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)<!-- session -->\n```sh\n(.*?)```").FindSubmatch(readme)
	if found == nil {
		t.Fatal("the README has no session")
	}
	c := serve(t, nil)
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", string(found[1]))
	cmd.Env = append(os.Environ(), "INBOX="+c.url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, said := range []string{"first free time: 2027-", "to confirm: Portrait session, ", "booked as item ", "confirmed\n", "See you then.", "cancelled_by_customer\n"} {
		if !strings.Contains(string(out), said) {
			t.Errorf("the session does not say %q:\n%s", said, out)
		}
	}
	if got := templates(c.mails("customer@example.com")); got != "booking.confirmed cancelled.as_asked" {
		t.Errorf("the customer was told %q", got)
	}
	c.clean()
}
