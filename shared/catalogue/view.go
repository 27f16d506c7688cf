package catalogue

import "typedinbox/shared/inbox"

// PublicService is a service as everybody reads it (03 §12): no floor and no
// mark of what may be negotiated.
type PublicService struct {
	ID              string              `json:"id"`
	Name            string              `json:"name"`
	Description     string              `json:"description"`
	DurationMin     int                 `json:"durationMin"`
	BufferBeforeMin int                 `json:"bufferBeforeMin"`
	BufferAfterMin  int                 `json:"bufferAfterMin"`
	Capacity        int                 `json:"capacity"`
	GranularityMin  int                 `json:"granularityMin"`
	Price           *inbox.ServicePrice `json:"price"` // null: not priced
	Active          int                 `json:"active"`
	Sort            int                 `json:"sort"`
	Withdrawal      inbox.Withdrawal    `json:"withdrawal"`
}

// ServiceView is a service as the business reads it.
type ServiceView struct {
	PublicService
	Negotiable bool          `json:"negotiable"`
	Version    int           `json:"version"`
	CreatedAt  inbox.Instant `json:"createdAt"`
	UpdatedAt  inbox.Instant `json:"updatedAt"`
}

// PublicProduct is a product as everybody reads it: no floor, no mark of what
// may be negotiated, no source and no external id.
type PublicProduct struct {
	ID          string           `json:"id"`
	SKU         string           `json:"sku,omitempty"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Price       inbox.Money      `json:"price"`
	Stock       *int64           `json:"stock"` // null: not counted
	Active      int              `json:"active"`
	Withdrawal  inbox.Withdrawal `json:"withdrawal"`
}

// ProductView is a product as the business reads it.
type ProductView struct {
	PublicProduct
	Negotiable bool          `json:"negotiable"`
	Source     string        `json:"source"`
	ExternalID string        `json:"externalId,omitempty"`
	Version    int           `json:"version"`
	CreatedAt  inbox.Instant `json:"createdAt"`
	UpdatedAt  inbox.Instant `json:"updatedAt"`
}

// Public is a service for everybody. A price with an amount names its currency
// there, the business's when it has none of its own.
func Public(s inbox.Service, businessCurrency string) PublicService {
	v := publicService(s)
	if p := s.Price; p != nil && p.Value != nil {
		priced := *p
		priced.Currency = CurrencyOf(p, businessCurrency)
		v.Price = &priced
	}
	return v
}

func publicService(s inbox.Service) PublicService {
	return PublicService{
		ID: s.ID, Name: s.Name, Description: s.Description, DurationMin: s.DurationMin,
		BufferBeforeMin: s.BufferBeforeMin, BufferAfterMin: s.BufferAfterMin, Capacity: s.Capacity,
		GranularityMin: s.GranularityMin, Price: s.Price, Active: number(s.Active), Sort: s.Sort, Withdrawal: s.Withdrawal,
	}
}

// View is a service for the business, its price as stored.
func View(s inbox.Service) ServiceView {
	return ServiceView{PublicService: publicService(s), Negotiable: s.Negotiable,
		Version: s.Version, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
}

// PublicProductOf is a product for everybody.
func PublicProductOf(p inbox.Product) PublicProduct {
	return PublicProduct{ID: p.ID, SKU: p.SKU, Name: p.Name, Description: p.Description, Price: p.Price,
		Stock: p.Stock, Active: number(p.Active), Withdrawal: p.Withdrawal}
}

// ProductViewOf is a product for the business.
func ProductViewOf(p inbox.Product) ProductView {
	return ProductView{PublicProduct: PublicProductOf(p), Negotiable: p.Negotiable, Source: p.Source,
		ExternalID: p.ExternalID, Version: p.Version, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt}
}
