package pages

import (
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/words"
)

// page is a whole page: what stands in its landmarks.
type page struct {
	lang     format.Lang
	business string
	heading  string
	alert    string // why it did not work, first in reading order
	test     bool   // nothing here is real
	main     group
	nav      group
	footer   group
}

// html is the page's text.
func (p page) html() string {
	title := p.heading
	if p.business != "" {
		title += " · " + p.business
	}
	head := el("head", el("meta", attr{"charset", "utf-8"}),
		el("meta", attr{"name", "viewport"}, attr{"content", "width=device-width, initial-scale=1"}),
		el("title", title), styles{})
	body := el("body")
	if p.business != "" {
		body.inner = append(body.inner, el("header", el("p", p.business)))
	}
	main := el("main", el("h1", p.heading))
	if p.alert != "" {
		main = el("main", el("div", attr{"role", "alert"}, attr{"tabindex", "-1"}, attr{"autofocus", ""}, el("p", p.alert)), el("h1", p.heading))
	}
	if p.test {
		main.inner = append(main.inner, el("p", attr{"class", "test"}, words.PageWord(p.lang, "page.test")))
	}
	main.inner = append(main.inner, p.main...)
	body.inner = append(body.inner, main)
	if len(p.nav) > 0 {
		body.inner = append(body.inner, p.nav...)
	}
	if len(p.footer) > 0 {
		body.inner = append(body.inner, el("footer", p.footer))
	}
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n")
	el("html", attr{"lang", string(p.lang)}, head, body).write(&b)
	return b.String()
}

// plainPage is a page that says one thing: a heading and the sentence under it.
func plainPage(lang format.Lang, business, kind string) page {
	lang = words.Written(lang)
	return page{
		lang: lang, business: business, heading: words.PageWord(lang, "page."+kind),
		main: paragraphs([]string{words.PageWord(lang, "page."+kind+".lead")}),
	}
}

// paragraphs are sentences one below the other.
func paragraphs(all []string) group {
	var g group
	for _, s := range all {
		if s != "" {
			g = append(g, el("p", s))
		}
	}
	return g
}
