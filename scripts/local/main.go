// Command local runs the whole inbox on one machine with nothing but Go
// (00 §7): the doors of every function behind the routes of template.yaml, the
// embedded table, the schedules, the outbox, and a mailbox instead of a mail
// service. GET /_local/about says what of it is real.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"typedinbox/shared/edge/deps"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "inbox:", err)
		os.Exit(1)
	}
}

func run() error {
	deps.CollectSeldom(0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", env("PORT", "8787")))
	if err != nil {
		return err
	}
	origin := "http://" + listener.Addr().String()
	w, err := start(options{
		dataDir: env("DATA_DIR", "./data"), endpoint: os.Getenv("TABLE_ENDPOINT"), now: os.Getenv("NOW"),
		demo: env("DEMO", "appointments"), secret: os.Getenv("INBOX_SECRET_KEY"), template: env("TEMPLATE", "template.yaml"),
		origin: origin, log: slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	if err != nil {
		return err
	}
	server := &http.Server{Handler: w.handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(readingProblems(listener, origin)) }()
	go w.schedules(ctx)
	if err := w.ready(ctx, origin); err != nil {
		return err
	}
	select {
	case err = <-ended:
	case <-ctx.Done():
		grace, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err = server.Shutdown(grace)
	}
	return errors.Join(err, w.close())
}

// ready prints the one line that says the inbox can be used.
func (w *world) ready(ctx context.Context, origin string) error {
	key, err := w.ownerKey(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("inbox ready: %s  owner key: %s  mailbox: %s/_local/\n", origin, key, origin)
	return err
}

// schedules run in real time what EventBridge does: a sweep every minute and a
// daily round. A virtual clock moves by its door alone; it sweeps once, because
// what is due now runs at once.
func (w *world) schedules(ctx context.Context) {
	w.scheduled(ctx, "sweep", w.sweep)
	if w.clock.virtual {
		return
	}
	daily := nextDaily(w.clock.now())
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		w.scheduled(ctx, "sweep", w.sweep)
		if now := w.clock.now(); now >= daily {
			daily = nextDaily(now)
			w.scheduled(ctx, "daily", w.worker.Daily)
		}
	}
}

func (w *world) sweep(ctx context.Context) error {
	_, err := w.worker.Sweep(ctx)
	return err
}

// scheduled runs one round beside the requests.
func (w *world) scheduled(ctx context.Context, name string, round func(context.Context) error) {
	w.gate.RLock()
	defer w.gate.RUnlock()
	if w.ended {
		return
	}
	if err := round(ctx); err != nil && ctx.Err() == nil {
		w.log.Error(name+" failed", "error", err)
	}
}

func env(name, usual string) string { return first(os.Getenv(name), usual) }
