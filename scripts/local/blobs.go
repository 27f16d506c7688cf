package main

import (
	"net/http"
	"os"
	"path/filepath"
	"time"

	"typedinbox/shared/blob/dir"
)

// blobsPath is where signed addresses of blobs lead to: the stand-in's own place,
// as S3 has one.
const blobsPath = "/_local/blobs"

// openBlobs opens the folder of raw mail and attachments; a run that keeps
// nothing has one of its own and takes it away at its end.
func (w *world) openBlobs() (*dir.Store, error) {
	root := filepath.Join(w.dir(), "blobs")
	if w.dir() == "" {
		made, err := os.MkdirTemp("", "inbox-blobs-")
		if err != nil {
			return nil, err
		}
		root, w.closers = made, append(w.closers, func() error { return os.RemoveAll(made) })
	}
	return dir.Open(dir.Options{Root: root, Base: w.origin + blobsPath, Now: func() time.Time { return w.clock.now().Time() }})
}

// serveBlobs answers the signed addresses.
func (w *world) serveBlobs() http.Handler { return http.StripPrefix(blobsPath, w.blobs.Handler()) }
