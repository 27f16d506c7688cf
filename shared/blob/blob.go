// Package blob is the port of what is too large for a row: raw mail,
// attachments, large answers and exports (00 §4). In production it is one S3
// bucket, in the local run a folder.
package blob

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strings"
	"time"
)

// Bounds of a key, in bytes, and of a page of a list.
const (
	MaxKey  = 512
	MaxPage = 1000
)

// Errors of every driver.
var (
	// ErrNotFound: there is no object under the key.
	ErrNotFound = errors.New("blob: no such object")
	// ErrKey: the key is none a driver takes; see [CheckKey].
	ErrKey = errors.New("blob: not a key")
)

// Info is what a list says of an object.
type Info struct {
	Key   string
	Bytes int64
	At    time.Time // when it was put last
}

// Download is how a signed address answers.
type Download struct {
	Name string // of the file that is saved; one line
	Type string // media type, "" for application/octet-stream
}

// Store keeps objects. Every method is safe for concurrent use.
type Store interface {
	// Put writes an object whole, in place of what stood there.
	Put(ctx context.Context, key string, data []byte) error
	// Get reads an object whole; [ErrNotFound].
	Get(ctx context.Context, key string) ([]byte, error)
	// Copy writes an object's content under another key; [ErrNotFound].
	Copy(ctx context.Context, from, to string) error
	// Delete takes an object away; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// List lists objects whose keys begin with prefix, in byte order of their
	// keys, those behind after, at most limit (1 to [MaxPage]). A page may hold
	// fewer; the last one is empty.
	List(ctx context.Context, prefix, after string, limit int) ([]Info, error)
	// Sign makes an address that serves the object to whoever has it until it
	// expires, as a download and never to be shown in place (05 §5.6). It does not
	// look whether the object is there.
	Sign(ctx context.Context, key string, d Download, expires time.Duration) (address string, err error)
}

// CheckKey says whether a key is usable: 1 to [MaxKey] bytes of letters, digits
// and -_.@=+ between single slashes, no part of dots alone. Every driver takes the
// same keys, so that a folder can hold what a bucket does.
func CheckKey(key string) error {
	if key == "" || len(key) > MaxKey || path.Clean(key) != key || strings.HasPrefix(key, "/") || strings.HasPrefix(key, ".") {
		return ErrKey
	}
	for part := range strings.SplitSeq(key, "/") {
		if strings.Trim(part, ".") == "" {
			return ErrKey
		}
	}
	for _, c := range []byte(key) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_.@=+/", c) >= 0:
		default:
			return ErrKey
		}
	}
	return nil
}

// Disposition is the Content-Disposition of a download: always an attachment,
// its name twice, for old clients without what is not ASCII (RFC 6266).
func Disposition(name string) string {
	ascii := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' || r == '%' {
			return '_'
		}
		return r
	}, name)
	if ascii == "" {
		return "attachment"
	}
	return `attachment; filename="` + ascii + `"; filename*=UTF-8''` + strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
}

// MediaType is the media type a download is served with: what a browser might
// run or render is served as bytes.
func MediaType(declared string) string {
	t, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(declared)), ";")
	switch {
	case strings.ContainsAny(t, "\r\n") || !strings.Contains(t, "/"),
		strings.HasPrefix(t, "text/"), strings.Contains(t, "xml"), strings.Contains(t, "html"), strings.Contains(t, "script"):
		return "application/octet-stream"
	}
	return t
}
