package main

import (
	"bufio"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The program prints one line when it is ready, answers, and when it is told to
// stop it ends with everything it started.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every function")
	}
	program := filepath.Join(t.TempDir(), "run-lambda")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env, cmd.Stderr = root, append(os.Environ(), "PORT=0"), os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	group := -cmd.Process.Pid
	t.Cleanup(func() { _ = syscall.Kill(group, syscall.SIGKILL) })
	line, err := bufio.NewReader(out).ReadString('\n')
	f := strings.Fields(line)
	if err != nil || len(f) < 3 || f[0] != "ready" || !strings.HasPrefix(f[2], "owner_key=sdi_own_") {
		t.Fatalf("printed %q, %v", line, err)
	}
	for path, want := range map[string]int{"/healthz": 200, "/v1/business": 200, "/_local/about": 200, "/v1/owner/items": 401} {
		res, err := http.Get(f[1] + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("GET %s: %d, want %d", path, res.StatusCode, want)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it did not end")
	}
	if err := syscall.Kill(group, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("something it started still runs: %v", err)
	}
}
