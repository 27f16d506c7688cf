package decide

import (
	"fmt"
	"net/http"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// AddressKey is what the sends and guesses of an address are counted under:
// lower-case hex SHA-256 of "email:<address>" (01 §15.4).
func AddressKey(address string) string { return canon.SHA256Hex([]byte("email:" + address)) }

// Verify asks for a one-time code, or with a code proves that the customer of
// the item is the known one it may be (01 §15.4). Status 202, body
// [inbox.CodeSent]; with the right code 200, body [inbox.Recognised]. A wrong
// guess is an outcome that writes and is refused.
//
// Problems: not_allowed, nothing_to_verify, already_verified, bad_code,
// code_expired, too_many_attempts.
func Verify(f Facts, c inbox.Caller, code string, e Env) (Outcome, error) {
	p := asCustomer(&f, c)
	if p != nil {
		return Outcome{}, p
	}
	var out Outcome
	if code == "" {
		out, p = askCode(&f, e)
	} else {
		out, p = tryCode(&f, code, e)
	}
	if p != nil {
		return Outcome{}, p
	}
	return out, nil
}

// verifiable says to which address a code for the item would go, or why none
// would.
func verifiable(f *Facts) (address string, p *inbox.Problem) {
	r, known := f.Record, f.Possible
	recognised := r.CustomerMatch == inbox.MatchStrong || (known != nil && known.ID == r.Item.PartyID)
	address = reachedAt(known)
	switch {
	case recognised:
		return "", inbox.Refuse(inbox.CodeAlreadyVerified, "We know already whose this is.")
	case r.CustomerMatch != inbox.MatchWeak || address == "":
		return "", inbox.Refuse(inbox.CodeNothingToVerify, "There is no known customer this could be whom a code could be sent to.")
	}
	return address, nil
}

// askCode makes a new code. One write counts it and keeps it, so no number of
// askers at once gets more codes than the limits say.
func askCode(f *Facts, e Env) (Outcome, *inbox.Problem) {
	address, p := verifiable(f)
	if p != nil {
		return Outcome{}, p
	}
	tries := recent(f.Tries, address, e.Now)
	if p := sendsLeft(tries.Sends, f, e.Now); p != nil {
		return Outcome{}, p
	}
	tries.Sends = append(tries.Sends, e.Now)
	code := newCode(f, address, e)
	out := Outcome{
		Status: http.StatusAccepted, Write: Write{Code: code, Tries: tries},
		Body: inbox.CodeSent{SentTo: MaskAddress(address), Test: code.Test},
	}
	if code.Test {
		out.Write = testCode(f, out.Write, e)
		return out, nil
	}
	out.Write.Jobs = job(f.Record.Item.ID, []inbox.Effect{{ID: "code:" + code.ID, Kind: inbox.EffectCode}}, e)
	return out, nil
}

func newCode(f *Facts, address string, e Env) *inbox.OneTimeCode {
	c := &inbox.OneTimeCode{
		ID: e.Source.ID(e.Now), ItemID: f.Record.Item.ID, Address: address, PartyID: f.Possible.ID, CreatedAt: e.Now,
		ExpiresAt: e.Now.Add(int64(f.Settings.Customers.OTP.TTLMinutes) * inbox.Minute),
		Digits:    digits(e.Source), Test: f.Record.Item.Flags.Sandbox,
	}
	c.Hash, c.Mark = codeHash(c.ID, c.Digits), c.ID
	if f.Code != nil {
		c.Rev = f.Code.Rev
	}
	return c
}

func codeHash(id, digits string) string { return canon.SHA256Hex([]byte(id + ":" + digits)) }

// sixDigits is how many codes there are, and the largest multiple of it that
// three random bytes reach: what is above is drawn again, so all are as likely.
const (
	sixDigits = 1_000_000
	fairDraws = 16 * sixDigits
)

// digits draws six digits, each code as likely as any other.
func digits(s *inbox.Source) string {
	for {
		b := s.Bytes(3)
		if n := int(b[0])<<16 | int(b[1])<<8 | int(b[2]); n < fairDraws {
			return fmt.Sprintf("%06d", n%sixDigits)
		}
	}
}

// testCode leaves the code of a test inside, where the owner reads it; nothing
// is sent (03 §18).
func testCode(f *Facts, w Write, e Env) Write {
	a := appended(f, e, entry(f.Record.Item, inboxItself, e, speech{
		text:      "One-time code of this test: " + w.Code.Digits + ". Nothing was sent.",
		direction: inbox.DirectionNote, writtenBy: byAutomation, quiet: true,
	}))
	note := a.write(e)
	w.Items, w.Entries = note.Items, note.Entries
	w.Code.Digits = ""
	return w
}

// tryCode judges a guess at the latest code. The guess is counted in the write
// that compares it, and the same write spends the code (01 §15.4).
func tryCode(f *Facts, guess string, e Env) (Outcome, *inbox.Problem) {
	bad := inbox.Refuse(inbox.CodeBadCode, "That is not the code, or it was used already.")
	switch known := f.Possible; {
	case f.Code == nil || f.Code.UsedAt != nil:
		return Outcome{}, bad
	case known == nil || known.ErasedAt != nil:
		return Outcome{}, inbox.Refuse(inbox.CodeNothingToVerify, "The customer this could be is not known any more.")
	}
	code, otp := *f.Code, f.Settings.Customers.OTP
	tries := recent(f.Tries, code.Address, e.Now)
	switch {
	case code.Attempts >= otp.Attempts:
		return Outcome{}, tooMany(0)
	case code.ExpiresAt < e.Now:
		return Outcome{}, inbox.Refuse(inbox.CodeCodeExpired, "The code has run out. Ask for a new one.")
	case len(tries.Guesses) >= otp.GuessesPerDay:
		return Outcome{}, tooMany(untilFewer(tries.Guesses, otp.GuessesPerDay, inbox.Day, e.Now))
	}
	code.Attempts++
	code.Mark = e.Source.ID(e.Now)
	tries.Guesses = append(tries.Guesses, e.Now)
	out := Outcome{Write: Write{Code: &code, Tries: tries}}
	if !canon.EqualHash(codeHash(code.ID, guess), code.Hash) {
		out.Refused = bad
		return out, nil
	}
	code.UsedAt = &e.Now
	out.Status, out.Body = http.StatusOK, inbox.Recognised{Recognised: inbox.MatchStrong}
	recognise(f, &out.Write, e)
	return out, nil
}

// recent copies what was sent and guessed at an address within the last day.
func recent(t *inbox.CodeTries, address string, now inbox.Instant) *inbox.CodeTries {
	kept := &inbox.CodeTries{Address: AddressKey(address)}
	if t != nil {
		kept.Rev = t.Rev
		kept.Sends, kept.Guesses = within(t.Sends, inbox.Day, now), within(t.Guesses, inbox.Day, now)
	}
	return kept
}

// within are the instants less than a window (milliseconds) ago.
func within(list []inbox.Instant, window int64, now inbox.Instant) []inbox.Instant {
	var kept []inbox.Instant
	for _, at := range list {
		if at > now.Add(-window) {
			kept = append(kept, at)
		}
	}
	return kept
}

// sendsLeft refuses a code over the limits of the address, an hour's and a
// day's, both rolling.
func sendsLeft(sends []inbox.Instant, f *Facts, now inbox.Instant) *inbox.Problem {
	otp := f.Settings.Customers.OTP
	hour := within(sends, inbox.Hour, now)
	wait := 0
	if len(hour) >= otp.SendsPerHour {
		wait = untilFewer(hour, otp.SendsPerHour, inbox.Hour, now)
	}
	if len(sends) >= otp.SendsPerDay {
		wait = max(wait, untilFewer(sends, otp.SendsPerDay, inbox.Day, now))
	}
	if wait == 0 {
		return nil
	}
	return tooMany(wait)
}

// untilFewer is in how many seconds fewer than max of the instants, oldest
// first, lie within the window.
func untilFewer(list []inbox.Instant, max int, window int64, now inbox.Instant) int {
	free := list[len(list)-max].Add(window)
	return int((int64(free-now) + inbox.Second - 1) / inbox.Second)
}

func tooMany(retryAfter int) *inbox.Problem {
	p := inbox.Refuse(inbox.CodeTooManyAttempts, "No more one-time codes for now. Nothing was lost: write to us instead.")
	p.RetryAfter = retryAfter
	return p
}

// MaskAddress shows the shape of an address and not who it is: a•••@e•••.pt.
func MaskAddress(address string) string {
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return "•••"
	}
	top := ""
	domain := address[at+1:]
	if dot := strings.LastIndexByte(domain, '.'); dot >= 0 {
		top = domain[dot:]
	}
	return first(address[:at]) + "•••@" + first(domain) + "•••" + top
}

func first(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
