package rest_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// core stands in for desk and office: it keeps what it was asked and answers
// what the test wants.
type core struct {
	mu     sync.Mutex
	answer inbox.Answer
	err    error
	panics any
	asked  int
	call   inbox.Call
	req    any
}

func (c *core) told(call inbox.Call, req any) (inbox.Answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.call, c.req = c.asked+1, call, req
	if c.panics != nil {
		panic(c.panics)
	}
	if c.err == nil && c.answer.Status == 0 {
		return inbox.Answer{Status: 200, Body: []byte(`{"ok":true}`)}, nil
	}
	return c.answer, c.err
}

type (
	ctx = context.Context
	ask = inbox.Call
	say = inbox.Answer
)

func (c *core) GetBusinessProfile(_ ctx, k ask, r inbox.Nothing) (say, error) { return c.told(k, r) }
func (c *core) ListServices(_ ctx, k ask, r inbox.PageQuery) (say, error)     { return c.told(k, r) }
func (c *core) ListProducts(_ ctx, k ask, r inbox.ProductsQuery) (say, error) { return c.told(k, r) }
func (c *core) CheckAvailability(_ ctx, k ask, r inbox.AvailabilityQuery) (say, error) {
	return c.told(k, r)
}
func (c *core) CreateBooking(_ ctx, k ask, r inbox.CreateBookingRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) SendMessage(_ ctx, k ask, r inbox.SendMessageRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) GetItemStatus(_ ctx, k ask, r inbox.ItemStatusQuery) (say, error) { return c.told(k, r) }
func (c *core) ProvideDetails(_ ctx, k ask, r inbox.ProvideDetailsRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) CancelItem(_ ctx, k ask, r inbox.CancelItemRequest) (say, error) { return c.told(k, r) }
func (c *core) Withdraw(_ ctx, k ask, r inbox.WithdrawRequest) (say, error)     { return c.told(k, r) }
func (c *core) RequestReturn(_ ctx, k ask, r inbox.ReturnRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) OpenReturn(_ ctx, k ask, r inbox.OpenReturnRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) RequestQuote(_ ctx, k ask, r inbox.RequestQuoteRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) CreateOrder(_ ctx, k ask, r inbox.CreateOrderRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) AcceptOffer(_ ctx, k ask, r inbox.AcceptOfferRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) DeclineOffer(_ ctx, k ask, r inbox.DeclineOfferRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) MakeOffer(_ ctx, k ask, r inbox.MakeOfferRequest) (say, error) { return c.told(k, r) }
func (c *core) SuggestTime(_ ctx, k ask, r inbox.SuggestTimeRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) VerifyCustomer(_ ctx, k ask, r inbox.VerifyRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) ListOffers(_ ctx, k ask, r inbox.ItemRequest) (say, error)   { return c.told(k, r) }
func (c *core) PutOffer(_ ctx, k ask, r inbox.PutOfferRequest) (say, error) { return c.told(k, r) }
func (c *core) CustomerSummary(_ ctx, k ask, r inbox.CustomerRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) GetFloors(_ ctx, k ask, r inbox.Nothing) (say, error)        { return c.told(k, r) }
func (c *core) SetFloors(_ ctx, k ask, r inbox.FloorsRequest) (say, error)  { return c.told(k, r) }
func (c *core) ListItems(_ ctx, k ask, r inbox.ListItemsQuery) (say, error) { return c.told(k, r) }
func (c *core) GetItem(_ ctx, k ask, r inbox.ItemRequest) (say, error)      { return c.told(k, r) }
func (c *core) TransitionItem(_ ctx, k ask, r inbox.TransitionRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) Reply(_ ctx, k ask, r inbox.ReplyRequest) (say, error)         { return c.told(k, r) }
func (c *core) GetMail(_ ctx, k ask, r inbox.MailRequest) (say, error)        { return c.told(k, r) }
func (c *core) SendAgain(_ ctx, k ask, r inbox.SendAgainRequest) (say, error) { return c.told(k, r) }
func (c *core) Unsuppress(_ ctx, k ask, r inbox.SuppressionRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) Attachment(_ ctx, k ask, r inbox.AttachmentRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) ListNotices(_ ctx, k ask, r inbox.PageQuery) (say, error)   { return c.told(k, r) }
func (c *core) SeeNotice(_ ctx, k ask, r inbox.NoticeRequest) (say, error) { return c.told(k, r) }
func (c *core) NoticeToMessage(_ ctx, k ask, r inbox.NoticeRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) InboundMail(_ ctx, k ask, r inbox.InboundMailRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) MailStatus(_ ctx, k ask, r inbox.Nothing) (say, error) { return c.told(k, r) }
func (c *core) GetProfile(_ ctx, k ask, r inbox.Nothing) (say, error) { return c.told(k, r) }
func (c *core) UpdateProfile(_ ctx, k ask, r inbox.UpdateProfileRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) OwnerListServices(_ ctx, k ask, r inbox.PageQuery) (say, error) { return c.told(k, r) }
func (c *core) OwnerListProducts(_ ctx, k ask, r inbox.ProductsQuery) (say, error) {
	return c.told(k, r)
}
func (c *core) GetAvailability(_ ctx, k ask, r inbox.Nothing) (say, error) { return c.told(k, r) }
func (c *core) SetOpeningHours(_ ctx, k ask, r inbox.SetHoursRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) ClearServiceHours(_ ctx, k ask, r inbox.ClearHoursRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) SetClosures(_ ctx, k ask, r inbox.SetClosuresRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) GetSettings(_ ctx, k ask, r inbox.Nothing) (say, error) { return c.told(k, r) }
func (c *core) UpdateSettings(_ ctx, k ask, r inbox.UpdateSettingsRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) UpsertService(_ ctx, k ask, r catalogue.UpsertServiceRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) PatchService(_ ctx, k ask, r catalogue.PatchServiceRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) ArchiveService(_ ctx, k ask, r catalogue.ArchiveServiceRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) UpsertProduct(_ ctx, k ask, r catalogue.UpsertProductRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) PatchProduct(_ ctx, k ask, r catalogue.PatchProductRequest) (say, error) {
	return c.told(k, r)
}
func (c *core) ArchiveProduct(_ ctx, k ask, r catalogue.ArchiveProductRequest) (say, error) {
	return c.told(k, r)
}

// callers knows people by the word after Bearer.
type callers struct {
	mu    sync.Mutex
	creds identity.Credentials // of the last request
	err   error
}

func (c *callers) Resolve(_ context.Context, creds identity.Credentials) (inbox.Caller, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.creds = creds
	who := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: creds.Channel}, Tier: inbox.TierAnonymous}
	kind, scopes, _ := strings.Cut(strings.TrimPrefix(creds.Authorization, "Bearer "), " ")
	switch kind {
	case "owner":
		who.Kind, who.ID, who.Scopes, who.Proven = inbox.Owner, "K1", []inbox.Scope{"*"}, true
	case "key":
		who.Kind, who.ID, who.KeyID = inbox.Integration, "K2", "K2"
		for _, s := range strings.Fields(scopes) {
			who.Scopes = append(who.Scopes, inbox.Scope(s))
		}
	}
	who.AccessToken = creds.AccessToken
	who.Sandbox = creds.Sandbox == "1"
	return who, c.err
}

// door is every function behind its routes, as the HTTP API puts them together.
type door struct {
	core    *core
	callers *callers
	log     *strings.Builder
	site    rest.Site
	byName  map[string]http.Handler
}

const origin = "https://book.example.com"

const version = "9.9.9"

func open() *door {
	d := &door{core: &core{}, callers: &callers{}, log: &strings.Builder{}}
	d.site = rest.Site{PublicURL: origin, Callers: d.callers, Log: slog.New(slog.NewJSONHandler(&locked{w: d.log}, nil))}
	d.wire()
	return d
}

func (d *door) wire() {
	s, c := d.site, d.core
	d.byName = map[string]http.Handler{
		"get-business": rest.GetBusiness(s, c), "list-services": rest.ListServices(s, c), "list-products": rest.ListProducts(s, c),
		"check-availability": rest.CheckAvailability(s, c), "create-booking": rest.CreateBooking(s, c), "send-message": rest.SendMessage(s, c),
		"get-item": rest.GetItem(s, c), "provide-details": rest.ProvideDetails(s, c), "cancel-item": rest.CancelItem(s, c),
		"request-quote": rest.RequestQuote(s, c), "create-order": rest.CreateOrder(s, c), "answer-offer": rest.AnswerOffer(s, c),
		"withdraw-item": rest.WithdrawItem(s, c), "request-return": rest.RequestReturn(s, c), "owner-returns": rest.OwnerReturns(s, c),
		"verify-customer": rest.VerifyCustomer(s, c), "owner-offers": rest.OwnerOffers(s, c), "owner-customers": rest.OwnerCustomers(s, c),
		"owner-items": rest.OwnerItems(s, c), "transition-item": rest.TransitionItem(s, c), "reply": rest.Reply(s, c),
		"owner-mail": rest.OwnerMail(s, c, c), "owner-notices": rest.OwnerNotices(s, c), "inbound-mail": rest.InboundMail(s, c), "owner-profile": rest.OwnerProfile(s, c), "owner-catalogue": rest.OwnerCatalogue(s, c),
		"owner-availability": rest.OwnerAvailability(s, c), "owner-settings": rest.OwnerSettings(s, c),
		"discovery": rest.Discovery(s, version, func() []byte { return []byte(`{"openapi":"3.1.0"}`) }),
	}
}

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	function := operation.FallbackFunction
	if route, _, ok := operation.Find(operation.Routes(), r.Method, r.URL.EscapedPath()); ok && route.Op.Auth != operation.Page {
		function = route.Function
	}
	d.byName[function].ServeHTTP(w, r)
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// answer is what the door said.
type answer struct {
	*httptest.ResponseRecorder
	problem problem
}

type problem struct {
	Type, Title, Detail, Code, Instance string
	Status                              int
	Fields                              []inbox.FieldProblem
	Details                             map[string]any
}

// send sends a request; headers come as name, value. A body gets the content
// type of JSON unless the headers name one.
func (d *door) send(t testing.TB, method, target, body string, headers ...string) answer {
	t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, target, in)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return d.do(t, r)
}

func (d *door) do(t testing.TB, r *http.Request) answer {
	t.Helper()
	a := answer{ResponseRecorder: httptest.NewRecorder()}
	d.ServeHTTP(a, r)
	if a.Header().Get("Content-Type") == "application/problem+json" {
		if err := json.Unmarshal(a.Body.Bytes(), &a.problem); err != nil {
			t.Fatalf("problem: %v", err)
		}
	}
	return a
}

// refused fails the test unless the answer is a problem of a code, whole and
// never cached.
func (a answer) refused(t testing.TB, code inbox.Code) {
	t.Helper()
	kind := inbox.KindOf(code)
	p := a.problem
	if a.Code != kind.Status || p.Code != string(code) || p.Status != kind.Status || p.Title != kind.Title || p.Detail == "" {
		t.Fatalf("got %d %+v, want %s\n%s", a.Code, p, code, a.Body)
	}
	if p.Type != origin+"/problems/"+string(code) {
		t.Errorf("type %s", p.Type)
	}
	if a.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("Cache-Control %q", a.Header().Get("Cache-Control"))
	}
}

func (a answer) ok(t testing.TB, status int) {
	t.Helper()
	if a.Code != status {
		t.Fatalf("got %d, want %d\n%s", a.Code, status, a.Body)
	}
}

// faults are the fields of a problem, as path:problem.
func (p problem) faults() string {
	list := make([]string, len(p.Fields))
	for i, f := range p.Fields {
		list[i] = f.Path + ":" + string(f.Problem)
	}
	return strings.Join(list, " ")
}

// booking is the smallest body of a booking.
const booking = `{"payload":{"reservationFor":{"serviceId":"S1","name":"Cut"},"startTime":"2026-10-01T09:00:00Z","endTime":"2026-10-01T10:00:00Z"}}`

// samples is one request per operation that its schema takes: the target and,
// for writes, the body.
var samples = map[string][2]string{
	"get_business_profile":      {"/v1/business"},
	"list_services":             {"/v1/services"},
	"list_products":             {"/v1/products"},
	"check_availability":        {"/v1/availability?service_id=S1&from=2026-10-01T00:00:00Z&to=2026-10-02T00:00:00Z"},
	"create_booking":            {"/v1/bookings", booking},
	"request_quote":             {"/v1/quotes", `{"payload":{"itemOffered":{"name":"Fence"},"description":"Twenty metres."}}`},
	"create_order":              {"/v1/orders", `{"payload":{"orderedItem":[{"name":"Wax","quantity":1,"price":{"value":100,"currency":"EUR"}}],"totalPrice":{"value":100,"currency":"EUR"}}}`},
	"accept_offer":              {"/v1/items/I1/accept", `{"offer_id":"O1"}`},
	"accept_named_offer":        {"/v1/items/I1/offers/O1/accept", ""},
	"decline_offer":             {"/v1/items/I1/decline", `{"offer_id":"O1"}`},
	"decline_named_offer":       {"/v1/items/I1/offers/O1/decline", ""},
	"make_offer":                {"/v1/items/I1/offers", `{"terms":{"quantity":2}}`},
	"suggest_time":              {"/v1/items/I1/counter", `{"start_time":"2026-10-01T09:00:00Z"}`},
	"verify_customer":           {"/v1/customers/verify", `{"item_id":"I1"}`},
	"owner_list_offers":         {"/v1/owner/items/I1/offers"},
	"owner_make_offer":          {"/v1/owner/items/I1/offers", `{"input":{}}`},
	"owner_customer_summary":    {"/v1/owner/customers/P1"},
	"owner_get_floors":          {"/v1/owner/catalogue/floors"},
	"owner_set_floors":          {"/v1/owner/catalogue/floors", `{"floors":[{"kind":"product","ref_id":"P1","floor_minor":null}]}`},
	"send_message":              {"/v1/messages", `{"body":"hello"}`},
	"get_item_status":           {"/v1/items/I1"},
	"provide_details":           {"/v1/items/I1/details", `{"details":"two of us"}`},
	"cancel_item":               {"/v1/items/I1/cancel", ""},
	"withdraw_from_contract":    {"/v1/items/I1/withdraw", `{"confirm_withdrawal":true,"lines":[{"index":0,"quantity":1}]}`},
	"request_return":            {"/v1/items/I1/returns", `{"reason":"faulty"}`},
	"owner_open_return":         {"/v1/owner/items/I1/returns", `{"reason":"faulty","note":"Broken on arrival."}`},
	"owner_list_items":          {"/v1/owner/items"},
	"owner_get_item":            {"/v1/owner/items/I1"},
	"owner_transition_item":     {"/v1/owner/items/I1/transitions", `{"event":"confirm"}`},
	"owner_reply":               {"/v1/owner/items/I1/replies", `{"body":"see you"}`},
	"owner_mail_status":         {"/v1/owner/mail"},
	"owner_get_mail":            {"/v1/owner/mail/M1"},
	"owner_send_again":          {"/v1/owner/mail/M1/send-again", ""},
	"owner_unsuppress":          {"/v1/owner/suppressions/H1", ""},
	"owner_get_attachment":      {"/v1/owner/items/I1/entries/E1/attachments/1"},
	"owner_list_notices":        {"/v1/owner/notices"},
	"owner_see_notice":          {"/v1/owner/notices/N1/seen", ""},
	"owner_notice_to_message":   {"/v1/owner/notices/N1/to-message", ""},
	"inbound_mail":              {"/v1/email/inbound", "From: ana@example.com\r\n\r\nHello."},
	"owner_get_profile":         {"/v1/owner/profile"},
	"owner_update_profile":      {"/v1/owner/profile", `{"name":"Barber"}`},
	"owner_list_services":       {"/v1/owner/services"},
	"owner_create_service":      {"/v1/owner/services", `{"name":"Cut"}`},
	"owner_patch_service":       {"/v1/owner/services/S1", `{"name":"Cut"}`},
	"owner_archive_service":     {"/v1/owner/services/S1", ""},
	"owner_list_products":       {"/v1/owner/products"},
	"owner_create_product":      {"/v1/owner/products", `{"name":"Wax","price":{"value":100,"currency":"EUR"}}`},
	"owner_patch_product":       {"/v1/owner/products/P1", `{"stock":null}`},
	"owner_archive_product":     {"/v1/owner/products/P1", ""},
	"owner_get_availability":    {"/v1/owner/availability"},
	"owner_set_opening_hours":   {"/v1/owner/availability", `{"weekly":{"mon":[["09:00","18:00"]]}}`},
	"owner_clear_service_hours": {"/v1/owner/availability/S1", ""},
	"owner_set_closures":        {"/v1/owner/availability/closures", `{"closures":[]}`},
	"owner_get_settings":        {"/v1/owner/settings"},
	"owner_update_settings":     {"/v1/owner/settings", `{"doc":{}}`},
	"get_health":                {"/healthz"},
	"get_openapi":               {"/openapi.json"},
	"get_problem":               {"/problems/slot_taken"},
}

// served are the operations of this door; the pages for people are another's.
var served = slices.DeleteFunc(slices.Clone(operation.All), func(op *operation.Op) bool { return op.Auth == operation.Page })

// sample sends the operation's sample.
func (d *door) sample(t testing.TB, op *operation.Op, headers ...string) answer {
	t.Helper()
	s, ok := samples[op.ID]
	if !ok {
		t.Fatalf("no sample of %s", op.ID)
	}
	if op.Auth == operation.Secret {
		headers = append(headers, "X-Inbox-Email-Secret", "s3cret")
	}
	return d.send(t, op.Method, s[0], s[1], headers...)
}
