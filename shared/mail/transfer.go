package mail

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// transferDecode undoes a Content-Transfer-Encoding. An unknown one is none.
// What is broken in it is passed over: the rest is kept.
func transferDecode(b []byte, encoding string) []byte {
	switch encoding {
	case "base64":
		return decodeBase64(b)
	case "quoted-printable":
		return decodeQuotedPrintable(b)
	}
	return b
}

// decodedSize is how long transferDecode's answer would be, to the byte for
// base64 and for what is not encoded, at most that for quoted-printable.
func decodedSize(b []byte, encoding string) int {
	if encoding != "base64" {
		return len(b)
	}
	n := 0
	for _, c := range b {
		if sextet[c] < 64 {
			n++
		}
	}
	return n * 3 / 4
}

// sextet is the value of each byte of the base64 alphabets, 64 for '=', 65 for
// what does not belong to them.
var sextet = func() (table [256]byte) {
	for i := range table {
		table[i] = 65
	}
	for i, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
		table[c] = byte(i)
	}
	table['-'], table['_'], table['='] = 62, 63, 64
	return table
}()

// decodeBase64 decodes what it can: bytes outside the alphabet are skipped,
// padding ends a group wherever it stands, an end cut off gives the bytes that
// are whole.
func decodeBase64(b []byte) []byte {
	out, err := base64.StdEncoding.AppendDecode(make([]byte, 0, base64.StdEncoding.DecodedLen(len(b))), b)
	if err == nil {
		return out
	}
	out = out[:0]
	var group uint32
	have := 0
	end := func() {
		switch have {
		case 2:
			out = append(out, byte(group>>4))
		case 3:
			out = append(out, byte(group>>10), byte(group>>2))
		}
		group, have = 0, 0
	}
	for _, c := range b {
		switch v := sextet[c]; {
		case v < 64:
			group, have = group<<6|uint32(v), have+1
			if have == 4 {
				out = append(out, byte(group>>16), byte(group>>8), byte(group))
				group, have = 0, 0
			}
		case v == 64:
			end()
		}
	}
	end()
	return out
}

// decodeQuotedPrintable decodes RFC 2045 §6.7; an equals sign that introduces
// nothing stands for itself.
func decodeQuotedPrintable(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		at := bytes.IndexByte(b, '\n')
		var text, end []byte
		if at < 0 {
			text, b = b, nil
		} else {
			text, end, b = b[:at], b[at:at+1], b[at+1:]
			if len(text) > 0 && text[len(text)-1] == '\r' {
				text, end = text[:len(text)-1], []byte("\r\n")
			}
		}
		text = bytes.TrimRight(text, " \t")
		if len(text) > 0 && text[len(text)-1] == '=' {
			text, end = text[:len(text)-1], nil
		}
		for i := 0; i < len(text); i++ {
			if c := text[i]; c == '=' && i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
				out = append(out, unhex(text[i+1])<<4|unhex(text[i+2]))
				i += 2
			} else {
				out = append(out, c)
			}
		}
		out = append(out, end...)
	}
	return out
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}
