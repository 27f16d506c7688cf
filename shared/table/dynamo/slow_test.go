package dynamo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"typedinbox/shared/table"
)

// TestSlowRead: a read that the client itself gave up on may be tried again; one
// whose caller is gone may not.
func TestSlowRead(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	never := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-never }))
	defer slow.Close()
	defer close(never)
	_, timeout := (&http.Client{Timeout: time.Millisecond}).Get(slow.URL) //nolint:bodyclose // nothing answers
	if !errors.Is(timeout, context.DeadlineExceeded) {
		t.Fatalf("a client's time limit reads %v", timeout)
	}
	for name, c := range map[string]struct {
		ctx       context.Context
		err       error
		throttled bool
	}{
		"ok/the client's limit":   {context.Background(), timeout, true},
		"ok/wrapped":              {context.Background(), fmt.Errorf("operation error: %w", timeout), true},
		"fail/the caller is gone": {gone, context.Canceled, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := readError(c.ctx, c.err); errors.Is(got, table.ErrThrottled) != c.throttled {
				t.Errorf("%v", got)
			}
		})
	}
}
