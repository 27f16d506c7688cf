package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// Links is what the pages behind links do.
type Links interface {
	// Link is the page of a token; it writes nothing. not_found for no link.
	Link(ctx context.Context, token, from string) (desk.LinkPage, error)
	// PressLink acts for a link once; see [desk.Desk.PressLink].
	PressLink(ctx context.Context, token, terms string, press decide.Press) (desk.LinkPage, error)
	// Face is the business's name and languages.
	Face(ctx context.Context) (decide.Business, error)
}

// linkRoute is the pattern of the pages behind links.
const linkRoute = "/c/{token}"

// privacyPath is the one page below /c/ that needs no link.
const privacyPath = "/c/privacy"

// Customer serves the pages behind the links of mails: GET and HEAD show and
// write nothing, POST acts once (05 §6.4).
func Customer(s Site, links Links) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == privacyPath {
			s.serve(w, r, r.Method+" "+privacyPath, func() answer { return privacy(r, links) })
			return
		}
		token, ok := strings.CutPrefix(r.URL.Path, "/c/")
		s.serve(w, r, r.Method+" "+linkRoute, func() answer {
			switch {
			case !ok:
				return unknownLink(r, links, inbox.NotFound())
			case r.Method == http.MethodPost:
				return post(r, links, token)
			case r.Method == http.MethodGet || r.Method == http.MethodHead:
				return show(r, links, token)
			}
			a := unknownLink(r, links, nil)
			a.status, a.allow = http.StatusMethodNotAllowed, "GET, HEAD, POST"
			return a
		})
	})
}

// privacy says how returning customers are recognised, in the language of l, else
// of the browser (05 §1.2, §6.8).
func privacy(r *http.Request, links Links) answer {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		a := unknownLink(r, links, nil)
		a.status, a.allow = http.StatusMethodNotAllowed, "GET, HEAD"
		return a
	}
	b, err := links.Face(r.Context())
	if err != nil {
		return failed(r, links, err)
	}
	lang := format.AcceptLanguage(r.Header.Get("Accept-Language"), b.Languages)
	if l := format.Lang(r.URL.Query().Get("l")); slices.Contains(format.Langs, l) {
		lang = l
	}
	p := plainPage(lang, b.Name, "privacy")
	p.main = append(p.main, paragraphs([]string{words.PageWord(p.lang, "page.privacy.kept"), words.PageWord(p.lang, "page.privacy.ask")})...)
	return answer{status: http.StatusOK, page: p, cache: "public, max-age=300", byBrowser: true}
}

// show answers GET and HEAD.
func show(r *http.Request, links Links, token string) answer {
	p, err := links.Link(r.Context(), token, r.URL.Query().Get("from"))
	if err != nil {
		return failed(r, links, err)
	}
	return answer{status: statusOf(p), page: linkPage(p, token, sent{})}
}

// statusOf is the status of a link's page (05 §6.4).
func statusOf(p desk.LinkPage) int {
	switch p.Status {
	case decide.LinkFresh:
		if p.Refusal != nil {
			return http.StatusConflict
		}
		return http.StatusOK
	case decide.LinkUsed:
		return http.StatusOK
	case decide.LinkLate, decide.LinkOver:
		return http.StatusGone
	}
	return http.StatusConflict
}

// failed is the page of a link that could not be read.
func failed(r *http.Request, links Links, err error) answer {
	var p *inbox.Problem
	switch {
	case errors.As(err, &p) && p.Code == inbox.CodeNotFound:
		return unknownLink(r, links, err)
	case errors.As(err, &p) && p.Code == inbox.CodeUnavailable:
		return told(r, links, http.StatusServiceUnavailable, "busy", err)
	}
	return told(r, links, http.StatusInternalServerError, "fault", err)
}

// unknownLink is the one page of everything that is no link of ours.
func unknownLink(r *http.Request, links Links, err error) answer {
	return told(r, links, http.StatusNotFound, "unknown", err)
}

// told is a page that says one thing, in the language of the browser.
func told(r *http.Request, links Links, status int, kind string, err error) answer {
	b, faceErr := links.Face(r.Context())
	if faceErr != nil && err == nil {
		err = faceErr
	}
	a := answer{status: status, page: plainPage(format.AcceptLanguage(r.Header.Get("Accept-Language"), b.Languages), b.Name, kind), err: err}
	if status == http.StatusServiceUnavailable {
		a.retry = retryAfter
	}
	return a
}

// retryAfter is how many seconds a busy page asks to wait.
const retryAfter = 5

// sent is what a form said, kept for the page that asks again.
type sent struct {
	start string
	text  string
	alert string // why it did not work
	kind  words.PageKind
}

// texts are how long the text of an action may be, in characters; one that must
// not be empty says so.
var texts = map[inbox.LinkAction]struct {
	most   int
	needed bool
}{
	inbox.LinkDeclineTime: {2000, false}, inbox.LinkDeclineQuote: {2000, false}, inbox.LinkDeclineOrder: {2000, false}, inbox.LinkKeepAsIs: {2000, false},
	inbox.LinkOtherTime: {2000, false}, inbox.LinkChangeTime: {2000, false}, inbox.LinkCancel: {2000, false}, inbox.LinkWithdraw: {2000, false},
	inbox.LinkDetails: {5000, true},
}

// post answers a press: what the form says is judged after the link is
// (05 §6.4).
func post(r *http.Request, links Links, token string) answer {
	f, err := readForm(r)
	if errors.Is(err, errLarge) {
		return told(r, links, http.StatusRequestEntityTooLarge, "large", err)
	}
	p, linkErr := links.Link(r.Context(), token, "")
	switch {
	case linkErr != nil:
		return failed(r, links, linkErr)
	case p.Status != decide.LinkFresh:
		return refuse(p, token, &decide.StaleLink{Status: p.Status}, sent{})
	case err != nil || f.Get("terms") == "" || version(f.Get("v")) == 0:
		return garbled(p, token)
	}
	press, s := read(p, f)
	if s.alert != "" && f.Get("terms") == p.Link.TermsSHA {
		return answer{status: http.StatusUnprocessableEntity, page: linkPage(p, token, s)}
	}
	p, err = links.PressLink(r.Context(), token, f.Get("terms"), press)
	if err != nil {
		return refuse(p, token, err, s)
	}
	return answer{status: http.StatusSeeOther, location: "/c/" + token}
}

// version is the version a form was shown with, 0 for none.
func version(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// read takes what a press needs from a form; an alert says what is missing.
func read(p desk.LinkPage, f form) (decide.Press, sent) {
	lang := p.Say.Lang
	action := p.Link.Action
	s := sent{start: f.Get("time"), text: f.text("text")}
	press := decide.Press{Text: s.text}
	if action == inbox.LinkOtherTime || action == inbox.LinkChangeTime {
		start, err := inbox.ParseInstant(s.start)
		if err != nil {
			s.alert = words.PageWord(lang, "page.time.choose")
			return press, s
		}
		press.Start = &start
	}
	switch limits := texts[action]; {
	case limits.most == 0:
		press.Text = ""
	case longer(s.text, limits.most):
		s.alert = words.PageWord(lang, "page.text.long")
	case limits.needed && s.text == "":
		s.alert = words.PageWord(lang, "page.text.missing")
	case unwritable(s.text):
		s.alert = words.PageWord(lang, "front.bad")
	}
	return press, s
}

// garbled is the page of a form that did not arrive whole: nothing was done.
func garbled(p desk.LinkPage, token string) answer {
	return answer{status: http.StatusUnprocessableEntity, page: linkPage(p, token, sent{kind: words.PageGarbled})}
}

// refuse is the page of a press that did nothing (05 §6.6).
func refuse(p desk.LinkPage, token string, err error, s sent) answer {
	var stale *decide.StaleLink
	var problem *inbox.Problem
	a := answer{status: http.StatusConflict, err: err}
	switch {
	case errors.As(err, &stale):
		if a.status = statusOf(p); stale.Status == decide.LinkUsed {
			a.status, s.kind = http.StatusConflict, words.PageAlready
		}
	case !errors.As(err, &problem):
		a.status, s.kind = http.StatusInternalServerError, words.PageFault
	default:
		a.refusal(problem, &s)
		if a.status == http.StatusUnprocessableEntity {
			s.alert = words.PageWord(p.Say.Lang, "front.bad")
		}
	}
	a.page = linkPage(p, token, s)
	return a
}

// refusal is the status and the kind of page of a problem.
func (a *answer) refusal(p *inbox.Problem, s *sent) {
	switch p.Code {
	case inbox.CodeOfferExpired:
		a.status, s.kind = http.StatusGone, words.PageLate
	case inbox.CodeOfferChanged, inbox.CodeNoOffer, inbox.CodeConfirmTerms:
		s.kind = words.PageChanged
	case inbox.CodeIdempotencyMismatch:
		s.kind = words.PageAlready
	case inbox.CodeWrongState, inbox.CodeVersionConflict:
		s.kind = words.PageMoved
	case inbox.CodeInvalidInput:
		a.status = http.StatusUnprocessableEntity
	case inbox.CodeUnavailable:
		a.status, a.retry, s.kind = http.StatusServiceUnavailable, retryAfter, words.PageBusy
	case inbox.CodeSlotTaken, inbox.CodeGuardFailed:
	default:
		a.status, s.kind = http.StatusInternalServerError, words.PageFault
	}
}

// linkPage lays a link's page out.
func linkPage(p desk.LinkPage, token string, s sent) page {
	if s.kind != "" {
		p.Say.Kind = s.kind
		if s.kind == words.PageLate && p.Say.Until == nil {
			until := p.Link.Until
			p.Say.Until = &until
		}
	}
	t := words.Page(p.Say)
	out := page{lang: words.Written(p.Say.Lang), business: p.Say.Business, heading: t.Heading, alert: either(s.alert, t.Alert), test: p.Test}
	out.main = paragraphs(t.Lead)
	if t.Quote != "" {
		out.main = append(out.main, el("blockquote", broken(t.Quote)))
	}
	if len(t.Terms) > 0 {
		out.main = append(out.main, terms(t.Terms))
	}
	out.main = append(out.main, paragraphs(t.Notes)...)
	if t.Button != "" {
		out.main = append(out.main, pressForm(p, token, t, s)...)
	}
	if p.Say.Kind == words.PageAsk {
		out.nav = others(p, out.lang)
	}
	if p.Again != "" {
		out.main = append(out.main, again(p, out.lang))
	}
	out.footer = footer(out.lang, p.Say)
	return out
}

// terms is a list of terms.
func terms(all []words.PageTerm) node {
	dl := el("dl")
	for _, t := range all {
		dl.inner = append(dl.inner, el("dt", t.Label), el("dd", broken(t.Value)))
	}
	return dl
}

// pressForm is the form with the one button.
func pressForm(p desk.LinkPage, token string, t words.PageText, s sent) group {
	to, sha := token, p.Link.TermsSHA
	f := el("form", attr{"method", "post"})
	if p.Say.Picks() {
		if p.Times == nil {
			return nil
		}
		to, sha = p.TimesAt.Token, p.TimesAt.TermsSHA
	}
	f.attrs = append(f.attrs, attr{"action", "/c/" + to})
	f.inner = append(f.inner, hidden("terms", sha), hidden("v", strconv.Itoa(p.Version)))
	if p.Say.Picks() {
		f.inner = append(f.inner, picker(p.Say.Lang, *p.Times, s.start)...)
		f.inner = append(f.inner, weeks(p.Say.Lang, *p.Times, "/c/"+token+"?")...)
		if len(p.Times.Slots) == 0 {
			return f.inner[2:]
		}
	}
	if t.Field != "" {
		f.inner = append(f.inner, area("text", t.Field, s.text, texts[p.Link.Action].most, texts[p.Link.Action].needed))
	}
	f.inner = append(f.inner, el("button", attr{"type", "submit"}, t.Button))
	return group{f}
}

// area is a labelled field for some lines of text.
func area(name, label, value string, most int, needed bool) node {
	if most == 0 {
		most = 2000
	}
	attrs := []attr{{"id", name}, {"name", name}, {"maxlength", strconv.Itoa(most)}, {"rows", "4"}}
	if needed {
		attrs = append(attrs, attr{"required", ""})
	}
	return el("div", attr{"class", "field"}, el("label", attr{"for", name}, label), el("textarea", attrs, "\n"+value))
}

// others are the other answers of the same mail, as plain links.
func others(p desk.LinkPage, lang format.Lang) group {
	list := el("ul", attr{"class", "ways"})
	for _, o := range p.Others {
		if o.Action == inbox.LinkOtherTime && p.Say.Picks() {
			continue
		}
		list.inner = append(list.inner, el("li", el("a", attr{"href", "/c/" + o.Token}, words.LinkWord(lang, p.Say.About.Type, o.Action))))
	}
	if len(list.inner) == 0 {
		return nil
	}
	return group{el("nav", attr{"aria-label", words.PageWord(lang, "page.others")}, list)}
}

// again leads to a new request in place of one that lapsed.
func again(p desk.LinkPage, lang format.Lang) node {
	href, key := "/p/book?service="+url.QueryEscape(p.Again), "page.book_again"
	if p.OnQuote {
		href, key = "/p/quote?service="+url.QueryEscape(p.Again), "page.quote_again"
	}
	return el("p", el("a", attr{"href", href}, words.PageWord(lang, key)))
}

func footer(lang format.Lang, in words.PageInput) group {
	return group{el("p", words.PageWord(lang, "page.help")), el("p", words.PageFooter(in))}
}
