package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// behind is what stands behind a function that starts: the Runtime API, which
// notes the first request for work, and AWS, which answers at once.
type behind struct {
	url    string
	asked  chan time.Time
	server *http.Server
	hold   chan struct{} // closed at the end: requests for work wait for it
}

func newBehind() (*behind, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	b := &behind{url: l.Addr().String(), asked: make(chan time.Time, 1), hold: make(chan struct{})}
	b.server = &http.Server{Handler: b, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = b.server.Serve(l) }()
	return b, nil
}

func (b *behind) close() {
	close(b.hold)
	_ = b.server.Close()
}

func (b *behind) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch target := r.Header.Get("X-Amz-Target"); {
	case strings.HasSuffix(r.URL.Path, "/invocation/next"):
		select {
		case b.asked <- time.Now():
		default:
		}
		select {
		case <-b.hold:
		case <-r.Context().Done():
		}
	case strings.HasSuffix(target, ".GetSecretValue"):
		_, _ = io.WriteString(w, `{"SecretString":"0123456789abcdef0123456789abcdef"}`)
	default:
		_, _ = io.WriteString(w, `{}`)
	}
}

// measured is what starts of one function showed.
type measured struct{ milliseconds, megabytes float64 }

// errSilent is a function that never asked for work.
func errSilent(function, said string) error {
	return fmt.Errorf("%s did not ask for work within 10 s: %s", function, said)
}

// measure starts a function a number of times, one after another: the median
// time and the median of the memory held.
func (b *behind) measure(dir, function string, times int) (measured, error) {
	var ms, mb []float64
	for range times {
		m, err := b.once(filepath.Join(dir, function), function)
		if err != nil {
			return m, err
		}
		ms, mb = append(ms, m.milliseconds), append(mb, m.megabytes)
	}
	return measured{median(ms), median(mb)}, nil
}

func (b *behind) once(binary, function string) (measured, error) {
	cmd := exec.Command(binary)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = []string{
		"AWS_LAMBDA_RUNTIME_API=" + b.url, "AWS_LAMBDA_FUNCTION_NAME=" + function, "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=256", "_HANDLER=bootstrap",
		"AWS_REGION=eu-west-1", "AWS_ACCESS_KEY_ID=local", "AWS_SECRET_ACCESS_KEY=local", "AWS_ENDPOINT_URL=http://" + b.url,
		"INBOX_NAME=inbox", "INBOX_TABLE=inbox", "INBOX_EVENTS_TABLE=events", "INBOX_SECRET_ARN=arn", "INBOX_BUCKET=blobs", "INBOX_MAIL_DOMAIN=example.com", "INBOX_OWNER_EMAIL=owner@example.com",
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return measured{}, err
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	select {
	case at := <-b.asked:
		held, err := resident(cmd.Process.Pid)
		return measured{float64(at.Sub(begin).Microseconds()) / 1000, held}, err
	case <-limit.C:
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return measured{}, errSilent(function, said.String())
	}
}

// resident is the memory a process holds, in units of a million bytes.
func resident(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for l := range strings.Lines(string(raw)) {
		if f := strings.Fields(l); len(f) == 3 && f[0] == "VmRSS:" {
			kb, err := strconv.Atoi(f[1])
			return float64(kb) * 1024 / 1e6, err
		}
	}
	return 0, fmt.Errorf("process %d tells no memory", pid)
}

func median(v []float64) float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	return s[len(s)/2]
}
