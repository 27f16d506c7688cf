package operation

import "typedinbox/shared/inbox"

// The owner's door: items (03 §5.2).
var (
	ListItems = Op{
		ID: "owner_list_items", Name: "list_items", Method: "GET", Paths: []string{"/v1/owner/items"},
		Function: "owner-items", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.ListItemsQuery](),
		Out: []Output{says(200, of[inbox.Page[inbox.OwnerView]]())}, Cache: NoStore, Hint: Read,
		Summary: "The items of the inbox, newest change first; open ones unless told otherwise.",
	}
	GetItem = Op{
		ID: "owner_get_item", Name: "get_item", Method: "GET", Paths: []string{"/v1/owner/items/{id}"},
		Function: "owner-items", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.ItemRequest](),
		Out: []Output{says(200, of[inbox.ItemDetail]())}, Cache: NoStore, Tag: true, Hint: Read,
		Summary: "Everything about one item: history, conversation, mail and customer.",
	}
	TransitionItem = Op{
		ID: "owner_transition_item", Name: "transition_item", Method: "POST", Paths: []string{"/v1/owner/items/{id}/transitions"},
		Function: "transition-item", Auth: Owner, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.TransitionRequest](),
		Out:      []Output{says(200, of[inbox.TransitionResult]()), says(202, of[inbox.TransitionResult]())},
		Problems: append(moves(), inbox.CodeUnknownEvent, inbox.CodeOutsideLimits),
		Cache:    NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Fire one of the item's transitions: confirm, decline, ask, cancel, complete.",
	}
	ListOffers = Op{
		ID: "owner_list_offers", Name: "list_offers", Method: "GET", Paths: []string{"/v1/owner/items/{id}/offers"},
		Function: "owner-offers", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.ItemRequest](),
		Out: []Output{says(200, of[inbox.OfferList]())}, Cache: NoStore, Hint: Read,
		Summary: "Every offer made on an item, by either side, oldest first.",
	}
	PutOffer = Op{
		ID: "owner_make_offer", Name: "make_offer", Method: "POST", Paths: []string{"/v1/owner/items/{id}/offers"},
		Function: "owner-offers", Auth: Owner, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.PutOfferRequest](),
		Out:      []Output{says(200, of[inbox.TransitionResult]())},
		Problems: append(moves(), inbox.CodeOutsideLimits),
		Cache:    NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Put an offer to the customer: another time, changes to an order, a quote. Which one, the item's state says.",
	}
	Reply = Op{
		ID: "owner_reply", Name: "reply", Method: "POST", Paths: []string{"/v1/owner/items/{id}/replies"},
		Function: "reply", Auth: Owner, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.ReplyRequest](),
		Out:      []Output{says(200, of[inbox.TransitionResult]()), says(202, of[inbox.TransitionResult]())},
		Problems: moves(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Write to the customer, or leave a note that stays inside.",
	}
	OpenReturn = Op{
		ID: "owner_open_return", Name: "open_return", Method: "POST", Paths: []string{"/v1/owner/items/{id}/returns"},
		Function: "owner-returns", Auth: Owner, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.OpenReturnRequest](),
		Out: returned(of[inbox.TransitionResult]()), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Open a return for a customer who asked for it in words of their own.",
	}
	CustomerSummary = Op{
		ID: "owner_customer_summary", Name: "customer_summary", Method: "GET", Paths: []string{"/v1/owner/customers/{party_id}"},
		Function: "owner-customers", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.CustomerRequest](),
		Out: []Output{says(200, of[inbox.CustomerSummary]())}, Cache: NoStore,
		Summary: "What the inbox keeps of one customer, in numbers.",
	}
)

// The owner's door: set-up (03 §5.3).
var (
	GetProfile = Op{
		ID: "owner_get_profile", Name: "get_profile", Method: "GET", Paths: []string{"/v1/owner/profile"},
		Function: "owner-profile", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsRead), In: of[inbox.Nothing](),
		Out: []Output{says(200, of[inbox.PublicProfile]())}, Cache: NoStore, Hint: Read,
		Summary: "What the business says of itself.",
	}
	UpdateProfile = Op{
		ID: "owner_update_profile", Name: "update_profile", Method: "PUT", Paths: []string{"/v1/owner/profile"},
		Function: "owner-profile", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsWrite), In: of[inbox.UpdateProfileRequest](),
		Out: []Output{says(200, of[inbox.PublicProfile]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Change what the business says of itself. Only what is sent changes.",
	}
	GetAvailability = Op{
		ID: "owner_get_availability", Name: "get_availability", Method: "GET", Paths: []string{"/v1/owner/availability"},
		Function: "owner-availability", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsRead, inbox.ScopeAvailabilityWrite), In: of[inbox.Nothing](),
		Out: []Output{says(200, of[inbox.Availability]())}, Cache: NoStore, Hint: Read,
		Summary: "Opening hours, the services with hours of their own, and closures.",
	}
	SetOpeningHours = Op{
		ID: "owner_set_opening_hours", Name: "set_opening_hours", Method: "PUT", Paths: []string{"/v1/owner/availability"},
		Function: "owner-availability", Auth: Owner, Scopes: scopes(inbox.ScopeAvailabilityWrite), In: of[inbox.SetHoursRequest](),
		Out: []Output{says(200, of[inbox.Availability]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Replace the opening hours of the business, or of one service. A day left out is closed.",
	}
	ClearServiceHours = Op{
		ID: "owner_clear_service_hours", Name: "clear_service_hours", Method: "DELETE", Paths: []string{"/v1/owner/availability/{service_id}"},
		Function: "owner-availability", Auth: Owner, Scopes: scopes(inbox.ScopeAvailabilityWrite), In: of[inbox.ClearHoursRequest](),
		Out: []Output{says(200, of[inbox.Availability]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Take a service's own hours away; the hours of the business hold for it again.",
	}
	SetClosures = Op{
		ID: "owner_set_closures", Name: "set_closures", Method: "PUT", Paths: []string{"/v1/owner/availability/closures"},
		Function: "owner-availability", Auth: Owner, Scopes: scopes(inbox.ScopeAvailabilityWrite), In: of[inbox.SetClosuresRequest](),
		Out: []Output{says(200, of[inbox.Availability]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Replace the list of days on which the business is closed.",
	}
	GetSettings = Op{
		ID: "owner_get_settings", Name: "get_settings", Method: "GET", Paths: []string{"/v1/owner/settings"},
		Function: "owner-settings", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsRead), In: of[inbox.Nothing](),
		Out: []Output{says(200, of[inbox.SettingsView]())}, Cache: NoStore, Tag: true, Hint: Read,
		Summary: "The settings as written, with their version; secrets are not shown.",
	}
	UpdateSettings = Op{
		ID: "owner_update_settings", Name: "update_settings", Method: "PUT", Paths: []string{"/v1/owner/settings"},
		Function: "owner-settings", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsWrite), In: of[inbox.UpdateSettingsRequest](),
		Out: []Output{says(200, of[inbox.SettingsView]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Change settings by a merge patch; null brings a default back.",
	}
)

var owner = []*Op{
	&ListItems, &GetItem, &TransitionItem, &ListOffers, &PutOffer, &Reply, &OpenReturn, &CustomerSummary,
	&GetProfile, &UpdateProfile,
	&OwnerListServices, &CreateService, &PatchService, &ArchiveService,
	&OwnerListProducts, &CreateProduct, &PatchProduct, &ArchiveProduct, &GetFloors, &SetFloors,
	&GetAvailability, &SetOpeningHours, &ClearServiceHours, &SetClosures,
	&GetSettings, &UpdateSettings,
}

// configures lists what a write of set-up may be refused with beside its input.
func configures() []inbox.Code {
	return []inbox.Code{inbox.CodeVersionConflict, inbox.CodeLimitReached}
}
