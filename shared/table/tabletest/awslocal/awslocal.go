// Package awslocal starts scripts/awslocal, the stand-ins for AWS services, for
// tests (08 §5): once for each test process, which ends it by ending.
package awslocal

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Start gives the endpoint of the stand-ins, e.g. "http://127.0.0.1:40123".
// Tests that share it use names of their own for tables, buckets and addresses.
// It fails the test when the program cannot be built or started.
func Start(t testing.TB) (endpoint string) {
	t.Helper()
	endpoint, err := start()
	if err != nil {
		t.Fatalf("awslocal: %v", err)
	}
	return endpoint
}

// Env is the environment of a Lambda whose AWS services are the stand-ins at
// the endpoint; every other variable is empty.
func Env(endpoint string) func(string) string {
	vars := map[string]string{
		"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL": endpoint,
	}
	return func(name string) string { return vars[name] }
}

// lifeline is the program's standard input. It stays open until this process
// ends, and the program with it; were it not kept here it would be closed as
// garbage.
var lifeline io.WriteCloser //nolint:unused // held, not used

var start = sync.OnceValues(func() (string, error) {
	program, err := build()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(program)
	cmd.Stderr = os.Stderr
	cmd.Env = []string{"HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}
	if lifeline, err = cmd.StdinPipe(); err != nil {
		return "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", errors.Join(fmt.Errorf("printed no address: %w", err), cmd.Wait())
	}
	return strings.TrimSpace(line), nil
})

// build gives the program's path. It is kept in the user's cache under a hash
// of its sources, and built by one process at a time.
func build() (string, error) {
	source, err := sourceDir()
	if err != nil {
		return "", err
	}
	mark := sha256.New()
	fmt.Fprintln(mark, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	for _, name := range []string{"main.go", "go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(mark, "%s %d\n%s", name, len(text), text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "typedinbox")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	program := filepath.Join(dir, fmt.Sprintf("awslocal-%x", mark.Sum(nil)[:8]))
	unlock, err := lock(program + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	return program, compile(source, program)
}

func compile(source, program string) error {
	part := program + ".part"
	cmd := exec.Command("go", "build", "-C", source, "-trimpath", "-o", part, ".")
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return os.Rename(part, program)
}

func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil
}

// sourceDir finds scripts/awslocal from the working directory, which is the
// tested package's.
func sourceDir() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		source := filepath.Join(dir, "scripts", "awslocal")
		if _, err := os.Stat(filepath.Join(source, "go.mod")); err == nil {
			return source, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("scripts/awslocal is not above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}
