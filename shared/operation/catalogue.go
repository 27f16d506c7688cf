package operation

import (
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

// The owner's door: the catalogue (03 §5.3, §12).
var (
	OwnerListServices = Op{
		ID: "owner_list_services", Name: "list_services", Method: "GET", Paths: []string{"/v1/owner/services"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsRead, inbox.ScopeCatalogueWrite), In: of[inbox.PageQuery](),
		Out: []Output{says(200, of[inbox.Page[catalogue.ServiceView]]())}, Cache: NoStore, Hint: Read,
		Summary: "Every service, archived ones included.",
	}
	CreateService = Op{
		ID: "owner_create_service", Name: "upsert_service", Method: "POST", Paths: []string{"/v1/owner/services"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeCatalogueWrite), In: of[catalogue.UpsertServiceRequest](),
		Out:      []Output{says(200, of[catalogue.ServiceView]()), says(201, of[catalogue.ServiceView]())},
		Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Add a service.",
	}
	PatchService = Op{
		ID: "owner_patch_service", Name: "upsert_service", Method: "PATCH", Paths: []string{"/v1/owner/services/{id}"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeCatalogueWrite), In: of[catalogue.PatchServiceRequest](),
		Out: []Output{says(200, of[catalogue.ServiceView]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Change a service. Only what is sent changes.",
	}
	ArchiveService = Op{
		ID: "owner_archive_service", Name: "archive_service", Method: "DELETE", Paths: []string{"/v1/owner/services/{id}"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeCatalogueWrite), In: of[catalogue.ArchiveServiceRequest](),
		Out: []Output{says(200, of[catalogue.ServiceView]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Take a service off the list. Nothing is removed; it can be made active again.",
	}
	OwnerListProducts = Op{
		ID: "owner_list_products", Name: "list_products", Method: "GET", Paths: []string{"/v1/owner/products"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeSettingsRead, inbox.ScopeCatalogueWrite), In: of[inbox.ProductsQuery](),
		Out: []Output{says(200, of[inbox.Page[catalogue.ProductView]]())}, Cache: NoStore, Hint: Read,
		Summary: "Every product, archived ones included.",
	}
	CreateProduct = Op{
		ID: "owner_create_product", Name: "upsert_product", Method: "POST", Paths: []string{"/v1/owner/products"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeCatalogueWrite), In: of[catalogue.UpsertProductRequest](),
		Out:      []Output{says(200, of[catalogue.ProductView]()), says(201, of[catalogue.ProductView]())},
		Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Add a product.",
	}
	PatchProduct = Op{
		ID: "owner_patch_product", Name: "upsert_product", Method: "PATCH", Paths: []string{"/v1/owner/products/{id}"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeCatalogueWrite), In: of[catalogue.PatchProductRequest](),
		Out: []Output{says(200, of[catalogue.ProductView]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Change a product. Only what is sent changes.",
	}
	ArchiveProduct = Op{
		ID: "owner_archive_product", Name: "archive_product", Method: "DELETE", Paths: []string{"/v1/owner/products/{id}"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeCatalogueWrite), In: of[catalogue.ArchiveProductRequest](),
		Out: []Output{says(200, of[catalogue.ProductView]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody, Hint: Write,
		Summary: "Take a product off the list. Nothing is removed; it can be made active again.",
	}
	GetFloors = Op{
		ID: "owner_get_floors", Name: "floors", Method: "GET", Paths: []string{"/v1/owner/catalogue/floors"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.Nothing](),
		Out: []Output{says(200, of[inbox.Floors]())}, Cache: NoStore,
		Summary: "The least that products and services may be sold for. For the owner alone.",
	}
	SetFloors = Op{
		ID: "owner_set_floors", Name: "floors", Method: "PUT", Paths: []string{"/v1/owner/catalogue/floors"},
		Function: "owner-catalogue", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.FloorsRequest](),
		Out: []Output{says(200, of[inbox.Floors]())}, Problems: configures(), Cache: NoStore, MaxBody: MaxBody,
		Summary: "Set floors, or clear them with null; those not named stay.",
	}
)
