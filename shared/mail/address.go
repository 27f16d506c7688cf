package mail

import (
	"strings"

	"typedinbox/shared/decide"
)

// maxRecipients bounds the addresses looked at.
const maxRecipients = 200

// mailbox is one mailbox of a header as it stands there: the name still
// encoded, the address unchecked.
type mailbox struct{ name, address string }

// readMailboxes reads a list of mailboxes as leniently as can be done safely:
// a comma that belongs to an unquoted name joins its neighbours, since a piece
// without an address is none. group is true when the list holds group syntax.
func readMailboxes(value string) (list []mailbox, group bool) {
	from := 0 // where the words begin that have no address yet
	for _, p := range splitList(value) {
		if p.end == ':' {
			group = true
			from = p.to + 1
			continue
		}
		if p.to-from > maxPending {
			from = p.from
		}
		if !strings.ContainsAny(value[p.from:p.to], "@<") {
			continue
		}
		if found := oneMailbox(value[from:p.to]); found != nil {
			list = append(list, found...)
			from = p.to + 1
		}
	}
	return list, group
}

// maxPending bounds how far before its address a name may begin, in bytes.
const maxPending = 2000

// piece is what stands between two separators of a list.
type piece struct {
	from, to int
	end      byte // , ; : or 0 at the end
}

// splitList cuts at commas, semicolons and colons that stand outside quotes,
// comments, angle brackets and encoded words.
func splitList(s string) []piece {
	var list []piece
	start, comment, quoted, angle := 0, 0, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case quoted:
			quoted = c != '"'
		case c == '=' && wordLength(s[i:]) > 0: // what it hides separates nothing
			i += wordLength(s[i:]) - 1
		case c == '"':
			quoted = true
		case c == '(':
			comment++
		case c == ')' && comment > 0:
			comment--
		case comment > 0:
		case c == '<':
			angle = true
		case c == '>':
			angle = false
		case !angle && (c == ',' || c == ';' || c == ':'):
			list = append(list, piece{start, i, c})
			start = i + 1
		}
	}
	return append(list, piece{start, len(s), 0})
}

// oneMailbox reads a piece: `name <address>`, `address (name)` or `address`. It
// answers several where several pairs of brackets stand, none where there is no
// address.
func oneMailbox(s string) []mailbox {
	bare, comment := dropComments(s)
	var list []mailbox
	for {
		open := firstUnquoted(bare, '<')
		if open < 0 {
			break
		}
		name, rest := bare[:open], bare[open+1:]
		address, after, closed := strings.Cut(rest, ">")
		if !closed {
			address = rest
		}
		list = append(list, mailbox{unquote(name), strings.TrimSpace(address)})
		if bare = after; !strings.Contains(bare, "<") {
			break
		}
	}
	if list != nil {
		return list
	}
	if word := strings.TrimSpace(bare); strings.Contains(word, "@") {
		if i := strings.LastIndexAny(word, " \t"); i >= 0 && strings.Contains(word[i:], "@") {
			return []mailbox{{unquote(word[:i]), word[i+1:]}}
		}
		return []mailbox{{comment, word}}
	}
	return nil
}

// firstUnquoted is the first place of c outside quotes, -1 for none.
func firstUnquoted(s string, c byte) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == c && !quoted:
			return i
		}
	}
	if quoted { // a quote nobody closed
		return strings.IndexByte(s, c)
	}
	return -1
}

// dropComments takes comments out and answers the words of the last one.
func dropComments(s string) (bare, comment string) {
	if !strings.Contains(s, "(") {
		return s, ""
	}
	var out, in strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && i+1 < len(s):
			i++
			if depth > 0 {
				in.WriteByte(s[i])
			} else {
				out.WriteString(s[i-1 : i+1])
			}
		case depth == 0 && c == '"':
			quoted = !quoted
			out.WriteByte(c)
		case !quoted && c == '(':
			if depth++; depth == 1 {
				in.Reset()
			}
		case !quoted && c == ')' && depth > 0:
			depth--
		case depth > 0:
			in.WriteByte(c)
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), in.String()
}

// unquote is a display name without its quotes.
func unquote(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return strings.ReplaceAll(s, `"`, "")
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' && i+1 < len(s)-1 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// readAuthor reads From: exactly one field with exactly one mailbox and a usable
// address (05 §5.4).
func readAuthor(h header) (Address, error) {
	fields := h.all("from")
	if len(fields) != 1 {
		return Address{}, ErrNoSender
	}
	list, group := readMailboxes(fields[0])
	if group || len(list) != 1 {
		return Address{}, ErrNoSender
	}
	email, ok := decide.NormalEmail(list[0].address)
	if !ok {
		return Address{}, ErrNoSender
	}
	return Address{headerText(list[0].name, MaxName), email}, nil
}

// contact is whom an item is for: the author, or the one other address to which
// a no-reply sender directs answers, as forms on a website do (05 §5.10).
func contact(h header, from Address) (who Address, relayed bool) {
	if !noReply(from.Email) {
		return from, false
	}
	var found Address
	for _, value := range h.all("reply-to") {
		list, group := readMailboxes(value)
		for _, m := range list {
			email, ok := decide.NormalEmail(m.address)
			if !ok || group || found.Email != "" && found.Email != email {
				return from, false
			}
			found = Address{headerText(m.name, MaxName), email}
		}
	}
	if found.Email == "" || found.Email == from.Email || noReply(found.Email) {
		return from, false
	}
	return found, true
}

// sender is the address that rate limits count.
func sender(d Delivery, h header, from Address) string {
	path := h.get("return-path")
	if d.From != nil {
		path = *d.From
	}
	if email, ok := decide.NormalEmail(strings.Trim(path, "<> ")); ok {
		return email
	}
	return from.Email
}

// recipients are all addresses the mail is known to have gone to, those of the
// envelope first (05 §5.9 row 1).
func recipients(d Delivery, h header) (all, envelope []string) {
	seen := map[string]bool{}
	add := func(address string) {
		email, ok := decide.NormalEmail(strings.Trim(address, "<> "))
		if ok && !seen[email] && len(all) < maxRecipients {
			seen[email] = true
			all = append(all, email)
		}
	}
	for _, a := range d.To {
		add(a)
	}
	envelope = all[:len(all):len(all)]
	for _, name := range []string{"to", "cc", "delivered-to", "x-original-to", "x-forwarded-to"} {
		for _, value := range h.all(name) {
			list, _ := readMailboxes(value)
			for _, m := range list {
				add(m.address)
			}
		}
	}
	return all, envelope
}

// SpecialMailbox is the kind of notice a mail becomes when it went to none but
// the addresses at our domain that no item answers: no_reply for no-reply@,
// admin for postmaster@ and abuse@; "" for any other mail (05 §5.1, §5.8). The
// envelope decides; without one, the header.
func (r Received) SpecialMailbox(domain string) string {
	list, kind := r.Envelope, ""
	if len(list) == 0 {
		list = r.Recipients
	}
	for _, a := range list {
		local, at, _ := strings.Cut(a, "@")
		if !strings.EqualFold(at, domain) {
			continue
		}
		switch local {
		case "no-reply":
			kind = "no_reply"
		case "postmaster", "abuse":
			kind = "admin"
		default:
			return ""
		}
	}
	return kind
}

// localPart is what stands before an address's last at sign.
func localPart(email string) string {
	if at := strings.LastIndexByte(email, '@'); at >= 0 {
		return email[:at]
	}
	return email
}
