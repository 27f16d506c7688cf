package settings

// Kind says what a key holds.
type Kind string

// The kinds of keys.
const (
	KindBool     Kind = "bool"
	KindInt      Kind = "int"      // whole number
	KindNumber   Kind = "number"   // may have a fraction
	KindText     Kind = "text"     // Min to Max characters
	KindOption   Kind = "option"   // one of Options
	KindList     Kind = "list"     // at most Items texts of 1 to Max characters
	KindHosts    Kind = "hosts"    // at most Items of host[:port]
	KindZone     Kind = "zone"     // IANA name
	KindCurrency Kind = "currency" // three letters
	KindCountry  Kind = "country"  // two capital letters, or ""
	KindEmail    Kind = "email"    // an address; "" where Blank
	KindURL      Kind = "url"      // http or https, at most Max characters; "" where Blank
	KindContact  Kind = "contact"  // an address or an https URL
	KindGeo      Kind = "geo"      // {latitude, longitude} or null
	KindRewards  Kind = "rewards"  // none yet
	KindVersion  Kind = "version"  // ignored in a patch
)

// Guarded says who may change a key (03 §11.4).
type Guarded string

// The classes of guards.
const (
	Free        Guarded = ""
	DataOut     Guarded = "data out"      // owner in person, or a key naming settings:write
	DataOutOn   Guarded = "data out, on"  // the same, for switching it on alone
	OwnerOnly   Guarded = "owner"         // owner in person
	OwnerOn     Guarded = "owner, on"     // the same, for switching it on alone
	LowerOnly   Guarded = "lower only"    // the AI and keys may lower it; 0 is no cap, so the highest
	LengthenAI  Guarded = "lengthen only" // the AI may not shorten it while no customerCutoffMin is set
	NotCurrency Guarded = "never the AI"  // the AI never, a key with catalogue:write
)

// Row is one key of the document.
type Row struct {
	Path    string
	Kind    Kind
	Min     int64
	Max     int64
	Items   int      // most entries of a list
	Options []string // of KindOption
	Blank   bool     // "" is allowed and means not given
	Null    bool     // null is a value: the default
	Default any      // nil for unset
	Guard   Guarded
	Live    bool   // a deadline judged by the value of the day: shortening moves it
	Secret  bool   // reads as (redacted)
	Later   bool   // true or a non-empty map is refused until its part exists
	About   string // for people: what it does, with its unit
}

// Bounds of keys for which the documents name no upper end, see
// docs/decisions/settings.md.
const (
	tenYearsMin   = 5_256_000
	tenYearsHours = 87_600
	maxMinor      = 1<<53 - 1
)

// Table is every key of the document, in the order of 03 §11.2. <origin> stands
// for the canonical origin of a network.
var Table = []Row{
	{Path: "schemaVersion", Kind: KindVersion, Default: 1, About: "version of the document's form; ignored when written"},

	{Path: "business.name", Kind: KindText, Max: 200, Default: "", About: "name, where the profile has none"},
	{Path: "business.timezone", Kind: KindZone, Max: 64, Default: "UTC", About: "time zone, where the profile has none"},
	{Path: "business.currency", Kind: KindCurrency, Default: "EUR", Guard: NotCurrency, About: "currency, where the profile has none"},
	{Path: "business.languages", Kind: KindList, Max: 12, Items: 10, Default: []string{"en"}, About: "languages, first one first, where the profile has none"},

	{Path: "booking.cancellationWindowMin", Kind: KindInt, Max: tenYearsMin, Default: 1440, Guard: LengthenAI, About: "minutes before the start from which a cancellation is late"},
	{Path: "booking.minNoticeMin", Kind: KindInt, Max: 10080, Default: 60, About: "minutes before the start until which it can be booked"},
	{Path: "booking.holdOnPropose", Kind: KindBool, Default: false, About: "hold a time that the business proposes"},
	{Path: "booking.maxHolds", Kind: KindInt, Max: 10, Default: 2, About: "times held at once for one customer"},
	{Path: "booking.autoExpireHours", Kind: KindInt, Min: 1, Max: tenYearsHours, Default: 72, About: "hours after which an unanswered request lapses"},
	{Path: "booking.lateCancellation", Kind: KindOption, Options: []string{"record", "refuse"}, Default: "record", About: "what happens to a late cancellation"},
	{Path: "booking.autoCompleteHours", Kind: KindInt, Min: 1, Max: 168, Default: 48, Live: true, About: "hours after the end until a booking counts as completed"},

	{Path: "orders.maxValueWithoutApprovalMinor", Kind: KindInt, Max: maxMinor, Default: 0, Guard: LowerOnly, About: "minor units above which a person accepts an order; 0 is no cap"},
	{Path: "orders.payDays", Kind: KindInt, Min: 1, Max: 90, Default: 14, Live: true, About: "days to pay an accepted order"},
	{Path: "orders.dueDays", Kind: KindInt, Min: 1, Max: 365, Default: 30, About: "days until an order that names no date is due"},

	{Path: "negotiation.offerValidHours", Kind: KindInt, Min: 1, Max: 2160, Default: 48, Guard: OwnerOnly, About: "hours an offer without a date stands"},
	{Path: "negotiation.counterValidHours", Kind: KindInt, Min: 1, Max: 2160, Default: 72, Guard: OwnerOnly, About: "hours an order or quote request, or a customer's change, stands"},
	{Path: "negotiation.maxRounds", Kind: KindInt, Min: 1, Max: 10, Default: 3, Guard: OwnerOnly, About: "rounds of offer and counter-offer"},
	{Path: "negotiation.binding", Kind: KindBool, Default: true, Guard: OwnerOnly, About: "an offer of the business's cannot be taken back"},
	{Path: "negotiation.priceCounters", Kind: KindBool, Default: false, Guard: OwnerOnly, Later: true, About: "customers may suggest a price"},
	{Path: "negotiation.perCustomer.open", Kind: KindInt, Min: 1, Max: 20, Default: 3, Guard: OwnerOnly, About: "price negotiations one customer may have open"},
	{Path: "negotiation.perCustomer.priceCounters", Kind: KindInt, Max: 20, Default: 3, Guard: OwnerOnly, About: "prices suggested for one product or service"},
	{Path: "negotiation.perCustomer.days", Kind: KindInt, Min: 1, Max: 365, Default: 30, Guard: OwnerOnly, About: "days within which they are counted"},
	{Path: "negotiation.rewards", Kind: KindRewards, Default: map[string]any{}, Guard: OwnerOnly, Later: true, About: "discounts for customers with a record"},
	{Path: "negotiation.changes.maxPerItem", Kind: KindInt, Max: 3, Default: 3, Guard: OwnerOnly, About: "changes accepted per promise"},
	{Path: "negotiation.changes.customerCutoffMin", Kind: KindInt, Max: 43200, Null: true, Guard: OwnerOnly, About: "minutes before the start from which a customer's change needs a person; null is the cancellation window"},
	{Path: "negotiation.ai.maxDiscountPct", Kind: KindNumber, Max: 50, Default: 0.0, Guard: OwnerOnly, About: "percent below the customer's price"},
	{Path: "negotiation.ai.mayPriceCustom", Kind: KindBool, Default: false, Guard: OwnerOnly, About: "price what the catalogue does not"},
	{Path: "negotiation.ai.maxTimeShiftMin", Kind: KindInt, Max: 43200, Default: 10080, Guard: OwnerOnly, About: "minutes from the time asked"},
	{Path: "negotiation.ai.maxDelayDays", Kind: KindInt, Max: 90, Default: 0, Guard: OwnerOnly, About: "days later than the delivery asked"},
	{Path: "negotiation.ai.maxRefundMinor", Kind: KindInt, Max: maxMinor, Default: 0, Guard: OwnerOnly, About: "minor units refunded with nothing to send back, per order"},
	{Path: "negotiation.ai.mayAcceptChanges", Kind: KindBool, Default: true, Guard: OwnerOnly, About: "accept a customer's change"},
	{Path: "negotiation.ai.mayProposeChanges", Kind: KindBool, Default: false, Guard: OwnerOnly, About: "ask for a change"},
	{Path: "negotiation.ai.mayAuthorizeReturnsInPolicy", Kind: KindBool, Default: true, Guard: OwnerOnly, About: "approve a return inside the policy"},

	{Path: "returns.days", Kind: KindInt, Min: 14, Max: 365, Default: 14, Guard: OwnerOnly, About: "days to withdraw or return"},
	{Path: "returns.postage", Kind: KindOption, Options: []string{"customer", "business"}, Default: "customer", Guard: OwnerOnly, About: "who pays the way back; faulty goods are always the business's"},
	{Path: "returns.refundDays", Kind: KindInt, Min: 1, Max: 14, Default: 14, Guard: OwnerOnly, About: "days to pay money back"},
	{Path: "returns.respondHours", Kind: KindInt, Min: 1, Max: 336, Default: 48, Guard: OwnerOnly, About: "hours to answer a return, told to the customer"},
	{Path: "returns.assumedTransitDays", Kind: KindInt, Max: 30, Default: 7, Guard: OwnerOnly, About: "days on the way when no delivery was recorded"},

	{Path: "commerce.customers", Kind: KindOption, Options: []string{"consumers", "businesses", "both"}, Default: "both", Guard: OwnerOnly, About: "whom the business sells to"},
	{Path: "commerce.legal.legalName", Kind: KindText, Max: 200, Default: "", Guard: OwnerOnly, About: "name in law"},
	{Path: "commerce.legal.address", Kind: KindText, Max: 500, Default: "", Guard: OwnerOnly, About: "address in law"},
	{Path: "commerce.legal.country", Kind: KindCountry, Default: "", Guard: OwnerOnly, About: "picks law, words and holidays"},
	{Path: "commerce.legal.phone", Kind: KindText, Max: 40, Default: "", Guard: OwnerOnly, About: "phone"},
	{Path: "commerce.legal.email", Kind: KindEmail, Blank: true, Default: "", Guard: OwnerOnly, About: "address for mail"},
	{Path: "commerce.legal.vatId", Kind: KindText, Max: 40, Default: "", Guard: OwnerOnly, About: "VAT number"},
	{Path: "commerce.legal.complaintsUrl", Kind: KindURL, Max: 2000, Blank: true, Default: "", Guard: OwnerOnly, About: "where to complain"},

	{Path: "notifications.ownerEmail", Kind: KindEmail, Guard: DataOut, About: "where the owner is told; unset is the first owner's sign-in address"},
	{Path: "notifications.appUrl", Kind: KindURL, Max: 2000, Guard: DataOut, About: "address of the owner's app in mails"},

	{Path: "email.fromAddress", Kind: KindEmail, Guard: DataOut, About: "sender, at the mail domain of the stack"},
	{Path: "email.replyTo", Kind: KindEmail, Guard: DataOut, About: "where customers' answers go"},
	{Path: "email.fromName", Kind: KindText, Max: 100, Guard: DataOut, About: "name of the sender"},
	{Path: "email.inboundSecret", Kind: KindText, Min: 16, Max: 200, Guard: OwnerOnly, Secret: true, About: "secret of the route that takes mail in"},

	{Path: "integrations.webhooks.enabled", Kind: KindBool, Default: true, Guard: DataOutOn, About: "deliver webhooks"},
	{Path: "integrations.webhooks.timeoutMs", Kind: KindInt, Min: 1000, Max: 30000, Default: 10000, About: "milliseconds to wait for an endpoint"},
	{Path: "integrations.webhooks.maxAttempts", Kind: KindInt, Min: 1, Max: 12, Default: 8, About: "attempts per delivery"},
	{Path: "integrations.webhooks.disableAfterDays", Kind: KindInt, Min: 1, Max: 30, Default: 5, About: "days of failing after which an endpoint is switched off"},
	{Path: "integrations.webhooks.retainDeliveryDays", Kind: KindInt, Min: 1, Max: 90, Default: 30, About: "days deliveries are kept"},
	{Path: "integrations.webhooks.allowPrivateTargets", Kind: KindBool, Default: false, Guard: OwnerOnly, About: "deliver to private addresses"},
	{Path: "integrations.feeds.enabled", Kind: KindBool, Default: true, About: "import feeds"},
	{Path: "integrations.feeds.refreshHours", Kind: KindInt, Min: 1, Max: 168, Default: 6, About: "hours between imports"},
	{Path: "integrations.feeds.maxProducts", Kind: KindInt, Min: 1, Max: 50000, Default: 5000, About: "most products of a feed"},
	{Path: "integrations.feeds.deactivateMissing", Kind: KindBool, Default: true, About: "what a feed no longer names is switched off"},
	{Path: "integrations.connectors.enabled", Kind: KindBool, Default: true, About: "keep connections to other systems"},
	{Path: "integrations.connectors.syncMinutes", Kind: KindInt, Min: 5, Max: 1440, Default: 15, About: "minutes between two looks"},
	{Path: "integrations.connectors.retainEventDays", Kind: KindInt, Min: 1, Max: 90, Default: 30, About: "days their events are kept"},

	{Path: "security.enforceScopes", Kind: KindBool, Default: true, Guard: OwnerOnly, About: "no effect: a key is always held to its scopes"},
	{Path: "security.aiMayCreateKeys", Kind: KindBool, Default: false, Guard: OwnerOnly, About: "retired, has no effect"},
	{Path: "security.contact", Kind: KindContact, Guard: OwnerOnly, About: "whom to tell of a weakness"},

	{Path: "identity.extraAuthorities", Kind: KindHosts, Items: 8, Default: []string{}, Guard: OwnerOnly, About: "further hosts of this inbox, host[:port]"},

	{Path: "customers.otp.ttlMinutes", Kind: KindInt, Min: 1, Max: 60, Default: 10, Guard: OwnerOnly, About: "minutes a one-time code lives"},
	{Path: "customers.otp.attempts", Kind: KindInt, Min: 1, Max: 10, Default: 5, Guard: OwnerOnly, About: "guesses per code"},
	{Path: "customers.otp.sendsPerHour", Kind: KindInt, Min: 1, Max: 10, Default: 3, Guard: OwnerOnly, About: "codes an hour"},
	{Path: "customers.otp.sendsPerDay", Kind: KindInt, Min: 1, Max: 50, Default: 5, Guard: OwnerOnly, About: "codes a day"},
	{Path: "customers.otp.guessesPerDay", Kind: KindInt, Min: 1, Max: 100, Default: 10, Guard: OwnerOnly, About: "guesses a day"},
	{Path: "customers.emailKey", Kind: KindBool, Default: true, About: "mail a customer the key a network issued"},

	{Path: "directory.listed", Kind: KindBool, Default: true, Guard: OwnerOn, About: "may be listed in directories"},
	{Path: "directory.description", Kind: KindText, Max: 500, Default: "", About: "public description"},
	{Path: "directory.categories", Kind: KindList, Max: 60, Items: 10, Default: []string{}, About: "public categories"},
	{Path: "directory.address.streetAddress", Kind: KindText, Max: 200, Default: "", About: "public address"},
	{Path: "directory.address.addressLocality", Kind: KindText, Max: 100, Default: "", About: "public address"},
	{Path: "directory.address.postalCode", Kind: KindText, Max: 20, Default: "", About: "public address"},
	{Path: "directory.address.addressCountry", Kind: KindCountry, Default: "", About: "public address"},
	{Path: "directory.geo", Kind: KindGeo, Null: true, About: "public point on the map, {latitude, longitude}"},
	{Path: "directory.url", Kind: KindURL, Max: 2048, Blank: true, Default: "", About: "public web page"},

	{Path: "networks.<origin>.enabled", Kind: KindBool, Default: false, Guard: OwnerOn, About: "report to this network"},
	{Path: "networks.<origin>.issue", Kind: KindBool, Default: true, Guard: OwnerOn, About: "new customers get a key from it"},
	{Path: "networks.<origin>.share.listing", Kind: KindBool, Default: true, Guard: OwnerOn, About: "be in its directory"},
	{Path: "networks.<origin>.share.counts", Kind: KindBool, Default: true, Guard: OwnerOn, About: "send hourly counts"},
	{Path: "networks.<origin>.share.receipts", Kind: KindBool, Default: true, Guard: OwnerOn, About: "publish receipts"},

	{Path: "testMode", Kind: KindBool, Default: false, Guard: DataOutOn, About: "every request is a test"},
}
