package rest

import (
	"context"
	"net/http"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// OwnerItems is the function owner-items.
func OwnerItems(s Site, core interface {
	ListItems(context.Context, inbox.Call, inbox.ListItemsQuery) (inbox.Answer, error)
	GetItem(context.Context, inbox.Call, inbox.ItemRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.ListItems, core.ListItems), on(&operation.GetItem, core.GetItem))
}

// TransitionItem is the function transition-item.
func TransitionItem(s Site, core interface {
	TransitionItem(context.Context, inbox.Call, inbox.TransitionRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.TransitionItem, core.TransitionItem))
}

// OwnerOffers is the function owner-offers.
func OwnerOffers(s Site, core interface {
	ListOffers(context.Context, inbox.Call, inbox.ItemRequest) (inbox.Answer, error)
	PutOffer(context.Context, inbox.Call, inbox.PutOfferRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.ListOffers, core.ListOffers), on(&operation.PutOffer, core.PutOffer))
}

// OwnerCustomers is the function owner-customers.
func OwnerCustomers(s Site, core interface {
	CustomerSummary(context.Context, inbox.Call, inbox.CustomerRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CustomerSummary, core.CustomerSummary))
}

// Reply is the function reply.
func Reply(s Site, core interface {
	Reply(context.Context, inbox.Call, inbox.ReplyRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.Reply, core.Reply))
}

// OwnerReturns is the function owner-returns.
func OwnerReturns(s Site, core interface {
	OpenReturn(context.Context, inbox.Call, inbox.OpenReturnRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.OpenReturn, core.OpenReturn))
}

// OwnerMail is the function owner-mail. How mail is set up is the office's to
// say, what became of each the desk's.
func OwnerMail(s Site, office interface {
	MailStatus(context.Context, inbox.Call, inbox.Nothing) (inbox.Answer, error)
}, core interface {
	GetMail(context.Context, inbox.Call, inbox.MailRequest) (inbox.Answer, error)
	SendAgain(context.Context, inbox.Call, inbox.SendAgainRequest) (inbox.Answer, error)
	Unsuppress(context.Context, inbox.Call, inbox.SuppressionRequest) (inbox.Answer, error)
	Attachment(context.Context, inbox.Call, inbox.AttachmentRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(
		on(&operation.MailStatus, office.MailStatus),
		on(&operation.GetMail, core.GetMail),
		on(&operation.SendAgain, core.SendAgain),
		on(&operation.Unsuppress, core.Unsuppress),
		on(&operation.GetAttachment, core.Attachment),
	)
}

// OwnerNotices is the function owner-notices.
func OwnerNotices(s Site, core interface {
	ListNotices(context.Context, inbox.Call, inbox.PageQuery) (inbox.Answer, error)
	SeeNotice(context.Context, inbox.Call, inbox.NoticeRequest) (inbox.Answer, error)
	NoticeToMessage(context.Context, inbox.Call, inbox.NoticeRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(
		on(&operation.ListNotices, core.ListNotices),
		on(&operation.SeeNotice, core.SeeNotice),
		on(&operation.NoticeToMessage, core.NoticeToMessage),
	)
}

// OwnerProfile is the function owner-profile.
func OwnerProfile(s Site, core interface {
	GetProfile(context.Context, inbox.Call, inbox.Nothing) (inbox.Answer, error)
	UpdateProfile(context.Context, inbox.Call, inbox.UpdateProfileRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.GetProfile, core.GetProfile), on(&operation.UpdateProfile, core.UpdateProfile))
}

// OwnerCatalogue is the function owner-catalogue.
func OwnerCatalogue(s Site, core interface {
	OwnerListServices(context.Context, inbox.Call, inbox.PageQuery) (inbox.Answer, error)
	UpsertService(context.Context, inbox.Call, catalogue.UpsertServiceRequest) (inbox.Answer, error)
	PatchService(context.Context, inbox.Call, catalogue.PatchServiceRequest) (inbox.Answer, error)
	ArchiveService(context.Context, inbox.Call, catalogue.ArchiveServiceRequest) (inbox.Answer, error)
	OwnerListProducts(context.Context, inbox.Call, inbox.ProductsQuery) (inbox.Answer, error)
	UpsertProduct(context.Context, inbox.Call, catalogue.UpsertProductRequest) (inbox.Answer, error)
	PatchProduct(context.Context, inbox.Call, catalogue.PatchProductRequest) (inbox.Answer, error)
	ArchiveProduct(context.Context, inbox.Call, catalogue.ArchiveProductRequest) (inbox.Answer, error)
	GetFloors(context.Context, inbox.Call, inbox.Nothing) (inbox.Answer, error)
	SetFloors(context.Context, inbox.Call, inbox.FloorsRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(
		on(&operation.OwnerListServices, core.OwnerListServices),
		on(&operation.CreateService, core.UpsertService),
		on(&operation.PatchService, core.PatchService),
		on(&operation.ArchiveService, core.ArchiveService),
		on(&operation.OwnerListProducts, core.OwnerListProducts),
		on(&operation.CreateProduct, core.UpsertProduct),
		on(&operation.PatchProduct, core.PatchProduct),
		on(&operation.ArchiveProduct, core.ArchiveProduct),
		on(&operation.GetFloors, core.GetFloors),
		on(&operation.SetFloors, core.SetFloors),
	)
}

// OwnerAvailability is the function owner-availability.
func OwnerAvailability(s Site, core interface {
	GetAvailability(context.Context, inbox.Call, inbox.Nothing) (inbox.Answer, error)
	SetOpeningHours(context.Context, inbox.Call, inbox.SetHoursRequest) (inbox.Answer, error)
	ClearServiceHours(context.Context, inbox.Call, inbox.ClearHoursRequest) (inbox.Answer, error)
	SetClosures(context.Context, inbox.Call, inbox.SetClosuresRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(
		on(&operation.GetAvailability, core.GetAvailability),
		on(&operation.SetOpeningHours, core.SetOpeningHours),
		on(&operation.ClearServiceHours, core.ClearServiceHours),
		on(&operation.SetClosures, core.SetClosures),
	)
}

// OwnerSettings is the function owner-settings.
func OwnerSettings(s Site, core interface {
	GetSettings(context.Context, inbox.Call, inbox.Nothing) (inbox.Answer, error)
	UpdateSettings(context.Context, inbox.Call, inbox.UpdateSettingsRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.GetSettings, core.GetSettings), on(&operation.UpdateSettings, core.UpdateSettings))
}
