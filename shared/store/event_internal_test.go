package store

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

func salts(n int) []byte { return bytes.Repeat([]byte{7}, n) }

// personal is an event with a value at every personal path.
func personal() inbox.Event {
	pair := func(a, b string) [2]json.RawMessage {
		return [2]json.RawMessage{json.RawMessage(a), json.RawMessage(b)}
	}
	from := inbox.StateRequested
	e := inbox.Event{
		ID: "E1", ItemID: "I1", Type: inbox.TypeBooking, Seq: 2, Event: "confirm", FromState: &from, ToState: inbox.StateConfirmed,
		ActorKind: inbox.Owner, ActorID: "U1", Reason: inbox.Ptr("Ana is a friend"), PrevHash: "p", CreatedAt: 1790845200000,
		Diff: &inbox.Diff{State: &[2]inbox.State{from, inbox.StateConfirmed}, Payload: map[string][2]json.RawMessage{"startTime": pair(`"a"`, `"b"`)}},
		Meta: inbox.Meta{Channel: inbox.ChannelREST, ActorName: "Ana's phone", Basis: inbox.Basis{"settings": 3}},
	}
	input := map[string]string{"paymentRef": "r"}
	for _, name := range inbox.Personal.Payload {
		e.Diff.Payload[name] = pair("null", `{"who":"Ana"}`)
	}
	for _, name := range inbox.Personal.Input {
		input[name] = "Ana said"
	}
	e.Meta.Input, _ = json.Marshal(input)
	return e
}

func TestChain(t *testing.T) {
	e, m, err := chain(personal(), salts)
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + len(inbox.Personal.Meta) + len(inbox.Personal.Input) + len(inbox.Personal.Payload); len(m) != want {
		t.Errorf("%d values marked, want %d: %v", len(m), want, m)
	}
	if len(e.Hash) != 64 {
		t.Errorf("hash %q", e.Hash)
	}
	if err := verify(e, m); err != nil {
		t.Error(err)
	}
	row, err := eventRow(e, m)
	if err != nil {
		t.Fatal(err)
	}
	e2, m2, err := eventOf(row)
	if err != nil || verify(e2, m2) != nil {
		t.Errorf("as read again: %v, %v", err, verify(e2, m2))
	}
	if e3, _, _ := chain(e, salts); e3.Hash != e.Hash {
		t.Error("the hash depends on itself")
	}
}

// TestChainCatches: any change of an event is seen.
func TestChainCatches(t *testing.T) {
	for name, change := range map[string]func(*inbox.Event, marks){
		"ok/untouched": func(*inbox.Event, marks) {},
		"ok/erased": func(e *inbox.Event, m marks) {
			e.Reason, e.Meta.ActorName = inbox.Ptr(""), "erased"
			for name, pair := range e.Diff.Payload {
				if name != "startTime" {
					e.Diff.Payload[name] = [2]json.RawMessage{pair[0], json.RawMessage(`""`)}
				}
			}
			e.Meta.Input = []byte(`{"instructions":"","note":"","notes":"","paymentRef":"r","text":""}`)
			for path, k := range m {
				m[path] = mark{MAC: k.MAC}
			}
		},
		"fail/state":             func(e *inbox.Event, _ marks) { e.ToState = inbox.StateDeclined },
		"fail/seq":               func(e *inbox.Event, _ marks) { e.Seq++ },
		"fail/previous":          func(e *inbox.Event, _ marks) { e.PrevHash = "q" },
		"fail/actor":             func(e *inbox.Event, _ marks) { e.ActorID = "U2" },
		"fail/basis":             func(e *inbox.Event, _ marks) { e.Meta.Basis["settings"] = 4 },
		"fail/value not marked":  func(e *inbox.Event, _ marks) { e.Diff.Payload["startTime"] = [2]json.RawMessage{nil, []byte(`"c"`)} },
		"fail/personal value":    func(e *inbox.Event, _ marks) { e.Reason = inbox.Ptr("Ana is no friend") },
		"fail/personal input":    func(e *inbox.Event, _ marks) { e.Meta.Input = []byte(`{"note":"x","paymentRef":"r"}`) },
		"fail/personal gone":     func(e *inbox.Event, _ marks) { e.Reason = nil },
		"fail/MAC":               func(_ *inbox.Event, m marks) { m["reason"] = mark{MAC: bytes.Repeat([]byte{1}, 32)} },
		"fail/MAC gone":          func(_ *inbox.Event, m marks) { delete(m, "reason") },
		"fail/MAC without value": func(_ *inbox.Event, m marks) { m["meta.input.more"] = m["reason"] },
	} {
		t.Run(name, func(t *testing.T) {
			e, m, err := chain(personal(), salts)
			if err != nil {
				t.Fatal(err)
			}
			change(&e, m)
			if err := verify(e, m); (err == nil) != strings.HasPrefix(name, "ok/") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestSaltsHideValues: the same words leave different MACs under other salts.
func TestSaltsHideValues(t *testing.T) {
	n := byte(0)
	other := func(size int) []byte { n++; return bytes.Repeat([]byte{n}, size) }
	a, m1, _ := chain(personal(), salts)
	b, m2, _ := chain(personal(), other)
	if a.Hash == b.Hash || bytes.Equal(m1["reason"].MAC, m2["reason"].MAC) || bytes.Equal(m2["meta.input.note"].MAC, m2["meta.input.text"].MAC) {
		t.Error("equal words can be told")
	}
}

func TestLargeDiffValueIsCut(t *testing.T) {
	large := json.RawMessage(`"` + strings.Repeat("x", maxDiffValue) + `"`)
	e := personal()
	e.Diff.Payload["orderedItem"] = [2]json.RawMessage{json.RawMessage(`1`), large}
	got, m, err := chain(e, salts)
	if err != nil || verify(got, m) != nil {
		t.Fatal(err, verify(got, m))
	}
	pair := got.Diff.Payload["orderedItem"]
	want := `{"sha256":"` + canon.SHA256Hex(large) + `","bytes":20482}`
	if string(pair[0]) != "1" || string(pair[1]) != want {
		t.Errorf("got %s", pair)
	}
	if string(e.Diff.Payload["orderedItem"][1]) != string(large) {
		t.Error("the caller's event was changed")
	}
}

func TestClaimText(t *testing.T) {
	for name, c := range map[string]inbox.Claim{
		"ok/booking":    {Kind: inbox.ClaimBooking, From: 1790845200000, To: 1790848800000},
		"ok/hold":       {Kind: inbox.ClaimHold, From: 1, To: 3, OfferID: "O1"},
		"ok/ask":        {Kind: inbox.ClaimAsk, From: 5, To: 9, Until: inbox.Ptr(inbox.Instant(7))},
		"ok/everything": {Kind: inbox.ClaimAsk, From: 5, To: 9, Until: inbox.Ptr(inbox.Instant(7)), OfferID: "O,1"},
	} {
		t.Run(name, func(t *testing.T) {
			c.ID, c.Resource = "C1", "service:S1"
			text := encodeClaim(c)
			got, err := decodeClaim(c.Resource, c.ID, text)
			if err != nil {
				t.Fatal(err)
			}
			if (got.Until == nil) != (c.Until == nil) || got.Until != nil && *got.Until != *c.Until {
				t.Errorf("until %v", got.Until)
			}
			got.Until = c.Until
			if got != c {
				t.Errorf("%q: %+v, want %+v", text, got, c)
			}
		})
	}
	for _, text := range []string{"", "b", "b1", "x1,2", "b!,2", "b1,!", "a1,2,!"} {
		if c, err := decodeClaim("r", "C", text); err == nil {
			t.Errorf("%q read as %+v", text, c)
		}
	}
}

// TestFullRow: an hour row over its size takes no more claims.
func TestFullRow(t *testing.T) {
	h := inbox.HourRow{Resource: "service:S", Hour: 1}
	claim := inbox.Claim{ID: "C", Resource: h.Resource, Kind: inbox.ClaimBooking, From: inbox.Hour, To: 2 * inbox.Hour}
	for name, size := range map[string]int{"ok/under": maxHourRow - 100, "fail/over": maxHourRow + 1} {
		r := newRow(hourKey(h))
		r[attrRev], r["filling"] = int64(9), strings.Repeat("x", size)
		p, err := placesOf([]inbox.HourRow{h}, []table.Row{r})
		if err != nil {
			t.Fatal(err)
		}
		if got := full(decide.Write{Take: []inbox.Claim{claim}, Places: p}); got != strings.HasPrefix(name, "fail/") {
			t.Errorf("%s: full %t, rev %d", name, got, p.Revs[h])
		}
		if full(decide.Write{Release: []inbox.Claim{claim}, Places: p}) {
			t.Errorf("%s: it lets nothing go", name)
		}
	}
}
