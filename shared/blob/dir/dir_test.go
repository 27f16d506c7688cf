package dir_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/blob"
	"typedinbox/shared/blob/blobtest"
	"typedinbox/shared/blob/dir"
)

// served is a store whose signed addresses are answered.
func served(t *testing.T, now func() time.Time) *dir.Store {
	t.Helper()
	var s *dir.Store
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Handler().ServeHTTP(w, r) }))
	t.Cleanup(srv.Close)
	s, err := dir.Open(dir.Options{Root: t.TempDir(), Base: srv.URL + "/_local/blob", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSuite(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blobtest.Harness { return blobtest.Harness{Store: served(t, nil)} })
}

// TestSigned: an address serves one object as one file for its time alone.
func TestSigned(t *testing.T) {
	now := time.Date(2026, 10, 5, 8, 0, 0, 0, time.UTC)
	s := served(t, func() time.Time { return now })
	for _, k := range []string{"a", "b"} {
		if err := s.Put(context.Background(), k, []byte(k)); err != nil {
			t.Fatal(err)
		}
	}
	address, err := s.Sign(context.Background(), "a", blob.Download{Name: "a.pdf", Type: "application/pdf"}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		address string
		after   time.Duration
		status  int
	}{
		"ok/now":             {address, 0, 200},
		"ok/to the end":      {address, time.Minute, 200},
		"fail/over":          {address, time.Minute + time.Millisecond, 403},
		"fail/another key":   {strings.Replace(address, "key=a", "key=b", 1), 0, 403},
		"fail/another type":  {strings.Replace(address, "application%2Fpdf", "text%2Fhtml", 1), 0, 403},
		"fail/longer":        {strings.Replace(address, "until=1", "until=2", 1), 0, 403},
		"fail/no mac":        {before(address, "mac="), 0, 403},
		"fail/nothing":       {before(address, "?"), 0, 403},
		"fail/moved a field": {strings.Replace(address, "name=a.pdf", "name=", 1), 0, 403},
	} {
		t.Run(name, func(t *testing.T) {
			defer func(was time.Time) { now = was }(now)
			now = now.Add(c.after)
			resp, err := http.Get(c.address)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if resp.StatusCode != c.status {
				t.Errorf("answered %d", resp.StatusCode)
			}
			if c.status == 200 && resp.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Error("a browser may guess its type")
			}
		})
	}
}

// before is the part of an address before a mark.
func before(address, mark string) string {
	part, _, _ := strings.Cut(address, mark)
	return part
}
