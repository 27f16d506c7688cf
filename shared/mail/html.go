package mail

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText is what a person reads of an HTML part (05 §5.4), once without the
// quoted history that mail programs put into containers of their own, once
// whole. Links lose their targets. It never fails: what is no tag is text.
func htmlText(src string) (kept, whole string) {
	r := renderer{open: map[string]int{}}
	z := html.NewTokenizer(strings.NewReader(src))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return tidy(r.kept.out.String()), tidy(r.whole.out.String())
		case html.TextToken:
			r.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			r.start(readTag(z))
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(tagName(name))
		}
	}
}

// tag is a start tag with the attributes that matter.
type tag struct {
	name            string
	atom            atom.Atom
	id, class, kind string
	hidden          bool
	style           map[string]string
}

func readTag(z *html.Tokenizer) tag {
	name, more := z.TagName()
	t := tag{name: tagName(name), atom: atom.Lookup(name)}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "id":
			t.id = string(value)
		case "class":
			t.class = string(value)
		case "type":
			t.kind = string(value)
		case "hidden":
			t.hidden = true
		case "style":
			t.style = styles(string(value))
		}
	}
	return t
}

// tagName is a name without making a string of a known one.
func tagName(name []byte) string {
	if a := atom.Lookup(name); a != 0 {
		return a.String()
	}
	return string(name)
}

// renderer walks the tags with a stack of its own: closing tags that match
// nothing are passed over, those that match close what stands open inside.
type renderer struct {
	kept, whole writer
	stack       []element
	open        map[string]int // how many of a name stand open
	state       state
	after       bool // all that follows is history
	cited       bool // a moz-cite-prefix stands before: the next blockquote is history
	container   int  // depth of the stack at which history began
	forwarded   int  // the same of history that is a message passed on, 0 for none
	begun       bool // something was said in the history already
}

// state is what an element inherits.
type state struct {
	hidden bool // not shown
	tiny   bool // of no size, until something inside has one
	quoted bool // inside quoted history
	pre    bool // blanks count
}

type element struct {
	name   string
	before state
}

// Elements whose content is never read.
var unread = map[atom.Atom]bool{
	atom.Head: true, atom.Style: true, atom.Script: true, atom.Template: true, atom.Svg: true, atom.Title: true,
	atom.Iframe: true, atom.Object: true, atom.Noframes: true, atom.Noembed: true,
}

// Elements without content.
var void = map[atom.Atom]bool{
	atom.Br: true, atom.Hr: true, atom.Img: true, atom.Input: true, atom.Meta: true, atom.Link: true, atom.Wbr: true,
	atom.Area: true, atom.Base: true, atom.Col: true, atom.Embed: true, atom.Source: true, atom.Track: true, atom.Param: true,
}

// Elements that begin and end a line.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Blockquote: true, atom.Ul: true, atom.Ol: true, atom.Li: true, atom.Dl: true, atom.Dt: true,
	atom.Dd: true, atom.Table: true, atom.Tr: true, atom.Caption: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true,
	atom.H5: true, atom.H6: true, atom.Pre: true, atom.Address: true, atom.Article: true, atom.Section: true, atom.Header: true,
	atom.Footer: true, atom.Main: true, atom.Nav: true, atom.Aside: true, atom.Figure: true, atom.Figcaption: true, atom.Form: true,
	atom.Fieldset: true, atom.Center: true, atom.Details: true, atom.Summary: true, atom.Hr: true, atom.Body: true, atom.Option: true,
}

// Elements that the next one of their name closes.
var closeThemselves = map[atom.Atom]bool{
	atom.P: true, atom.Li: true, atom.Td: true, atom.Th: true, atom.Tr: true, atom.Dt: true, atom.Dd: true, atom.Option: true,
}

func (r *renderer) start(t tag) {
	top := ""
	if n := len(r.stack); n > 0 {
		top = r.stack[n-1].name
	}
	switch {
	case closeThemselves[t.atom] && top == t.name, blocks[t.atom] && top == "p":
		r.end(top)
	case t.atom == atom.Body:
		r.end("head")
	}
	before := r.state
	r.state = r.inherit(t)
	if blocks[t.atom] {
		r.block()
	}
	switch t.atom {
	case atom.Br:
		r.write("", (*writer).newline)
	case atom.Li:
		r.write("- ", (*writer).mark)
	case atom.Td, atom.Th:
		r.write(" ", (*writer).words)
	}
	if void[t.atom] {
		r.state = before
		return
	}
	r.stack = append(r.stack, element{t.name, before})
	r.open[t.name]++
	if r.state.quoted && !before.quoted {
		r.container, r.begun = len(r.stack), false
	}
}

// end closes the nearest open element of a name and all inside it.
func (r *renderer) end(name string) {
	if name == "br" {
		r.write("", (*writer).newline)
	}
	if r.open[name] == 0 {
		return
	}
	for {
		last := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		r.open[last.name]--
		if blocks[atom.Lookup([]byte(last.name))] {
			r.block()
		}
		r.state = last.before
		if len(r.stack) < r.forwarded {
			r.forwarded = 0
		}
		if last.name == name {
			return
		}
	}
}

// inherit is the state inside an element.
func (r *renderer) inherit(t tag) state {
	s := r.state
	s.pre = s.pre || t.atom == atom.Pre
	s.hidden = s.hidden || unread[t.atom] || t.hidden || t.hides()
	switch size, ok := t.style["font-size"]; {
	case ok && zero(size):
		s.tiny = true
	case ok:
		s.tiny = false
	}
	if r.history(t) {
		s.quoted = true
	}
	return s
}

// Containers of quoted history, by class and by id (05 §5.4).
var (
	quoteClasses = []string{"gmail_quote", "gmail_extra", "moz-cite-prefix", "yahoo_quoted", "protonmail_quote", "zmail_extra"}
	quoteIDs     = []string{"OLK_SRC_BODY_SECTION", "reply-intro"}
	quoteEnds    = []string{"divRplyFwdMsg", "appendonsend", "mail-editor-reference-message-container"}
)

// history says whether an element holds quoted history.
func (r *renderer) history(t tag) bool {
	for _, id := range quoteEnds {
		r.after = r.after || t.is(id)
	}
	if r.after {
		return true
	}
	if t.atom == atom.Blockquote {
		cite := r.cited || strings.EqualFold(t.kind, "cite")
		r.cited = false
		if cite {
			return true
		}
	}
	for _, class := range quoteClasses {
		if t.has(class) {
			r.cited = r.cited || class == "moz-cite-prefix"
			return true
		}
	}
	for _, id := range quoteIDs {
		if t.is(id) {
			return true
		}
	}
	return false
}

// is compares an id; what a web mail put before it is forgiven.
func (t tag) is(id string) bool {
	before, ok := strings.CutSuffix(t.id, id)
	return ok && (before == "" || before[len(before)-1] == '_')
}

func (t tag) has(class string) bool {
	if !strings.Contains(t.class, class) {
		return false
	}
	for c := range strings.FieldsSeq(t.class) {
		if c == class || strings.HasSuffix(c, "_"+class) {
			return true
		}
	}
	return false
}

// hides says whether a style shows nothing of an element and all inside it.
func (t tag) hides() bool {
	s := t.style
	if s == nil {
		return false
	}
	low, narrow := zeroOf(s, "height") || zeroOf(s, "max-height"), zeroOf(s, "width") || zeroOf(s, "max-width")
	clipped := low && narrow || s["overflow"] == "hidden" && (low || narrow)
	return s["display"] == "none" || s["visibility"] == "hidden" || zeroOf(s, "opacity") || s["mso-hide"] == "all" || clipped
}

func zeroOf(s map[string]string, name string) bool { v, ok := s[name]; return ok && zero(v) }

// zero says whether a CSS length or number is nothing: 0, 0px, 0.0em.
func zero(v string) bool {
	number := strings.TrimRight(v, "abcdefghijklmnopqrstuvwxyz% ")
	return number != "" && strings.Trim(number, "0.") == ""
}

// styles reads a style attribute; of two declarations the last counts.
func styles(s string) map[string]string {
	m := map[string]string{}
	for d := range strings.SplitSeq(s, ";") {
		if name, value, ok := strings.Cut(d, ":"); ok {
			value = strings.TrimSpace(strings.ReplaceAll(strings.ToLower(value), "!important", ""))
			m[strings.ToLower(strings.TrimSpace(name))] = value
		}
	}
	return m
}

func (r *renderer) text(s string) {
	if r.state.hidden || r.state.tiny {
		return
	}
	if r.state.quoted && r.forwarded == 0 && !r.after && strings.Trim(s, "- \n\t\r\u00a0") != "" {
		if !r.begun && isForward(s) {
			r.forwarded = r.container // a message passed on is content (05 §5.5); an answer that quotes one is none
		}
		r.begun = true
	}
	if r.state.pre {
		for i, l := range strings.Split(s, "\n") {
			if i > 0 {
				r.write("", (*writer).newline)
			}
			r.write(l, (*writer).verbatim)
		}
		return
	}
	r.write(s, (*writer).words)
}

// write does one thing to both texts, or to the whole one alone inside history.
func (r *renderer) write(s string, do func(*writer, string)) {
	if r.state.hidden || r.state.tiny && s != "" {
		return
	}
	do(&r.whole, s)
	if !r.after && (!r.state.quoted || r.forwarded > 0) {
		do(&r.kept, s)
	}
}

// block begins a line in both texts: what is left out does not join what stands
// around it.
func (r *renderer) block() {
	r.whole.block()
	r.kept.block()
}

// writer collects lines: blanks run together, blocks begin at the start of one.
type writer struct {
	out     bytes.Buffer
	gap     bool // a blank is owed before the next word
	started bool // the line is one: something stands in it, if only a hard blank
	worded  bool // it has words
}

func (w *writer) words(s string) {
	for len(s) > 0 {
		end := strings.IndexFunc(s, collapses)
		if end == 0 {
			r, n := utf8.DecodeRuneInString(s)
			w.gap, s = w.worded, s[n:]
			w.started = w.started || r == hardBlank
			continue
		}
		if end < 0 {
			end = len(s)
		}
		w.put(s[:end])
		s = s[end:]
	}
}

// verbatim keeps the blanks of preformatted text.
func (w *writer) verbatim(s string) {
	if s != "" {
		w.put(strings.TrimSuffix(s, "\r"))
	}
}

func (w *writer) put(s string) {
	if w.gap {
		w.out.WriteByte(' ')
		w.gap = false
	}
	w.out.WriteString(s)
	w.started, w.worded = true, true
}

// mark writes what a line begins with.
func (w *writer) mark(s string) {
	w.out.WriteString(s)
}

func (w *writer) newline(string) {
	w.out.WriteByte('\n')
	w.gap, w.started, w.worded = false, false, false
}

func (w *writer) block() {
	if w.started {
		w.newline("")
	}
}

// hardBlank keeps an otherwise empty line.
const hardBlank = '\u00a0'

func collapses(r rune) bool {
	return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' || r == hardBlank
}

// tidy drops blank lines past one and blanks at line ends.
func tidy(s string) string {
	var b strings.Builder
	blank := 0
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.TrimRight(l, " \t\r")
		if l == "" {
			blank++
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n"[:min(blank+1, 2)])
		}
		blank = 0
		b.WriteString(l)
	}
	return b.String()
}
