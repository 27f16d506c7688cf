package decide

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// rewrite makes the golden files of the current version anew. Those of versions
// that were released are never rewritten: a new release reads what the previous
// one wrote (08 §8).
var rewrite = flag.Bool("rewrite-golden", false, "write the golden files of version 1")

// goldens are the records and events of two short lives, by file.
func goldens(t *testing.T) map[string]any {
	files := map[string]any{}
	w := newWorld(t)
	keep := func(name string) {
		files[name+".record.json"] = *w.f.Record
		files[name+".event.json"] = w.events[len(w.events)-1]
	}
	w.f.Settings.Commerce.Customers = soldToBusinesses // no confirm step in version 1
	r := bookingRequest()
	r.Message, r.Payload.Booking.TotalPrice, r.Payload.Booking.PartySize = "Window seat, please.", eur(2500), inbox.Ptr(2)
	r.Payload.Booking.Notes = `<b>"quoted" & é</b>`
	w.create(w.customer(), r)
	keep("booking-requested")
	files["booking-requested.offer.json"] = w.offers[1]
	files["booking-requested.entry.json"] = w.entries[0]
	files["booking-requested.job.json"] = w.jobs[0]
	files["booking-requested.party.json"] = *w.f.Party
	question := request("request_info", `{"note":"Which length?"}`)
	question.Reason = "not clear"
	w.ok(w.decide(owner, question))
	keep("booking-needs-info")
	w.fire(w.customer(), "provide_info", `{"note":"Short."}`)
	w.fire(moneyKey, "confirm")
	keep("booking-confirmed")
	w.now = running
	w.fire(owner, "no_show")
	w.fire(owner, "complete")
	keep("booking-corrected")

	w = newWorld(t)
	w.f.Settings.Booking.HoldOnPropose, w.f.Settings.Commerce.Customers = true, soldToBusinesses
	w.create(w.customer(), bookingRequest())
	w.fire(owner, "propose", priced(start.Add(inbox.Hour), 3500))
	keep("booking-proposed")
	shown := w.offers[2]
	shown.Shown = &inbox.Shown{Lang: "en", Human: "words may change, rows may not", Disclosures: shown.Shown.Disclosures}
	files["booking-proposed.offer.json"] = shown
	w.fire(w.customer(), "counter", string(mustJSON(inbox.CounterTimeInput{StartTime: start.Add(3 * inbox.Hour), Note: "after lunch", ReasonCode: "timing_deferred"})))
	keep("booking-countered")
	files["booking-countered.offer.json"] = w.offers[3]
	w.fire(owner, "propose", proposal(start.Add(2*inbox.Hour)))
	w.fire(owner, "request_info", `{"note":"Colour too?"}`)
	files["booking-reinstated.offer.json"] = w.offers[5]
	w.f.Settings.Negotiation.MaxRounds = 1
	w.propose()
	w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Note: "cheaper?"}))
	keep("booking-passed-on")
	w.fire(w.customer(), "accept")
	keep("booking-accepted")

	w = newWorld(t)
	w.create(w.customer(), messageRequest())
	w.ok(reply(w, assistant, inbox.ReplyRequest{Body: "It is €30."}))
	keep("message-held")
	return files
}

// TestGoldenV1: records and events of version 1 are read, and come out as they
// went in; what is written today is what version 1 wrote.
func TestGoldenV1(t *testing.T) {
	written := goldens(t)
	for name, value := range written {
		path := filepath.Join("testdata", "v1", name)
		today, err := json.MarshalIndent(value, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if *rewrite {
			if err := os.WriteFile(path, append(today, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytes.TrimSpace(kept), today) {
			t.Errorf("fail/%s: version 1 wrote otherwise:\n%s", name, today)
		}
		if again := readAgain(t, name, kept); !bytes.Equal(again, today) {
			t.Errorf("fail/%s: read and written again:\n%s", name, again)
		}
	}
	files, err := os.ReadDir(filepath.Join("testdata", "v1"))
	if err != nil || len(files) != len(written) {
		t.Errorf("%d files, %d written, %v", len(files), len(written), err)
	}
}

// readAgain decodes a golden file into its type and encodes it.
func readAgain(t *testing.T, name string, raw []byte) []byte {
	t.Helper()
	into := map[string]any{
		"record": &inbox.Record{}, "event": &inbox.Event{}, "offer": &inbox.Offer{},
		"entry": &inbox.Entry{}, "job": &inbox.Job{}, "party": &inbox.Party{},
	}[strings.Split(name, ".")[1]]
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again, err := json.MarshalIndent(into, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestAllocations holds a transition to 60 of them, its answer included
// (08 §7).
func TestAllocations(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	r := request("confirm")
	w.read(owner, r)
	env := w.env()
	n := testing.AllocsPerRun(200, func() {
		if _, err := Transition(w.f, owner, r, env); err != nil {
			t.Error(err)
		}
	})
	if n > 60 {
		t.Errorf("%v allocations", n)
	}
}
