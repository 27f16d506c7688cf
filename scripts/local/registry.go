package main

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"typedinbox/scripts/template"
	"typedinbox/shared/door/pages"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/door/rest/openapi"
)

// registry is the function folders that answer HTTP, each with its handler's
// constructor. A test holds it equal to the folders and to the template.
var registry = map[string]func(w *world, s rest.Site) http.Handler{
	"get-business":       func(w *world, s rest.Site) http.Handler { return rest.GetBusiness(s, w.office) },
	"list-services":      func(w *world, s rest.Site) http.Handler { return rest.ListServices(s, w.office) },
	"list-products":      func(w *world, s rest.Site) http.Handler { return rest.ListProducts(s, w.office) },
	"check-availability": func(w *world, s rest.Site) http.Handler { return rest.CheckAvailability(s, w.desk) },
	"request-quote":      func(w *world, s rest.Site) http.Handler { return rest.RequestQuote(s, w.desk) },
	"create-booking":     func(w *world, s rest.Site) http.Handler { return rest.CreateBooking(s, w.desk) },
	"create-order":       func(w *world, s rest.Site) http.Handler { return rest.CreateOrder(s, w.desk) },
	"send-message":       func(w *world, s rest.Site) http.Handler { return rest.SendMessage(s, w.desk) },
	"get-item":           func(w *world, s rest.Site) http.Handler { return rest.GetItem(s, w.desk) },
	"answer-offer":       func(w *world, s rest.Site) http.Handler { return rest.AnswerOffer(s, w.desk) },
	"provide-details":    func(w *world, s rest.Site) http.Handler { return rest.ProvideDetails(s, w.desk) },
	"withdraw-item":      func(w *world, s rest.Site) http.Handler { return rest.WithdrawItem(s, w.desk) },
	"request-return":     func(w *world, s rest.Site) http.Handler { return rest.RequestReturn(s, w.desk) },
	"cancel-item":        func(w *world, s rest.Site) http.Handler { return rest.CancelItem(s, w.desk) },
	"verify-customer":    func(w *world, s rest.Site) http.Handler { return rest.VerifyCustomer(s, w.desk) },
	"owner-items":        func(w *world, s rest.Site) http.Handler { return rest.OwnerItems(s, w.desk) },
	"transition-item":    func(w *world, s rest.Site) http.Handler { return rest.TransitionItem(s, w.desk) },
	"owner-offers":       func(w *world, s rest.Site) http.Handler { return rest.OwnerOffers(s, w.desk) },
	"reply":              func(w *world, s rest.Site) http.Handler { return rest.Reply(s, w.desk) },
	"owner-returns":      func(w *world, s rest.Site) http.Handler { return rest.OwnerReturns(s, w.desk) },
	"owner-customers":    func(w *world, s rest.Site) http.Handler { return rest.OwnerCustomers(s, w.desk) },
	"owner-profile":      func(w *world, s rest.Site) http.Handler { return rest.OwnerProfile(s, w.office) },
	"owner-catalogue":    func(w *world, s rest.Site) http.Handler { return rest.OwnerCatalogue(s, w.office) },
	"owner-availability": func(w *world, s rest.Site) http.Handler { return rest.OwnerAvailability(s, w.office) },
	"owner-settings":     func(w *world, s rest.Site) http.Handler { return rest.OwnerSettings(s, w.office) },
	"owner-mail":         func(w *world, s rest.Site) http.Handler { return rest.OwnerMail(s, w.office, w.desk) },
	"front-page":         func(w *world, _ rest.Site) http.Handler { return pages.Front(w.pages(), w.desk) },
	"customer-page":      func(w *world, _ rest.Site) http.Handler { return pages.Customer(w.pages(), w.desk) },
	"owner-notices":      func(w *world, s rest.Site) http.Handler { return rest.OwnerNotices(s, w.desk) },
	"inbound-mail":       func(w *world, s rest.Site) http.Handler { return rest.InboundMail(s, w.worker) },
	"discovery":          func(_ *world, s rest.Site) http.Handler { return rest.Discovery(s, version, openapi.Document) },
}

// workers is the function folders that no route leads to; the run calls what
// they call.
var workers = []string{"receive-mail", "mail-feedback", "outbox", "sweep", "daily"}

// version is what /healthz says of this program.
const version = "1"

// pages is what the pages for people need.
func (w *world) pages() pages.Site { return pages.Site{Callers: w.identity, Log: w.log} }

// doors serves the template's routes, behind the gate of the clock.
func (w *world) doors() (http.Handler, error) {
	deployed, err := template.Read(w.template)
	if err != nil {
		return nil, err
	}
	site := rest.Site{PublicURL: w.origin, Callers: w.identity, Log: w.log}
	routes := map[template.Route]http.Handler{}
	for _, f := range deployed {
		if len(f.Routes) == 0 {
			continue
		}
		make := registry[f.Name]
		if make == nil {
			return nil, fmt.Errorf("the template routes %s to %s, which this run does not have", f.Routes[0].Key(), f.Name)
		}
		h := make(w, site)
		for _, r := range f.Routes {
			routes[r] = h
		}
	}
	public, err := template.Serve(routes)
	if err != nil {
		return nil, err
	}
	control := w.control()
	return drained(func(rw http.ResponseWriter, r *http.Request) {
		if isControl(r.URL.Path) {
			control.ServeHTTP(rw, r)
			return
		}
		w.gate.RLock()
		defer w.gate.RUnlock()
		public.ServeHTTP(rw, r)
		if w.endpoint != "" && r.Method != http.MethodGet {
			w.lookForWork(context.WithoutCancel(r.Context()))
		}
	}), nil
}

// drained reads what a door left of a body before the answer ends, as the gateway
// does: who sends everything before they listen hears why it was refused.
func drained(door http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		door(rw, r)
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, template.MaxBody))
	})
}

// lookForWork sweeps in place of the stream that a table at an endpoint does not
// give. One runs at a time; writes that come while the next waits share it.
func (w *world) lookForWork(ctx context.Context) {
	if !w.looking.CompareAndSwap(false, true) {
		return
	}
	go w.scheduled(ctx, "outbox", func(ctx context.Context) error {
		w.sweeping.Lock()
		defer w.sweeping.Unlock()
		w.looking.Store(false)
		return w.sweep(ctx)
	})
}
