package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// printed runs a session of the README as it is printed.
func printed(t *testing.T, name string) (*client, string) {
	t.Helper()
	for _, tool := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the session needs %s, which this machine does not have", tool)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)<!-- " + name + " -->\n```sh\n(.*?)```").FindSubmatch(readme)
	if found == nil {
		t.Fatalf("the README has no %s", name)
	}
	c := serve(t, nil)
	cmd := exec.Command("bash", "-euo", "pipefail", "-c", string(found[1]))
	cmd.Env = append(os.Environ(), "INBOX="+c.url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return c, string(out)
}

// says fails the test where the session did not print something.
func says(t *testing.T, out string, all ...string) {
	t.Helper()
	for _, said := range all {
		if !strings.Contains(out, said) {
			t.Errorf("the session does not say %q:\n%s", said, out)
		}
	}
}

// TestReadmeSession is a booking from start to end, by curl.
func TestReadmeSession(t *testing.T) {
	c, out := printed(t, "session")
	says(t, out, "first free time: 2027-", "to confirm: Portrait session, ", "booked as item ", "confirmed\n", "See you then.", "cancelled_by_customer\n")
	if got := templates(c.mails("customer@example.com")); got != "booking.confirmed cancelled.as_asked" {
		t.Errorf("the customer was told %q", got)
	}
	c.clean()
}

// TestReadmeMailSession is one by mail, in both directions, and by links.
func TestReadmeMailSession(t *testing.T) {
	c, out := printed(t, "session: mail")
	says(t, out, "created\nneeds_info\nreplied\nproposed\naccepted: 303\n", "Confirmed: Portrait session\n", "cancelled: 303\nCancelled: Portrait session\n")
	if got := templates(c.mails("ana@example.com")); got != "needs_info booking.proposed booking.accepted cancelled.as_asked" {
		t.Errorf("the customer was told %q", got)
	}
	c.clean()
}
