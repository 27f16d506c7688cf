package deps

import (
	"context"
	"crypto/rand"
	"log/slog"
	"os"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
)

// Roles of the tables as the store names them.
const (
	inboxTable  = "inbox"
	eventsTable = "events"
)

// Function is what every function on the tables has. It is made once per
// container.
type Function struct {
	Config
	Log    *slog.Logger
	Ring   canon.Ring   // empty unless the function seals or marks something
	Store  *store.Store // nil in a bare function
	Clock  func() inbox.Instant
	Source *inbox.Source
}

// Bare makes a function that uses no service: configuration and log alone.
func Bare() *Function { return must(bare(os.Getenv)) }

// Open makes a function without the inbox's secret. It opens the connection to
// the table with one cheap read, so that the first request finds it warm.
func Open() *Function { return must(open(context.Background(), os.Getenv, false)) }

// OpenSealed makes a function that reads the inbox's secret, once per container.
func OpenSealed() *Function { return must(open(context.Background(), os.Getenv, true)) }

// must ends the container when it cannot work; Lambda starts another one.
func must(f *Function, err error) *Function {
	if err != nil {
		Logger(os.Stdout, "", false).Error("the function cannot start", "error", err.Error())
		os.Exit(1)
	}
	return f
}

func bare(getenv func(string) string) (*Function, error) {
	c, err := Configure(getenv)
	if err != nil {
		return nil, err
	}
	log := Logger(os.Stdout, c.Name, getenv("LOG_LEVEL") == "debug")
	slog.SetDefault(log)
	CollectSeldom(memory(getenv))
	return &Function{Config: c, Log: log, Clock: now, Source: inbox.NewSource(rand.Reader)}, nil
}

func now() inbox.Instant { return inbox.InstantOf(time.Now()) }

func open(ctx context.Context, getenv func(string) string, sealed bool) (*Function, error) {
	f, err := bare(getenv)
	if err != nil {
		return nil, err
	}
	if sealed {
		if f.Ring, err = ring(ctx, getenv, f.SecretARN); err != nil {
			return nil, err
		}
	}
	names := map[string]string{inboxTable: f.InboxTable, eventsTable: f.EventsTable}
	db := dynamo.New(dynamo.Client(getenv), names, store.Schema())
	f.Store = store.New(db, f.Ring)
	warm(ctx, db, f.Log)
	return f, nil
}

// warm opens the connection by reading a row that does not exist, half a read
// unit. That it fails is no reason not to start: the request will tell.
func warm(ctx context.Context, db table.Database, log *slog.Logger) {
	if _, err := db.Get(ctx, table.Key{Table: inboxTable, Partition: "warm", Sort: "warm"}); err != nil {
		log.Warn("the table did not answer at the start", "error", err.Error())
	}
}

// Identity says who is calling, on the function's store.
func (f *Function) Identity() *identity.Identity { return identity.New(f.Store, f.Clock) }
