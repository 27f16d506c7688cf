// Package blobtest is the one suite every driver of the blob port must pass
// (00 §4, §8).
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"typedinbox/shared/blob"
)

// Gap is something a stand-in lacks.
type Gap string

// Served: a signed address is answered with the type and the name it was signed
// with.
const Served Gap = "headers of a signed address"

// Harness is one empty store.
type Harness struct {
	Store blob.Store
	Skip  map[Gap]string // the reason of each gap of the backend
}

// Run runs the suite; open gives a fresh store for each case.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	for name, run := range map[string]func(t *testing.T, h Harness){
		"ok/put and get":                    putAndGet,
		"ok/written again":                  writtenAgain,
		"ok/copy":                           copies,
		"ok/list pages":                     pages,
		"ok/list of a prefix":               prefixes,
		"ok/delete":                         deletes,
		"ok/large":                          large,
		"ok/signed":                         signed,
		"ok/at once":                        atOnce,
		"fail/get what is not there":        notThere,
		"fail/keys that are none":           badKeys,
		"fail/signed address of no object":  signedNothing,
		"ok/a key may go on where one ends": goesOn,
	} {
		t.Run(name, func(t *testing.T) { run(t, open(t)) })
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func putAndGet(t *testing.T, h Harness) {
	ctx := context.Background()
	for _, data := range [][]byte{{}, []byte("a mail\r\n"), {0, 255, '\r', '\n'}} {
		must(t, h.Store.Put(ctx, "in/AbC-1_2.3@x=+", data))
		got, err := h.Store.Get(ctx, "in/AbC-1_2.3@x=+")
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%q came back as %q, %v", data, got, err)
		}
	}
}

func writtenAgain(t *testing.T, h Harness) {
	ctx := context.Background()
	must(t, h.Store.Put(ctx, "a/b", []byte("a longer one")))
	must(t, h.Store.Put(ctx, "a/b", []byte("short")))
	if got, err := h.Store.Get(ctx, "a/b"); err != nil || string(got) != "short" {
		t.Errorf("got %q, %v", got, err)
	}
}

func copies(t *testing.T, h Harness) {
	ctx := context.Background()
	must(t, h.Store.Put(ctx, "in/1+1@x", []byte("raw")))
	must(t, h.Store.Copy(ctx, "in/1+1@x", "items/A/raw"))
	must(t, h.Store.Delete(ctx, "in/1+1@x"))
	if got, err := h.Store.Get(ctx, "items/A/raw"); err != nil || string(got) != "raw" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := h.Store.Copy(ctx, "in/2", "x"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("copied nothing: %v", err)
	}
}

// all reads every page.
func all(t *testing.T, s blob.Store, prefix string, limit int) (keys []string) {
	t.Helper()
	for after := ""; ; {
		page, err := s.List(context.Background(), prefix, after, limit)
		must(t, err)
		if len(page) == 0 {
			return keys
		}
		if len(page) > limit {
			t.Fatalf("a page of %d, not %d", len(page), limit)
		}
		for _, i := range page {
			keys = append(keys, i.Key)
		}
		after = page[len(page)-1].Key
	}
}

func pages(t *testing.T, h Harness) {
	var want []string
	for i := range 7 {
		key := fmt.Sprintf("in/%02d", i)
		must(t, h.Store.Put(context.Background(), key, []byte(strings.Repeat("x", i))))
		want = append(want, key)
	}
	for _, limit := range []int{1, 3, 7, blob.MaxPage} {
		if got := all(t, h.Store, "in/", limit); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("by %d: %v", limit, got)
		}
	}
	page, err := h.Store.List(context.Background(), "in/06", "", 5)
	if err != nil || len(page) != 1 || page[0].Bytes != 6 || page[0].At.IsZero() {
		t.Errorf("said %+v, %v", page, err)
	}
}

func prefixes(t *testing.T, h Harness) {
	for _, k := range []string{"in/a", "inn/b", "items/c", "in/b/c"} {
		must(t, h.Store.Put(context.Background(), k, nil))
	}
	for prefix, want := range map[string]string{"in/": "[in/a in/b/c]", "in": "[in/a in/b/c inn/b]", "x": "[]", "": "[in/a in/b/c inn/b items/c]"} {
		if got := fmt.Sprint(all(t, h.Store, prefix, 100)); got != want {
			t.Errorf("%q: %s", prefix, got)
		}
	}
}

func deletes(t *testing.T, h Harness) {
	ctx := context.Background()
	must(t, h.Store.Put(ctx, "a", nil))
	must(t, h.Store.Delete(ctx, "a"))
	must(t, h.Store.Delete(ctx, "a"))
	if _, err := h.Store.Get(ctx, "a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("a deleted object: %v", err)
	}
}

func large(t *testing.T, h Harness) {
	data := bytes.Repeat([]byte("0123456789abcdef"), 26<<20/16)
	must(t, h.Store.Put(context.Background(), "in/large", data))
	got, err := h.Store.Get(context.Background(), "in/large")
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes came back, %v", len(got), err)
	}
}

func signed(t *testing.T, h Harness) {
	ctx := context.Background()
	must(t, h.Store.Put(ctx, "items/A/1", []byte("<script>")))
	for name, c := range map[string]struct{ name, declared, served string }{
		"a picture": {"foto \"1\" ção.png", "image/png", "image/png"},
		"a page":    {"x.html", "text/html; charset=utf-8", "application/octet-stream"},
		"a drawing": {"x.svg", "image/svg+xml", "application/octet-stream"},
		"nothing":   {"", "", "application/octet-stream"},
	} {
		address, err := h.Store.Sign(ctx, "items/A/1", blob.Download{Name: c.name, Type: c.declared}, time.Minute)
		must(t, err)
		resp, body := get(t, address)
		if resp.StatusCode != http.StatusOK || body != "<script>" {
			t.Errorf("%s: %d %q", name, resp.StatusCode, body)
		}
		if h.Skip[Served] != "" {
			continue
		}
		if resp.Header.Get("Content-Type") != c.served || resp.Header.Get("Content-Disposition") != blob.Disposition(c.name) {
			t.Errorf("%s is served with %v", name, resp.Header)
		}
	}
}

func get(t *testing.T, address string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(address) //nolint:gosec // the address under test
	must(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp, string(body)
}

func signedNothing(t *testing.T, h Harness) {
	address, err := h.Store.Sign(context.Background(), "gone", blob.Download{Name: "x"}, time.Minute)
	must(t, err)
	if resp, _ := get(t, address); resp.StatusCode != http.StatusNotFound {
		t.Errorf("answered %d", resp.StatusCode)
	}
}

func notThere(t *testing.T, h Harness) {
	if _, err := h.Store.Get(context.Background(), "in/none"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

// BadKeys are keys no driver takes.
var BadKeys = []string{
	"", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/..", ".a", "a b", "a\\b", "a\x00b", "ä", "a%2e", "a\nb", "a:b",
	strings.Repeat("a", blob.MaxKey+1),
}

func badKeys(t *testing.T, h Harness) {
	ctx := context.Background()
	for _, k := range BadKeys {
		_, err := h.Store.Get(ctx, k)
		_, err2 := h.Store.Sign(ctx, k, blob.Download{}, time.Minute)
		for _, err := range []error{err, err2, h.Store.Put(ctx, k, nil), h.Store.Delete(ctx, k), h.Store.Copy(ctx, k, "a"), h.Store.Copy(ctx, "a", k)} {
			if !errors.Is(err, blob.ErrKey) {
				t.Errorf("%q: %v", k, err)
			}
		}
	}
}

func atOnce(t *testing.T, h Harness) {
	var wg sync.WaitGroup
	begin := make(chan struct{})
	for i := range 16 {
		wg.Go(func() {
			<-begin
			if err := h.Store.Put(context.Background(), "same/key", bytes.Repeat([]byte{byte(i)}, 1<<16)); err != nil {
				t.Error(err)
			}
		})
	}
	close(begin)
	wg.Wait()
	got, err := h.Store.Get(context.Background(), "same/key")
	if err != nil || len(got) != 1<<16 || !bytes.Equal(got, bytes.Repeat(got[:1], 1<<16)) {
		t.Errorf("%d bytes of several writers, %v", len(got), err)
	}
}

func goesOn(t *testing.T, h Harness) {
	ctx := context.Background()
	must(t, h.Store.Put(ctx, "a/b", []byte("1")))
	must(t, h.Store.Put(ctx, "a/b/c", []byte("2")))
	one, err := h.Store.Get(ctx, "a/b")
	two, err2 := h.Store.Get(ctx, "a/b/c")
	if string(one)+string(two) != "12" {
		t.Error(err, err2)
	}
}
