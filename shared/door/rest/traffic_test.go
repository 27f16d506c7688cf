package rest_test

import (
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/blob/dir"
	"typedinbox/shared/canon"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/door/rest/openapi"
	"typedinbox/shared/door/rest/openapi/openapitest"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/office"
	"typedinbox/shared/operation"
	"typedinbox/shared/store"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// now is a Thursday, 2026-10-01T09:00:00Z.
const now = inbox.Instant(1790845200000)

// inboxOf is a whole inbox in memory behind its doors, every request and answer
// held against the OpenAPI document.
type inboxOf struct {
	t       *testing.T
	handler http.Handler
	key     string
	store   *store.Store
	worker  *work.Worker
	blobs   *dir.Store
	seen    map[string]bool // operation id and status
}

func whole(t *testing.T) *inboxOf {
	t.Helper()
	clock := func() inbox.Instant { return now }
	source := inbox.NewSource(rand.NewChaCha8([32]byte{7}))
	ring, err := canon.NewRing(strings.Repeat("k", 43))
	if err != nil {
		t.Fatal(err)
	}
	db, err := embedded.Open(embedded.Options{Path: ":memory:", Schema: store.Schema(), Now: now.Time})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	st := store.New(db, ring)
	blobs, err := dir.Open(dir.Options{Root: t.TempDir(), Base: origin + "/blobs", Now: now.Time})
	if err != nil {
		t.Fatal(err)
	}
	d := desk.New(desk.Config{Store: st, Clock: clock, Source: source, Blobs: blobs})
	k := work.New(work.Config{Store: st, Desk: d, Clock: clock, Source: source, Ring: ring, Blobs: blobs, MailDomain: "mail.example", InboundDomain: "in.mail.example"})
	o := office.New(office.Config{Store: st, Clock: clock, Source: source, MailDomain: "mail.example", MailService: "mailbox"})
	id := identity.New(st, clock)
	key, _, err := id.MintKey(t.Context(), identity.MintRequest{Kind: inbox.KeyOwner, CreatedBy: "test"}, source)
	if err != nil {
		t.Fatal(err)
	}
	s := rest.Site{PublicURL: origin, Callers: id, Log: slog.New(slog.DiscardHandler)}
	byName := map[string]http.Handler{
		"get-business": rest.GetBusiness(s, o), "list-services": rest.ListServices(s, o), "list-products": rest.ListProducts(s, o),
		"check-availability": rest.CheckAvailability(s, d), "create-booking": rest.CreateBooking(s, d), "send-message": rest.SendMessage(s, d),
		"get-item": rest.GetItem(s, d), "provide-details": rest.ProvideDetails(s, d), "cancel-item": rest.CancelItem(s, d),
		"request-quote": rest.RequestQuote(s, d), "create-order": rest.CreateOrder(s, d), "answer-offer": rest.AnswerOffer(s, d),
		"verify-customer": rest.VerifyCustomer(s, d), "withdraw-item": rest.WithdrawItem(s, d), "request-return": rest.RequestReturn(s, d), "owner-returns": rest.OwnerReturns(s, d), "owner-offers": rest.OwnerOffers(s, d), "owner-customers": rest.OwnerCustomers(s, d),
		"owner-items": rest.OwnerItems(s, d), "transition-item": rest.TransitionItem(s, d), "reply": rest.Reply(s, d),
		"owner-mail": rest.OwnerMail(s, o, d), "owner-notices": rest.OwnerNotices(s, d), "inbound-mail": rest.InboundMail(s, k), "owner-profile": rest.OwnerProfile(s, o), "owner-catalogue": rest.OwnerCatalogue(s, o),
		"owner-availability": rest.OwnerAvailability(s, o), "owner-settings": rest.OwnerSettings(s, o),
		"discovery": rest.Discovery(s, version, openapi.Document),
	}
	i := &inboxOf{t: t, key: key, store: st, worker: k, blobs: blobs, seen: map[string]bool{}}
	i.handler = openapitest.Check(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route, _, ok := operation.Find(operation.Routes(), r.Method, r.URL.EscapedPath())
		if !ok {
			byName[operation.FallbackFunction].ServeHTTP(w, r)
			return
		}
		byName[route.Function].ServeHTTP(w, r)
	}))
	return i
}

// told is an answer's body, with paths such as view.item.id.
type told struct {
	body   map[string]any
	header http.Header
}

func (a told) at(path string) string {
	var v any = a.body
	for _, name := range strings.Split(path, ".") {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	s, _ := v.(string)
	return s
}

// first is a field of the first entry of a list.
func (a told) first(list, field string) string {
	entries, _ := a.body[list].([]any)
	if len(entries) == 0 {
		return ""
	}
	entry, _ := entries[0].(map[string]any)
	s, _ := entry[field].(string)
	return s
}

// ask sends a request and fails the test unless it is answered with a status.
func (i *inboxOf) ask(want int, method, target, body string, headers ...string) told {
	i.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	if w.Code != want {
		i.t.Fatalf("%s %s: %d, want %d\n%s", method, target, w.Code, want, w.Body)
	}
	if route, _, ok := operation.Find(operation.Routes(), method, r.URL.EscapedPath()); ok && (want < 300 || want == 303) {
		i.seen[route.Op.ID] = true
	}
	a := told{header: w.Header()}
	_ = json.Unmarshal(w.Body.Bytes(), &a.body) // pages are no JSON
	return a
}

// owner is ask with the owner's key.
func (i *inboxOf) owner(want int, method, target, body string, headers ...string) told {
	i.t.Helper()
	return i.ask(want, method, target, body, append(headers, "Authorization", "Bearer "+i.key)...)
}

// TestTraffic lets a whole inbox answer every operation, what succeeds and what
// is refused, and holds all of it against the document.
func TestTraffic(t *testing.T) {
	i := whole(t)
	service := setUp(i)
	customer(i, service)
	offers(i, service)
	orders(i)
	withdrawals(i)
	mails(i)
	people(i, service)
	i.ask(200, "GET", "/healthz", "")
	i.ask(200, "GET", "/openapi.json", "")
	i.ask(200, "GET", "/problems/slot_taken", "")
	i.ask(404, "GET", "/problems/nothing", "")
	i.ask(404, "GET", "/v1/nothing", "")
	i.ask(405, "DELETE", "/v1/bookings", "")
	for _, op := range served {
		if !i.seen[op.ID] {
			t.Errorf("%s was never answered", op.ID)
		}
	}
}

// setUp is the owner's door: the business is set up, and wrong input refused.
func setUp(i *inboxOf) (service string) {
	i.t.Helper()
	i.owner(200, "PUT", "/v1/owner/profile", `{"name":"Barber","timezone":"Europe/Lisbon","currency":"EUR","languages":["en"],"domain":null}`)
	i.owner(422, "PUT", "/v1/owner/profile", `{"timezone":"Mars/Base"}`)
	i.owner(200, "GET", "/v1/owner/profile", "")
	made := i.owner(201, "POST", "/v1/owner/services", `{"name":"Cut","duration_min":30,"price":{"model":"fixed","value":2000}}`, "Idempotency-Key", "s1")
	again := i.owner(200, "POST", "/v1/owner/services", `{"name":"Cut","duration_min":30,"price":{"model":"fixed","value":2000}}`, "Idempotency-Key", "s1")
	if again.header.Get("Idempotent-Replayed") != "true" || again.at("id") != made.at("id") {
		i.t.Errorf("replayed %v", again.body)
	}
	i.owner(422, "POST", "/v1/owner/services", `{"name":"Other"}`, "Idempotency-Key", "s1")
	i.owner(422, "POST", "/v1/owner/services", `{"duration_min":4}`)
	service = made.at("id")
	i.owner(200, "PATCH", "/v1/owner/services/"+service, `{"description":"With scissors."}`)
	i.owner(404, "PATCH", "/v1/owner/services/nothing", `{"sort":1}`)
	other := i.owner(201, "POST", "/v1/owner/services", `{"name":"Old"}`)
	i.owner(200, "DELETE", "/v1/owner/services/"+other.at("id"), "")
	i.owner(200, "GET", "/v1/owner/services?limit=10", "")
	product := i.owner(201, "POST", "/v1/owner/products", `{"name":"Wax","sku":"W1","price":{"value":900,"currency":"EUR"},"stock":3}`)
	i.owner(422, "POST", "/v1/owner/products", `{"name":"Wax"}`)
	i.owner(200, "PATCH", "/v1/owner/products/"+product.at("id"), `{"stock":null}`)
	i.owner(200, "GET", "/v1/owner/products?q=wax", "")
	gone := i.owner(201, "POST", "/v1/owner/products", `{"name":"Comb","price":{"value":100,"currency":"EUR"}}`)
	i.owner(200, "DELETE", "/v1/owner/products/"+gone.at("id"), "")
	week := `{"weekly":{"thu":[["09:00","18:00"]],"fri":[["09:00","12:00"],["13:00","18:00"]]}}`
	i.owner(200, "PUT", "/v1/owner/availability", week)
	i.owner(200, "PUT", "/v1/owner/availability", strings.TrimSuffix(week, "}")+`,"service_id":"`+service+`"}`)
	i.owner(422, "PUT", "/v1/owner/availability", `{"weekly":{"thu":[["18:00","09:00"]]}}`)
	i.owner(200, "DELETE", "/v1/owner/availability/"+service, "")
	i.owner(200, "PUT", "/v1/owner/availability/closures", `{"closures":[{"from":"2026-12-24","to":"2026-12-26","reason":"holidays"}]}`)
	i.owner(422, "PUT", "/v1/owner/availability/closures", `{"closures":[{"from":"2026-12-26","to":"2026-12-24"}]}`)
	i.owner(200, "GET", "/v1/owner/availability", "")
	i.owner(200, "PUT", "/v1/owner/settings", `{"doc":{"notifications":{"ownerEmail":"owner@barber.example"}}}`)
	i.owner(409, "PUT", "/v1/owner/settings", `{"doc":{},"expected_version":99}`)
	i.owner(422, "PUT", "/v1/owner/settings", `{"doc":{"colour":"red"}}`)
	settings := i.owner(200, "GET", "/v1/owner/settings", "")
	i.owner(304, "GET", "/v1/owner/settings", "", "If-None-Match", settings.header.Get("ETag"))
	i.owner(200, "GET", "/v1/owner/mail", "")
	i.ask(401, "GET", "/v1/owner/settings", "")
	return service
}

// agreed is a request that costs something with the fingerprint of its terms,
// for which its first sending asked.
func (i *inboxOf) agreed(target, body string) string {
	i.t.Helper()
	asked := i.ask(409, "POST", target, body)
	return strings.TrimSuffix(body, "}") + `,"terms_sha":"` + asked.at("details.terms_sha") + `"}`
}

// customer is the life of two bookings and a message.
func customer(i *inboxOf, service string) {
	i.t.Helper()
	i.ask(200, "GET", "/v1/business", "")
	i.ask(200, "GET", "/v1/services", "")
	i.ask(200, "GET", "/v1/products", "")
	i.ask(200, "GET", "/v1/availability?service_id="+service+"&from=2026-10-01T00:00:00Z&to=2026-10-09T00:00:00%2B01:00&party_size=2", "")
	i.ask(422, "GET", "/v1/availability?service_id=none&from=2026-10-01T00:00:00Z&to=2026-10-02T00:00:00Z", "")
	i.ask(422, "GET", "/v1/services?cursor=nonsense", "")
	request := `{"payload":{"reservationFor":{"serviceId":"` + service + `","name":"Cut"},"startTime":"2026-10-08T09:00:00Z","endTime":"2026-10-08T09:30:00Z"},` +
		`"contact":{"name":"Ana","email":"ana@example.com"},"message":"By the window, please."}`
	yes := i.agreed("/v1/bookings", request)
	made := i.ask(201, "POST", "/v1/bookings", yes, "Idempotency-Key", "b1")
	i.ask(200, "POST", "/v1/bookings", request, "Idempotency-Key", "b1")
	i.ask(422, "POST", "/v1/bookings", strings.Replace(request, "2026-10-08", "2026-09-30", 2))
	item, token := "/v1/items/"+made.at("view.item.id"), made.at("access_token")
	status := i.ask(200, "GET", item+"?access_token="+token, "")
	i.ask(304, "GET", item, "", "X-Access-Token", token, "If-None-Match", status.header.Get("ETag"))
	i.ask(403, "GET", item, "")
	i.ask(404, "GET", "/v1/items/01ARZ3NDEKTSV4RRFFQ69G5FAV", "")
	owned := "/v1/owner/items/" + made.at("view.item.id")
	i.owner(200, "GET", "/v1/owner/items?type=booking&open_only=1", "")
	i.owner(200, "POST", owned+"/transitions", `{"event":"request_info","input":{"note":"For how many?"}}`)
	i.ask(200, "POST", item+"/details", `{"details":"For one.","access_token":"`+token+`"}`)
	i.owner(400, "POST", owned+"/transitions", `{"event":"dance"}`)
	i.owner(409, "POST", owned+"/transitions", `{"event":"confirm","expected_version":1}`)
	i.owner(200, "POST", owned+"/transitions", `{"event":"confirm"}`)
	i.owner(409, "POST", owned+"/transitions", `{"event":"confirm"}`)
	i.ask(202, "POST", item+"/details", `{"details":"I may be late."}`, "X-Access-Token", token)
	i.owner(200, "POST", owned+"/replies", `{"body":"No problem."}`, "Idempotency-Key", "r1")
	i.owner(200, "POST", owned+"/replies", `{"body":"Regular.","internal":true}`)
	detail := i.owner(200, "GET", owned, "")
	i.owner(304, "GET", owned, "", "If-None-Match", detail.header.Get("ETag"))
	i.ask(200, "GET", item, "", "Authorization", "Bearer "+i.key)
	i.ask(200, "POST", item+"/cancel", `{"reason":"ill"}`, "X-Access-Token", token)
	i.owner(201, "POST", "/v1/bookings", request)
	message := i.ask(201, "POST", "/v1/messages", `{"subject":"Parking","body":"Is there any?","contact":{"email":"rui@example.com"}}`)
	i.ask(200, "POST", "/v1/messages", `{"item_id":"`+message.at("view.item.id")+`","body":"And bicycles?","access_token":"`+message.at("accessToken")+`"}`)
	i.ask(404, "POST", "/v1/messages", `{"item_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","body":"x"}`)
	i.owner(200, "POST", "/v1/owner/items/"+message.at("view.item.id")+"/transitions", `{"event":"answer","input":{"note":"Yes, behind the house."}}`)
}

// offers is a quote and a proposed time, answered in every way.
func offers(i *inboxOf, service string) {
	i.t.Helper()
	asked := `{"payload":{"itemOffered":{"name":"A wedding","serviceId":"` + service + `"},"description":"Six heads."},"contact":{"email":"eva@example.com"}}`
	made := i.ask(201, "POST", "/v1/quotes", asked, "Idempotency-Key", "q1")
	i.ask(200, "POST", "/v1/quotes", asked, "Idempotency-Key", "q1")
	i.ask(422, "POST", "/v1/quotes", `{"payload":{"itemOffered":{"name":"A wedding"}}}`)
	i.owner(201, "POST", "/v1/quotes", asked)
	item, token := made.at("view.item.id"), made.at("access_token")
	mine, ours := "/v1/items/"+item, "/v1/owner/items/"+item+"/offers"
	i.ask(409, "POST", mine+"/accept", "", "X-Access-Token", token)
	quote := `{"input":{"totalPrice":{"value":9000,"currency":"EUR"},"lines":[{"name":"Head","quantity":6,"price":{"value":1500,"currency":"EUR"}}]}}`
	i.owner(422, "POST", ours, `{"input":{"totalPrice":{"value":-1,"currency":"EUR"}}}`)
	i.owner(200, "POST", ours, quote, "Idempotency-Key", "o1")
	i.owner(200, "POST", ours, quote, "Idempotency-Key", "o1")
	i.owner(409, "POST", ours, `{"input":{},"expected_version":1}`)
	i.owner(200, "GET", ours, "")
	i.ask(401, "GET", ours, "")
	i.ask(200, "POST", mine+"/offers", `{"terms":{"quantity":5},"note":"One is ill."}`, "X-Access-Token", token)
	i.ask(409, "POST", mine+"/offers", `{"terms":{"quantity":5}}`, "X-Access-Token", token)
	i.owner(200, "POST", ours, quote)
	i.ask(202, "POST", mine+"/offers", `{"terms":{"total_price":{"value":100,"currency":"EUR"}}}`, "X-Access-Token", token)
	wanted := i.ask(409, "POST", mine+"/accept", "", "X-Access-Token", token)
	sha, offer := wanted.at("details.terms_sha"), wanted.at("details.offer.id")
	i.ask(409, "POST", mine+"/accept", `{"terms_sha":"`+strings.Repeat("A", 43)+`"}`, "X-Access-Token", token)
	i.ask(403, "POST", mine+"/accept", `{"terms_sha":"`+sha+`"}`)
	i.ask(200, "POST", mine+"/offers/"+offer+"/accept", `{"terms_sha":"`+sha+`"}`, "X-Access-Token", token, "Idempotency-Key", "a1")
	i.ask(200, "POST", mine+"/accept", `{"offer_id":"`+offer+`"}`, "X-Access-Token", token, "Idempotency-Key", "a1")

	times(i, service)
}

// times is a booking with another time put forward, countered, put forward again
// and declined.
func times(i *inboxOf, service string) {
	i.t.Helper()
	at := func(clock string) string {
		return `"startTime":"2026-10-09T` + clock + `:00Z","endTime":"2026-10-09T` + clock[:3] + `30:00Z"`
	}
	request := `{"payload":{"reservationFor":{"serviceId":"` + service + `","name":"Cut"},` + at("09:00") + `},"contact":{"email":"eva@example.com"}}`
	made := i.ask(201, "POST", "/v1/bookings", i.agreed("/v1/bookings", request))
	item, token := made.at("view.item.id"), made.at("access_token")
	mine, ours := "/v1/items/"+item, "/v1/owner/items/"+item+"/offers"
	i.owner(200, "POST", ours, `{"input":{`+at("10:00")+`}}`)
	i.ask(409, "POST", mine+"/counter", `{"start_time":"2026-10-10T10:00:00Z"}`, "X-Access-Token", token)
	i.ask(200, "POST", mine+"/counter", `{"start_time":"2026-10-09T08:00:00Z"}`, "X-Access-Token", token)
	i.ask(409, "POST", mine+"/decline", "", "X-Access-Token", token)
	i.owner(200, "POST", ours, `{"input":{`+at("10:00")+`}}`)
	i.ask(409, "POST", mine+"/offers/nothing/decline", "", "X-Access-Token", token)
	put := i.ask(200, "GET", mine, "", "X-Access-Token", token)
	i.ask(200, "POST", mine+"/offers/"+put.at("offer.id")+"/decline", `{"reason_code":"timing_deferred"}`, "X-Access-Token", token)
	other := i.ask(201, "POST", "/v1/bookings", i.agreed("/v1/bookings", request))
	i.owner(200, "POST", "/v1/owner/items/"+other.at("view.item.id")+"/offers", `{"input":{`+at("10:00")+`}}`)
	i.ask(200, "POST", "/v1/items/"+other.at("view.item.id")+"/decline", `{"reason":"No."}`, "X-Access-Token", other.at("access_token"))
}

// orders is goods ordered, and the floors of the owner.
func orders(i *inboxOf) {
	i.t.Helper()
	request := `{"payload":{"orderedItem":[{"sku":"W1","name":"Wax","quantity":2,"price":{"value":900,"currency":"EUR"}}],"totalPrice":{"value":1800,"currency":"EUR"}},"contact":{"email":"eva@example.com"}}`
	yes := i.agreed("/v1/orders", request)
	made := i.ask(201, "POST", "/v1/orders", yes, "Idempotency-Key", "d1")
	i.ask(200, "POST", "/v1/orders", request, "Idempotency-Key", "d1")
	i.ask(422, "POST", "/v1/orders", `{"payload":{"orderedItem":[]}}`)
	i.owner(201, "POST", "/v1/orders", request)
	i.owner(200, "POST", "/v1/owner/items/"+made.at("view.item.id")+"/transitions", `{"event":"accept"}`)
	product := i.ask(200, "GET", "/v1/products", "").first("items", "id")
	floors := func(minor string) string {
		return `{"floors":[{"kind":"product","ref_id":"` + product + `","floor_minor":` + minor + `}]}`
	}
	i.owner(422, "PUT", "/v1/owner/catalogue/floors", floors("901"))
	i.owner(200, "PUT", "/v1/owner/catalogue/floors", floors("500"), "Idempotency-Key", "f1")
	i.owner(200, "PUT", "/v1/owner/catalogue/floors", floors("500"), "Idempotency-Key", "f1")
	i.owner(200, "GET", "/v1/owner/catalogue/floors", "")
	i.ask(401, "GET", "/v1/owner/catalogue/floors", "")
}

// arrives is a raw mail as the mail service hands it over, dealt with.
func (i *inboxOf) arrives(id, raw string) {
	i.t.Helper()
	from, pass := "ana@example.com", mail.Verdicts{SPF: mail.Pass, DKIM: mail.Pass, DMARC: mail.Pass, Spam: mail.Pass, Virus: mail.Pass}
	err := i.blobs.Put(i.t.Context(), desk.PrefixIn+id, []byte(raw))
	if err == nil {
		err = i.worker.TakeReceipt(i.t.Context(), id, mail.Delivery{From: &from, To: []string{"x@in.mail.example"}, Verdicts: pass})
	}
	if err != nil {
		i.t.Fatal(err)
	}
	i.works()
}

// works does what is due.
func (i *inboxOf) works() {
	i.t.Helper()
	if _, err := i.worker.Sweep(i.t.Context()); err != nil {
		i.t.Fatal(err)
	}
}

// attached is a mail with a file.
const attached = "From: Ana <ana@example.com>\r\nTo: x@in.mail.example\r\nSubject: A picture\r\nMessage-ID: <m-1@example.com>\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nLike this?\r\n" +
	"--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\n%PDF-1.4 plan\r\n--b--\r\n"

// mails is what came in over both ways, what is made of it, and what is sent
// again.
func mails(i *inboxOf) {
	i.t.Helper()
	hand := func(want int, raw, secret string) told {
		return i.ask(want, "POST", "/v1/email/inbound", raw, "Content-Type", "message/rfc822", "X-Inbox-Email-Secret", secret)
	}
	const secret = "a secret of this test"
	hand(401, attached, secret) // not set: the door is off
	i.owner(200, "PUT", "/v1/owner/settings", `{"doc":{"email":{"inboundSecret":"`+secret+`"}}}`)
	hand(401, attached, "another secret of it")
	hand(422, "Subject: from nobody\r\n\r\nHello.", secret)
	made := hand(202, attached, secret)
	if made.at("outcome") != "created" || made.at("item_id") == "" {
		i.t.Errorf("made %v", made.body)
	}
	if again := hand(202, attached, secret); again.at("outcome") != "duplicate" {
		i.t.Errorf("again %v", again.body)
	}
	unseen := i.owner(200, "GET", "/v1/owner/items/"+made.at("item_id"), "").first("thread", "id")
	i.owner(404, "GET", "/v1/owner/items/"+made.at("item_id")+"/entries/"+unseen+"/attachments/1", "") // nobody looked for viruses

	i.arrives("raw1", strings.ReplaceAll(attached, "m-1@", "m-2@"))
	list := i.owner(200, "GET", "/v1/owner/items?type=message", "")
	items, _ := list.body["items"].([]any)
	view, _ := items[0].(map[string]any)
	id := told{body: view}.at("item.id")
	entry := i.owner(200, "GET", "/v1/owner/items/"+id, "").first("thread", "id")
	leads := i.owner(303, "GET", "/v1/owner/items/"+id+"/entries/"+entry+"/attachments/1", "")
	if to := leads.header.Get("Location"); !strings.HasPrefix(to, origin+"/blobs?") {
		i.t.Errorf("leads to %q", to)
	}
	i.owner(404, "GET", "/v1/owner/items/"+id+"/entries/"+entry+"/attachments/2", "")
	i.ask(401, "GET", "/v1/owner/items/"+id+"/entries/"+entry+"/attachments/1", "")

	i.arrives("raw2", "From: Robot <robot@example.com>\r\nTo: x@in.mail.example\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away.")
	notice := i.owner(200, "GET", "/v1/owner/notices?limit=5", "").first("items", "id")
	i.owner(200, "POST", "/v1/owner/notices/"+notice+"/seen", "")
	i.owner(404, "POST", "/v1/owner/notices/01ARZ3NDEKTSV4RRFFQ69G5FAV/seen", "")
	i.owner(201, "POST", "/v1/owner/notices/"+notice+"/to-message", "")

	i.owner(200, "DELETE", "/v1/owner/suppressions/nothing", "")
	i.owner(404, "GET", "/v1/owner/mail/01ARZ3NDEKTSV4RRFFQ69G5FAV", "")
	sentAgain(i)
}

// sentAgain is a mail that could not go out, read and sent again.
func sentAgain(i *inboxOf) {
	i.t.Helper()
	mine := i.owner(200, "GET", "/v1/owner/items?type=order&open_only=false", "")
	items, _ := mine.body["items"].([]any)
	for _, v := range items {
		view, _ := v.(map[string]any)
		logged, err := i.store.Mails(i.t.Context(), told{body: view}.at("item.id"))
		if err != nil {
			i.t.Fatal(err)
		}
		for _, m := range logged {
			i.owner(200, "GET", "/v1/owner/mail/"+m.ID, "")
			if m.Recipient == "customer" {
				i.owner(409, "POST", "/v1/owner/mail/"+m.ID+"/send-again", "") // it has not failed
				m.Status = inbox.MailFailed
				if err := i.store.SaveMail(i.t.Context(), &m); err != nil {
					i.t.Fatal(err)
				}
				i.owner(200, "POST", "/v1/owner/mail/"+m.ID+"/send-again", "", "Idempotency-Key", "g1")
				return
			}
		}
	}
	i.t.Error("no mail to a customer in the log")
}

// ordered is an order that was accepted, paid for, and sent when sent says so.
func (i *inboxOf) ordered(sent bool) (mine, ours, token string) {
	i.t.Helper()
	request := `{"payload":{"orderedItem":[{"sku":"W1","name":"Wax","quantity":2,"price":{"value":900,"currency":"EUR"}}],"totalPrice":{"value":1800,"currency":"EUR"}},"contact":{"email":"eva@example.com"}}`
	made := i.ask(201, "POST", "/v1/orders", i.agreed("/v1/orders", request))
	id := made.at("view.item.id")
	mine, ours = "/v1/items/"+id, "/v1/owner/items/"+id
	for _, event := range []string{`{"event":"accept"}`, `{"event":"request_payment","input":{"paymentUrl":"https://pay.example/1"}}`, `{"event":"record_payment","input":{"paymentRef":"P` + id + `"}}`} {
		i.owner(200, "POST", ours+"/transitions", event)
	}
	if sent {
		i.owner(200, "POST", ours+"/transitions", `{"event":"start_fulfilment"}`)
		i.owner(200, "POST", ours+"/transitions", `{"event":"fulfil"}`)
	}
	return mine, ours, made.at("access_token")
}

// withdrawals are orders that are withdrawn from and sent back, by both sides.
func withdrawals(i *inboxOf) {
	i.t.Helper()
	mine, ours, token := i.ordered(false)
	asked := i.ask(409, "POST", mine+"/withdraw", `{"note":"Too much."}`, "X-Access-Token", token, "Idempotency-Key", "w1")
	if asked.at("details.statement.text") == "" || asked.at("details.statement.confirm") == "" {
		i.t.Errorf("stated %v", asked.body)
	}
	i.ask(403, "POST", mine+"/withdraw", `{"confirm_withdrawal":true}`)
	i.ask(422, "POST", mine+"/withdraw", `{"confirm_withdrawal":true,"lines":[{"index":0,"quantity":3}]}`, "X-Access-Token", token)
	i.ask(409, "POST", mine+"/returns", `{"reason":"faulty"}`, "X-Access-Token", token) // nothing was sent
	for range 2 {
		i.ask(200, "POST", mine+"/withdraw", `{"confirm_withdrawal":true}`, "X-Access-Token", token, "Idempotency-Key", "w1")
	}
	i.owner(409, "POST", ours+"/returns", `{"reason":"faulty","note":"On the phone."}`)
	if got := i.ask(200, "GET", mine, "", "X-Access-Token", token); got.first("refunds", "state") != "approved" {
		i.t.Errorf("refunds %v", got.body["refunds"])
	}

	mine, _, token = i.ordered(true)
	for _, status := range []int{201, 200} {
		i.ask(status, "POST", mine+"/returns", `{"reason":"faulty","wants":"exchange","lines":[{"index":0,"quantity":1}]}`, "X-Access-Token", token, "Idempotency-Key", "t1")
	}
	i.ask(409, "POST", mine+"/returns", `{"reason":"faulty"}`, "X-Access-Token", token) // one is open
	i.ask(202, "POST", mine+"/withdraw", `{"confirm_withdrawal":true}`, "X-Access-Token", token)

	_, ours, _ = i.ordered(true)
	i.ask(401, "POST", ours+"/returns", `{"reason":"other","note":"On the phone."}`)
	i.owner(422, "POST", ours+"/returns", `{"reason":"other"}`)
	for _, status := range []int{201, 200} {
		i.owner(status, "POST", ours+"/returns", `{"reason":"other","note":"On the phone."}`, "Idempotency-Key", "t2")
	}
}

// people is a customer who comes again, and what is kept of them.
func people(i *inboxOf, service string) {
	i.t.Helper()
	asked := `{"payload":{"itemOffered":{"name":"Curls","serviceId":"` + service + `"},"description":"Long ones."},"contact":{"email":"eva@example.com"}}`
	made := i.ask(201, "POST", "/v1/quotes", asked)
	item, token := made.at("view.item.id"), made.at("access_token")
	verify := `{"item_id":"` + item + `"`
	i.ask(403, "POST", "/v1/customers/verify", verify+"}")
	i.ask(404, "POST", "/v1/customers/verify", `{"item_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}`)
	i.ask(202, "POST", "/v1/customers/verify", verify+"}", "X-Access-Token", token)
	i.ask(422, "POST", "/v1/customers/verify", verify+`,"code":"12345"}`, "X-Access-Token", token)
	i.owner(200, "GET", "/v1/owner/items?q=curls", "")
	party := made.at("view.item.partyId")
	i.owner(200, "GET", "/v1/owner/customers/"+party, "")
	i.owner(404, "GET", "/v1/owner/customers/01ARZ3NDEKTSV4RRFFQ69G5FAV", "")
	i.ask(401, "GET", "/v1/owner/customers/"+party, "")
}
