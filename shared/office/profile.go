package office

import (
	"bytes"
	"context"
	"encoding/json"

	"typedinbox/shared/calendar"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/schema"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// GetBusinessProfile is what the business says of itself in public (03 §7).
func (o *Office) GetBusinessProfile(ctx context.Context, _ inbox.Call, _ inbox.Nothing) (inbox.Answer, error) {
	profile, err := o.public(ctx)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(profile)
}

// GetProfile is the profile as the owner reads it.
func (o *Office) GetProfile(ctx context.Context, call inbox.Call, in inbox.Nothing) (inbox.Answer, error) {
	return o.GetBusinessProfile(ctx, call, in)
}

func (o *Office) public(ctx context.Context) (inbox.PublicProfile, error) {
	l, err := o.effective(ctx, store.Want{})
	if err != nil {
		return inbox.PublicProfile{}, err
	}
	types, err := o.itemTypes(ctx)
	if err != nil {
		return inbox.PublicProfile{}, err
	}
	return publicProfile(l.Profile, settings.Effective(l.SettingsRaw), types), nil
}

// itemTypes lists what can be asked for: messages always, bookings once a
// service is active and has hours, orders once a product is active, prices with
// either (03 §10.1).
func (o *Office) itemTypes(ctx context.Context) ([]inbox.Type, error) {
	c, err := o.Store.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	sells, err := o.Store.AnyProduct(ctx)
	if err != nil {
		return nil, err
	}
	types := []inbox.Type{inbox.TypeMessage}
	if c.Bookable() {
		types = append(types, inbox.TypeBooking)
	}
	if sells {
		types = append(types, inbox.TypeOrder)
	}
	if len(types) > 1 {
		types = append(types, inbox.TypeQuote)
	}
	return types, nil
}

func publicProfile(p inbox.Profile, s settings.Settings, types []inbox.Type) inbox.PublicProfile {
	b := decide.BusinessOf(p, s)
	profile := inbox.PublicProfile{
		Name: b.Name, Timezone: b.ZoneName, Currency: b.Currency, Languages: b.Languages, ItemTypes: types,
		PriceNegotiable: s.Negotiation.PriceCounters, ReturnPolicy: returnPolicy(s), Trader: trader(s.Commerce.Legal),
	}
	if b.Domain != "" {
		profile.Domain = &b.Domain
	}
	return profile
}

// vocabulary is where the words of a return policy are defined.
const vocabulary = "https://schema.org/"

// returnPolicy is how goods go back, in schema.org's words (03 §7, 02 §2): for
// the days of the policy, by post, at the cost of who the settings say, faulty
// goods at the business's, and all that was paid for them comes back.
func returnPolicy(s settings.Settings) *inbox.ReturnPolicy {
	p := inbox.ReturnPolicy{
		ReturnPolicyCategory: vocabulary + "MerchantReturnFiniteReturnWindow", MerchantReturnDays: s.Returns.Days,
		ReturnMethod: vocabulary + "ReturnByMail", ReturnFees: vocabulary + "ReturnFeesCustomerResponsibility",
		ItemDefectReturnFees: vocabulary + "FreeReturn", RefundType: vocabulary + "FullRefund",
		ReturnPolicyCountry: s.Commerce.Legal.Country,
	}
	if s.Returns.Postage == "business" {
		p.ReturnFees = vocabulary + "FreeReturn"
	}
	return &p
}

// trader is who the business is in law, nil until it said so.
func trader(l settings.Legal) *inbox.Trader {
	if l.LegalName == "" {
		return nil
	}
	return &inbox.Trader{
		LegalName: l.LegalName, Address: l.Address, Country: l.Country, Email: l.Email, Phone: l.Phone,
		VATID: l.VATID, ComplaintsURL: l.ComplaintsURL,
	}
}

// UpdateProfile changes what the business says of itself; only what is sent
// changes (03 §6.5, §11.3).
func (o *Office) UpdateProfile(ctx context.Context, call inbox.Call, req inbox.UpdateProfileRequest) (inbox.Answer, error) {
	domain, clear, problems := checkProfile(req)
	if len(problems) > 0 {
		return inbox.Answer{}, inbox.InvalidInput(problems...)
	}
	return o.write(ctx, call, "profile.update", req, func(ctx context.Context, _ inbox.Instant) (change, error) {
		l, err := o.effective(ctx, store.Want{})
		if err != nil {
			return change{}, err
		}
		p := l.Profile
		if err := guardCurrency(call.Caller, decide.BusinessOf(p, settings.Effective(l.SettingsRaw)).Currency, req.Currency); err != nil {
			return change{}, err
		}
		p.Version++
		set(&p.Name, req.Name)
		set(&p.Timezone, req.Timezone)
		set(&p.Currency, upper(req.Currency))
		if req.Languages != nil {
			p.Languages = req.Languages
		}
		if clear || domain != "" {
			p.Domain = domain
		}
		types, err := o.itemTypes(ctx)
		if err != nil {
			return change{}, err
		}
		return change{
			setUp: store.SetUp{Profile: &p}, status: 200,
			body: publicProfile(p, settings.Effective(l.SettingsRaw), types),
		}, nil
	})
}

// checkProfile checks what tags cannot: the zone and the domain.
func checkProfile(req inbox.UpdateProfileRequest) (domain string, clear bool, problems []inbox.FieldProblem) {
	bad := func(path, message string) {
		problems = append(problems, inbox.FieldProblem{Path: path, Problem: inbox.Invalid, Message: message})
	}
	if req.Timezone != nil {
		if _, err := calendar.Zone(*req.Timezone); err != nil {
			bad("timezone", "is no IANA time zone, such as Europe/Lisbon")
		}
	}
	switch raw := bytes.TrimSpace(req.Domain); {
	case len(raw) == 0:
	case string(raw) == "null":
		clear = true
	case json.Unmarshal(raw, &domain) != nil || !schema.IsDomain(domain):
		bad("domain", "must be a host name, such as example.com, or null")
	}
	return domain, clear, problems
}

// guardCurrency refuses whoever may not change the currency: not the owner's AI,
// nor a key without catalogue:write (03 §2.4).
func guardCurrency(c inbox.Caller, before string, after *string) error {
	if after == nil || *upper(after) == before || c.MaySetCurrency() {
		return nil
	}
	p := inbox.NotAllowed("owner_money", "The currency is the owner's to change. Nothing was changed.").With("ask_owner", true)
	if c.IsAssistant() {
		p.Detail += " Tell the owner."
		p.With("where", "Settings → Business")
	}
	return p
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func upper(s *string) *string {
	if s == nil {
		return nil
	}
	up := string(bytes.ToUpper([]byte(*s)))
	return &up
}
