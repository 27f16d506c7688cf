package mail

import (
	"slices"
	"strings"
	"unicode"
)

// What stands in place of a text there is none of (05 §5.4).
const (
	emptyText     = "(empty message)"
	encryptedText = "(encrypted message)"
)

// maxSource bounds how much of a part's text is read, in bytes.
const maxSource = 1 << 20

// prose is a message's text: once as the person wrote it, as far as its
// containers of quoted history go, once with all of it.
type prose struct{ kept, whole string }

func (p prose) blank() bool { return blank(p.whole) }

// blank says whether nothing of a text is seen.
func blank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r >= '\u200b' && r <= '\u200f' || r == '\u2060' || r == '\u00ad'
	}) == ""
}

func (p prose) and(q prose) prose {
	return prose{joinText(p.kept, q.kept), joinText(p.whole, q.whole)}
}

func joinText(a, b string) string {
	switch {
	case strings.TrimSpace(a) == "":
		return b
	case strings.TrimSpace(b) == "":
		return a
	}
	return strings.TrimRight(a, "\n") + "\n\n" + strings.TrimLeft(b, "\n")
}

// read chooses the text of a part (05 §5.4 "Body choice").
func (p *part) read() prose {
	switch {
	case p.kind == "multipart/alternative":
		return p.readAlternative()
	case p.kind == "multipart/related":
		return p.root().read()
	case p.children != nil:
		var all prose
		for _, c := range p.children {
			if c.children != nil || c.isText() {
				all = all.and(c.read())
			}
		}
		return all
	case p.kind == "text/plain":
		s := text(decodeBytes(p.source(), p.params["charset"]))
		return prose{s, s}
	case p.kind == "text/html":
		kept, whole := htmlText(decodeBytes(p.source(), p.params["charset"]))
		if kept == whole {
			s := text(kept)
			return prose{s, s}
		}
		return prose{text(kept), text(whole)}
	}
	return prose{}
}

// readAlternative takes the plain text unless it is blank, else the HTML, else
// the first that says something.
func (p *part) readAlternative() prose {
	for _, kind := range []string{"text/plain", "text/html", ""} {
		for _, c := range p.children {
			if c.attachment || kind != "" && !c.holds(kind) {
				continue
			}
			if found := c.read(); !found.blank() {
				return found
			}
		}
	}
	return prose{}
}

// holds says whether a part is of a kind or has such a text inside.
func (p *part) holds(kind string) bool {
	return p.kind == kind || slices.ContainsFunc(p.children, func(c *part) bool { return !c.attachment && c.holds(kind) })
}

// root is the part that a multipart/related shows: the one its start names,
// else the first.
func (p *part) root() *part {
	start := bareID(p.params["start"])
	for _, c := range p.children {
		if start != "" && c.id == start {
			return c
		}
	}
	if len(p.children) == 0 {
		return &part{}
	}
	return p.children[0]
}

// isText says whether a leaf is words of the message and not a file.
func (p *part) isText() bool {
	return (p.kind == "text/plain" || p.kind == "text/html") && !p.attachment && p.name == "" && p.children == nil
}

// source is as much of a text part as is read.
func (p *part) source() []byte {
	b := p.decoded()
	return b[:min(len(b), maxSource)]
}

// bodyOf is the text of a whole message. One that is all in named files shown in
// place (as some telephones send) is read from them.
func bodyOf(root *part) prose {
	found := prose{}
	if root.children != nil || root.isText() || root.kind == "text/plain" || root.kind == "text/html" {
		found = root.read()
	}
	if !found.blank() {
		return found
	}
	root.walk(func(p *part) {
		if found.blank() && (p.kind == "text/plain" || p.kind == "text/html") && !p.attachment {
			found = p.read()
		}
	})
	return found
}

// encrypted says whether only the recipient's key would open the message.
func encrypted(root *part, body prose) bool {
	switch root.kind {
	case "multipart/encrypted", "application/pgp-encrypted":
		return true
	case "application/pkcs7-mime", "application/x-pkcs7-mime":
		return true
	}
	return strings.HasPrefix(strings.TrimSpace(body.whole), "-----BEGIN PGP MESSAGE-----")
}
