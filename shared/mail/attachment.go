package mail

import (
	"bytes"
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// maxLogo is up to what size a picture that stands in the text of an HTML part
// is a signature's, in bytes (05 §5.6).
const maxLogo = 20 << 10

// attachments are the files of a message in its order: every leaf that is no
// text of it, but for the small pictures its HTML shows.
func attachments(root *part) []Attachment {
	var list []Attachment
	var shown [][]byte
	looked := false
	inText := func(p *part) bool {
		if !looked {
			looked = true
			root.walk(func(q *part) {
				if q.kind == "text/html" && !q.attachment {
					shown = append(shown, q.source())
				}
			})
		}
		for _, h := range shown {
			if bytes.Contains(h, []byte("cid:"+p.id)) {
				return true
			}
		}
		return false
	}
	total := 0
	root.walk(func(p *part) {
		if !p.isFile(root) {
			return
		}
		size := decodedSize(p.body, p.encoding)
		if p.id != "" && size < maxLogo && strings.HasPrefix(p.kind, "image/") && inText(p) {
			return
		}
		a := Attachment{Name: p.fileName(len(list) + 1), Type: declared(p.kind), Bytes: size}
		if kept(list) < MaxAttachments && size <= MaxAttachment && total+size <= MaxAttached {
			if a.Content = p.decoded(); a.Content == nil {
				a.Content = []byte{} // kept, and empty
			}
			a.Kept, a.Bytes = true, len(a.Content)
			a.Type = sniff(a.Content, a.Type)
			total += a.Bytes
		}
		a.Harmful = harmful(a)
		list = append(list, a)
	})
	return list
}

func kept(list []Attachment) int {
	n := 0
	for _, a := range list {
		if a.Kept {
			n++
		}
	}
	return n
}

// isFile says whether a part is a file and no text of the message.
func (p *part) isFile(root *part) bool {
	switch {
	case p.children != nil, strings.HasPrefix(p.kind, "multipart/"):
		return false
	case p == root:
		return p.attachment || p.kind != "text/plain" && p.kind != "text/html"
	case p.kind == "text/x-amp-html", p.kind == "text/enriched" && p.name == "", p.kind == "application/pgp-encrypted" && p.name == "":
		return false // other forms of the same text, or nothing but a version
	}
	return !p.isText()
}

// fileName is the part's name or, without one, a name by its kind.
func (p *part) fileName(n int) string {
	switch {
	case p.name != "":
		return p.name
	case p.kind == "message/rfc822":
		h, _, _ := readHeader(p.decoded())
		if s := cleanName(strings.NewReplacer("/", "-", `\`, "-").Replace(headerText(h.get("subject"), 100))); s != "" {
			return s + ".eml"
		}
		return "message.eml"
	case p.kind == "text/calendar":
		return "invitation.ics"
	}
	return "attachment-" + strconv.Itoa(n) + ending[p.kind]
}

// ending is the usual ending of the types that come without a name.
var ending = map[string]string{
	"text/plain": ".txt", "text/html": ".html", "application/pdf": ".pdf", "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif",
	"image/heic": ".heic", "image/webp": ".webp", "text/vcard": ".vcf", "text/csv": ".csv", "audio/mpeg": ".mp3", "video/mp4": ".mp4",
	"application/pkcs7-mime": ".p7m", "application/pkcs7-signature": ".p7s", "application/pgp-signature": ".asc",
}

// maxType is how long a type may be, in bytes (RFC 6838 §4.2 has 127 for each half).
const maxType = 255

// declared is the type that a sender says, bytes where it is none.
func declared(kind string) string {
	unnamed := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("/!#$&^_.+-", r)
	}
	if len(kind) > maxType || strings.Count(kind, "/") != 1 || strings.ContainsFunc(kind, unnamed) {
		return "application/octet-stream"
	}
	return kind
}

// sniff is a file's type by its content; what the content does not tell apart
// (text, archives, nothing known) is what the sender says.
func sniff(content []byte, declared string) string {
	found, _, err := mime.ParseMediaType(http.DetectContentType(content))
	switch found {
	case "application/octet-stream", "text/plain", "text/xml", "application/zip", "":
		if strings.Contains(declared, "/") && !strings.HasPrefix(declared, "multipart/") {
			return declared
		}
	}
	if err != nil {
		return "application/octet-stream"
	}
	return found
}

// Endings of files that run, hold scripts or open something that does (05
// §5.6), and their near relatives.
var harmfulEndings = words(`exe scr js vbs bat cmd ps1 msi jar lnk hta iso html htm svg
	docm dotm xlsm xltm xlam pptm potm ppam ppsm sldm
	com pif cpl dll msp mst reg vbe jse wsf wsh ws psm1 img vhd vhdx xhtml xht mht mhtml shtml xml svgz url chm apk app appx msix sh py xll`)

// Types of such files.
var harmfulTypes = words(`text/html image/svg+xml application/xhtml+xml application/javascript text/javascript application/x-javascript
	application/x-msdownload application/x-msdos-program application/x-executable application/x-sh application/hta application/java-archive`)

func words(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// harmful says whether a file may do harm when opened: by its last ending, its
// type or the first bytes of a program.
func harmful(a Attachment) bool {
	name := strings.ToLower(a.Name)
	end := name[strings.LastIndexByte(name, '.')+1:]
	program := bytes.HasPrefix(a.Content, []byte("MZ")) || bytes.HasPrefix(a.Content, []byte("\x7fELF")) || bytes.HasPrefix(a.Content, []byte("#!"))
	return harmfulEndings[end] || harmfulTypes[a.Type] || program || strings.Contains(a.Type, "macroenabled")
}
