package store

import (
	"context"
	"encoding/json"
	"strings"

	"typedinbox/shared/calendar"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// SettingsDoc is the settings as the owner stored them.
type SettingsDoc struct {
	Doc     json.RawMessage `json:"doc"`
	Version int             `json:"version"`
}

// WeekDoc is one stored week. A service without a week of its own has no row or
// a nil week; an empty week is closed all week.
type WeekDoc struct {
	ServiceID string     `json:"serviceId,omitempty"` // "" for the business
	Week      inbox.Week `json:"week"`
	Version   int        `json:"version"`
}

// ClosuresDoc is the list of closures.
type ClosuresDoc struct {
	Closures []inbox.Closure `json:"closures"`
	Version  int             `json:"version"`
}

// Hours is the opening hours as they were read.
type Hours struct {
	Business WeekDoc            // zero when no hours are stored: closed
	Own      map[string]WeekDoc // by service, those with a week of their own
	Versions map[string]int     // by service, of its row: a week that was taken away keeps one
	Closures []inbox.Closure
}

// For is the week that holds for a service: its own, else the business's; nil
// for closed (01 §10.2).
func (h *Hours) For(serviceID string) inbox.Week { return h.of(serviceID).Week }

func (h *Hours) of(serviceID string) WeekDoc {
	if own, ok := h.Own[serviceID]; ok {
		return own
	}
	return h.Business
}

// Put is the hours with one week as it stands now; a nil week takes a service's
// own away.
func (h *Hours) Put(w WeekDoc) {
	if w.ServiceID == "" {
		h.Business = w
		return
	}
	if h.Own == nil {
		h.Own, h.Versions = map[string]WeekDoc{}, map[string]int{}
	}
	h.Versions[w.ServiceID] = w.Version
	h.Own[w.ServiceID] = w
	if w.Week == nil {
		delete(h.Own, w.ServiceID)
	}
}

// readSetUp fills in the set-up documents that were found.
func readSetUp(l *Loaded, w Want, found map[table.Key]table.Row) error {
	settings, err := docOf[SettingsDoc](found[settingsKey])
	if err != nil {
		return err
	}
	if settings != nil {
		l.SettingsRaw, l.SettingsVersion = settings.Doc, settings.Version
	}
	profile, err := docOf[inbox.Profile](found[profileKey])
	if err != nil {
		return err
	}
	if profile != nil {
		l.Profile = *profile
	}
	if w.readsService() {
		if l.Service, err = docOf[inbox.Service](found[serviceKey(w.ServiceID)]); err != nil {
			return err
		}
	}
	if !w.Hours && !w.Closures {
		return nil
	}
	return readHours(l, w, found)
}

func readHours(l *Loaded, w Want, found map[table.Key]table.Row) error {
	l.Hours = &Hours{}
	keys := []table.Key{hoursKey}
	if w.readsService() {
		keys = append(keys, serviceHoursKey(w.ServiceID))
	}
	for _, k := range keys {
		week, err := docOf[WeekDoc](found[k])
		if err != nil {
			return err
		}
		if week != nil {
			l.Hours.Put(*week)
		}
	}
	closures, err := docOf[ClosuresDoc](found[closuresKey])
	if closures != nil {
		l.Hours.Closures, l.ClosuresVersion = closures.Closures, closures.Version
	}
	l.HoursVersion = l.Hours.of(w.ServiceID).Version
	return err
}

// Catalogue is what can be booked and when.
type Catalogue struct {
	Services []inbox.Service // every one, archived too, by id
	Hours    Hours           // without closures
}

// Catalogue reads all services and weeks in one query: one storage call for
// each MB.
func (s *Store) Catalogue(ctx context.Context) (*Catalogue, error) {
	_, to := table.Prefix(sortService)
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: catalogue, From: sortHours, To: to}, 0)
	if err != nil {
		return nil, err
	}
	c := &Catalogue{}
	for _, r := range rows {
		if strings.HasPrefix(r.String(table.SortKey), sortService) {
			var service inbox.Service
			err = readDoc(r, &service)
			c.Services = append(c.Services, service)
		} else {
			var week WeekDoc
			err = readDoc(r, &week)
			c.Hours.Put(week)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Bookable says whether any active service has opening hours (03 §12).
func (c *Catalogue) Bookable() bool {
	for _, service := range c.Services {
		if service.Active && c.Opens(service.ID) {
			return true
		}
	}
	return false
}

// Opens says whether a service has opening hours, its own or the business's.
func (c *Catalogue) Opens(serviceID string) bool { return calendar.Opens(c.Hours.For(serviceID)) }

// Products reads products by id after the one named, up to limit, 0 for all;
// next is "" on the last page. One storage call for each MB.
func (s *Store) Products(ctx context.Context, after string, limit int) (products []inbox.Product, next string, err error) {
	from, to := table.Prefix(sortProduct)
	if after != "" {
		from = sortProduct + after + "\x00"
	}
	q := table.Query{Table: tableInbox, Partition: catalogue, From: from, To: to}
	n := limit
	if limit > 0 {
		n++ // one more tells whether there is a next page
	}
	rows, err := s.queryAll(ctx, q, n)
	if err != nil {
		return nil, "", err
	}
	if limit > 0 && len(rows) > limit {
		rows = rows[:limit]
		next = strings.TrimPrefix(rows[limit-1].String(table.SortKey), sortProduct)
	}
	products, err = docsOf[inbox.Product](rows)
	return products, next, err
}

// AnyProduct says whether any product is active (03 §12): one storage call when
// one of the first hundred is.
func (s *Store) AnyProduct(ctx context.Context) (bool, error) {
	for after := ""; ; {
		products, next, err := s.Products(ctx, after, 100)
		if err != nil {
			return false, err
		}
		for _, p := range products {
			if p.Active {
				return true, nil
			}
		}
		if after = next; next == "" {
			return false, nil
		}
	}
}

// Product reads a product, nil when there is none: one storage call.
func (s *Store) Product(ctx context.Context, id string) (*inbox.Product, error) {
	if id == "" {
		return nil, nil
	}
	r, err := s.get(ctx, productKey(id))
	if err != nil {
		return nil, err
	}
	return docOf[inbox.Product](r)
}

// Answered reads a stored answer, nil when there is none or it expired: one
// storage call.
func (s *Store) Answered(ctx context.Context, scope, idempotencyKey string, now inbox.Instant) (*StoredAnswer, error) {
	r, err := s.get(ctx, answerKey(scope, idempotencyKey))
	if err != nil {
		return nil, err
	}
	return s.answerOf(r, now)
}

// SetUp is one write of set-up documents: each as it will stand, under the
// version before its own, 1 for a new one. It commits whole or not at all, with
// the answer of its request.
type SetUp struct {
	Settings *SettingsDoc
	Profile  *inbox.Profile
	Weeks    []WeekDoc
	Closures *ClosuresDoc
	Floors   *FloorsDoc
	Services []inbox.Service
	Products []ProductWrite
	Key      *inbox.Key // a new key
	Idem     *decide.Idempotency
}

// ProductWrite is a product as it will stand. OldSKU is the one it had, which
// becomes free when it changed.
type ProductWrite struct {
	Product inbox.Product
	OldSKU  string
}

// SaveSetUp does a write of set-up documents in one transaction: one storage
// call. [*Lost] with Version when one moved, SKU when another product has the
// sku, Idem when the request was answered before, Busy when the database is.
func (s *Store) SaveSetUp(ctx context.Context, w SetUp) error {
	b := &batch{}
	if w.Idem != nil {
		a, err := s.answerAction(w.Idem)
		if err != nil {
			return err
		}
		b.add(causeAnswer, a)
	}
	docs := w.docs()
	for _, d := range docs {
		if err := b.doc(d); err != nil {
			return err
		}
	}
	for _, p := range w.Products {
		if err := b.sku(p); err != nil {
			return err
		}
	}
	if w.Key != nil {
		if err := b.key(*w.Key); err != nil {
			return err
		}
	}
	return s.commit(ctx, b, nowOf(w.Idem), func(ctx context.Context) (bool, error) { return s.saved(ctx, b) })
}

// versioned is a document with its key and version.
type versioned struct {
	key     table.Key
	doc     any
	version int
}

func (w SetUp) docs() []versioned {
	var docs []versioned
	if d := w.Settings; d != nil {
		docs = append(docs, versioned{settingsKey, d, d.Version})
	}
	if d := w.Profile; d != nil {
		docs = append(docs, versioned{profileKey, d, d.Version})
	}
	if d := w.Closures; d != nil {
		docs = append(docs, versioned{closuresKey, d, d.Version})
	}
	if d := w.Floors; d != nil {
		docs = append(docs, versioned{floorsKey, d, d.Version})
	}
	for _, d := range w.Weeks {
		docs = append(docs, versioned{serviceHoursKey(d.ServiceID), d, d.Version})
	}
	for _, d := range w.Services {
		docs = append(docs, versioned{serviceKey(d.ID), d, d.Version})
	}
	for _, d := range w.Products {
		docs = append(docs, versioned{productKey(d.Product.ID), d.Product, d.Product.Version})
	}
	return docs
}

func (b *batch) doc(d versioned) error {
	r, err := putDoc(d.key, d.doc)
	if err != nil {
		return err
	}
	r[attrRev] = int64(d.version)
	b.replace(r, int64(d.version)-1)
	return nil
}

// attrOwner is the id a look-up row leads to.
const attrOwner = "o"

// sku moves a product's sku row: the new one must be free or the product's own.
func (b *batch) sku(p ProductWrite) error {
	if p.Product.SKU != "" {
		k := skuKey(p.Product.SKU)
		r := newRow(k)
		r[attrOwner] = p.Product.ID
		b.add(causeSKU, table.Action{Kind: table.Put, Key: k, Row: r, If: table.Or{
			table.Absent(table.PartitionKey), table.Eq{Name: attrOwner, Value: p.Product.ID},
		}})
	}
	if p.OldSKU != "" && p.OldSKU != p.Product.SKU {
		b.add(causeVersion, table.Action{Kind: table.Delete, Key: skuKey(p.OldSKU), If: table.Or{
			table.Absent(table.PartitionKey), table.Eq{Name: attrOwner, Value: p.Product.ID},
		}})
	}
	return nil
}

// saved says whether the first document of a batch stands as it was written.
func (s *Store) saved(ctx context.Context, b *batch) (bool, error) {
	for _, a := range b.actions {
		if a.Kind != table.Put || !a.Row.Has(attrDoc) {
			continue
		}
		r, err := s.get(ctx, a.At())
		return r.String(attrDoc) == a.Row.String(attrDoc), err
	}
	return false, nil
}
