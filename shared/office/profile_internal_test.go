package office

import (
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// policyOf is the return policy under a settings document.
func policyOf(doc string) inbox.ReturnPolicy {
	return *publicProfile(inbox.Profile{}, settings.Effective([]byte(doc)), nil).ReturnPolicy
}

// What a business says of returns before it set anything, and what each setting
// changes in it (03 §7).
func TestReturnPolicy(t *testing.T) {
	usual := inbox.ReturnPolicy{
		ReturnPolicyCategory: "https://schema.org/MerchantReturnFiniteReturnWindow", MerchantReturnDays: 14,
		ReturnMethod: "https://schema.org/ReturnByMail", ReturnFees: "https://schema.org/ReturnFeesCustomerResponsibility",
		ItemDefectReturnFees: "https://schema.org/FreeReturn", RefundType: "https://schema.org/FullRefund",
	}
	for name, c := range map[string]struct {
		doc    string
		change func(*inbox.ReturnPolicy)
	}{
		"ok/nothing set":       {`{}`, func(*inbox.ReturnPolicy) {}},
		"ok/longer":            {`{"returns":{"days":60}}`, func(p *inbox.ReturnPolicy) { p.MerchantReturnDays = 60 }},
		"ok/postage is ours":   {`{"returns":{"postage":"business"}}`, func(p *inbox.ReturnPolicy) { p.ReturnFees = "https://schema.org/FreeReturn" }},
		"ok/country":           {`{"commerce":{"legal":{"country":"PT"}}}`, func(p *inbox.ReturnPolicy) { p.ReturnPolicyCountry = "PT" }},
		"ok/businesses alone":  {`{"commerce":{"customers":"businesses"}}`, func(*inbox.ReturnPolicy) {}},
		"fail/shorter than 14": {`{"returns":{"days":3}}`, func(*inbox.ReturnPolicy) {}}, // a stored value no rule allows reads as its default
	} {
		t.Run(name, func(t *testing.T) {
			want := usual
			c.change(&want)
			if got := policyOf(c.doc); got != want {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

// The trader stands in the profile once the business named itself in law.
func TestTrader(t *testing.T) {
	for name, c := range map[string]struct {
		doc  string
		want *inbox.Trader
	}{
		"ok/not named": {`{"commerce":{"legal":{"address":"Rua Nova 1"}}}`, nil},
		"ok/whole": {`{"commerce":{"legal":{"legalName":"Ana Lima Lda","address":"Rua Nova 1, Lisboa","country":"PT","phone":"+351 210 000 000",` +
			`"email":"ana@example.com","vatId":"PT500000000","complaintsUrl":"https://www.livroreclamacoes.pt"}}}`,
			&inbox.Trader{LegalName: "Ana Lima Lda", Address: "Rua Nova 1, Lisboa", Country: "PT", Phone: "+351 210 000 000",
				Email: "ana@example.com", VATID: "PT500000000", ComplaintsURL: "https://www.livroreclamacoes.pt"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := publicProfile(inbox.Profile{}, settings.Effective([]byte(c.doc)), nil).Trader
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// Who may change the currency through the profile: the same as through the
// settings (03 §2.4, §11.4).
func TestGuardCurrency(t *testing.T) {
	euro, dollar := "eur", "usd"
	key := func(scopes ...inbox.Scope) inbox.Caller {
		return inbox.Caller{Actor: inbox.Actor{Kind: inbox.Integration, Channel: inbox.ChannelREST}, Scopes: scopes}
	}
	as := func(kind inbox.ActorKind, channel inbox.Channel) inbox.Caller {
		return inbox.Caller{Actor: inbox.Actor{Kind: kind, Channel: channel}, Scopes: []inbox.Scope{inbox.ScopeAll}}
	}
	for name, c := range map[string]struct {
		caller inbox.Caller
		to     *string
		may    bool
	}{
		"ok/owner":                      {as(inbox.Owner, inbox.ChannelREST), &dollar, true},
		"ok/staff":                      {as(inbox.Staff, inbox.ChannelOwnerUI), &dollar, true},
		"ok/key for the catalogue":      {key(inbox.ScopeSettingsWrite, inbox.ScopeCatalogueWrite), &dollar, true},
		"ok/key without, nothing said":  {key(inbox.ScopeSettingsWrite), nil, true},
		"ok/key without, as it is":      {key(inbox.ScopeSettingsWrite), &euro, true},
		"fail/key without":              {key(inbox.ScopeSettingsWrite), &dollar, false},
		"fail/key on the owner's MCP":   {func() inbox.Caller { k := key(inbox.ScopeCatalogueWrite); k.Channel = inbox.ChannelMCPOwner; return k }(), &dollar, false},
		"fail/owner's AI":               {as(inbox.OwnerAI, inbox.ChannelMCPOwner), &dollar, false},
		"fail/owner's key over the MCP": {as(inbox.Owner, inbox.ChannelMCPOwner), &dollar, false},
	} {
		err := guardCurrency(c.caller, "EUR", c.to)
		if (err == nil) != c.may {
			t.Errorf("%s: %v", name, err)
		}
	}
}
