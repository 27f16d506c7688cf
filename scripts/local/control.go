package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/work"
)

// controlPath is where the local doors are; no function can be built with them.
const controlPath = "/_local/"

func isControl(path string) bool { return path == "/_local" || strings.HasPrefix(path, controlPath) }

// control is the local doors of 00 §7, as far as what they control exists.
func (w *world) control() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /_local/about", w.answer(w.about))
	m.HandleFunc("POST /_local/clock", w.answer(w.moveClock))
	m.HandleFunc("POST /_local/work", w.answer(w.workOff))
	m.HandleFunc("POST /_local/owner", w.answer(w.mintOwner))
	m.HandleFunc("POST /_local/key", w.answer(w.mintKey))
	m.HandleFunc("GET /_local/mail", w.answer(w.listMail))
	m.HandleFunc("POST /_local/mail-in", w.answer(w.mailIn))
	m.HandleFunc("POST /_local/mail-event", w.answer(w.mailEvent))
	m.Handle("GET "+blobsPath, w.serveBlobs())
	m.HandleFunc("GET /_local/jobs", w.answer(w.listJobs))
	m.HandleFunc("GET /_local/check", w.answer(w.check))
	m.HandleFunc("GET /_local/{$}", w.page)
	return m
}

// answer renders what a control door says; a refusal of its own is 422.
func (w *world) answer(door func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(rw http.ResponseWriter, r *http.Request) {
		body, err := door(r)
		status := http.StatusOK
		var refused refusal
		switch {
		case errors.As(err, &refused):
			status, body = http.StatusUnprocessableEntity, map[string]string{"error": string(refused)}
		case err != nil:
			status, body = http.StatusInternalServerError, map[string]string{"error": err.Error()}
		}
		rw.Header().Set("Content-Type", "application/json")
		rw.WriteHeader(status)
		_ = json.NewEncoder(rw).Encode(body) // the peer may be gone
	}
}

// refusal is what a control door says no to.
type refusal string

func (r refusal) Error() string { return string(r) }

// read takes a control door's JSON; an empty body is an empty object.
func read(r *http.Request, into any) error {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return err
	}
	if len(strings.TrimSpace(string(raw))) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return refusal("the body is no such JSON: " + err.Error())
	}
	return nil
}

// about says what in this run is real and what stands in.
func (w *world) about(r *http.Request) (any, error) {
	table := "table: embedded, in " + w.dataDir
	real := []string{
		"doors: the handlers of every function, behind the routes of template.yaml",
		"work: outbox, sweep and daily run what their functions run",
	}
	standins := []string{
		"mailbox: keeps every mail instead of Amazon SES, and mints ids and dates as it does",
		"schedules: this process's clock in place of EventBridge",
		"objects: a folder in place of S3, for raw mail and what comes with it",
		"receiving: POST /_local/mail-in in place of a receipt rule, its verdicts the caller's; POST /_local/mail-event in place of the service's events",
		"secret: INBOX_SECRET_KEY or a development key in place of Secrets Manager",
	}
	if w.endpoint != "" {
		real = append(real, "table: DynamoDB at "+w.endpoint)
		standins = append(standins, "stream: work is looked for after each request, because this endpoint's stream is not read")
	} else {
		standins = append(standins, table+" in place of DynamoDB", "stream: the table's after-commit hook in place of DynamoDB Streams")
	}
	now := w.clock.now()
	said := map[string]any{
		"real": real, "standins": standins, "now": now, "virtual_clock": w.clock.virtual, "version": version,
	}
	if in := r.URL.Query().Get("in"); in != "" {
		d, err := time.ParseDuration(in)
		if err != nil {
			return nil, refusal("in must be a duration such as 168h")
		}
		said["then"] = now.Add(d.Milliseconds())
	}
	return said, nil
}

// ownerKey makes a full owner key.
func (w *world) ownerKey(ctx context.Context) (string, error) {
	secret, _, err := w.identity.MintKey(ctx, identity.MintRequest{Kind: inbox.KeyOwner, Name: "owner", CreatedBy: "local"}, w.source)
	return secret, err
}

func (w *world) mintOwner(r *http.Request) (any, error) {
	secret, err := w.ownerKey(r.Context())
	return map[string]string{"key": secret}, err
}

// mintKey makes a key of any kind.
func (w *world) mintKey(r *http.Request) (any, error) {
	var in struct {
		Kind      inbox.KeyKind  `json:"kind"`
		Name      string         `json:"name"`
		Scopes    []inbox.Scope  `json:"scopes"`
		PartyID   string         `json:"party_id"`
		ExpiresAt *inbox.Instant `json:"expires_at"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	secret, key, err := w.identity.MintKey(r.Context(), identity.MintRequest{
		Kind: in.Kind, Name: first(in.Name, string(in.Kind)), Scopes: in.Scopes, PartyID: in.PartyID,
		ExpiresAt: in.ExpiresAt, CreatedBy: "local",
	}, w.source)
	var p *inbox.Problem
	if errors.As(err, &p) {
		return nil, refusal(p.Error())
	}
	return map[string]string{"key": secret, "id": key.ID}, err
}

// listMail shows the mailbox, newest first.
func (w *world) listMail(r *http.Request) (any, error) {
	var since inbox.Instant
	if s := r.URL.Query().Get("since"); s != "" {
		at, err := inbox.ParseInstant(s)
		if err != nil {
			return nil, refusal("since " + err.Error())
		}
		since = at
	}
	return w.mailbox.list(r.URL.Query().Get("to"), since), nil
}

// listJobs shows what is owed.
func (w *world) listJobs(r *http.Request) (any, error) {
	open, err := w.store.OpenJobs(r.Context(), 500)
	if err != nil {
		return nil, err
	}
	failed, err := w.store.FailedJobs(r.Context(), 500)
	if err != nil {
		return nil, err
	}
	now := w.clock.now()
	said := map[string][]inbox.Job{"due": {}, "later": {}, "leased": {}, "failed": append([]inbox.Job{}, failed...)}
	for _, j := range open {
		kind := "later"
		switch {
		case j.LeaseUntil != nil && *j.LeaseUntil > now:
			kind = "leased"
		case j.RunAt <= now:
			kind = "due"
		}
		said[kind] = append(said[kind], j)
	}
	return said, nil
}

// check recounts the table (00 §7).
func (w *world) check(r *http.Request) (any, error) {
	w.gate.Lock()
	defer w.gate.Unlock()
	findings, err := w.store.Check(r.Context())
	if err != nil {
		return nil, err
	}
	if findings == nil {
		findings = []string{}
	}
	return map[string]any{"ok": len(findings) == 0, "findings": findings}, nil
}

// workOff runs due work and a sweep until nothing is due, without moving the
// clock.
func (w *world) workOff(r *http.Request) (any, error) {
	w.gate.Lock()
	defer w.gate.Unlock()
	ran, err := w.quiet(r.Context())
	return map[string]any{"now": w.clock.now(), "ran": ran}, err
}

// quiet sweeps until a sweep finds nothing it could do.
func (w *world) quiet(ctx context.Context) (work.Ran, error) {
	var total work.Ran
	for {
		ran, err := w.worker.Sweep(ctx)
		total = total.Add(ran)
		if err != nil || !ran.Done() {
			return total, err
		}
	}
}

// moveClock moves the virtual clock forward, visiting every instant up to the
// target at which something is due.
func (w *world) moveClock(r *http.Request) (any, error) {
	var in struct {
		Set     *inbox.Instant `json:"set"`
		Advance string         `json:"advance"`
		Work    *bool          `json:"work"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	w.gate.Lock()
	defer w.gate.Unlock()
	target, err := w.target(in.Set, in.Advance)
	if err != nil {
		return nil, err
	}
	var ran work.Ran
	if in.Work == nil || *in.Work {
		if ran, err = w.visit(r.Context(), target); err != nil {
			return nil, err
		}
	}
	if err := w.clock.set(target); err != nil {
		return nil, refusal(err.Error())
	}
	return map[string]any{"now": target, "ran": ran}, nil
}

// target is where the clock is asked to go.
func (w *world) target(set *inbox.Instant, advance string) (inbox.Instant, error) {
	now := w.clock.now()
	switch {
	case !w.clock.virtual:
		return 0, refusal("this run keeps real time; start it with NOW to move the clock")
	case set != nil && advance != "":
		return 0, refusal("give set or advance, not both")
	case set != nil:
		now = *set
	default:
		d, err := time.ParseDuration(advance)
		if err != nil {
			return 0, refusal(`advance must be a duration such as "48h", or give set`)
		}
		now = now.Add(d.Milliseconds())
	}
	if now < w.clock.now() {
		return 0, refusal(errBack.Error())
	}
	return now, nil
}

// visit works at every instant up to the target at which something is due: jobs
// and deadlines at their own, the daily round at three in the night. What stays
// due after its visit, because it waits for something else, is not visited
// twice.
func (w *world) visit(ctx context.Context, target inbox.Instant) (total work.Ran, err error) {
	for {
		ran, err := w.quiet(ctx)
		total = total.Add(ran)
		if err != nil {
			return total, err
		}
		next, err := w.store.NextDue(ctx)
		if err != nil {
			return total, err
		}
		now := w.clock.now()
		daily := nextDaily(now)
		if next == nil || *next <= now || *next > daily {
			next = &daily
		}
		if *next > target {
			return total, nil
		}
		if err := w.clock.set(*next); err != nil {
			return total, err
		}
		if *next == daily { // after the jobs and deadlines of its own instant
			ran, err := w.quiet(ctx)
			if total = total.Add(ran); err != nil {
				return total, err
			}
			if err := w.worker.Daily(ctx); err != nil {
				return total, err
			}
		}
	}
}

// dailyHour is when the daily round runs, UTC, as in the template.
const dailyHour = 3

// nextDaily is the first daily round after an instant.
func nextDaily(now inbox.Instant) inbox.Instant {
	t := now.Time()
	at := time.Date(t.Year(), t.Month(), t.Day(), dailyHour, 0, 0, 0, time.UTC)
	if !at.After(t) {
		at = at.AddDate(0, 0, 1)
	}
	return inbox.InstantOf(at)
}
