package decide

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestNormalEmailVectors holds the normalisation to the vectors of the
// networks, which stand beside the project.
func TestNormalEmailVectors(t *testing.T) {
	raw, err := os.ReadFile("../../../shared/vectors/passes.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the networks' vectors are not beside the project")
	}
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Emails []struct {
			Name, Input string
			Normalised  *string
		}
	}
	unjson(t, raw, &vectors)
	if len(vectors.Emails) < 20 {
		t.Fatalf("only %d vectors", len(vectors.Emails))
	}
	for _, v := range vectors.Emails {
		got, ok := NormalEmail(v.Input)
		if ok != (v.Normalised != nil) || (ok && got != *v.Normalised) {
			t.Errorf("%s: %q gives %q, %t", v.Name, v.Input, got, ok)
		}
	}
}

// TestNormalEmailRules: 01 §15.1, rule by rule.
func TestNormalEmailRules(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"ok/blanks around":           {" \t\r\n\v\fana@example.pt\n ", "ana@example.pt"},
		"ok/upper case":              {"Ana.Lima+Shop@Example.PT", "ana.lima+shop@example.pt"},
		"ok/no dot or plus folding":  {"a.na+x@gmail.com", "a.na+x@gmail.com"},
		"ok/no NFC, no folding":      {"JOA\u0303O@example.pt", "joa\u0303o@example.pt"},
		"ok/upper case not ASCII":    {"É@example.pt", "É@example.pt"},
		"ok/one dot behind":          {"ana@example.pt.", "ana@example.pt"},
		"ok/label not ASCII":         {"ana@bücher.example", "ana@xn--bcher-kva.example"},
		"ok/63":                      {"a@" + strings.Repeat("b", 63) + ".pt", "a@" + strings.Repeat("b", 63) + ".pt"},
		"ok/320 bytes":               {strings.Repeat("a", 317) + "@pt", strings.Repeat("a", 317) + "@pt"},
		"ok/hyphens at the ends":     {"a@-b-.pt", "a@-b-.pt"},
		"fail/no-break space around": {"\u00a0ana@example.pt", "\u00a0ana@example.pt"}, // no ASCII blank: it is part of the name
		"fail/two dots behind":       {"ana@example.pt..", ""},
		"fail/space inside":          {"an a@example.pt", ""},
		"fail/space in domain":       {"ana@exa mple.pt", ""},
		"fail/control":               {"an\x01a@example.pt", ""},
		"fail/delete":                {"an\x7fa@example.pt", ""},
		"fail/64":                    {"a@" + strings.Repeat("b", 64) + ".pt", ""},
		"fail/321 bytes":             {strings.Repeat("a", 318) + "@pt", ""},
		"fail/no local part":         {"@example.pt", ""},
		"fail/two at signs":          {"a@b@example.pt", ""},
		"fail/underscore":            {"a@b_c.pt", ""},
		"fail/backslash":             {`a\b@example.pt`, ""},
		"fail/semicolon":             {"a;b@example.pt", ""},
		"fail/round brackets":        {"a(b)@example.pt", ""},
		"fail/empty label":           {"a@.pt", ""},
	} {
		got, ok := NormalEmail(c.in)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %t", name, got, ok)
		}
		if again, ok := NormalEmail(got); ok && again != got {
			t.Errorf("%s: again %q", name, again)
		}
	}
}

func TestNormalPhoneRules(t *testing.T) {
	for name, c := range map[string]struct {
		in, want string
		ok       bool
	}{
		"ok/digits alone":    {"+351 (912) 345-678", "351912345678", true},
		"ok/six":             {"123456", "123456", true},
		"ok/twenty":          {strings.Repeat("1", 20), strings.Repeat("1", 20), true},
		"fail/five":          {"12345", "12345", false},
		"fail/twenty-one":    {strings.Repeat("1", 21), strings.Repeat("1", 21), false},
		"fail/none":          {"none", "", false},
		"fail/other numbers": {"١٢٣٤٥٦", "", false},
	} {
		if got, ok := NormalPhone(c.in); got != c.want || ok != c.ok {
			t.Errorf("%s: %q, %t", name, got, ok)
		}
	}
}

// known is somebody who has an address or a number.
func known(id string, kind inbox.ContactKind, change ...func(*Known)) Known {
	k := Known{
		Party:   inbox.Party{ID: id, CreatedAt: monday - 100, Contact: inbox.Contact{Email: "ana@example.pt"}},
		Contact: inbox.PartyContact{PartyID: id, Kind: kind, Value: "ana@example.pt", CreatedAt: monday - 100},
	}
	for _, f := range change {
		f(&k)
	}
	return k
}

func proven(k *Known)     { k.Contact.VerifiedAt = inbox.Ptr(monday - 50) }
func addedLater(k *Known) { k.Contact.Added = true }
func older(k *Known)      { k.Party.CreatedAt -= 10 }
func mergedAway(k *Known) { k.Party.MergedInto = "ROOT" }
func erased(k *Known)     { k.Party.ErasedAt = inbox.Ptr(monday - 1) }

// TestLanguageOfAParty: a customer is written to as this request says, else as their
// party said before; what is only presumed to be theirs says nothing (05 §1.2).
func TestLanguageOfAParty(t *testing.T) {
	in := func(locale string) *inbox.Party { return &inbox.Party{ID: "MINE", Locale: locale} }
	portuguese := func(k *Known) { k.Party.Locale = "pt" }
	for name, c := range map[string]struct {
		party  *inbox.Party
		known  []Known
		locale string
		want   string
	}{
		"ok/as before":           {party: in("pt-PT"), want: "pt"},
		"ok/as they say now":     {party: in("pt"), locale: "en-GB", want: "en"},
		"ok/not one of ours":     {party: in("pt"), locale: "fr", want: "pt"},
		"fail/never one of ours": {party: in("fr")},
		"fail/presumed":          {known: []Known{known("A", inbox.ContactEmail, portuguese)}},
		"fail/nobody":            {},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.f.Known, w.f.Party = c.known, c.party
			r, who := bookingRequest(), w.customer()
			r.Contact.Locale = c.locale
			if c.party != nil {
				who.PartyID, r.PartyID = c.party.ID, c.party.ID
			}
			w.create(who, r)
			if got := w.f.Record.Locale; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestMatching: who a create is of, by who asks and who has the contact
// (01 §15.2).
func TestMatching(t *testing.T) {
	mine := &inbox.Party{ID: "MINE", Contact: inbox.Contact{Name: "Ana", Email: "ana@example.pt"}}
	for name, c := range map[string]struct {
		caller   inbox.Caller
		party    *inbox.Party
		known    []Known
		match    inbox.Match
		possible string
	}{
		"ok/nobody known":                    {match: inbox.MatchNone},
		"ok/address known":                   {known: []Known{known("A", inbox.ContactEmail)}, match: inbox.MatchWeak, possible: "A"},
		"ok/number known":                    {known: []Known{known("A", inbox.ContactPhone)}, match: inbox.MatchWeak, possible: "A"},
		"ok/address before number":           {known: []Known{known("A", inbox.ContactPhone, older, proven), known("B", inbox.ContactEmail)}, match: inbox.MatchWeak, possible: "B"},
		"ok/proven before older":             {known: []Known{known("A", inbox.ContactEmail, older), known("B", inbox.ContactEmail, proven)}, match: inbox.MatchWeak, possible: "B"},
		"ok/oldest":                          {known: []Known{known("A", inbox.ContactEmail), known("B", inbox.ContactEmail, older)}, match: inbox.MatchWeak, possible: "B"},
		"ok/oldest by id":                    {known: []Known{known("B", inbox.ContactEmail), known("A", inbox.ContactEmail)}, match: inbox.MatchWeak, possible: "A"},
		"ok/their own before added":          {known: []Known{known("A", inbox.ContactEmail, older, addedLater), known("B", inbox.ContactEmail)}, match: inbox.MatchWeak, possible: "B"},
		"ok/added alone":                     {known: []Known{known("A", inbox.ContactEmail, addedLater)}, match: inbox.MatchWeak, possible: "A"},
		"ok/merged is not known":             {known: []Known{known("A", inbox.ContactEmail, proven, mergedAway)}, match: inbox.MatchNone},
		"ok/erased is not known":             {known: []Known{known("A", inbox.ContactEmail, erased), known("B", inbox.ContactPhone)}, match: inbox.MatchWeak, possible: "B"},
		"ok/key of a party":                  {party: mine, known: []Known{known("A", inbox.ContactEmail, proven)}, match: inbox.MatchStrong},
		"ok/the business is never strong":    {caller: owner, known: []Known{known("A", inbox.ContactEmail, proven)}, match: inbox.MatchWeak, possible: "A"},
		"ok/an integration is never strong":  {caller: moneyKey, known: []Known{known("A", inbox.ContactEmail, proven)}, match: inbox.MatchWeak, possible: "A"},
		"ok/the business, of nobody it knew": {caller: owner, match: inbox.MatchNone},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.f.Known, w.f.Party = c.known, c.party
			r, caller := bookingRequest(), c.caller
			if caller.Kind == "" {
				caller = w.customer()
			}
			if c.party != nil {
				r.PartyID = c.party.ID
			}
			out, err := w.confirmed(caller, r)
			if err != nil {
				t.Fatal(err)
			}
			rec := out.Write.Items[0].Record
			if rec.CustomerMatch != c.match || rec.PossiblePartyID != c.possible {
				t.Errorf("%s, possible %q", rec.CustomerMatch, rec.PossiblePartyID)
			}
			strong := c.match == inbox.MatchStrong
			if strong != (out.Write.Party == nil) || (strong && rec.Item.PartyID != "MINE") || (!strong && rec.Item.PartyID != out.Write.Party.ID) {
				t.Errorf("joins %s, new %+v", rec.Item.PartyID, out.Write.Party)
			}
			for _, contact := range out.Write.Contacts {
				if contact.PartyID != rec.Item.PartyID || contact.Added != strong || contact.VerifiedAt != nil {
					t.Errorf("contact %+v", contact)
				}
			}
			if len(out.Write.Contacts) != 1 {
				t.Errorf("%d contacts", len(out.Write.Contacts))
			}
			if body, ok := out.Body.(inbox.Created); ok {
				id := body.View.Identity
				if id.Recognised != c.match || id.Verify.Available != (c.match == inbox.MatchWeak) || (id.Guide != nil) != id.Verify.Available || id.Verify.SentTo != nil {
					t.Errorf("identity %+v", id)
				}
				if (body.AccessToken == "") != strong {
					t.Errorf("token %q", body.AccessToken)
				}
			}
		})
	}
}

// TestLearn: a create by a party's credential tells what was not known of it.
func TestLearn(t *testing.T) {
	full := inbox.Party{ID: "P", DisplayName: "Ana", Locale: "pt", Contact: inbox.Contact{Name: "Ana", Email: "ana@example.pt", Phone: "123456", Locale: "pt"}, UpdatedAt: 1}
	other := &inbox.Contact{Name: "Bea", Email: "bea@example.pt", Phone: "654321", Locale: "en"}
	for name, c := range map[string]struct {
		party inbox.Party
		given *inbox.Contact
		want  inbox.Party
		news  bool
	}{
		"ok/nothing given":    {full, nil, full, false},
		"ok/nothing new":      {full, other, full, false},
		"ok/everything":       {inbox.Party{ID: "P"}, other, inbox.Party{ID: "P", DisplayName: "Bea", Locale: "en", Contact: *other, UpdatedAt: monday}, true},
		"ok/name for address": {inbox.Party{ID: "P", DisplayName: "a@b.pt", Contact: inbox.Contact{Email: "a@b.pt"}}, &inbox.Contact{Name: " Bea "}, inbox.Party{ID: "P", DisplayName: "Bea", Contact: inbox.Contact{Name: "Bea", Email: "a@b.pt"}, UpdatedAt: monday}, true},
		"ok/address as name":  {inbox.Party{ID: "P"}, &inbox.Contact{Email: "a@b.pt"}, inbox.Party{ID: "P", DisplayName: "a@b.pt", Contact: inbox.Contact{Email: "a@b.pt"}, UpdatedAt: monday}, true},
	} {
		got, news := learn(c.party, c.given, monday)
		if news != c.news || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %t %+v", name, news, got)
		}
	}
}

func TestCreateOfAParty(t *testing.T) {
	w := newWorld(t)
	w.f.Party = &inbox.Party{ID: "P", Rev: 3, Contact: inbox.Contact{Name: "Ana"}}
	w.f.Known = []Known{known("P", inbox.ContactEmail)}
	r := bookingRequest()
	r.PartyID = "P"
	r.Contact.Phone = "+351 912 345 678"
	out, err := w.confirmed(w.customer(), r)
	if err != nil {
		t.Fatal(err)
	}
	// The address is theirs already, the number is new.
	if c := out.Write.Contacts; len(c) != 1 || c[0].Kind != inbox.ContactPhone || !c[0].Added {
		t.Errorf("contacts %+v", c)
	}
	if p := out.Write.Parties; len(p) != 1 || p[0].Rev != 3 || p[0].Contact.Email != "Ana@Example.PT" || p[0].Contact.Phone == "" {
		t.Errorf("parties %+v", p)
	}
}

func TestHistoryOf(t *testing.T) {
	at := func(ms inbox.Instant, typ inbox.Type, s inbox.State, happened ...string) inbox.Record {
		r := inbox.Record{Item: inbox.Item{ID: string(typ) + string(s) + ms.String(), Type: typ, State: s, CreatedAt: ms}, Happened: happened}
		if typ == inbox.TypeOrder {
			r.Item.Payload.Order = &inbox.Order{TotalPrice: inbox.Money{Value: 5000, Currency: "EUR"}}
		}
		return r
	}
	part := at(9, inbox.TypeOrder, inbox.StatePaid, inbox.HappenedPaid)
	part.Item.Payload.Order.PaidAmount = &inbox.Money{Value: 7000, Currency: "EUR"}
	test := at(1, inbox.TypeBooking, inbox.StateCompleted)
	test.Item.Flags.Sandbox = true
	judged := at(99, inbox.TypeBooking, inbox.StateRequested, inbox.HappenedLate)
	items := []inbox.Record{
		at(5, inbox.TypeBooking, inbox.StateCompleted), at(6, inbox.TypeBooking, inbox.StateNoShow),
		at(7, inbox.TypeBooking, inbox.StateCancelledByCustomer, inbox.HappenedLate),
		at(8, inbox.TypeOrder, inbox.StateFulfilled, inbox.HappenedUnpaid, inbox.HappenedPaid), part,
		at(10, inbox.TypeOrder, "charged_back", inbox.HappenedPaid, inbox.HappenedChargedBack),
		at(11, inbox.TypeOrder, inbox.StateCompleted), at(12, inbox.TypeMessage, inbox.StateOpen),
		at(13, inbox.TypeBooking, inbox.StateProposed), at(14, inbox.TypeBooking, inbox.StateNeedsInfo), at(15, inbox.TypeBooking, inbox.StateConfirmed),
		at(16, inbox.TypeRefund, "refunded"), test, judged,
	}
	first, last := int64(5), int64(15)
	want := inbox.History{
		Items: 11, Completed: 3, Paid: 3, NoShows: 1, LateCancellations: 1, PaymentFailed: 1, ChargedBack: 1,
		LargestPaid: 7000, OpenBookings: 4, FirstSeen: &first, LastSeen: &last,
	}
	if got := HistoryOf(items, judged.Item.ID); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got := HistoryOf([]inbox.Record{test}, ""); !reflect.DeepEqual(got, inbox.History{}) {
		t.Errorf("a test counts: %+v", got)
	}
	if raw := string(mustJSON(inbox.History{})); !strings.Contains(raw, `"first_seen":null,"last_seen":null`) {
		t.Error(raw)
	}
	for name, c := range map[string]struct {
		match inbox.Match
		done  int
		known bool
	}{
		"ok/strong and completed": {inbox.MatchStrong, 1, true},
		"ok/strong":               {inbox.MatchStrong, 0, false},
		"ok/weak":                 {inbox.MatchWeak, 3, false},
		"ok/none":                 {"", 3, false},
	} {
		if got := customerFacts(&inbox.Record{CustomerMatch: c.match}, inbox.History{Completed: c.done}); got.Known != c.known || got.Persons == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestRemember: a transition is remembered once, in a list of its own.
func TestRemember(t *testing.T) {
	shared := make([]string, 0, 8)
	rec := inbox.Record{Happened: shared}
	for _, event := range []string{"cancel_late", "record_cancel_late", "record_payment", "cancel", "charge_back"} {
		remember(&rec, event)
	}
	if want := []string{inbox.HappenedLate, inbox.HappenedPaid, inbox.HappenedChargedBack}; !slices.Equal(rec.Happened, want) {
		t.Errorf("%v", rec.Happened)
	}
	if !slices.Equal(shared[:cap(shared)], make([]string, 8)) {
		t.Error("the list that was read is written to")
	}
}

func TestSearchWords(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"ok/each once":         {"Cut, cut and CUT", []string{"cut", "and"}},
		"ok/accents":           {"José Conceição Müller", []string{"jose", "conceicao", "muller"}},
		"ok/decomposed":        {"Jose\u0301", []string{"jose"}},
		"ok/letters":           {"Straße Łódź Ærø ﬁnd", []string{"strasse", "lodz", "aero", "find"}},
		"ok/greek":             {"ΟΔΟΣ οδος", []string{"οδοσ"}},
		"ok/full width":        {"ＡＢＣ１２", []string{"abc12"}},
		"ok/dotted i":          {"İstanbul ISTANBUL ıstanbul", []string{"istanbul"}},
		"ok/marks nobody sees": {"re\u00adser\u200bva\u200dtion", []string{"reservation"}},
		"ok/address":           {"ana.lima+x@example.pt", []string{"ana", "lima", "x", "example", "pt"}},
		"ok/other letters":     {"你好 привет", []string{"你好", "привет"}},
		"ok/broken bytes":      {"a\xffb\x00c", []string{"a", "b", "c"}},
		"ok/keys of the table": {"i#x a#b !c", []string{"i", "x", "a", "b", "c"}},
		"ok/long":              {strings.Repeat("x", 99), []string{strings.Repeat("x", 40)}},
		"ok/none":              {" \t…!", nil},
	} {
		if got := SearchWords(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSearchFor(t *testing.T) {
	for name, c := range map[string]struct {
		q         string
		words     []string
		reference string
	}{
		"ok/words":            {"Ana Lima", []string{"ana", "lima"}, ""},
		"ok/reference":        {"7k3-qxa", []string{"7k3", "qxa"}, "7K3QXA"},
		"ok/reference spaced": {" 7K3 QXA ", []string{"7k3", "qxa"}, "7K3QXA"},
		"ok/reference typed":  {"oil7kq", []string{"oil7kq"}, "0117KQ"},
		"ok/phone":            {"+351 912 345 678", []string{"351912345678"}, ""},
		"ok/phone short":      {"912345", []string{"912345"}, "912345"},
		"ok/no reference":     {"ABCDEU", []string{"abcdeu"}, ""},
		"ok/seven":            {"7K3QXAB", []string{"7k3qxab"}, ""},
	} {
		if words, reference := SearchFor(c.q); !slices.Equal(words, c.words) || reference != c.reference {
			t.Errorf("%s: %q %q", name, words, reference)
		}
	}
}

// TestItemWords: of whom first, then the newest words, never over the limit.
func TestItemWords(t *testing.T) {
	rec := &inbox.Record{Item: inbox.Item{
		Type: inbox.TypeBooking, Subject: inbox.Ptr("Portrait"),
		Payload: inbox.Payload{Booking: &inbox.Booking{ReservationFor: inbox.ReservationFor{Name: "Portrait"}, Notes: "window seat"}},
	}}
	p := &inbox.Party{DisplayName: "Ana Lima", Contact: inbox.Contact{Email: "ana@example.pt", Phone: "+351 912 345 678"}}
	flood := make([]string, 300)
	for i := range flood {
		flood[i] = "w" + string(rune('a'+i%26)) + string(rune('a'+i/26))
	}
	thread := []inbox.Entry{{BodyText: strings.Join(flood, " ")}, {Subject: "Re", BodyText: "thanks"}}
	got := ItemWords(rec, p, thread)
	if head := []string{"ana", "lima", "351912345678", "912345678", "example", "pt", "portrait", "window", "seat", "re", "thanks", "waa"}; !slices.Equal(got[:len(head)], head) {
		t.Errorf("%q", got[:len(head)])
	}
	if len(got) != MaxWords {
		t.Errorf("%d words", len(got))
	}
	p.ErasedAt = &monday
	if got := ItemWords(rec, p, nil); !slices.Equal(got, []string{"portrait", "window", "seat"}) {
		t.Errorf("of the erased: %q", got)
	}
}

// TestPayloadTexts: every type says what can be read of it.
func TestPayloadTexts(t *testing.T) {
	home := &inbox.PostalAddress{StreetAddress: "Rua Nova 1", AddressLocality: "Porto"}
	for name, c := range map[string]struct {
		p    inbox.Payload
		want string
	}{
		"ok/order":   {inbox.Payload{Order: &inbox.Order{OrderedItem: []inbox.OrderLine{{Name: "Chain", SKU: "CH-1"}}, ShippingAddress: home}}, "chain ch 1 rua nova porto"},
		"ok/quote":   {inbox.Payload{Quote: &inbox.QuoteRequest{ItemOffered: inbox.ItemOffered{Name: "Frame"}, Description: "oak", Quote: &inbox.Quote{Lines: []inbox.QuoteLine{{Name: "wood"}}, Notes: "soon"}}}, "frame oak wood soon"},
		"ok/message": {inbox.Payload{Message: &inbox.Message{Subject: "Hours", Text: "open?"}}, "hours open"},
		"ok/refund":  {inbox.Payload{Refund: &inbox.Refund{Reason: "broken"}}, "broken"},
	} {
		if got := strings.Join(SearchWords(strings.Join(payloadTexts(c.p), " ")), " "); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOweIndex: a write whose words may be new owes that they are found.
func TestOweIndex(t *testing.T) {
	item := func(id string, expect int) ItemWrite {
		return ItemWrite{Record: inbox.Record{Item: inbox.Item{ID: id}}, Expect: expect}
	}
	diff := func(keys ...string) []inbox.Event {
		d := &inbox.Diff{Payload: map[string][2]json.RawMessage{}}
		for _, k := range keys {
			d.Payload[k] = [2]json.RawMessage{}
		}
		return []inbox.Event{{ID: "E", ItemID: "A", Diff: d}}
	}
	ready := []inbox.Job{{ID: "J", ItemID: "A", Ready: true, Effects: []inbox.Effect{{ID: "x"}}}}
	later := []inbox.Job{{ID: "J", ItemID: "A", Effects: []inbox.Effect{{ID: "x"}}}}
	for name, c := range map[string]struct {
		w    Write
		want []string
		jobs int
	}{
		"ok/new":            {Write{Items: []ItemWrite{item("A", 0)}, Jobs: ready}, []string{"index:A@"}, 1},
		"ok/new, no job":    {Write{Items: []ItemWrite{item("A", 0)}}, []string{"index:A@"}, 1},
		"ok/job not due":    {Write{Items: []ItemWrite{item("A", 0)}, Jobs: later}, []string{"index:A@"}, 2},
		"ok/words":          {Write{Items: []ItemWrite{item("A", 1)}, Entries: []inbox.Entry{{ID: "T", ItemID: "A"}}, Jobs: ready}, []string{"index:T@"}, 1},
		"ok/payload":        {Write{Items: []ItemWrite{item("A", 1)}, Events: diff("offer", "orderedItem"), Jobs: ready}, []string{"index:E@"}, 1},
		"ok/two":            {Write{Items: []ItemWrite{item("A", 1), item("B", 0)}, Jobs: ready}, []string{"index:B@B"}, 1},
		"ok/nothing to say": {Write{Items: []ItemWrite{item("A", 1)}, Events: diff("offer", "startTime"), Jobs: ready}, nil, 1},
		"ok/no item":        {Write{Jobs: ready}, nil, 1},
	} {
		given := len(ready[0].Effects)
		OweIndex(&c.w, Env{Now: monday, Source: seeded(1)})
		var got []string
		for _, j := range c.w.Jobs {
			for _, e := range j.Effects {
				if e.Kind == inbox.EffectIndex {
					got = append(got, e.ID+"@"+e.ItemID)
				}
			}
		}
		if !slices.Equal(got, c.want) || len(c.w.Jobs) != c.jobs || len(ready[0].Effects) != given {
			t.Errorf("%s: %v in %d jobs", name, got, len(c.w.Jobs))
		}
	}
}
