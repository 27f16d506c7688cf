package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/operation"
	"typedinbox/shared/schema"
)

// desk is a run with an item of each type to try doors on.
type limitsDesk struct {
	*client
	bare           string // the address without the check against the document
	own            *client
	service        string
	product        string
	slot           inbox.Slot
	booking, token string
	message, said  string
}

func newLimitsDesk(t *testing.T) *limitsDesk {
	d := &limitsDesk{client: serve(t, nil)}
	bare := httptest.NewServer(d.w.handler)
	t.Cleanup(bare.Close)
	d.bare = bare.URL
	d.own = d.owner()
	// No confirm step between a request and its item.
	d.own.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"commerce": map[string]any{"customers": "businesses"}}}).is(200)
	d.service = d.client.service("Consultation")
	d.slot = d.slots(d.service, 3)[3]
	d.product = d.own.get("/v1/owner/products").is(200).str("items.0.id")
	d.booking, d.token = d.book()
	made := d.post("/v1/messages", map[string]any{"body": "Hello."}).is(201)
	d.message, d.said = made.str("view.item.id"), made.str("access_token")
	return d
}

// book asks for a time and answers the item and its token.
func (d *limitsDesk) book() (id, token string) {
	d.t.Helper()
	made := d.post("/v1/bookings", booking(d.service, d.slot, customer)).is(201)
	return made.str("view.item.id"), made.str("access_token")
}

// path fills the parameters of a pattern.
func (d *limitsDesk) path(op *operation.Op) string {
	p := strings.ReplaceAll(op.Paths[0], "{service_id}", d.service)
	switch {
	case strings.Contains(p, "/services/"):
		return strings.ReplaceAll(p, "{id}", d.service)
	case strings.Contains(p, "/products/"):
		return strings.ReplaceAll(p, "{id}", d.product)
	}
	return strings.NewReplacer("{id}", d.booking, "{offer}", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "{hash}", "x", "{entry}", "x", "{n}", "1").Replace(p)
}

// caller is who may call an operation.
func (d *limitsDesk) caller(op *operation.Op) *client {
	if op.Auth == operation.Owner {
		return d.own
	}
	return d.saying("X-Access-Token", d.token)
}

// valid is a body that an operation takes.
func (d *limitsDesk) valid(op *operation.Op) (map[string]any, bool) {
	bodies := map[*operation.Op]map[string]any{
		&operation.CreateBooking: booking(d.service, d.slot, customer), &operation.SendMessage: {"body": "Hello."},
		&operation.WithdrawFromContract: {"lines": []any{map[string]any{"index": 0, "quantity": 1}}},
		&operation.RequestReturn:        {"reason": "faulty", "lines": []any{map[string]any{"index": 0, "quantity": 1}}},
		&operation.OpenReturn:           {"reason": "faulty", "note": "On the phone.", "lines": []any{map[string]any{"index": 0, "quantity": 1}}},
		&operation.SendAgain:            {}, &operation.Unsuppress: {}, &operation.SeeNotice: {}, &operation.NoticeToMessage: {},
		&operation.ProvideDetails: {"details": "Indoors."}, &operation.CancelItem: {},
		&operation.TransitionItem: {"event": "request_info"}, &operation.Reply: {"body": "Hello."},
		&operation.UpdateProfile: {}, &operation.CreateService: {"name": "Chair"}, &operation.PatchService: {},
		&operation.ArchiveService: {}, &operation.CreateProduct: {"name": "Frame", "price": map[string]any{"value": 1, "currency": "EUR"}},
		&operation.PatchProduct: {}, &operation.ArchiveProduct: {}, &operation.ClearServiceHours: {},
		&operation.SetOpeningHours: {"weekly": map[string]any{}}, &operation.SetClosures: {"closures": []any{}},
		&operation.UpdateSettings: {"doc": map[string]any{}},
		&operation.RequestQuote:   {"payload": map[string]any{"itemOffered": map[string]any{"name": "A frame"}, "description": "Oak, for a picture."}},
		&operation.CreateOrder: {"payload": map[string]any{
			"orderedItem": []any{map[string]any{"name": "A frame", "quantity": 1, "price": map[string]any{"value": 100, "currency": "EUR"}}},
			"totalPrice":  map[string]any{"value": 100, "currency": "EUR"},
		}},
		&operation.AcceptOffer: {}, &operation.AcceptNamedOffer: {}, &operation.DeclineOffer: {}, &operation.DeclineNamedOffer: {},
		&operation.MakeOffer:   {"terms": map[string]any{"start_time": d.slot.StartTime}},
		&operation.SuggestTime: {"start_time": d.slot.StartTime}, &operation.VerifyCustomer: {"item_id": d.booking},
		&operation.PutOffer: {"input": map[string]any{}}, &operation.SetFloors: {"floors": []any{map[string]any{"kind": "service", "ref_id": d.service, "floor_minor": 1}}},
	}
	body, ok := bodies[op]
	return body, ok
}

// meant are fields whose values within the limits of their form may be refused
// for what they mean, on the field itself.
var meant = map[string]string{
	"payload.reservationFor.serviceId": "only a service that exists",
	"payload.resourceId":               "resources have no door yet: every one is refused",
	"payload.startTime":                "only times to come",
	"payload.endTime":                  "only after the start",
	"timezone":                         "only zones that exist",
	"domain":                           "only names of hosts",
	"languages":                        "only languages that exist",
	"languages.0":                      "only languages that exist",
	"currency":                         "only currencies that exist",
	"weekly.mon":                       "windows close after they open",
	"weekly.mon.0":                     "windows are HH:MM",
	"weekly.mon.0.0":                   "windows are HH:MM",
	"weekly.mon.0.1":                   "windows are HH:MM",
	"service_id":                       "only a service that exists",
	"closures":                         "",
	"closures.0.to":                    "only from the first day on",
	"closures.0.from":                  "only up to the last day",
	"expected_version":                 "",
	"price":                            "a fixed price names its value",
	"price.model":                      "a fixed price names its value",
	"cursor":                           "only cursors of this list",
	"to":                               "at most 14 days after from",
	"from":                             "",
	"event":                            "",
	"payload.requestedFor":             "only times to come",
	"payload.delivery.when":            "only times to come",
	"payload.itemOffered.serviceId":    "only a service that exists",
	"payload.totalPrice":               "the sum of the lines",
	"payload.orderedItem.0.quantity":   "the sum stays within money",
	"payload.paymentUrl":               "only addresses of the web",
	"floors":                           "only entries that exist",
	"floors.0.ref_id":                  "only entries that exist",
	"floors.0.kind":                    "only entries that exist",
	"floors.0.floor_minor":             "at most the price",
	"terms.start_time":                 "only times to come",
	"start_time":                       "only times to come",
	"item_id":                          "",
	"pass":                             "at most eight, of 200 characters",
}

// businessWrites are fields of a create that a customer's request may hold and
// only the business's is read for (03 §6.2).
var businessWrites = []string{"payload.paymentRef", "payload.paidAmount", "payload.paymentUrl", "payload.fulfilledAt", "payload.deliveredAt"}

// judge fails the test unless a door said what a case expects: within its
// limits nothing is held against the field; past them exactly that field is.
func (c limitCase) judge(t *testing.T, a answer) {
	t.Helper()
	fields, _ := a.at("fields").([]any)
	if c.fault == "" {
		if _, open := meant[c.path]; a.status >= 500 || (a.status == 422 && len(fields) > 0 && !open && !onlyOthers(fields, c.path)) {
			t.Errorf("%s: %d %s", c.name, a.status, a.raw)
		}
		return
	}
	if a.status != 422 || a.str("code") != "invalid_input" || len(fields) != 1 ||
		a.str("fields.0.path") != c.path || a.str("fields.0.problem") != string(c.fault) || a.str("fields.0.message") == "" {
		body, _ := json.Marshal(c.body)
		t.Errorf("%s: %d %s, want exactly %s %s\nsent %.300s", c.name, a.status, a.raw, c.path, c.fault, body)
	}
}

// onlyOthers says whether none of the fields refused is the field or within it.
func onlyOthers(fields []any, path string) bool {
	for _, f := range fields {
		at, _ := f.(map[string]any)["path"].(string)
		if at == path || strings.HasPrefix(at, path+".") {
			return false
		}
	}
	return true
}

// schemaOf is the JSON Schema of an input as JSON reads it.
func schemaOf(t reflect.Type) map[string]any { return plain(schema.Describe(t)).(map[string]any) }

// TestLimits sends every field of every body from both sides of its limits
// (01 §1.3, 03 §6).
func TestLimits(t *testing.T) {
	for _, op := range operation.All {
		if !op.Writes() || op.In == nil {
			continue
		}
		t.Run(op.ID, func(t *testing.T) {
			d := newLimitsDesk(t)
			valid, ok := d.valid(op)
			if !ok {
				t.Fatal("no valid body is known for this operation")
			}
			in := schemaOf(op.In)
			if op == &operation.CreateService || op == &operation.CreateProduct {
				// One input for making and changing: what a new entry needs stands
				// beside the schema.
				in["required"] = []any{"name", "price"}[:map[bool]int{true: 2, false: 1}[op == &operation.CreateProduct]]
			}
			cases := limits(in, valid, "")
			for _, c := range cases {
				if c.path == "input" && c.fault == "" {
					continue // TestInputLimits
				}
				if c.path == "floors.0.floor_minor" && c.null {
					continue // null takes a floor away
				}
				who := *d.caller(op)
				if slices.ContainsFunc(businessWrites, func(p string) bool { return c.path == p || strings.HasPrefix(c.path, p+".") }) {
					who = *d.own
				}
				if c.null {
					who.url = d.bare
				}
				c.judge(t, who.do(op.Method, d.path(op), c.body))
			}
			if len(cases) < 4 {
				t.Errorf("%d cases", len(cases))
			}
		})
	}
}

// TestQueryLimits does the same for the query strings.
func TestQueryLimits(t *testing.T) {
	d := newLimitsDesk(t)
	for _, op := range operation.All {
		if op.Method != "GET" || op.In == nil || op.Auth != operation.Owner && op.Auth != operation.Public && op.Auth != operation.Token {
			continue
		}
		for _, p := range schema.DescribeQuery(op.In) {
			for _, c := range queryCases(p) {
				t.Run(op.ID+"/"+c.name, func(t *testing.T) {
					query := url.Values{}
					if op == &operation.CheckAvailability {
						query = url.Values{"service_id": {d.service}, "from": {d.slot.StartTime.String()}, "to": {d.slot.EndTime.String()}}
					}
					query.Del(p.Name)
					if c.body != nil {
						query.Set(p.Name, fmt.Sprint(c.body))
					}
					c.judge(t, d.caller(op).get(d.path(op)+"?"+query.Encode()))
				})
			}
		}
	}
}

// queryCases are the cases of one parameter: text, so a number's other type is
// a word and a string has none.
func queryCases(p schema.Parameter) (cases []limitCase) {
	s := described(plain(p.Schema).(map[string]any))
	g := &limiter{}
	g.field(s, nil, p.Name, func(v any) any { return v })
	if s["type"] == "boolean" {
		g.cases = nil
		for _, word := range []string{"true", "false", "1", "0"} {
			g.add(p.Name, word, "", word)
		}
		g.add(p.Name, "a word", inbox.Invalid, "yes")
	}
	for _, c := range g.cases {
		_, isText := c.body.(string)
		switch {
		case s["type"] == "string" && !isText: // any other type is text here
		case p.Required && c.body == "": // nothing said is nothing sent
			c.fault = inbox.Missing
			cases = append(cases, c)
		case s["type"] == "integer" && isText:
			c.body = "one"
			cases = append(cases, c)
		default:
			cases = append(cases, c)
		}
	}
	if p.Required {
		cases = append(cases, limitCase{name: p.Name + " left out", path: p.Name, fault: inbox.Missing})
	}
	return cases
}

// TestInputLimits does the same for the inputs of the events that can be fired.
func TestInputLimits(t *testing.T) {
	d := newLimitsDesk(t)
	noted := map[string]any{"note": "As said."}
	for _, e := range []struct {
		kind, event string
		valid       map[string]any
	}{
		{"booking", "request_info", nil}, {"booking", "confirm", nil}, {"booking", "decline", nil},
		{"booking", "cancel_by_business", nil}, {"booking", "record_cancel", noted},
		{"message", "answer", nil}, {"message", "close", nil}, {"message", "mark_spam", nil},
	} {
		t.Run(e.kind+"/"+e.event, func(t *testing.T) {
			for _, c := range limits(schemaOf(inputOf(t, inbox.Type(e.kind), e.event)), e.valid, "input") {
				id := d.booking
				if e.kind == "message" {
					id = d.message
				}
				if c.fault == "" { // may be accepted, and then moves the item
					id = d.fresh(e.kind)
				}
				if c.path == "input.entryId" || c.path == "input.askedAt" {
					if c.fault == "" {
						continue // what they mean: TestWhatIsMeant
					}
				}
				a := d.own.post("/v1/owner/items/"+id+"/transitions", map[string]any{"event": e.event, "input": c.body})
				if c.fault == "" {
					a.is(200)
				}
				c.judge(t, a)
			}
		})
	}
}

func (d *limitsDesk) fresh(kind string) (id string) {
	if kind == "message" {
		return d.post("/v1/messages", map[string]any{"body": "Hello."}).is(201).str("view.item.id")
	}
	d.slot = inbox.Slot{StartTime: d.slot.StartTime.Add(inbox.Hour), EndTime: d.slot.EndTime.Add(inbox.Hour)}
	id, _ = d.book()
	return id
}

func inputOf(t *testing.T, kind inbox.Type, event string) reflect.Type {
	for _, row := range machine.Of(kind).Rows {
		if row.Event == event {
			return reflect.TypeOf(machine.NewInput(row.Input)).Elem()
		}
	}
	t.Fatalf("no row %s", event)
	return nil
}

// TestWhatIsMeant: values in form that are refused for what they mean, each on
// its own field.
func TestWhatIsMeant(t *testing.T) {
	d := newLimitsDesk(t)
	post := func(change func(payload map[string]any)) answer {
		body := plain(booking(d.service, d.slot, customer)).(map[string]any)
		change(body["payload"].(map[string]any))
		return d.post("/v1/bookings", body)
	}
	input := func(in map[string]any) answer {
		return d.own.post("/v1/owner/items/"+d.booking+"/transitions", map[string]any{"event": "record_cancel", "input": in})
	}
	from := d.slot.StartTime.String()
	for name, c := range map[string]struct {
		path string
		a    answer
	}{
		"fail/unknown service":        {"payload.reservationFor.serviceId", post(func(p map[string]any) { p["reservationFor"] = map[string]any{"serviceId": d.booking, "name": "x"} })},
		"fail/a resource":             {"payload.resourceId", post(func(p map[string]any) { p["resourceId"] = "r" })},
		"fail/start in the past":      {"payload.startTime", post(func(p map[string]any) { p["startTime"] = "2027-02-28T10:00:00Z" })},
		"fail/start now":              {"payload.startTime", post(func(p map[string]any) { p["startTime"] = monday })},
		"fail/no length":              {"payload.endTime", post(func(p map[string]any) { p["endTime"] = p["startTime"] })},
		"fail/asked before it was":    {"input.askedAt", input(map[string]any{"note": "x", "askedAt": "2027-03-01T07:58:59.999Z"})},
		"fail/asked in the future":    {"input.askedAt", input(map[string]any{"note": "x", "askedAt": "2027-03-01T08:01:00.001Z"})},
		"fail/an entry of nobody's":   {"input.entryId", input(map[string]any{"note": "x", "entryId": d.booking})},
		"fail/availability backwards": {"to", d.get("/v1/availability?service_id=" + d.service + "&from=" + from + "&to=" + from)},
		"fail/over 14 days and 1 h":   {"to", d.get("/v1/availability?service_id=" + d.service + "&from=2027-03-02T00:00:00Z&to=2027-03-16T01:00:00.001Z")},
		"fail/slots of no service":    {"service_id", d.get("/v1/availability?service_id=" + d.booking + "&from=2027-03-02T00:00:00Z&to=2027-03-03T00:00:00Z")},
		"fail/no zone":                {"timezone", d.own.do("PUT", "/v1/owner/profile", map[string]any{"timezone": "Mars/North"})},
		"fail/no host name":           {"domain", d.own.do("PUT", "/v1/owner/profile", map[string]any{"domain": "-a.example"})},
		"fail/host name of 254":       {"domain", d.own.do("PUT", "/v1/owner/profile", map[string]any{"domain": strings.Repeat("a.", 126) + "aa"})},
		"fail/domain a number":        {"domain", d.own.do("PUT", "/v1/owner/profile", map[string]any{"domain": 7})},
		"fail/stock below nothing":    {"stock", d.own.do("PATCH", "/v1/owner/products/"+d.product, map[string]any{"stock": -1})},
		"fail/stock a word":           {"stock", d.own.do("PATCH", "/v1/owner/products/"+d.product, map[string]any{"stock": "many"})},
		"fail/closes before it opens": {"weekly.mon.0", d.own.do("PUT", "/v1/owner/availability", map[string]any{"weekly": map[string]any{"mon": []any{[]string{"10:00", "09:00"}}}})},
		"fail/seven windows":          {"weekly.mon", d.own.do("PUT", "/v1/owner/availability", map[string]any{"weekly": map[string]any{"mon": windows(7)}})},
		"fail/no weekday":             {"weekly.day", d.own.do("PUT", "/v1/owner/availability", map[string]any{"weekly": map[string]any{"day": []any{}}})},
		"fail/closure backwards":      {"closures.0.to", d.own.do("PUT", "/v1/owner/availability/closures", map[string]any{"closures": []any{map[string]any{"from": "2027-03-02", "to": "2027-03-01"}}})},
		"fail/unknown setting":        {"doc.nothing", d.own.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"nothing": 1}})},
		"fail/notice too long":        {"doc.booking.minNoticeMin", d.own.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"booking": map[string]any{"minNoticeMin": 10081}}})},
		"fail/price counters":         {"doc.negotiation.priceCounters", d.own.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"negotiation": map[string]any{"priceCounters": true}}})},
		"fail/no cursor":              {"cursor", d.own.get("/v1/owner/items?cursor=x")},
	} {
		t.Run(name, func(t *testing.T) {
			limitCase{name: name, path: c.path, fault: inbox.Invalid}.judge(t, c.a)
		})
	}
	for name, a := range map[string]answer{
		"ok/asked at the edges":  input(map[string]any{"note": "x", "askedAt": "2027-03-01T07:59:00Z"}),
		"ok/14 days and an hour": d.get("/v1/availability?service_id=" + d.service + "&from=2027-03-02T00:00:00Z&to=2027-03-16T01:00:00Z"),
		"ok/host name of 253":    d.own.do("PUT", "/v1/owner/profile", map[string]any{"domain": strings.Repeat("a.", 126) + "a"}),
		"ok/host name cleared":   d.own.do("PUT", "/v1/owner/profile", map[string]any{"domain": nil}),
		"ok/six windows":         d.own.do("PUT", "/v1/owner/availability", map[string]any{"weekly": map[string]any{"mon": windows(6)}}),
		"ok/closed at midnight":  d.own.do("PUT", "/v1/owner/availability", map[string]any{"weekly": map[string]any{"mon": []any{[]string{"00:00", "24:00"}}}}),
		"ok/not counted":         d.own.do("PATCH", "/v1/owner/products/"+d.product, map[string]any{"stock": nil}),
		"ok/longest notice":      d.own.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"booking": map[string]any{"minNoticeMin": 10080}}}),
		"ok/start a millisecond off": post(func(p map[string]any) {
			p["startTime"], p["endTime"] = "2027-03-01T08:00:00.001Z", "2027-03-01T08:30:00Z"
		}),
	} {
		t.Run(name, func(t *testing.T) {
			if a.t = t; a.status >= 300 {
				t.Errorf("%d %s", a.status, a.raw)
			}
		})
	}
}

func windows(n int) (list []any) {
	for i := range n {
		list = append(list, []string{fmt.Sprintf("%02d:00", 2*i), fmt.Sprintf("%02d:00", 2*i+1)})
	}
	return list
}

// TestUnreadable: bodies that cannot be read, at every door that takes one.
func TestUnreadable(t *testing.T) {
	d := newLimitsDesk(t)
	huge := `{"x":"` + strings.Repeat("a", operation.MaxBody) + `"}`
	for _, op := range operation.All {
		if !op.Writes() || op.In == nil {
			continue
		}
		c, path := d.caller(op), d.path(op)
		for name, send := range map[string]struct {
			status int
			code   inbox.Code
			a      func() answer
		}{
			"fail/cut off":        {400, inbox.CodeInvalidJSON, func() answer { return c.do(op.Method, path, `{"body":`) }},
			"fail/a list":         {400, inbox.CodeInvalidJSON, func() answer { return c.do(op.Method, path, `[]`) }},
			"fail/twice the name": {400, inbox.CodeInvalidJSON, func() answer { return c.do(op.Method, path, `{"body":"a","body":"b"}`) }},
			"fail/two values":     {400, inbox.CodeInvalidJSON, func() answer { return c.do(op.Method, path, `{} {}`) }},
			"fail/too large":      {413, inbox.CodePayloadTooLarge, func() answer { return c.do(op.Method, path, huge) }},
			"fail/a form": {415, inbox.CodeUnsupportedMedia, func() answer {
				return c.saying("Content-Type", "application/x-www-form-urlencoded").do(op.Method, path, `{}`)
			}},
			"fail/plain text": {415, inbox.CodeUnsupportedMedia, func() answer { return c.saying("Content-Type", "text/plain").do(op.Method, path, `{}`) }},
			"fail/long key":   {422, inbox.CodeInvalidInput, func() answer { return c.saying("Idempotency-Key", strings.Repeat("k", 201)).do(op.Method, path, `{}`) }},
			"fail/two keys": {422, inbox.CodeInvalidInput, func() answer {
				return c.saying("Idempotency-Key", "one").do(op.Method, path, `{"idempotency_key":"two"}`)
			}},
		} {
			t.Run(op.ID+"/"+name, func(t *testing.T) {
				a := send.a()
				a.t = t
				a.refused(send.status, send.code)
				if send.status == 422 && !bytes.Contains(a.raw, []byte(`"path":"Idempotency-Key","problem":"invalid"`)) {
					t.Errorf("%s", a.raw)
				}
			})
		}
	}
}

// TestUnknownAndForeign: unknown ids are 404, other people's items 403, and
// fields nobody knows are dropped at every level.
func TestUnknownAndForeign(t *testing.T) {
	d := newLimitsDesk(t)
	for _, op := range operation.All {
		if len(op.Params()) == 0 || op == &operation.Unsuppress || op.Auth != operation.Owner && op.Auth != operation.Token {
			continue // an address that is not listed is tried as it is
		}
		body, _ := d.valid(op)
		for _, id := range []string{"01ARZ3NDEKTSV4RRFFQ69G5FAV", "x", strings.Repeat("a", 300), "%E2%82%AC", "a%2Fb"} {
			t.Run("fail/unknown/"+op.ID+"/"+id[:1], func(t *testing.T) {
				var in any
				if op.Writes() {
					in = body
				}
				a := d.caller(op).do(op.Method, strings.NewReplacer("{id}", id, "{service_id}", id, "{party_id}", id, "{offer}", "x", "{entry}", "x", "{n}", "1").Replace(op.Paths[0]), in)
				a.t = t
				a.refused(404, inbox.CodeNotFound)
			})
		}
		if op.Auth != operation.Token {
			continue
		}
		for who, c := range map[string]*client{"nobody": d.client, "another": d.saying("X-Access-Token", d.said)} {
			t.Run("fail/foreign/"+op.ID+"/"+who, func(t *testing.T) {
				var in any
				if op.Writes() {
					in = body
				}
				a := c.do(op.Method, d.path(op), in)
				a.t = t
				a.refused(403, inbox.CodeNotAllowed)
			})
		}
	}
	t.Run("ok/dropped", func(t *testing.T) {
		const odd = "nobody-knows-this"
		body := plain(booking(d.service, d.slot, customer)).(map[string]any)
		p := body["payload"].(map[string]any)
		body[odd], p[odd], p["reservationFor"].(map[string]any)[odd], body["contact"].(map[string]any)[odd] = odd, odd, odd, odd
		for _, name := range []string{"offer", "proposed", "change", "customerStatedPrice", "personalised"} {
			p[name] = map[string]any{"id": odd}
		}
		made := d.post("/v1/bookings", body).is(201)
		raw := d.own.get("/v1/owner/items/" + made.str("view.item.id")).is(200).raw
		if bytes.Contains(raw, []byte(odd)) || bytes.Contains(made.raw, []byte(odd)) {
			t.Errorf("kept: %s", raw)
		}
	})
	d.clean()
}
