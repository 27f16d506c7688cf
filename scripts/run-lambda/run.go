package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"typedinbox/scripts/template"
)

// options is what a run is started with.
type options struct {
	root     string        // of the project
	dir      string        // where the binaries go
	port     string        // of 127.0.0.1, "0" for any
	endpoint string        // of the stand-ins
	suffix   string        // of table and secret names
	only     []string      // functions to build, nil for all; $default's is always there
	every    time.Duration // between sweeps
	still    bool          // nothing runs by itself: neither outbox nor sweep
	log      *slog.Logger
}

// run is the deployment as it runs here.
type run struct {
	options
	url   string
	key   string // the owner's
	cloud *cloud
	guard *guard
	pools map[string]*pool

	servers []*http.Server
	stop    context.CancelFunc
	tasks   sync.WaitGroup
	wake    chan struct{} // something was written
}

// start builds the functions and serves them.
func start(ctx context.Context, o options) (*run, error) {
	functions, err := template.Read(filepath.Join(o.root, "template.yaml"))
	if err != nil {
		return nil, err
	}
	r := &run{options: o, pools: map[string]*pool{}, wake: make(chan struct{}, 1)}
	if r.cloud, err = furnish(ctx, o.endpoint, o.suffix); err != nil {
		return nil, err
	}
	if r.key, err = r.cloud.ownerKey(ctx); err != nil {
		return nil, err
	}
	if r.guard, err = newGuard(filepath.Join(o.root, "infra/roles.yaml"), o.endpoint, r.cloud.names, r.cloud.bucket, o.log); err != nil {
		return nil, err
	}
	aws, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r.serve(aws, r.guard)
	runtime, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		r.close()
		return nil, err
	}
	for _, f := range functions {
		if len(o.only) > 0 && !contains(o.only, f.Name) {
			continue
		}
		r.pools[f.Name] = r.pool(f, runtime.Addr().String(), aws.Addr().String())
	}
	if err := r.build(ctx); err != nil {
		r.close()
		return nil, errors.Join(err, runtime.Close())
	}
	r.serve(runtime, runtimeAPI(r.pools))
	if err := r.open(); err != nil {
		r.close()
		return nil, err
	}
	ctx, r.stop = context.WithCancel(context.WithoutCancel(ctx))
	if !o.still {
		r.tasks.Add(1)
		go r.work(ctx)
	}
	return r, nil
}

// open serves the gateway.
func (r *run) open() error {
	doors, err := gateway(r.pools, r.written)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", r.port))
	if err != nil {
		return err
	}
	r.url = "http://" + l.Addr().String()
	m := http.NewServeMux()
	m.HandleFunc("GET /_local/about", r.about)
	m.HandleFunc("POST /_local/invoke/{function}", r.invoke)
	m.Handle("/", doors)
	r.serve(l, m)
	return nil
}

func (r *run) serve(l net.Listener, h http.Handler) {
	s := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(r.log.Handler(), slog.LevelDebug)}
	r.servers = append(r.servers, s)
	go func() { _ = s.Serve(l) }()
}

func (r *run) pool(f template.Function, runtime, aws string) *pool {
	env := []string{
		"AWS_LAMBDA_FUNCTION_NAME=" + inboxName + "-" + f.Name, "AWS_LAMBDA_FUNCTION_VERSION=$LATEST", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256",
		"_HANDLER=bootstrap", "AWS_LAMBDA_RUNTIME_API=" + runtime + "/" + f.Name,
	}
	vars := r.cloud.environment()
	vars["AWS_ENDPOINT_URL"] = "http://" + aws + "/" + f.Name // by way of the guard
	for k, v := range vars {
		env = append(env, k+"="+v)
	}
	return &pool{Function: f, binary: filepath.Join(r.dir, f.Name), env: env, log: r.log,
		work: make(chan *invocation), running: map[string]*invocation{}, procs: map[*exec.Cmd]chan struct{}{}}
}

// build builds every bootstrap as it is deployed, for this machine, with one
// call of the compiler. What is up to date in the directory is left alone.
func (r *run) build(ctx context.Context) error {
	flags, err := os.ReadFile(filepath.Join(r.root, "infra", "functions.goflags"))
	if err != nil {
		return err
	}
	args := []string{"build", "-o", r.dir + "/"}
	for name := range r.pools {
		args = append(args, "./functions/"+name)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stderr, cmd.Env = r.root, os.Stderr, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+string(flags))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building the functions: %w", err)
	}
	return nil
}

// written notes that something may wait for the outbox.
func (r *run) written() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// work stands in for the table's stream and the schedule.
func (r *run) work(ctx context.Context) {
	defer r.tasks.Done()
	clock := time.NewTicker(r.every)
	defer clock.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
			r.task(ctx, "outbox", r.drain)
		case <-clock.C:
			r.task(ctx, "sweep", r.sweep)
		}
	}
}

func (r *run) task(ctx context.Context, name string, do func(context.Context) error) {
	if err := do(ctx); err != nil && ctx.Err() == nil {
		r.log.Error("work failed", "function", name, "error", err.Error())
	}
}

// chain is how many times in a row jobs may make others ready.
const chain = 10

// drain invokes the outbox with the jobs that are ready, and with those that it
// makes ready itself.
func (r *run) drain(ctx context.Context) error {
	for range chain {
		event, err := r.cloud.readyJobs(ctx)
		if err != nil || event == nil || r.pools["outbox"] == nil {
			return err
		}
		answer, err := r.pools["outbox"].invoke(ctx, event)
		if err != nil {
			return err
		}
		if string(answer) != `{"batchItemFailures":[]}` {
			return fmt.Errorf("left undone: %s", answer)
		}
	}
	return nil
}

func (r *run) sweep(ctx context.Context) error {
	if r.pools["sweep"] == nil {
		return nil
	}
	_, err := r.pools["sweep"].invoke(ctx, []byte(`{}`))
	return err
}

// about says what is real in this run and what is not.
func (r *run) about(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string][]string{
		"real":     {"the function binaries", "the Lambda Runtime API between gateway and functions", "the routes of template.yaml", "the AWS clients of the functions", "their rights: a call that infra/roles.yaml does not allow is refused"},
		"standins": {"API Gateway: this program", "DynamoDB, S3, SES v2 and Secrets Manager: scripts/awslocal, which keeps nothing", "the table's stream: the outbox is invoked after each write", "the schedule: the sweep is invoked every second, daily only by POST /_local/invoke/daily"},
	})
}

// invoke runs a function on the event in the body, or on its sample event when
// the body is empty, and answers what the function answered.
func (r *run) invoke(w http.ResponseWriter, req *http.Request) {
	p := r.pools[req.PathValue("function")]
	if p == nil {
		http.NotFound(w, req)
		return
	}
	event, err := io.ReadAll(http.MaxBytesReader(w, req.Body, template.MaxBody))
	if err == nil && len(event) == 0 {
		event, err = os.ReadFile(filepath.Join(r.root, "events", p.Name+".json"))
		event = bytes.ReplaceAll(event, []byte("${OWNER_KEY}"), []byte(r.key))
	}
	var answer []byte
	if err == nil {
		answer, err = p.invoke(req.Context(), event)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(answer)
}

// close ends the servers and the functions and waits for them.
func (r *run) close() {
	if r.stop != nil {
		r.stop()
	}
	for _, p := range r.pools {
		p.close()
	}
	for _, s := range r.servers {
		_ = s.Close()
	}
	r.tasks.Wait()
}

func requestID() string { return rand.Text() }

func contains(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}

// binaries is where built functions are kept between runs.
func binaries() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "typedinbox", "functions")
	return dir, os.MkdirAll(dir, 0o755)
}
