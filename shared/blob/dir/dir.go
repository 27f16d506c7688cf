// Package dir keeps objects in a folder: the blob store of the local run and of
// tests (00 §4). Its signed addresses are served by [Store.Handler].
package dir

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"typedinbox/shared/blob"
)

// suffix ends the name of every object's file, so that a key may go on where
// another ends.
const suffix = ".blob"

// Store keeps objects under a root folder, each key a path.
type Store struct {
	root   string
	base   string // what signed addresses begin with
	secret []byte
	now    func() time.Time
}

// Options is how a store is made.
type Options struct {
	Root string           // the folder; it is made when it is not there
	Base string           // the address [Store.Handler] is served at, without a trailing slash
	Now  func() time.Time // nil: the system's clock
}

// Open makes a store. Addresses it signs are good until the process ends.
func Open(o Options) (*Store, error) {
	s := &Store{root: o.Root, base: o.Base, secret: make([]byte, 32), now: o.Now}
	if s.now == nil {
		s.now = time.Now
	}
	_, _ = rand.Read(s.secret) // never fails
	return s, os.MkdirAll(o.Root, 0o700)
}

// file is the path of a key's object.
func (s *Store) file(key string) (string, error) {
	if err := blob.CheckKey(key); err != nil {
		return "", fmt.Errorf("%w: %q", err, key)
	}
	return filepath.Join(s.root, filepath.FromSlash(key)+suffix), nil
}

// Put writes an object beside its place and moves it there.
func (s *Store) Put(_ context.Context, key string, data []byte) error {
	file, err := s.file(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), ".put-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err = errors.Join(err, tmp.Close()); err == nil {
		now := s.now()
		err = errors.Join(os.Chtimes(tmp.Name(), now, now), os.Rename(tmp.Name(), file))
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // what could not be written is of no use
	}
	return err
}

// Get reads an object.
func (s *Store) Get(_ context.Context, key string) ([]byte, error) {
	file, err := s.file(key)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", blob.ErrNotFound, key)
	}
	return data, err
}

// Copy reads one object and writes another.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	if _, err := s.file(to); err != nil {
		return err
	}
	data, err := s.Get(ctx, from)
	if err != nil {
		return err
	}
	return s.Put(ctx, to, data)
}

// Delete removes an object's file.
func (s *Store) Delete(_ context.Context, key string) error {
	file, err := s.file(key)
	if err != nil {
		return err
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// List walks the folder; a local run holds few objects.
func (s *Store) List(_ context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	found := []blob.Info{}
	err := filepath.WalkDir(s.root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, suffix) {
			return err
		}
		rel, err := filepath.Rel(s.root, file)
		if err != nil {
			return err
		}
		key := strings.TrimSuffix(filepath.ToSlash(rel), suffix)
		if !strings.HasPrefix(key, prefix) || key <= after {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // deleted since
		}
		found = append(found, blob.Info{Key: key, Bytes: info.Size(), At: info.ModTime()})
		return nil
	})
	slices.SortFunc(found, func(a, b blob.Info) int { return strings.Compare(a.Key, b.Key) })
	return found[:min(len(found), max(1, min(limit, blob.MaxPage)))], err
}

// Sign makes an address of [Store.Handler].
func (s *Store) Sign(_ context.Context, key string, d blob.Download, expires time.Duration) (string, error) {
	if err := blob.CheckKey(key); err != nil {
		return "", fmt.Errorf("%w: %q", err, key)
	}
	q := url.Values{
		"key": {key}, "name": {d.Name}, "type": {blob.MediaType(d.Type)},
		"until": {strconv.FormatInt(s.now().Add(expires).UnixMilli(), 10)},
	}
	q.Set("mac", s.mac(q))
	return s.base + "?" + q.Encode(), nil
}

func (s *Store) mac(q url.Values) string {
	h := hmac.New(sha256.New, s.secret)
	for _, name := range []string{"key", "name", "type", "until"} {
		fmt.Fprintf(h, "%d:%s", len(q.Get(name)), q.Get(name))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// Handler serves signed addresses: 403 for one that was not signed here or is
// over, 404 when the object is gone.
func (s *Store) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		until, err := strconv.ParseInt(q.Get("until"), 10, 64)
		if !hmac.Equal([]byte(q.Get("mac")), []byte(s.mac(q))) || err != nil || s.now().UnixMilli() > until {
			http.Error(w, "This address is not good any more.", http.StatusForbidden)
			return
		}
		data, err := s.Get(r.Context(), q.Get("key"))
		if err != nil {
			http.Error(w, "There is no such file.", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", q.Get("type"))
		h.Set("Content-Disposition", blob.Disposition(q.Get("name")))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		_, _ = w.Write(data) // the peer may be gone
	})
}
