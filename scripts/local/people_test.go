package main

import (
	"regexp"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// writes is a message of a customer's.
func (c *client) writes(body, email string) asked {
	c.t.Helper()
	return c.keep(c.post("/v1/messages", map[string]any{"body": body, "contact": map[string]any{"name": "Customer One", "email": email}}))
}

// TestVerify: who writes from a known address is possibly known; the code that is
// mailed there makes it certain, and the two customers one.
func TestVerify(t *testing.T) {
	c := serve(t, nil)
	first := c.writes("Do you photograph dogs?", customer)
	first.mine.post("/v1/customers/verify", map[string]any{"item_id": first.id}).refused(409, inbox.CodeNothingToVerify)
	a := c.writes("And cats?", customer)
	if view := a.view(); view.str("identity.recognised") != "weak" || view.at("identity.verify.available") != true {
		t.Fatalf("identity %v", view.at("identity"))
	}
	verify := func(code string) answer {
		body := map[string]any{"item_id": a.id}
		if code != "" {
			body["code"] = code
		}
		return a.mine.post("/v1/customers/verify", body)
	}
	verify("000000").is(422)
	sent := verify("").is(202)
	if to := sent.str("sent_to"); to == "" || strings.Contains(to, customer) {
		t.Errorf("sent to %q", to)
	}
	mails := c.mails(customer)
	if len(mails) == 0 {
		t.Fatal("no code was mailed")
	}
	code := regexp.MustCompile(`\b[0-9]{6}\b`).FindString(mails[0].Text)
	wrong := "111111"
	if code == wrong {
		wrong = "222222"
	}
	verify(wrong).refused(422, inbox.CodeBadCode)
	if got := verify(code).is(200).str("recognised"); got != "strong" {
		t.Errorf("recognised %q", got)
	}
	verify("").refused(409, inbox.CodeAlreadyVerified)
	if got := a.view().str("identity.recognised"); got != "strong" {
		t.Errorf("recognised %q", got)
	}
	detail := a.owner.get("/v1/owner/items/" + a.id).is(200)
	summary := a.owner.get("/v1/owner/customers/" + detail.str("item.partyId")).is(200)
	if summary.at("items") != 2.0 || summary.at("open_items") != 2.0 || len(summary.at("parties").([]any)) != 2 {
		t.Errorf("summary %s", summary.raw)
	}
	a.owner.get("/v1/owner/customers/nothing").refused(404, inbox.CodeNotFound)
	c.get("/v1/owner/customers/"+detail.str("item.partyId")).refused(401, inbox.CodeUnauthorized)
	c.clean()
}

// TestCodesRunOut: a code is good for ten minutes and a few guesses.
func TestCodesRunOut(t *testing.T) {
	c := serve(t, nil)
	c.writes("First.", customer)
	a := c.writes("Second.", customer)
	try := func(code string) answer {
		return a.mine.post("/v1/customers/verify", map[string]any{"item_id": a.id, "code": code})
	}
	ask := func() answer { return a.mine.post("/v1/customers/verify", map[string]any{"item_id": a.id}) }
	code := func() string {
		return regexp.MustCompile(`\b[0-9]{6}\b`).FindString(c.mails(customer)[0].Text)
	}
	ask().is(202)
	c.post("/_local/clock", map[string]any{"advance": "10m0.001s"}).is(200)
	try(code()).refused(422, inbox.CodeCodeExpired)
	ask().is(202)
	right := code()
	wrong := "111111"
	if right == wrong {
		wrong = "222222"
	}
	for range 5 {
		try(wrong).refused(422, inbox.CodeBadCode)
	}
	try(right).is(429)
	c.clean()
}

// TestSearch finds items by words of them, of their thread and their customer,
// and by the reference, the newest change first.
func TestSearch(t *testing.T) {
	c := serve(t, nil)
	a := c.writes("Is the terrace available in September?", "ana@example.com")
	b := c.writes("Wedding portraits, please.", "rui@example.com")
	b.owner.post("/v1/owner/items/"+b.id+"/replies", map[string]any{"body": "The terrace is lovely then."}).is(200)
	c.post("/_local/work", nil).is(200)
	owner := c.owner()
	for q, want := range map[string]string{
		"terrace": b.id + " " + a.id, "TERRACE+september": a.id, "portraits": b.id, "nothing-such": "",
		inbox.Reference(a.id): a.id, strings.ToLower(inbox.Reference(b.id)): b.id,
	} {
		list := owner.get("/v1/owner/items?open_only=false&q=" + q).is(200)
		var got []string
		for _, i := range list.at("items").([]any) {
			got = append(got, answer{body: i.(map[string]any)}.str("item.id"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", q, got, want)
		}
	}
	c.clean()
}
