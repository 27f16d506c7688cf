package catalogue

import "typedinbox/shared/inbox"

// UpsertServiceRequest adds a service (03 §5.3).
type UpsertServiceRequest struct {
	ServiceInput
	inbox.Keyed
}

// JSONRequired: a new service needs a name.
func (UpsertServiceRequest) JSONRequired() []string { return []string{"name"} }

// PatchServiceRequest changes the fields of a service that were sent.
type PatchServiceRequest struct {
	ServiceID string `json:"service_id" path:"id"`
	ServiceInput
	inbox.Keyed
}

// ArchiveServiceRequest takes a service off the list.
type ArchiveServiceRequest struct {
	ServiceID string `json:"service_id" path:"id"`
	inbox.Keyed
}

// UpsertProductRequest adds a product (03 §5.3).
type UpsertProductRequest struct {
	ProductInput
	inbox.Keyed
}

// JSONRequired: a new product needs a name and a price.
func (UpsertProductRequest) JSONRequired() []string { return []string{"name", "price"} }

// PatchProductRequest changes the fields of a product that were sent.
type PatchProductRequest struct {
	ProductID string `json:"product_id" path:"id"`
	ProductInput
	inbox.Keyed
}

// ArchiveProductRequest takes a product off the list.
type ArchiveProductRequest struct {
	ProductID string `json:"product_id" path:"id"`
	inbox.Keyed
}
