package inbox

import (
	"fmt"
	"strings"
)

// Code names a problem; clients match on it (03 §4).
type Code string

// ProblemKind is one row of the closed table of problems.
type ProblemKind struct {
	Code   Code
	Status int    // HTTP
	Title  string // one line, the same for every problem of the code
	Means  string // what it says to a developer, for the problem page
}

// Every code of the project. A code that is not here does not exist.
const (
	CodeBadRequest          Code = "bad_request"
	CodeInvalidJSON         Code = "invalid_json"
	CodeUnknownEvent        Code = "unknown_event"
	CodeUnauthorized        Code = "unauthorized"
	CodeReplayedSignature   Code = "replayed_signature"
	CodeNotAllowed          Code = "not_allowed"
	CodeNotFound            Code = "not_found"
	CodeMethodNotAllowed    Code = "method_not_allowed"
	CodeWrongState          Code = "wrong_state"
	CodeGuardFailed         Code = "guard_failed"
	CodeSlotTaken           Code = "slot_taken"
	CodeVersionConflict     Code = "version_conflict"
	CodeConfirmTerms        Code = "confirm_terms"
	CodeOfferChanged        Code = "offer_changed"
	CodeNoOffer             Code = "no_offer"
	CodeConfirmWithdrawal   Code = "confirm_withdrawal"
	CodeConfirmErase        Code = "confirm_erase"
	CodeDraftStale          Code = "draft_stale"
	CodeNothingToVerify     Code = "nothing_to_verify"
	CodeAlreadyVerified     Code = "already_verified"
	CodeLimitReached        Code = "limit_reached"
	CodeOfferExpired        Code = "offer_expired"
	CodeLinkExpired         Code = "link_expired"
	CodePayloadTooLarge     Code = "payload_too_large"
	CodeUnsupportedMedia    Code = "unsupported_media_type"
	CodeInvalidInput        Code = "invalid_input"
	CodeIdempotencyMismatch Code = "idempotency_mismatch"
	CodeBadCode             Code = "bad_code"
	CodeCodeExpired         Code = "code_expired"
	CodePositiveOnly        Code = "positive_only"
	CodeGeoTerms            Code = "geo_terms"
	CodeOutsideLimits       Code = "outside_limits"
	CodeTooManyAttempts     Code = "too_many_attempts"
	CodeTooManyRequests     Code = "too_many_requests"
	CodeInternal            Code = "internal"
	CodeUnavailable         Code = "unavailable"
)

// Problems is the table of problems (03 §4, 01 §18, 09), in the order of their
// status.
var Problems = []ProblemKind{
	{CodeBadRequest, 400, "The request cannot be read", "A path or a header cannot be read, such as a path with a bare per cent sign."},
	{CodeInvalidJSON, 400, "The body is not JSON", "The body could not be parsed as one JSON object. Nothing was written."},
	{CodeUnknownEvent, 400, "No such event", "The item's type has no transition of this name. The detail lists those it has."},
	{CodeUnauthorized, 401, "Sign in first", "This is the business's door and the request carried no credential of the business."},
	{CodeReplayedSignature, 401, "Signature used before", "A signed write was seen before and is not the sender's own retry."},
	{CodeNotAllowed, 403, "Not yours to do", "The caller may not do this: the item belongs to someone else, a scope is missing, or the act is reserved. details.reason says which."},
	{CodeNotFound, 404, "Not found", "There is nothing under this id or path."},
	{CodeMethodNotAllowed, 405, "Method not allowed", "The path exists with other methods; the Allow header lists them."},
	{CodeWrongState, 409, "Not possible in this state", "The event exists but not from the state the item is in. details say the state and from where it is allowed."},
	{CodeGuardFailed, 409, "A condition does not hold", "A guard of the transition said no; details.guard names it."},
	{CodeSlotTaken, 409, "That time is taken", "The time is not free; details hold the first full interval and the capacity."},
	{CodeVersionConflict, 409, "The item has moved on", "expected_version is not the version any more; details.currentVersion is. Read again, then decide."},
	{CodeConfirmTerms, 409, "Confirm the terms first", "A binding step without the confirmed fingerprint. Nothing was written; send the same request with terms_sha."},
	{CodeOfferChanged, 409, "The offer has changed", "The fingerprint or the id is not the open offer's; details.offer is the current one."},
	{CodeNoOffer, 409, "Nothing waits for an answer", "There is no open offer that this caller could answer."},
	{CodeConfirmWithdrawal, 409, "Confirm the withdrawal", "The first of two steps; details.statement is what will be sent."},
	{CodeConfirmErase, 409, "Confirm the erasure", "The first of two steps; details.summary is what will be erased."},
	{CodeDraftStale, 409, "The item moved since the draft", "The draft was made on an older version of the item."},
	{CodeNothingToVerify, 409, "Nothing to verify", "The item's customer is not a possible match of a known one."},
	{CodeAlreadyVerified, 409, "Already verified", "The item's customer is known already."},
	{CodeLimitReached, 409, "A limit is reached", "There is a fixed maximum of these and it is reached."},
	{CodeOfferExpired, 410, "The offer has lapsed", "The date until which it could be accepted has passed."},
	{CodeLinkExpired, 410, "The link is used or old", "Ask for a new one."},
	{CodePayloadTooLarge, 413, "The request is too large", "The body is over the limit of this route."},
	{CodeUnsupportedMedia, 415, "Unsupported content type", "Send application/json."},
	{CodeInvalidInput, 422, "The input needs a correction", "fields name every path that is missing or invalid. Nothing was written; correct it and retry with the same idempotency key."},
	{CodeIdempotencyMismatch, 422, "Key used for another request", "This idempotency key already stands for a request with another content. Use a new key."},
	{CodeBadCode, 422, "Wrong code", "The one-time code is not the right one."},
	{CodeCodeExpired, 422, "The code is old", "Ask for a new one-time code."},
	{CodePositiveOnly, 422, "This rule may only help", "A rule that reads a standing may not refuse, cancel, expire or queue work."},
	{CodeGeoTerms, 422, "Terms may not depend on a place", "A rule or reward that reads where someone is may not set a price or terms."},
	{CodeOutsideLimits, 422, "Outside the owner's limits", "Automation may not accept this; details.breaches say why."},
	{CodeTooManyAttempts, 429, "Too many attempts", "No more one-time codes for now."},
	{CodeTooManyRequests, 429, "Too many requests", "Retry after the seconds in Retry-After."},
	{CodeInternal, 500, "Something failed on our side", "Nothing the caller did. instance is the request's id."},
	{CodeUnavailable, 503, "Busy, try again", "The write met too many others. Nothing was written; retry after the seconds in Retry-After with the same idempotency key."},
}

var problemByCode = func() map[Code]ProblemKind {
	m := make(map[Code]ProblemKind, len(Problems))
	for _, p := range Problems {
		m[p.Code] = p
	}
	return m
}()

// KindOf is the table's row of a code.
func KindOf(c Code) ProblemKind { return problemByCode[c] }

// Fault says whether a field is missing or invalid.
type Fault string

// The two faults a field can have.
const (
	Missing Fault = "missing"
	Invalid Fault = "invalid"
)

// FieldProblem names one field of the input and what is wrong with it.
type FieldProblem struct {
	Path    string `json:"path"`
	Problem Fault  `json:"problem"`
	Message string `json:"message"`
}

// Problem is a refusal, as every door tells it (RFC 9457). It is the only error
// an operation answers on purpose; anything else is told as internal.
type Problem struct {
	Code       Code
	Detail     string         // one or two sentences: what happened and what to do
	Fields     []FieldProblem // for invalid_input
	Details    map[string]any // for machines
	RetryAfter int            // whole seconds, 0 for none
	Allow      []string       // for method_not_allowed
	Cause      error          // for the log of internal and unavailable; never shown
}

func (p *Problem) Error() string {
	s := string(p.Code)
	if p.Detail != "" {
		s += ": " + p.Detail
	}
	for _, f := range p.Fields {
		s += fmt.Sprintf(" [%s %s: %s]", f.Path, f.Problem, f.Message)
	}
	if p.Cause != nil {
		s += ": " + p.Cause.Error()
	}
	return s
}

func (p *Problem) Unwrap() error { return p.Cause }

// Status is the HTTP status of the problem's code.
func (p *Problem) Status() int { return problemByCode[p.Code].Status }

// With adds one entry to the details and returns the problem.
func (p *Problem) With(key string, value any) *Problem {
	if p.Details == nil {
		p.Details = map[string]any{}
	}
	p.Details[key] = value
	return p
}

// Refuse makes a problem with a sentence.
func Refuse(c Code, format string, args ...any) *Problem {
	return &Problem{Code: c, Detail: fmt.Sprintf(format, args...)}
}

// InvalidInput is refused input. The detail lists what is missing and says to
// retry with the same idempotency key (03 §4).
func InvalidInput(fields ...FieldProblem) *Problem {
	var missing, invalid []string
	for _, f := range fields {
		if f.Problem == Missing {
			missing = append(missing, f.Path)
		} else {
			invalid = append(invalid, f.Path)
		}
	}
	var parts []string
	if len(missing) > 0 {
		parts = append(parts, "Missing: "+strings.Join(missing, ", ")+".")
	}
	if len(invalid) > 0 {
		parts = append(parts, "Invalid: "+strings.Join(invalid, ", ")+".")
	}
	parts = append(parts, "Nothing was written; correct it and retry with the same idempotency key.")
	return &Problem{Code: CodeInvalidInput, Detail: strings.Join(parts, " "), Fields: fields}
}

// InvalidField is refused input with one field at fault.
func InvalidField(path, format string, args ...any) *Problem {
	return InvalidInput(FieldProblem{Path: path, Problem: Invalid, Message: fmt.Sprintf(format, args...)})
}

// NotFound is the refusal of an id that names nothing.
func NotFound() *Problem { return Refuse(CodeNotFound, "There is nothing under this id.") }

// GuardFailed is the refusal of a guard (01 §6).
func GuardFailed(guard, format string, args ...any) *Problem {
	return Refuse(CodeGuardFailed, format, args...).With("guard", guard)
}

// NotAllowed is a refusal for who is asking; reason is "" or one of 03 §4's.
func NotAllowed(reason, format string, args ...any) *Problem {
	p := Refuse(CodeNotAllowed, format, args...)
	if reason != "" {
		p.With("reason", reason)
	}
	return p
}

// Unavailable is told when the retry budget of a write is used up (00 §3).
func Unavailable(cause error) *Problem {
	return &Problem{Code: CodeUnavailable, RetryAfter: 1, Cause: cause,
		Detail: "Too many others write at the same place right now. Nothing was written; retry with the same idempotency key."}
}
