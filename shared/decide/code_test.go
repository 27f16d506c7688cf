package decide

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// weak is a world with a booking that may be Ana's, and no code yet.
func weak(t *testing.T) *world {
	w := newWorld(t)
	k := known("KNOWN", inbox.ContactEmail)
	k.Party.Rev = 1
	w.f.Known = []Known{k}
	w.create(w.customer(), bookingRequest())
	w.f.Possible = &k.Party
	w.f.Party.Rev = 1
	return w
}

// verify judges a code, or asks for one with "", and applies what it wrote.
func (w *world) verify(code string) (Outcome, *inbox.Problem) {
	w.t.Helper()
	out, err := w.pure(func() (Outcome, error) { return Verify(w.f, w.customer(), code, w.env()) })
	if err != nil {
		return out, problem(w.t, err)
	}
	if c := out.Write.Code; c != nil {
		kept := *c
		kept.Rev++
		w.f.Code = &kept
	}
	if tries := out.Write.Tries; tries != nil {
		kept := *tries
		kept.Rev++
		w.f.Tries = &kept
	}
	return out, out.Refused
}

func (w *world) asked() string {
	w.t.Helper()
	if _, p := w.verify(""); p != nil {
		w.t.Fatal(p)
	}
	return w.f.Code.Digits
}

func codeOf(p *inbox.Problem) inbox.Code {
	if p == nil {
		return ""
	}
	return p.Code
}

func wrong(digits string) string {
	if digits == "000000" {
		return "000001"
	}
	return "000000"
}

func TestAskCode(t *testing.T) {
	w := weak(t)
	out, p := w.verify("")
	if p != nil {
		t.Fatal(p)
	}
	c := out.Write.Code
	if out.Status != 202 || out.Body != (inbox.CodeSent{SentTo: "a•••@e•••.pt"}) {
		t.Errorf("%d %+v", out.Status, out.Body)
	}
	if c.Address != "ana@example.pt" || c.PartyID != "KNOWN" || c.ExpiresAt != monday+10*inbox.Instant(inbox.Minute) || len(c.Digits) != 6 || c.Hash != codeHash(c.ID, c.Digits) || len(c.Hash) != 64 {
		t.Errorf("%+v", c)
	}
	if raw := string(mustJSON(c)); strings.Contains(raw, c.Digits) {
		t.Errorf("the code stands in its row: %s", raw)
	}
	if got := told(out.Write); !slices.Equal(got, []string{"code"}) || out.Write.Jobs[0].Effects[0].ID != "code:"+c.ID || len(out.Write.Items) != 0 {
		t.Errorf("owes %v, items %d", got, len(out.Write.Items))
	}
	if w.f.Tries.Address != AddressKey("ana@example.pt") || !slices.Equal(w.f.Tries.Sends, []inbox.Instant{monday}) {
		t.Errorf("%+v", w.f.Tries)
	}
	first := c.ID
	if again := w.asked(); w.f.Code.ID == first || w.f.Code.Rev != 2 || again == "" {
		t.Errorf("a new code takes the old one's place: %+v", w.f.Code)
	}
	id := identity(&w.f)
	if !id.Verify.Available || *id.Verify.SentTo != "a•••@e•••.pt" || id.Recognised != inbox.MatchWeak {
		t.Errorf("identity %+v", id)
	}
}

// TestNothingToVerify: who may ask, and of what.
func TestNothingToVerify(t *testing.T) {
	for name, c := range map[string]struct {
		change func(w *world)
		code   inbox.Code
	}{
		"fail/nobody known":     {func(w *world) { w.f.Record.CustomerMatch, w.f.Possible = inbox.MatchNone, nil }, inbox.CodeNothingToVerify},
		"fail/match not stored": {func(w *world) { w.f.Record.CustomerMatch, w.f.Possible = "", nil }, inbox.CodeNothingToVerify},
		"fail/party gone":       {func(w *world) { w.f.Possible = nil }, inbox.CodeNothingToVerify},
		"fail/erased":           {func(w *world) { w.f.Possible.ErasedAt = inbox.Ptr(monday) }, inbox.CodeNothingToVerify},
		"fail/no address":       {func(w *world) { w.f.Possible.Contact.Email = "" }, inbox.CodeNothingToVerify},
		"fail/bad address":      {func(w *world) { w.f.Possible.Contact.Email = "ana@ex_ample" }, inbox.CodeNothingToVerify},
		"fail/strong":           {func(w *world) { w.f.Record.CustomerMatch = inbox.MatchStrong }, inbox.CodeAlreadyVerified},
		"fail/merged meanwhile": {func(w *world) { w.f.Record.Item.PartyID = "KNOWN" }, inbox.CodeAlreadyVerified},
		"fail/not theirs":       {func(w *world) { w.token = "another" }, inbox.CodeNotAllowed},
	} {
		w := weak(t)
		c.change(w)
		if _, p := w.verify(""); codeOf(p) != c.code {
			t.Errorf("%s: %v", name, p)
		}
		if name != "fail/not theirs" && name != "fail/strong" && identity(&w.f).Verify.Available {
			t.Errorf("%s: available", name)
		}
	}
	w := weak(t)
	for name, c := range map[string]inbox.Caller{"owner": owner, "assistant": assistant, "key": key, "rule": rule, "system": sweeper} {
		if _, err := Verify(w.f, c, "", w.env()); problem(t, err).Code != inbox.CodeNotAllowed {
			t.Errorf("fail/%s: %v", name, err)
		}
	}
}

// TestProvenAddressFirst: the code goes where the known customer is known to
// read.
func TestProvenAddressFirst(t *testing.T) {
	w := weak(t)
	w.f.Possible.Verified = "proven@example.pt"
	w.asked()
	if w.f.Code.Address != "proven@example.pt" {
		t.Errorf("%s", w.f.Code.Address)
	}
}

func TestTestCode(t *testing.T) {
	w := weak(t)
	w.f.Record.Item.Flags.Sandbox = true
	out, p := w.verify("")
	if p != nil {
		t.Fatal(p)
	}
	if body := out.Body.(inbox.CodeSent); !body.Test || body.SentTo == "" {
		t.Errorf("%+v", body)
	}
	if len(out.Write.Jobs) != 0 || len(out.Write.Entries) != 1 || out.Write.Entries[0].Direction != inbox.DirectionNote || out.Write.Code.Digits != "" {
		t.Fatalf("%+v", out.Write)
	}
	note := out.Write.Entries[0].BodyText
	digits := note[strings.Index(note, ": ")+2:][:6]
	w.f.Record = &out.Write.Items[0].Record
	w.f.Holders = []inbox.Party{{ID: "OTHER", Rev: 1}}
	done, p := w.verify(digits)
	if p != nil || done.Body != (inbox.Recognised{Recognised: inbox.MatchStrong}) {
		t.Fatalf("%v %+v", p, done)
	}
	// Nothing was mailed, so nothing is proven, and nobody else is merged.
	if len(done.Write.Contacts) != 0 || len(done.Write.Parties) != 2 || done.Write.Parties[0].Verified != "" {
		t.Errorf("%+v", done.Write.Parties)
	}
}

// TestSendLimits: at the millisecond at which one falls out of the window.
func TestSendLimits(t *testing.T) {
	ms := func(d int64) inbox.Instant { return monday.Add(d) }
	for name, c := range map[string]struct {
		sends []inbox.Instant
		wait  int // seconds, 0 when the code is sent
	}{
		"ok/none":                         {nil, 0},
		"ok/two in the hour":              {[]inbox.Instant{ms(-2), ms(-1)}, 0},
		"fail/three in the hour":          {[]inbox.Instant{ms(-inbox.Hour + 1), ms(-2), ms(-1)}, 1},
		"ok/the third an hour ago":        {[]inbox.Instant{ms(-inbox.Hour), ms(-2), ms(-1)}, 0},
		"fail/three just now":             {[]inbox.Instant{ms(0), ms(0), ms(0)}, 3600},
		"fail/five in the day":            {[]inbox.Instant{ms(-inbox.Day + 1), ms(-4 * inbox.Hour), ms(-3 * inbox.Hour), ms(-2 * inbox.Hour), ms(-90 * inbox.Minute)}, 1},
		"ok/the fifth a day ago":          {[]inbox.Instant{ms(-inbox.Day), ms(-4 * inbox.Hour), ms(-3 * inbox.Hour), ms(-2 * inbox.Hour), ms(-90 * inbox.Minute)}, 0},
		"fail/both, the longer wait":      {[]inbox.Instant{ms(-23 * inbox.Hour), ms(-3 * inbox.Hour), ms(-2), ms(-1), ms(0)}, 3600},
		"fail/a limit that was set lower": {[]inbox.Instant{ms(-5), ms(-4), ms(-3), ms(-2), ms(-1)}, 86400},
	} {
		w := weak(t)
		w.f.Tries = &inbox.CodeTries{Sends: c.sends, Rev: 7}
		_, p := w.verify("")
		switch {
		case c.wait == 0:
			if p != nil || w.f.Tries.Rev != 8 {
				t.Errorf("%s: %v %+v", name, p, w.f.Tries)
			}
		case codeOf(p) != inbox.CodeTooManyAttempts || p.RetryAfter != c.wait:
			t.Errorf("%s: %v, retry after %d", name, p, p.RetryAfter)
		}
	}
}

// TestCheckOrder: a guess that several rules refuse is refused by the first.
func TestCheckOrder(t *testing.T) {
	full := make([]inbox.Instant, 10)
	for i := range full {
		full[i] = monday
	}
	used := func(w *world) { w.f.Code.UsedAt = inbox.Ptr(monday) }
	tried := func(w *world) { w.f.Code.Attempts = 5 }
	old := func(w *world) { w.now = w.f.Code.ExpiresAt + 1 }
	guessed := func(w *world) { w.f.Tries = &inbox.CodeTries{Guesses: full} }
	for name, c := range map[string]struct {
		change []func(*world)
		code   inbox.Code
	}{
		"fail/none":                    {[]func(*world){func(w *world) { w.f.Code = nil }}, inbox.CodeBadCode},
		"fail/used before all":         {[]func(*world){used, tried, old, guessed}, inbox.CodeBadCode},
		"fail/attempts before expiry":  {[]func(*world){tried, old, guessed}, inbox.CodeTooManyAttempts},
		"fail/expiry before the day's": {[]func(*world){old, guessed}, inbox.CodeCodeExpired},
		"fail/the day's guesses":       {[]func(*world){guessed}, inbox.CodeTooManyAttempts},
		"fail/known one erased":        {[]func(*world){func(w *world) { w.f.Possible.ErasedAt = inbox.Ptr(monday) }}, inbox.CodeNothingToVerify},
		"ok/at its last millisecond":   {[]func(*world){func(w *world) { w.now = w.f.Code.ExpiresAt }}, ""},
		"ok/the last attempt":          {[]func(*world){func(w *world) { w.f.Code.Attempts = 4 }}, ""},
		"ok/a guess a day ago":         {[]func(*world){guessed, func(w *world) { w.f.Tries.Guesses[0] = monday - inbox.Instant(inbox.Day) }}, ""},
	} {
		w := weak(t)
		digits := w.asked()
		for _, f := range c.change {
			f(w)
		}
		out, p := w.verify(digits)
		if codeOf(p) != c.code {
			t.Errorf("%s: %v", name, p)
		}
		if p != nil && !writesNothing(out.Write) {
			t.Errorf("%s: a refusal that nothing counts writes", name)
		}
		full = slices.Repeat([]inbox.Instant{monday}, 10)
	}
}

func writesNothing(w Write) bool {
	return w.Code == nil && w.Tries == nil && len(w.Items) == 0 && len(w.Parties) == 0
}

// TestWrongGuessesCount: each is counted on the code and on the address before
// it is told, and after the last one the right code helps no more.
func TestWrongGuessesCount(t *testing.T) {
	w := weak(t)
	digits := w.asked()
	for n := range 5 {
		out, p := w.verify(wrong(digits))
		if codeOf(p) != inbox.CodeBadCode || out.Write.Code.Attempts != n+1 || len(out.Write.Tries.Guesses) != n+1 || len(out.Write.Items) != 0 {
			t.Fatalf("guess %d: %v %+v", n+1, p, out.Write)
		}
	}
	if _, p := w.verify(digits); codeOf(p) != inbox.CodeTooManyAttempts {
		t.Errorf("%v", p)
	}
	// A new code has tries of its own, and the day's are ten.
	digits = w.asked()
	for range 5 {
		if _, p := w.verify(wrong(digits)); codeOf(p) != inbox.CodeBadCode {
			t.Fatal(p)
		}
	}
	digits = w.asked()
	if _, p := w.verify(digits); codeOf(p) != inbox.CodeTooManyAttempts || p.RetryAfter != 86400 {
		t.Errorf("%v", p)
	}
	w.now += inbox.Instant(inbox.Day)
	if _, p := w.verify(digits); codeOf(p) != inbox.CodeCodeExpired {
		t.Errorf("%v", p)
	}
}

// TestRecognise: what the right code writes.
func TestRecognise(t *testing.T) {
	w := weak(t)
	digits := w.asked()
	own := w.f.Party.ID
	w.f.Holders = []inbox.Party{
		{ID: "KNOWN", Rev: 1}, {ID: own, Rev: 1}, {ID: "TWIN", Rev: 4}, {ID: "GONE", ErasedAt: inbox.Ptr(monday)}, {ID: "AWAY", MergedInto: "KNOWN"},
	}
	w.f.Record.HeldFor = []string{inbox.PartyHolder(own, false)}
	before := *w.f.Record
	out, p := w.verify(digits)
	if p != nil || out.Status != 200 || out.Body != (inbox.Recognised{Recognised: inbox.MatchStrong}) {
		t.Fatalf("%v %+v", p, out)
	}
	wr := out.Write
	if *wr.Code.UsedAt != w.now || wr.Code.Attempts != 1 || len(wr.Tries.Guesses) != 1 {
		t.Errorf("code %+v", wr.Code)
	}
	rec := wr.Items[0].Record
	if rec.Item.PartyID != "KNOWN" || rec.CustomerMatch != inbox.MatchStrong || rec.PossiblePartyID != "" || rec.Rev != before.Rev+1 {
		t.Errorf("item %+v", rec)
	}
	if rec.Item.Version != before.Item.Version || rec.Item.UpdatedAt != before.Item.UpdatedAt || len(wr.Events) != 0 {
		t.Error("a merge is no event, raises no version and no updatedAt (01 §15.3)")
	}
	ids := []string{}
	for _, p := range wr.Parties {
		ids = append(ids, p.ID+">"+p.MergedInto)
	}
	if want := []string{"KNOWN>", own + ">KNOWN", "TWIN>KNOWN"}; !slices.Equal(ids, want) || wr.Parties[0].Verified != "ana@example.pt" {
		t.Errorf("parties %v", ids)
	}
	if c := wr.Contacts; len(c) != 1 || c[0].PartyID != "KNOWN" || c[0].VerifiedAt == nil || c[0].Value != "ana@example.pt" {
		t.Errorf("contacts %+v", c)
	}
	if h := wr.Holdings; len(h) != 2 || h[0].Begins || h[0].Holder != inbox.PartyHolder(own, false) || !h[1].Begins || h[1].Holder != "p:KNOWN" || rec.HeldFor[0] != "p:KNOWN" {
		t.Errorf("holdings %+v", h)
	}
	if len(wr.Jobs) != 2 || !wr.Jobs[0].Ready || wr.Jobs[1].Ready || wr.Jobs[1].RunAt != w.now.Add(inbox.Minute) || len(wr.Jobs[0].Effects) != 3 {
		t.Errorf("jobs %+v", wr.Jobs)
	}
	w.f.Record = &rec
	if _, p := w.verify(digits); codeOf(p) != inbox.CodeBadCode {
		t.Errorf("the same code again: %v", p)
	}
	if _, p := w.verify(""); codeOf(p) != inbox.CodeAlreadyVerified {
		t.Errorf("another code: %v", p)
	}
}

func TestMergeIsBounded(t *testing.T) {
	w := weak(t)
	digits := w.asked()
	for n := range 60 {
		w.f.Holders = append(w.f.Holders, inbox.Party{ID: fmt.Sprint("P", n), Rev: 1})
	}
	out, p := w.verify(digits)
	if p != nil || len(out.Write.Parties) != 1+mergeAtOnce || out.Write.Parties[1].ID != w.f.Party.ID {
		t.Errorf("%v, %d parties", p, len(out.Write.Parties))
	}
}

func TestRekey(t *testing.T) {
	roots := map[string]string{"OLD": "ROOT", "OTHER": "OTHER"}
	for name, c := range map[string]struct {
		possible string
		match    inbox.Match
		want     inbox.Match
	}{
		"ok/none stays":          {"", inbox.MatchNone, inbox.MatchNone},
		"ok/possible is root":    {"ROOT", inbox.MatchWeak, inbox.MatchStrong},
		"ok/possible was merged": {"OLD", inbox.MatchWeak, inbox.MatchStrong},
		"ok/possible is another": {"OTHER", inbox.MatchWeak, inbox.MatchWeak},
	} {
		rec := inbox.Record{Rev: 5, CustomerMatch: c.match, PossiblePartyID: c.possible}
		rec.Item.PartyID, rec.Item.UpdatedAt, rec.Item.Version = "FROM", 3, 2
		w := Rekey(rec, "ROOT", roots)
		got := w.Items[0].Record
		if got.Item.PartyID != "ROOT" || got.CustomerMatch != c.want || (got.PossiblePartyID == "") == (c.want == inbox.MatchWeak) {
			t.Errorf("%s: %+v", name, got)
		}
		if got.Rev != 6 || w.Items[0].Expect != 5 || got.Item.Version != 2 || got.Item.UpdatedAt != 3 {
			t.Errorf("%s: %+v", name, got)
		}
		seen := rec
		Resolve(&seen, &inbox.Party{ID: "ROOT"})
		if strong := c.possible == "ROOT"; seen.Item.PartyID != "ROOT" || strong != (seen.CustomerMatch == inbox.MatchStrong) {
			t.Errorf("%s: resolved %+v", name, seen)
		}
		Resolve(&seen, nil)
	}
}

func TestAbsorb(t *testing.T) {
	free := inbox.Party{ID: "A", Rev: 2}
	for name, c := range map[string]struct {
		from, into inbox.Party
		merges     bool
	}{
		"ok/free":            {free, inbox.Party{ID: "B", Rev: 3}, true},
		"fail/itself":        {free, free, false},
		"fail/merged before": {inbox.Party{ID: "A", MergedInto: "C"}, inbox.Party{ID: "B"}, false},
		"fail/into merged":   {free, inbox.Party{ID: "B", MergedInto: "C"}, false},
		"fail/erased":        {inbox.Party{ID: "A", ErasedAt: &monday}, inbox.Party{ID: "B"}, false},
		"fail/into erased":   {free, inbox.Party{ID: "B", ErasedAt: &monday}, false},
	} {
		w := Absorb(c.from, c.into, monday)
		if (w != nil) != c.merges {
			t.Errorf("%s: %+v", name, w)
		}
		if w != nil && (w.Parties[1].MergedInto != "B" || w.Parties[1].Rev != 2 || w.Parties[0].Rev != 3) {
			t.Errorf("%s: %+v", name, w.Parties)
		}
	}
}

// TestDigits: every digit is as likely in every place, and the first million
// draws of a byte stream are never biased by the remainder.
func TestDigits(t *testing.T) {
	source := seeded(3)
	var counts [6][10]int
	const draws = 60_000
	for range draws {
		d := digits(source)
		if len(d) != 6 {
			t.Fatalf("%q", d)
		}
		for i, c := range d {
			counts[i][c-'0']++
		}
	}
	for i, place := range counts {
		for d, n := range place {
			if n < draws/10-600 || n > draws/10+600 { // over eight standard deviations
				t.Errorf("place %d: digit %d came %d times", i, d, n)
			}
		}
	}
	high := inbox.NewSource(strings.NewReader("\xff\xff\xff\xf4\x24\x00\x00\x00\x07"))
	if d := digits(high); d != "000007" {
		t.Errorf("a draw beyond the last full million counts: %s", d)
	}
}

func TestMaskAddress(t *testing.T) {
	for in, want := range map[string]string{
		"ana@example.pt":        "a•••@e•••.pt",
		"a@b.co.uk":             "a•••@b•••.uk",
		"ána@xn--bcher-kva.de":  "á•••@x•••.de",
		"rita@localhost":        "r•••@l•••",
		"ana.lima@a.example.pt": "a•••@a•••.pt",
		"":                      "•••",
	} {
		if got := MaskAddress(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
