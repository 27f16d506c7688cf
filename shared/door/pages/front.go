package pages

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// Shop is what the front page and its forms do.
type Shop interface {
	Shop(ctx context.Context) (desk.Shop, error)
	Booking(ctx context.Context, serviceID, from string, sandbox bool) (desk.Booking, error)
	Face(ctx context.Context) (decide.Business, error)
	// Answered says whether a request under the call's key was answered before.
	Answered(ctx context.Context, call inbox.Call) (bool, error)
	CreateBooking(ctx context.Context, call inbox.Call, req inbox.CreateBookingRequest) (inbox.Answer, error)
	RequestQuote(ctx context.Context, call inbox.Call, req inbox.RequestQuoteRequest) (inbox.Answer, error)
	SendMessage(ctx context.Context, call inbox.Call, req inbox.SendMessageRequest) (inbox.Answer, error)
}

// visit is one request to the front page or a form.
type visit struct {
	*http.Request
	site   Site
	shop   Shop
	lang   format.Lang
	caller inbox.Caller
	desk.Shop
}

// frontRoutes are the pages by path: what shows one, and what takes its form.
var frontRoutes = map[string]struct{ show, post func(*visit) answer }{
	"/":          {(*visit).front, nil},
	"/p/book":    {(*visit).book, (*visit).postBook},
	"/p/quote":   {(*visit).quote, (*visit).postQuote},
	"/p/message": {(*visit).message, (*visit).postMessage},
	"/p/sent":    {(*visit).sent, nil},
}

// Front serves the business's public page and its forms (05 §7).
func Front(s Site, shop Shop) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route, known := frontRoutes[r.URL.Path]
		pattern := r.Method + " " + r.URL.Path
		if !known {
			pattern = r.Method + " /p/*"
		}
		s.serve(w, r, pattern, func() answer {
			v := &visit{Request: r, site: s, shop: shop}
			switch err := v.open(); {
			case err != nil:
				return v.fault(err)
			case !known:
				return v.told(http.StatusNotFound, "nowhere")
			case r.Method == http.MethodGet || r.Method == http.MethodHead:
				return route.show(v)
			case r.Method == http.MethodPost && route.post != nil:
				return route.post(v)
			}
			a := v.told(http.StatusMethodNotAllowed, "nowhere")
			if a.allow = "GET, HEAD"; route.post != nil {
				a.allow += ", POST"
			}
			return a
		})
	})
}

// open reads who the business is and who asks.
func (v *visit) open() (err error) {
	if v.Shop, err = v.shop.Shop(v.Context()); err != nil {
		return err
	}
	v.lang = words.Written(format.AcceptLanguage(v.Header.Get("Accept-Language"), v.Languages))
	if v.caller, err = v.site.caller(v.Request); err == nil {
		v.Test = v.Test || v.caller.Sandbox
	}
	return err
}

func (v *visit) fault(err error) answer {
	status, kind, retry := http.StatusInternalServerError, "fault", 0
	var p *inbox.Problem
	if errors.As(err, &p) && p.Code == inbox.CodeUnavailable {
		status, kind, retry = http.StatusServiceUnavailable, "busy", retryAfter
	}
	a := v.told(status, kind)
	a.err, a.retry = err, retry
	return a
}

func (v *visit) told(status int, kind string) answer {
	lang := v.lang
	if lang == "" {
		lang = format.AcceptLanguage(v.Header.Get("Accept-Language"), nil)
	}
	return answer{status: status, page: plainPage(lang, v.Name, kind)}
}

func (v *visit) word(key string) string { return words.PageWord(v.lang, key) }

// blank is a page without anything in it yet.
func (v *visit) blank(heading string) page {
	return page{lang: v.lang, business: v.Name, heading: heading, test: v.Test,
		footer: group{el("p", el("a", attr{"href", "/"}, v.word("front.home")))}}
}

// mostServices is how many services the front page lists.
const mostServices = 50

// front is the business's page: what can be booked, and the two other ways.
func (v *visit) front() answer {
	p := v.blank(v.word("front.heading"))
	p.footer = nil // a way for staff to sign in stands here once there is one
	services := v.Services[:min(len(v.Services), mostServices)]
	if len(services) > 0 {
		list := el("ul", attr{"class", "ways"})
		for _, s := range services {
			list.inner = append(list.inner, el("li", v.serviceLink(s)...))
		}
		p.main = append(p.main, el("h2", v.word("front.services")), list)
	}
	p.main = append(p.main, el("h2", v.word("front.others")), el("ul", attr{"class", "ways"},
		el("li", el("a", attr{"href", "/p/quote"}, v.word("front.quote"))),
		el("li", el("a", attr{"href", "/p/message"}, v.word("front.message")))))
	return answer{status: http.StatusOK, page: p, cache: "private, max-age=60", byBrowser: true}
}

// serviceLink leads to booking a service, or to asking for its price, with how
// long it takes and what it costs.
func (v *visit) serviceLink(s inbox.Service) []any {
	href := "/p/book?service=" + url.QueryEscape(s.ID)
	if s.Price != nil && s.Price.Model == catalogue.ModelQuote {
		href = "/p/quote?service=" + url.QueryEscape(s.ID)
	}
	parts := []any{el("a", attr{"href", href}, s.Name), " ", el("span", attr{"class", "soft"}, v.facts(s))}
	if s.Description != "" {
		parts = append(parts, el("p", attr{"class", "soft"}, s.Description))
	}
	return parts
}

// facts are a service's length and price.
func (v *visit) facts(s inbox.Service) string {
	parts := []string{format.Duration(s.DurationMin)}
	if price := words.ServicePrice(v.lang, s.Price, v.Currency); price != "" {
		parts = append(parts, price)
	}
	return strings.Join(parts, " · ")
}

// sentKinds are what can have been sent.
var sentKinds = map[string]bool{"booking": true, "quote": true, "message": true}

// sent says what happens next.
func (v *visit) sent() answer {
	kind := v.URL.Query().Get("sent")
	if !sentKinds[kind] {
		return v.told(http.StatusNotFound, "nowhere")
	}
	p := v.blank(v.word("front.sent"))
	p.main = paragraphs([]string{v.word("front.sent." + kind)})
	return answer{status: http.StatusOK, page: p}
}
