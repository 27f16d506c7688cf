package blob_test

import (
	"mime"
	"testing"

	"typedinbox/shared/blob"
)

func TestDisposition(t *testing.T) {
	for name, c := range map[string]struct{ name, want string }{
		"ok/plain":         {"offer.pdf", "offer.pdf"},
		"ok/no name":       {"", ""},
		"ok/accents":       {"orçamento ‹1›.pdf", "orçamento ‹1›.pdf"},
		"ok/quotes":        {`a"b\c.txt`, `a"b\c.txt`},
		"ok/lines":         {"a\r\nSet-Cookie: x=1", "a\r\nSet-Cookie: x=1"},
		"ok/percent signs": {"100%25.pdf", "100%25.pdf"},
	} {
		t.Run(name, func(t *testing.T) {
			d := blob.Disposition(c.name)
			for _, r := range d {
				if r < ' ' || r > '~' {
					t.Fatalf("%q is in a header: %q", r, d)
				}
			}
			kind, params, err := mime.ParseMediaType(d)
			if err != nil || kind != "attachment" || params["filename"] != c.want {
				t.Errorf("%q reads %s %v, %v", d, kind, params, err)
			}
		})
	}
}

func TestMediaType(t *testing.T) {
	for in, want := range map[string]string{
		"image/png": "image/png", "IMAGE/JPEG; name=x": "image/jpeg", "application/pdf": "application/pdf",
		"text/plain": "application/octet-stream", "text/html": "application/octet-stream", "image/svg+xml": "application/octet-stream",
		"application/xhtml+xml": "application/octet-stream", "application/javascript": "application/octet-stream",
		"": "application/octet-stream", "x": "application/octet-stream", "image/png\r\nX: y": "application/octet-stream",
	} {
		if got := blob.MediaType(in); got != want {
			t.Errorf("%q is served as %q", in, got)
		}
	}
}
