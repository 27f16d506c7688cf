package mail

import (
	"bytes"
	"strings"

	"github.com/jhillyerd/enmime/v2/mediatype"
)

// maxField bounds the Content-Type and Content-Disposition that are read.
const maxField = 4 << 10

// part is one node of a message's structure. Its body is a piece of the raw
// message, not yet decoded.
type part struct {
	header     header
	kind       string // media type, lower case; text/plain when missing
	params     map[string]string
	attachment bool   // Content-Disposition: attachment
	name       string // file name, one line
	encoding   string // transfer encoding, lower case
	id         string // Content-ID without brackets
	body       []byte
	children   []*part
}

// scan cuts a message into its parts within the bounds of 05 §5.3: at most
// [MaxDepth] levels and [MaxParts] parts, whatever the message says. Each level
// is searched once, so the work is bounded by the size times the depth.
type scan struct {
	parts  int
	unread bool // something was beyond the bounds
}

func (s *scan) message(h header, body []byte) *part {
	p := newPart(h, body, "text/plain")
	s.descend(p, 1)
	return p
}

// descend finds the children of a multipart. One without a delimiter in its
// body is read as the text it shows.
func (s *scan) descend(p *part, depth int) {
	if !strings.HasPrefix(p.kind, "multipart/") {
		return
	}
	pieces := split(p.body, boundary(p), MaxParts-s.parts+1)
	if pieces == nil {
		if p.encoding != "base64" { // base64 of a multipart is no text
			p.kind = "text/plain"
		}
		return
	}
	if depth >= MaxDepth {
		s.unread = true
		return
	}
	fallback := "text/plain"
	if p.kind == "multipart/digest" {
		fallback = "message/rfc822"
	}
	for _, raw := range pieces {
		if s.parts >= MaxParts {
			s.unread = true
			return
		}
		s.parts++
		h, body, _ := readHeader(raw)
		child := newPart(h, body, fallback)
		p.children = append(p.children, child)
		s.descend(child, depth+1)
	}
}

func newPart(h header, body []byte, fallback string) *part {
	p := &part{header: h, body: body, encoding: strings.ToLower(firstWord(h.get("content-transfer-encoding")))}
	p.kind, p.params = mediaType(h.get("content-type"))
	if !strings.Contains(p.kind, "/") { // none, or no type at all (RFC 2045 §5.2)
		p.kind = fallback
	}
	disposition, params := mediaType(h.get("content-disposition"))
	p.attachment = disposition == "attachment"
	p.id = bareID(h.get("content-id"))
	p.name = fileName(h, params, p.params)
	return p
}

// firstWord is a value up to a blank or semicolon. Comments may stand anywhere in
// it, one inside another (RFC 5322 §3.2.2).
func firstWord(s string) string {
	s, _ = dropComments(s[:min(len(s), maxField)])
	s = strings.TrimLeft(s, " \t\"")
	if i := strings.IndexAny(s, " \t;(\""); i >= 0 {
		s = s[:i]
	}
	return s
}

// mediaType reads a Content-Type or Content-Disposition, however it is written;
// "" when it names none.
func mediaType(value string) (kind string, params map[string]string) {
	value = value[:min(len(value), maxField)]
	kind, params, _, err := mediatype.Parse(value)
	if err != nil {
		kind = strings.ToLower(firstWord(value))
	}
	return kind, params
}

// boundary is what separates the children. When the header lost it, the first
// line of the body that begins like one is taken.
func boundary(p *part) string {
	if b := strings.TrimRight(p.params["boundary"], " \t"); b != "" {
		return b
	}
	line, _ := cutLine(bytes.TrimLeft(p.body, "\r\n"))
	if b, ok := bytes.CutPrefix(bytes.TrimRight(line, " \t"), []byte("--")); ok && len(b) > 5 && len(b) <= 200 {
		return string(b)
	}
	return ""
}

// split is what stands between the delimiter lines of a boundary, at most limit
// pieces; nil when there is none. A missing last delimiter ends with the body.
func split(body []byte, boundary string, limit int) [][]byte {
	if boundary == "" {
		return nil
	}
	mark := []byte("--" + boundary)
	pieces := [][]byte{}
	start, at := -1, 0
	for {
		i := bytes.Index(body[at:], mark)
		if i < 0 {
			break
		}
		i += at
		last, next, ok := delimiter(body, i, len(mark))
		if at = next; !ok {
			continue
		}
		if start >= 0 {
			pieces = append(pieces, dropLineEnd(body[start:max(start, i)]))
		}
		if start = next; last || len(pieces) >= limit {
			return pieces
		}
	}
	if start < 0 {
		return nil
	}
	return append(pieces, body[start:])
}

// delimiter says whether the mark at i is a whole line, whether it is the last
// one, and where to go on.
func delimiter(body []byte, i, length int) (last bool, next int, ok bool) {
	next = i + length
	if i > 0 && body[i-1] != '\n' {
		return false, next, false
	}
	rest, after := cutLine(body[next:])
	rest, last = bytes.CutPrefix(rest, []byte("--"))
	if len(bytes.TrimLeft(rest, " \t\r")) > 0 {
		return false, next, false
	}
	return last, len(body) - len(after), true
}

// dropLineEnd takes off the line end that belongs to the delimiter behind it.
func dropLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte{'\n'}), []byte{'\r'})
}

// walk visits a part and everything in it, in order.
func (p *part) walk(visit func(*part)) {
	visit(p)
	for _, c := range p.children {
		c.walk(visit)
	}
}

// decoded is a leaf's body without its transfer encoding.
func (p *part) decoded() []byte { return transferDecode(p.body, p.encoding) }
