package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "run-lambda:", err)
		os.Exit(1)
	}
}

// serve runs until it is told to stop. It works from the project's directory.
func serve() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := binaries()
	if err != nil {
		return err
	}
	endpoint, end, err := standIns(".", dir)
	if err != nil {
		return err
	}
	defer end()
	port := os.Getenv("PORT")
	if port == "" {
		port = "8787"
	}
	r, err := start(ctx, options{root: ".", dir: dir, port: port, endpoint: endpoint, every: time.Second,
		log: slog.New(slog.NewJSONHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	defer r.close()
	fmt.Printf("ready %s owner_key=%s about=%s/_local/about aws=%s\n", r.url, r.key, r.url, endpoint)
	<-ctx.Done()
	return nil
}
