package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"typedinbox/shared/blob/dir"
	"typedinbox/shared/canon"
	"typedinbox/shared/desk"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/office"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// mailDomain is where the local run sends from; the domain does not exist.
const mailDomain = "inbox.invalid"

// inboundDomain is where mail comes in.
const inboundDomain = "in." + mailDomain

// wireDomain is where the mailbox mints message ids.
const wireDomain = "mailbox.invalid"

// options is what a run is started with (00 §7).
type options struct {
	dataDir  string // ":memory:" keeps nothing
	endpoint string // a DynamoDB endpoint instead of the embedded table, "" for none
	tables   string // what its tables' names begin with, "" for inbox
	now      string // start of a virtual clock, "" for real time
	demo     string
	secret   string // INBOX_SECRET_KEY, "" to make one
	template string // the deployment template
	origin   string // the address the run is reached at
	faults   *embedded.Faults
	log      *slog.Logger
}

// world is everything a run is made of, wired once: the program, its tests and
// its benchmarks all start this.
type world struct {
	options
	clock    *clock
	source   *inbox.Source
	db       table.Database
	store    *store.Store
	desk     *desk.Desk
	office   *office.Office
	identity *identity.Identity
	mailbox  *mailbox
	blobs    *dir.Store
	worker   *work.Worker
	handler  http.Handler

	// gate lets requests and handlers run side by side and the clock door alone;
	// after the end nothing passes.
	gate     sync.RWMutex
	ended    bool
	looking  atomic.Bool // a sweep in place of the stream waits to begin
	sweeping sync.Mutex  // and the one before it runs
	closers  []func() error
}

// start wires a run. Its HTTP handler is ready; schedules are [world.schedules].
func start(o options) (*world, error) {
	w := &world{options: o, source: inbox.NewSource(rand.Reader)}
	if w.log == nil {
		w.log = slog.New(slog.DiscardHandler)
	}
	for _, step := range []func() error{w.openClock, w.openTable, w.wire, w.furnish} {
		if err := step(); err != nil {
			return nil, errors.Join(err, w.close())
		}
	}
	return w, nil
}

// dir is the data directory, "" when nothing is kept.
func (w *world) dir() string {
	if w.dataDir == ":memory:" {
		return ""
	}
	return w.dataDir
}

func (w *world) openClock() (err error) {
	if d := w.dir(); d != "" {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	w.clock, err = newClock(w.now, w.dir())
	return err
}

func (w *world) openTable() error {
	schema := store.Schema()
	if w.endpoint != "" {
		name := first(w.tables, "inbox")
		names := map[string]string{"inbox": name, "events": name + "-events"}
		client := dynamo.Client(w.getenv)
		if err := dynamo.CreateTables(context.Background(), client, names, schema); err != nil {
			return err
		}
		w.db = dynamo.New(client, names, schema)
		return nil
	}
	file := ":memory:"
	if d := w.dir(); d != "" {
		file = filepath.Join(d, "inbox.db")
	}
	db, err := embedded.Open(embedded.Options{
		Path: file, Schema: schema, Hook: w.changed, Faults: w.faults, Now: func() time.Time { return w.clock.now().Time() },
	})
	if err != nil {
		return err
	}
	w.db, w.closers = db, append(w.closers, db.Close)
	return nil
}

// getenv answers for TABLE_ENDPOINT and for credentials nobody has to give a
// local database.
func (w *world) getenv(name string) string {
	if name == "AWS_ENDPOINT_URL_DYNAMODB" {
		return w.endpoint
	}
	if v := os.Getenv(name); v != "" {
		return v
	}
	return map[string]string{"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}[name]
}

// secretKey is INBOX_SECRET_KEY, or a development key kept in the data
// directory.
func (w *world) secretKey() (string, error) {
	if w.secret != "" || w.dir() == "" {
		return first(w.secret, newSecret()), nil
	}
	file := filepath.Join(w.dir(), "secret")
	raw, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(raw)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	made := newSecret()
	return made, os.WriteFile(file, []byte(made+"\n"), 0o600)
}

func newSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// wire connects the packages as the functions do.
func (w *world) wire() error {
	secret, err := w.secretKey()
	if err != nil {
		return err
	}
	ring, err := canon.NewRing(secret)
	if err != nil {
		return fmt.Errorf("INBOX_SECRET_KEY: %w", err)
	}
	w.store = store.New(w.db, ring)
	if w.blobs, err = w.openBlobs(); err != nil {
		return err
	}
	w.desk = desk.New(desk.Config{Store: w.store, Clock: w.clock.now, Source: w.source, Blobs: w.blobs})
	w.office = office.New(office.Config{Store: w.store, Clock: w.clock.now, Source: w.source,
		MailDomain: mailDomain, MailService: "mailbox", InboundDomain: inboundDomain, PublicURL: w.origin})
	w.identity = identity.New(w.store, w.clock.now)
	if w.mailbox, err = newMailbox(w.clock.now, w.source, w.dir()); err != nil {
		return err
	}
	w.worker = work.New(work.Config{
		Store: w.store, Desk: w.desk, Sender: w.mailbox, Blobs: w.blobs, Clock: w.clock.now, Source: w.source, Ring: ring,
		MailDomain: mailDomain, InboundDomain: inboundDomain, PublicURL: w.origin,
		OwnerEmail: "owner@" + mailDomain, WireDomain: wireDomain, Log: w.log,
	})
	w.handler, err = w.doors()
	return err
}

// close ends the run; what is running is waited for.
func (w *world) close() error {
	w.gate.Lock()
	defer w.gate.Unlock()
	w.ended = true
	var errs []error
	for _, c := range w.closers {
		errs = append(errs, c())
	}
	if w.clock != nil {
		errs = append(errs, w.clock.stop())
	}
	return errors.Join(errs...)
}

// changed is the table's stream: a job that is ready runs at once, beside the
// requests.
func (w *world) changed(changes []table.Change) {
	for _, c := range changes {
		if itemID, jobID, ok := store.ReadyJob(c); ok {
			go w.runJob(itemID, jobID)
		}
	}
}

func (w *world) runJob(itemID, jobID string) {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.ended {
		return
	}
	if err := w.worker.RunJob(context.Background(), itemID, jobID); err != nil {
		w.log.Error("job failed", "item", itemID, "job", jobID, "error", err)
	}
}
