package office

import (
	"context"
	"slices"
	"strings"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// ListServices lists what can be booked, active services alone (03 §5.1).
func (o *Office) ListServices(ctx context.Context, _ inbox.Call, req inbox.PageQuery) (inbox.Answer, error) {
	l, err := o.effective(ctx, store.Want{})
	if err != nil {
		return inbox.Answer{}, err
	}
	currency := decide.BusinessOf(l.Profile, settings.Effective(l.SettingsRaw)).Currency
	services, err := o.services(ctx, func(s inbox.Service) bool { return s.Active })
	if err != nil {
		return inbox.Answer{}, err
	}
	return pageOf(req, "services on offer", services, servicePlace, func(s inbox.Service) catalogue.PublicService { return catalogue.Public(s, currency) })
}

// OwnerListServices lists every service, archived ones included (03 §5.3).
func (o *Office) OwnerListServices(ctx context.Context, _ inbox.Call, req inbox.PageQuery) (inbox.Answer, error) {
	services, err := o.services(ctx, func(inbox.Service) bool { return true })
	if err != nil {
		return inbox.Answer{}, err
	}
	return pageOf(req, "services", services, servicePlace, catalogue.View)
}

func (o *Office) services(ctx context.Context, keep func(inbox.Service) bool) ([]inbox.Service, error) {
	c, err := o.Store.Catalogue(ctx)
	if err != nil {
		return nil, err
	}
	services := slices.DeleteFunc(c.Services, func(s inbox.Service) bool { return !keep(s) })
	catalogue.SortServices(services)
	return services, nil
}

// ListProducts lists what can be ordered, active products alone (03 §5.1).
func (o *Office) ListProducts(ctx context.Context, _ inbox.Call, req inbox.ProductsQuery) (inbox.Answer, error) {
	products, err := o.products(ctx, req.Q, true)
	if err != nil {
		return inbox.Answer{}, err
	}
	return pageOf(req.PageQuery, "products on offer "+req.Q, products, productPlace, catalogue.PublicProductOf)
}

// OwnerListProducts lists every product, archived ones included (03 §5.3).
func (o *Office) OwnerListProducts(ctx context.Context, _ inbox.Call, req inbox.ProductsQuery) (inbox.Answer, error) {
	products, err := o.products(ctx, req.Q, false)
	if err != nil {
		return inbox.Answer{}, err
	}
	return pageOf(req.PageQuery, "products "+req.Q, products, productPlace, catalogue.ProductViewOf)
}

// products are those whose name or sku holds q, in the list's order.
func (o *Office) products(ctx context.Context, q string, activeOnly bool) ([]inbox.Product, error) {
	products, _, err := o.Store.Products(ctx, "", 0)
	if err != nil {
		return nil, err
	}
	q = strings.ToLower(strings.TrimSpace(q))
	products = slices.DeleteFunc(products, func(p inbox.Product) bool {
		return (activeOnly && !p.Active) ||
			(q != "" && !strings.Contains(strings.ToLower(p.Name), q) && !strings.Contains(strings.ToLower(p.SKU), q))
	})
	catalogue.SortProducts(products)
	return products, nil
}

// UpsertService adds a service (03 §12). Problems: invalid_input, not_allowed.
func (o *Office) UpsertService(ctx context.Context, call inbox.Call, req catalogue.UpsertServiceRequest) (inbox.Answer, error) {
	return o.service(ctx, call, "services.create", req, "", req.ServiceInput)
}

// PatchService changes a service; only what is sent changes.
func (o *Office) PatchService(ctx context.Context, call inbox.Call, req catalogue.PatchServiceRequest) (inbox.Answer, error) {
	return o.service(ctx, call, "services.update", req, req.ServiceID, req.ServiceInput)
}

// ArchiveService takes a service off the list; nothing is ever removed while
// items may point at it.
func (o *Office) ArchiveService(ctx context.Context, call inbox.Call, req catalogue.ArchiveServiceRequest) (inbox.Answer, error) {
	return o.service(ctx, call, "services.archive", req, req.ServiceID, catalogue.ServiceInput{Active: inbox.Ptr(false)})
}

// service writes one service; id "" makes a new one.
func (o *Office) service(ctx context.Context, call inbox.Call, operation string, req any, id string, in catalogue.ServiceInput) (inbox.Answer, error) {
	if problems := in.Check(id == ""); len(problems) > 0 {
		return inbox.Answer{}, inbox.InvalidInput(problems...)
	}
	return o.write(ctx, call, operation, req, func(ctx context.Context, now inbox.Instant) (change, error) {
		var before *inbox.Service
		if id != "" {
			l, err := o.Store.Load(ctx, store.Want{ServiceID: id})
			if err != nil {
				return change{}, err
			}
			if before = l.Service; before == nil {
				return change{}, inbox.NotFound()
			}
		}
		after, p := catalogue.GuardService(before, in.Apply(before), call.Caller)
		if p != nil {
			return change{}, p
		}
		c := change{status: 200}
		if before == nil {
			after.ID, after.CreatedAt = o.Source.ID(now), now
			c.status, c.where = 201, "/v1/owner/services/"+after.ID
		}
		after.Version, after.UpdatedAt = after.Version+1, now
		c.setUp, c.body = store.SetUp{Services: []inbox.Service{after}}, catalogue.View(after)
		return c, nil
	})
}

// UpsertProduct adds a product (03 §12). Problems: invalid_input (a sku another
// product has), not_allowed.
func (o *Office) UpsertProduct(ctx context.Context, call inbox.Call, req catalogue.UpsertProductRequest) (inbox.Answer, error) {
	return o.product(ctx, call, "products.create", req, "", req.ProductInput)
}

// PatchProduct changes a product; only what is sent changes.
func (o *Office) PatchProduct(ctx context.Context, call inbox.Call, req catalogue.PatchProductRequest) (inbox.Answer, error) {
	return o.product(ctx, call, "products.update", req, req.ProductID, req.ProductInput)
}

// ArchiveProduct takes a product off the list.
func (o *Office) ArchiveProduct(ctx context.Context, call inbox.Call, req catalogue.ArchiveProductRequest) (inbox.Answer, error) {
	return o.product(ctx, call, "products.archive", req, req.ProductID, catalogue.ProductInput{Active: inbox.Ptr(false)})
}

// product writes one product; id "" makes a new one.
func (o *Office) product(ctx context.Context, call inbox.Call, operation string, req any, id string, in catalogue.ProductInput) (inbox.Answer, error) {
	if problems := in.Check(id == ""); len(problems) > 0 {
		return inbox.Answer{}, inbox.InvalidInput(problems...)
	}
	return o.write(ctx, call, operation, req, func(ctx context.Context, now inbox.Instant) (change, error) {
		var before *inbox.Product
		if id != "" {
			var err error
			if before, err = o.Store.Product(ctx, id); err != nil {
				return change{}, err
			}
			if before == nil {
				return change{}, inbox.NotFound()
			}
		}
		after, p := catalogue.GuardProduct(before, in.Apply(before), call.Caller)
		if p != nil {
			return change{}, p
		}
		c, w := change{status: 200}, store.ProductWrite{}
		if before == nil {
			after.ID, after.CreatedAt = o.Source.ID(now), now
			c.status, c.where = 201, "/v1/owner/products/"+after.ID
		} else {
			w.OldSKU = before.SKU
		}
		after.Version, after.UpdatedAt = after.Version+1, now
		w.Product = after
		c.setUp, c.body = store.SetUp{Products: []store.ProductWrite{w}}, catalogue.ProductViewOf(after)
		return c, nil
	})
}
