package mail

import (
	"strings"
	"testing"
)

// BenchmarkParse reads a mail of 1 MB as customers send it: words in plain text
// and HTML above the history of a thread, and a photograph (08 §7).
func BenchmarkParse(b *testing.B) {
	raw := megabyte()
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if r, err := Parse(raw, Delivery{}); err != nil || len(r.Attachments) != 1 || !strings.HasPrefix(r.Text, "The 7th") {
			b.Fatal(err, r.Text)
		}
	}
}

// BenchmarkParseText reads a mail of 1 MB that is all words, BenchmarkParseHTML
// one that is all HTML.
func BenchmarkParseText(b *testing.B) {
	benchmark(b, with("Content-Type: text/plain; charset=utf-8\r\n", filled("Às dez, no sítio combinado, com todos.\r\n", 1<<20)))
}

func BenchmarkParseHTML(b *testing.B) {
	benchmark(b, with("Content-Type: text/html; charset=utf-8\r\n", filled(`<p class="MsoNormal" style="margin:0"><span lang="PT">Às dez, no sítio combinado,</span> com <b>todos</b>.</p>`+"\r\n", 1<<20)))
}

func benchmark(b *testing.B, raw []byte) {
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(raw, Delivery{}); err != nil {
			b.Fatal(err)
		}
	}
}

func megabyte() []byte {
	history := filled("> we can offer you Wednesday, 7 October 2026 at 10:00\r\n", 100<<10)
	html := "<div>The 7th is fine.</div><div class=\"gmail_quote\">" + filled("<div style=\"margin:0\">we can offer you <b>Wednesday</b></div>\r\n", 200<<10) + "</div>"
	body := "--o\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n" +
		"--i\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe 7th is fine.\r\n\r\nOn Thu, 1 Oct 2026, Studio wrote:\r\n" + history + "\r\n" +
		"--i\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html + "\r\n--i--\r\n" +
		"--o\r\nContent-Type: image/jpeg; name=photo.jpg\r\nContent-Transfer-Encoding: base64\r\n\r\n" + filled(strings.Repeat("/9j/", 19)+"\r\n", 700<<10) + "\r\n--o--\r\n"
	return with("Content-Type: multipart/mixed; boundary=o\r\n", body)
}
