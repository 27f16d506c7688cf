package work_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

// corpusMail is a raw message of package mail's corpus with what matters of it on
// the whole way in; see its corpus.md.
type corpusMail struct {
	name     string
	raw      string
	Delivery *mail.Delivery `json:"delivery"`
	Answers  string         `json:"answers"`
	Want     struct {
		Error     string `json:"error"`
		Special   string `json:"special"`
		Automatic *bool  `json:"automatic"`
		Thread    string `json:"thread"`
		SameAs    string `json:"same_as"`
	} `json:"want"`
}

// corpusMails reads the corpus in the order of names.
func corpusMails(t *testing.T) []corpusMail {
	t.Helper()
	files, err := filepath.Glob("../mail/testdata/corpus/*.eml")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d messages, %v", len(files), err)
	}
	var all []corpusMail
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		about, err := os.ReadFile(strings.TrimSuffix(f, ".eml") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		c := corpusMail{name: strings.TrimSuffix(filepath.Base(f), ".eml"), raw: string(raw)}
		if err := json.Unmarshal(about, &c); err != nil {
			t.Fatal(f, err)
		}
		all = append(all, c)
	}
	return all
}

// ours puts an item's own values in place of those the corpus speaks of.
func (w *mailWorld) ours(o opened, s string) string {
	w.t.Helper()
	last := w.last(w.contact(o))
	ref, err := w.store.MailByID(w.ctx, last.MailID)
	w.must(err)
	row, err := w.store.Mail(w.ctx, ref.ItemID, ref.JobKey)
	w.must(err)
	token, _ := mail.ReplyTokenOf(last.header.Get("Reply-To"))
	return strings.NewReplacer(
		"aaaabbbbccccddddeeeeffff22", token, "AAAABBBBCCCCDDDDEEEEFFFF22", strings.ToUpper(token), "in.studio.example", inDomain,
		"0102019a1b2c3d4e-11112222-3333-4444-5555-666677778888-000000", row.ProviderID,
		"<a.AAAAAAAAAAAAAAAAAAAAAA@studio.example>", w.anchor(o.id),
		"01KBCDEFGHJKMNPQRSTVWXYZ00.abcdefgh", last.header.Get("X-Inbox-Mail"),
		"7K3QXA", inbox.Reference(o.id), "7k3qxa", strings.ToLower(inbox.Reference(o.id)),
	).Replace(s)
}

// contact is the address of an item's customer.
func (w *mailWorld) contact(o opened) string {
	w.t.Helper()
	p, err := w.store.Root(w.ctx, w.record(o.id).Item.PartyID)
	w.must(err)
	return p.Contact.Email
}

// TestCorpus takes every message of the corpus the whole way in, on a booking of
// its own: none is answered, none is lost, each lands where it belongs.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	w := receiving(t, open(t, nil))
	right, all := 0, 0
	for _, c := range corpusMails(t) {
		var d mail.Delivery
		if c.Delivery != nil {
			d = *c.Delivery
		}
		parsed, _ := mail.Parse([]byte(c.raw), d)
		from := parsed.From.Email
		w.wait(inbox.Hour)                                     // so that nobody's limit is reached
		contact := fmt.Sprintf("customer-%d@example.net", all) // by whom the item is not found
		if c.Answers == "reference" {
			contact = from
		}
		o := w.asked(email(contact))
		w.fire(owner, o, "confirm", "")
		w.sweep()
		if c.Answers == "own" {
			w.arrives(letter{from: from, to: w.replyTo(contact), subject: "First", text: "First", id: "first.mail@example.com"})
		}
		if c.Want.Thread != "soon" {
			w.wait(10 * inbox.Minute)
		}
		raw := w.ours(o, c.raw)
		for i := range d.To {
			d.To[i] = w.ours(o, d.To[i])
		}
		w.quiet()
		before := w.record(o.id).Item
		id := "corpus-" + strings.ReplaceAll(c.name, " ", "-")
		w.must(w.blobs.Put(w.ctx, "in/"+id, []byte(raw)))
		w.must(w.TakeReceipt(w.ctx, id, d))
		w.sweep()
		out := w.outcome(id)
		for _, s := range w.post.all() {
			if s.To != ownerEmail {
				t.Errorf("%s: somebody is answered: %s to %s", c.name, s.Template, s.To)
			}
		}
		after := w.record(o.id).Item
		if after.State != before.State || out.Outcome == inbox.MailNoted && after.Version != before.Version && !strings.HasPrefix(c.name, "bounce") {
			t.Errorf("%s: the booking moved from %s to %s", c.name, before.State, after.State)
		}
		all++
		if want := wanted(c, d); lands(out, want, o.id) {
			right++
		} else {
			t.Logf("%s: became %+v, want %s on %s", c.name, out, want, o.id)
		}
	}
	if right*100 < all*99 {
		t.Errorf("%d of %d landed where they belong", right, all)
	}
	w.clean()
}

// wanted is what becomes of a message: an outcome, and "item " before it when it
// lands on the item that it answers; "" where the corpus does not say.
func wanted(c corpusMail, d mail.Delivery) string {
	automatic := c.Want.Automatic != nil && *c.Want.Automatic
	switch {
	case d.Infected() || c.Want.Special != "":
		return inbox.MailNoticed
	case c.Want.Error != "" && !automatic:
		return inbox.MailNoticed
	case strings.HasPrefix(c.name, "duplicate"), strings.HasPrefix(c.name, "loop"), c.Want.SameAs != "", c.Want.Automatic == nil:
		return ""
	case automatic && (c.Answers == "token" || c.Answers == "ids" || c.Answers == "own"):
		return "item " + inbox.MailNoted
	case automatic:
		return "" // a report may name our mail by its mark
	case c.Answers != "":
		return "item " + inbox.MailReplied
	}
	return inbox.MailCreated
}

func lands(out inbox.MailOutcome, want, itemID string) bool {
	onItem := strings.HasPrefix(want, "item ")
	switch {
	case want == "":
		return out.Outcome != ""
	case onItem:
		return out.Outcome == strings.TrimPrefix(want, "item ") && out.ItemID == itemID
	}
	return out.Outcome == want && out.ItemID != itemID
}
