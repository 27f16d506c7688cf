package pages

import (
	"html"
	"strings"
)

// node is a piece of a page: an element, or text that is escaped when written.
type node interface{ write(b *strings.Builder) }

// text is escaped, whatever it holds.
type text string

func (t text) write(b *strings.Builder) { b.WriteString(html.EscapeString(string(t))) }

// attr is an attribute; its value is escaped. An empty value writes the name
// alone.
type attr struct{ name, value string }

// group is nodes one after the other.
type group []node

func (g group) write(b *strings.Builder) {
	for _, n := range g {
		if n != nil {
			n.write(b)
		}
	}
}

// element is one element. Its tag and the names of its attributes are constants
// of this package, never what came from outside.
type element struct {
	tag   string
	attrs []attr
	inner group
}

// void are the elements that hold nothing.
var void = map[string]bool{"meta": true, "input": true, "br": true}

func (e element) write(b *strings.Builder) {
	b.WriteString("<" + e.tag)
	for _, a := range e.attrs {
		b.WriteString(" " + a.name)
		if a.value != "" || a.name == "value" || a.name == "action" {
			b.WriteString(`="` + html.EscapeString(a.value) + `"`)
		}
	}
	b.WriteByte('>')
	if void[e.tag] {
		return
	}
	e.inner.write(b)
	b.WriteString("</" + e.tag + ">")
	if e.tag != "span" && e.tag != "a" {
		b.WriteByte('\n')
	}
}

// el makes an element of attributes and nodes, in any order.
func el(tag string, parts ...any) element {
	e := element{tag: tag}
	for _, p := range parts {
		switch p := p.(type) {
		case attr:
			e.attrs = append(e.attrs, p)
		case []attr:
			e.attrs = append(e.attrs, p...)
		case string:
			e.inner = append(e.inner, text(p))
		case node:
			e.inner = append(e.inner, p)
		}
	}
	return e
}

// broken is text whose line ends are kept.
func broken(s string) group {
	var g group
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			g = append(g, el("br"))
		}
		g = append(g, text(line))
	}
	return g
}

// hidden is a field of a form that its reader does not see.
func hidden(name, value string) element {
	return el("input", attr{"type", "hidden"}, attr{"name", name}, attr{"value", value})
}

// styles is the one style sheet, written as it is; nothing of it comes from
// outside.
type styles struct{}

func (styles) write(b *strings.Builder) { b.WriteString("<style>" + sheet + "</style>\n") }
