package operation

import "typedinbox/shared/inbox"

// Mail both ways, as the owner reads it and as another system hands it over
// (03 §5.2, §15; 09 "owner's mail routes").
var (
	MailStatus = Op{
		ID: "owner_mail_status", Name: "mail_status", Method: "GET", Paths: []string{"/v1/owner/mail"},
		Function: "owner-mail", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.Nothing](),
		Out: []Output{says(200, of[inbox.MailStatusView]())}, Cache: NoStore,
		Summary: "Whether mail can be sent, from which address, where mail arrives, and which addresses are not mailed.",
	}
	GetMail = Op{
		ID: "owner_get_mail", Name: "get_mail", Method: "GET", Paths: []string{"/v1/owner/mail/{id}"},
		Function: "owner-mail", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.MailRequest](),
		Out: []Output{says(200, of[inbox.MailView]())}, Cache: NoStore,
		Summary: "One mail of the log, its links cut.",
	}
	SendAgain = Op{
		ID: "owner_send_again", Name: "send_again", Method: "POST", Paths: []string{"/v1/owner/mail/{id}/send-again"},
		Function: "owner-mail", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.SendAgainRequest](),
		Out: []Output{says(200, of[inbox.MailView]())}, Problems: []inbox.Code{inbox.CodeGuardFailed}, Cache: NoStore, MaxBody: MaxBody,
		Summary: "Send a mail again that failed. For the owner alone.",
	}
	Unsuppress = Op{
		ID: "owner_unsuppress", Name: "unsuppress", Method: "DELETE", Paths: []string{"/v1/owner/suppressions/{hash}"},
		Function: "owner-mail", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.SuppressionRequest](),
		Out: []Output{says(200, of[inbox.Unsuppressed]())}, Cache: NoStore, MaxBody: MaxBody,
		Summary: "Try an address again that mail did not reach. For the owner alone.",
	}
	GetAttachment = Op{
		ID: "owner_get_attachment", Name: "get_attachment", Method: "GET", Paths: []string{"/v1/owner/items/{id}/entries/{entry}/attachments/{n}"},
		Function: "owner-mail", Auth: Owner, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.AttachmentRequest](),
		Out: []Output{{Status: 303}}, Cache: NoStore,
		Summary: "Leads to the download of the nth attachment of a mail, from 1.",
	}
	ListNotices = Op{
		ID: "owner_list_notices", Name: "list_notices", Method: "GET", Paths: []string{"/v1/owner/notices"},
		Function: "owner-notices", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.PageQuery](),
		Out: []Output{says(200, of[inbox.Page[inbox.NoticeView]]())}, Cache: NoStore,
		Summary: "Mail that answers no item and was written by no person, and warnings, newest first. For the owner alone.",
	}
	SeeNotice = Op{
		ID: "owner_see_notice", Name: "see_notice", Method: "POST", Paths: []string{"/v1/owner/notices/{id}/seen"},
		Function: "owner-notices", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.NoticeRequest](),
		Out: []Output{says(200, of[inbox.NoticeView]())}, Cache: NoStore, MaxBody: MaxBody,
		Summary: "Mark a notice as seen.",
	}
	NoticeToMessage = Op{
		ID: "owner_notice_to_message", Name: "notice_to_message", Method: "POST", Paths: []string{"/v1/owner/notices/{id}/to-message"},
		Function: "owner-notices", Auth: Owner, Scopes: scopes(inbox.ScopeAll), In: of[inbox.NoticeRequest](),
		Out: returned(of[inbox.OwnerView]()), Problems: []inbox.Code{inbox.CodeGuardFailed}, Cache: NoStore, MaxBody: MaxBody,
		Summary: "Make a message item of a notice, as it arrived.",
	}
	InboundMail = Op{
		ID: "inbound_mail", Name: "inbound_mail", Method: "POST", Paths: []string{"/v1/email/inbound"},
		Function: "inbound-mail", Auth: Secret, Body: Mail,
		Out:      []Output{says(202, of[inbox.MailOutcome]())},
		Problems: []inbox.Code{inbox.CodeInvalidInput, inbox.CodeTooManyRequests}, Cache: NoStore, MaxBody: MaxMail,
		Summary: "Hand over a raw mail that arrived elsewhere.",
	}
)

var (
	ownersMail = []*Op{&MailStatus, &GetMail, &SendAgain, &Unsuppress, &GetAttachment, &ListNotices, &SeeNotice, &NoticeToMessage}
	mailIn     = []*Op{&InboundMail}
)
