package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"typedinbox/scripts/template"
)

// maxContainers is how many processes of one function run side by side.
const maxContainers = 4

// pool is the containers of one function: processes of its bootstrap that ask
// the Runtime API for work.
type pool struct {
	template.Function
	binary string
	env    []string
	log    *slog.Logger

	work chan *invocation // handed to a process that asks for it

	mu      sync.Mutex
	running map[string]*invocation      // by request id
	waiting int                         // invocations that no process has taken yet
	idle    int                         // processes that ask for one
	procs   map[*exec.Cmd]chan struct{} // closed when the process has ended
	ended   bool
}

// invocation is one event on its way through a function.
type invocation struct {
	id       string
	event    []byte
	deadline time.Time
	done     chan outcome
}

// outcome is what came back: an answer, or the function's error.
type outcome struct {
	answer []byte
	err    error
}

// Errors of an invocation that the function did not answer itself.
var (
	errTimeout = errors.New("the function took longer than its timeout")
	errEnded   = errors.New("the run has ended")
)

var requests atomic.Int64

// invoke runs the function on an event.
func (p *pool) invoke(ctx context.Context, event []byte) ([]byte, error) {
	in := &invocation{
		id: fmt.Sprintf("%08d-0000-4000-8000-000000000000", requests.Add(1)), event: event,
		deadline: time.Now().Add(p.Timeout), done: make(chan outcome, 1),
	}
	if err := p.admit(in); err != nil {
		return nil, err
	}
	defer p.forget(in)
	ctx, cancel := context.WithDeadline(ctx, in.deadline)
	defer cancel()
	taken := false
	select {
	case p.work <- in:
		taken = true
	case <-ctx.Done():
	}
	p.count(0, -1)
	if !taken {
		return nil, errTimeout
	}
	select {
	case out := <-in.done:
		return out.answer, out.err
	case <-ctx.Done():
		return nil, errTimeout
	}
}

// admit notes an invocation and starts a process when none is free.
func (p *pool) admit(in *invocation) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return errEnded
	}
	p.running[in.id] = in
	p.waiting++
	if p.idle >= p.waiting || len(p.procs) >= maxContainers {
		return nil
	}
	return p.start()
}

func (p *pool) forget(in *invocation) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.running, in.id)
}

// start starts one process; the lock is held.
func (p *pool) start() error {
	cmd := exec.Command(p.binary)
	cmd.Env = p.env
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	ended := make(chan struct{})
	p.procs[cmd] = ended
	go func() {
		err := cmd.Wait()
		close(ended)
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.procs, cmd)
		if !p.ended {
			p.log.Error("a function's process ended", "function", p.Name, "error", fmt.Sprint(err))
			p.fail(fmt.Errorf("%s: its process ended: %w", p.Name, err))
		}
	}()
	return nil
}

// fail gives up what a process that ended may have held, when it was the last;
// the lock is held.
func (p *pool) fail(err error) {
	if len(p.procs) > 0 {
		return
	}
	for _, in := range p.running {
		in.finish(outcome{err: err})
	}
}

// finish delivers an outcome once.
func (in *invocation) finish(out outcome) {
	select {
	case in.done <- out:
	default:
	}
}

// close ends the function's processes and waits for them.
func (p *pool) close() {
	p.mu.Lock()
	p.ended = true
	ends := make([]chan struct{}, 0, len(p.procs))
	for cmd, ended := range p.procs {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		ends = append(ends, ended)
	}
	kill := time.AfterFunc(2*time.Second, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for cmd := range p.procs {
			_ = cmd.Process.Kill()
		}
	})
	p.mu.Unlock()
	for _, ended := range ends {
		<-ended
	}
	kill.Stop()
}

// runtimeAPI serves the Lambda Runtime API of every function on one listener:
// aws-lambda-go keeps a path in AWS_LAMBDA_RUNTIME_API, which here is the
// function's name.
func runtimeAPI(pools map[string]*pool) http.Handler {
	m := http.NewServeMux()
	serve := func(pattern string, h func(*pool, http.ResponseWriter, *http.Request)) {
		m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			if p := pools[r.PathValue("function")]; p != nil {
				h(p, w, r)
				return
			}
			http.NotFound(w, r)
		})
	}
	const base = "/{function}/2018-06-01/runtime/"
	serve("GET "+base+"invocation/next", (*pool).next)
	serve("POST "+base+"invocation/{id}/response", (*pool).response)
	serve("POST "+base+"invocation/{id}/error", (*pool).failure)
	serve("POST "+base+"init/error", (*pool).failure)
	return m
}

// next hands the next event to a process.
func (p *pool) next(w http.ResponseWriter, r *http.Request) {
	p.count(1, 0)
	defer p.count(-1, 0)
	select {
	case in := <-p.work:
		h := w.Header()
		h.Set("Lambda-Runtime-Aws-Request-Id", in.id)
		h.Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(in.deadline.UnixMilli()))
		h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-west-1:000000000000:function:"+p.Name)
		h.Set("Content-Type", "application/json")
		_, _ = w.Write(in.event)
	case <-r.Context().Done():
	}
}

func (p *pool) count(idle, waiting int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle += idle
	p.waiting += waiting
}

// response takes a function's answer.
func (p *pool) response(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	p.settle(w, r.PathValue("id"), outcome{answer: body, err: err})
}

// failure takes a function's error.
func (p *pool) failure(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	text := strings.TrimSpace(string(body))
	p.log.Error("a function failed", "function", p.Name, "error", text)
	p.settle(w, r.PathValue("id"), outcome{err: fmt.Errorf("%s: %s", p.Name, text)})
}

func (p *pool) settle(w http.ResponseWriter, id string, out outcome) {
	p.mu.Lock()
	in := p.running[id]
	p.mu.Unlock()
	if in != nil {
		in.finish(out)
	}
	w.WriteHeader(http.StatusAccepted)
}
