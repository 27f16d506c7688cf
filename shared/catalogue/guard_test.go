package catalogue

import (
	"testing"

	"typedinbox/shared/inbox"
)

var callers = map[string]inbox.Caller{
	"owner":     {Actor: inbox.Actor{Kind: inbox.Owner, Channel: inbox.ChannelOwnerUI}, Proven: true},
	"owner key": {Actor: inbox.Actor{Kind: inbox.Owner, Channel: inbox.ChannelREST}, Proven: true},
	"system":    {Actor: inbox.Actor{Kind: inbox.System, Channel: inbox.ChannelSystem}},
	"staff":     {Actor: inbox.Actor{Kind: inbox.Staff, Channel: inbox.ChannelOwnerUI}, Proven: true},
	"key":       {Actor: inbox.Actor{Kind: inbox.Integration, Channel: inbox.ChannelREST}, Scopes: []inbox.Scope{inbox.ScopeCatalogueWrite}},
	"ai":        {Actor: inbox.Actor{Kind: inbox.OwnerAI, Channel: inbox.ChannelMCPOwner}},
	"owner mcp": {Actor: inbox.Actor{Kind: inbox.Owner, Channel: inbox.ChannelMCPOwner}, Proven: true},
	"staff mcp": {Actor: inbox.Actor{Kind: inbox.Staff, Channel: inbox.ChannelMCPOwner}, Proven: true},
}

// TestGuardService holds the rows on the catalogue of 03 §2.4: for each change,
// what becomes of it by whom. "+" saved as sent, "off" saved not active, else
// the reason of the refusal.
func TestGuardService(t *testing.T) {
	priced := func(active bool, value int64) inbox.Service {
		return inbox.Service{Active: active, Price: fixed(value, PerBooking), Withdrawal: inbox.WithdrawalStandard, Negotiable: true}
	}
	plain := inbox.Service{Active: true, Withdrawal: inbox.WithdrawalStandard, Negotiable: true}
	with := func(s inbox.Service, f func(*inbox.Service)) inbox.Service { f(&s); return s }
	free := map[string]string{}
	aiOff := map[string]string{"ai": "off", "owner mcp": "off", "staff mcp": "off"}
	aiMoney := map[string]string{"ai": reasonOwnerMoney, "owner mcp": reasonOwnerMoney, "staff mcp": reasonOwnerMoney}
	onlyOwner := map[string]string{"staff": reasonOwnerOnly, "key": reasonOwnerOnly, "ai": reasonOwnerOnly, "owner mcp": reasonOwnerOnly, "staff mcp": reasonOwnerOnly}
	ownerAndStaff := map[string]string{"key": reasonOwnerOnly, "ai": reasonOwnerOnly, "owner mcp": reasonOwnerOnly, "staff mcp": reasonOwnerOnly}
	at := func(s inbox.Service) *inbox.Service { return &s }
	for name, c := range map[string]struct {
		before *inbox.Service
		after  inbox.Service
		not    map[string]string // callers for whom it is not "+"
	}{
		"ok/add unpriced":               {nil, plain, free},
		"ok/add by quote":               {nil, with(plain, func(s *inbox.Service) { s.Price = &inbox.ServicePrice{Model: ModelQuote} }), free},
		"ok/add priced":                 {nil, priced(true, 1), aiOff},
		"ok/add priced from":            {nil, with(plain, func(s *inbox.Service) { s.Price = &inbox.ServicePrice{Model: ModelFrom, Value: inbox.Ptr(int64(1))} }), aiOff},
		"ok/add priced for free":        {nil, priced(true, 0), aiOff},
		"ok/add with standard marks":    {nil, plain, free},
		"fail/add never-haggle":         {nil, with(plain, func(s *inbox.Service) { s.Negotiable = false }), onlyOwner},
		"fail/add excepted":             {nil, with(plain, func(s *inbox.Service) { s.Withdrawal = "mixed" }), ownerAndStaff},
		"ok/rename":                     {at(priced(true, 1)), with(priced(true, 1), func(s *inbox.Service) { s.Name = "new" }), free},
		"ok/same marks again":           {at(with(plain, func(s *inbox.Service) { s.Withdrawal, s.Negotiable = "mixed", false })), with(plain, func(s *inbox.Service) { s.Withdrawal, s.Negotiable = "mixed", false }), free},
		"fail/negotiable":               {at(plain), with(plain, func(s *inbox.Service) { s.Negotiable = false }), onlyOwner},
		"fail/negotiable again":         {at(with(plain, func(s *inbox.Service) { s.Negotiable = false })), plain, onlyOwner},
		"fail/withdrawal":               {at(plain), with(plain, func(s *inbox.Service) { s.Withdrawal = "perishable" }), ownerAndStaff},
		"fail/price":                    {at(priced(true, 1)), priced(true, 2), aiMoney},
		"fail/price of a hidden one":    {at(priced(false, 1)), priced(false, 2), aiMoney},
		"fail/first price":              {at(plain), priced(true, 2), aiMoney},
		"fail/no price any more":        {at(priced(true, 2)), plain, aiMoney},
		"fail/price in other money":     {at(priced(true, 1)), with(priced(true, 1), func(s *inbox.Service) { s.Price.Currency = "USD" }), aiMoney},
		"fail/price per person":         {at(priced(true, 1)), with(priced(true, 1), func(s *inbox.Service) { s.Price.Per = PerPerson }), aiMoney},
		"fail/price from":               {at(priced(true, 1)), with(priced(true, 1), func(s *inbox.Service) { s.Price.Model = ModelFrom }), aiMoney},
		"ok/no amount before and after": {at(plain), with(plain, func(s *inbox.Service) { s.Price = &inbox.ServicePrice{Model: ModelQuote} }), free},
		"fail/publish priced":           {at(priced(false, 1)), priced(true, 1), aiMoney},
		"ok/publish unpriced":           {at(with(plain, func(s *inbox.Service) { s.Active = false })), plain, free},
		"ok/hide priced":                {at(priced(true, 1)), priced(false, 1), free},
	} {
		for who, caller := range callers {
			want := c.not[who]
			if want == "" {
				want = "+"
			}
			got, p := GuardService(c.before, c.after, caller)
			if verdict := verdictOf(t, p, got.Active, c.after.Active); verdict != want {
				t.Errorf("%s by %s: %s, want %s", name, who, verdict, want)
			}
		}
	}
}

func verdictOf(t *testing.T, p *inbox.Problem, active, asked bool) string {
	t.Helper()
	switch {
	case p != nil:
		if p.Code != inbox.CodeNotAllowed || p.Status() != 403 || p.Detail == "" {
			t.Errorf("refused with %v", p)
		}
		reason, _ := p.Details["reason"].(string)
		if reason == reasonOwnerOnly && p.Details["field"] == nil {
			t.Error("the refusal names no field")
		}
		if reason == reasonOwnerMoney && (p.Details["ask_owner"] != true || p.Details["draft_for_owner"] != true || p.Details["where"] == "") {
			t.Errorf("the refusal does not send to the owner: %v", p.Details)
		}
		return reason
	case active != asked:
		return "off"
	}
	return "+"
}

func TestGuardProduct(t *testing.T) {
	chain := inbox.Product{Active: true, Price: *eur(1850), Withdrawal: inbox.WithdrawalStandard, Negotiable: true}
	hidden, dearer, marked := chain, chain, chain
	hidden.Active = false
	dearer.Price = *eur(1900)
	marked.Negotiable = false
	for name, c := range map[string]struct {
		before *inbox.Product
		after  inbox.Product
		who    string
		want   string
	}{
		"ok/owner adds":         {nil, chain, "owner", "+"},
		"ok/key adds":           {nil, chain, "key", "+"},
		"ok/ai adds, hidden":    {nil, chain, "ai", "off"},
		"ok/ai renames":         {&chain, chain, "ai", "+"},
		"ok/key prices":         {&chain, dearer, "key", "+"},
		"ok/staff prices":       {&chain, dearer, "staff", "+"},
		"fail/ai prices":        {&chain, dearer, "ai", reasonOwnerMoney},
		"fail/ai publishes":     {&hidden, chain, "ai", reasonOwnerMoney},
		"ok/ai hides":           {&chain, hidden, "ai", "+"},
		"fail/staff marks":      {&chain, marked, "staff", reasonOwnerOnly},
		"ok/owner marks":        {&chain, marked, "owner", "+"},
		"fail/owner marks, mcp": {&chain, marked, "owner mcp", reasonOwnerOnly},
	} {
		got, p := GuardProduct(c.before, c.after, callers[c.who])
		if verdict := verdictOf(t, p, got.Active, c.after.Active); verdict != c.want {
			t.Errorf("%s: %s, want %s", name, verdict, c.want)
		}
	}
}
