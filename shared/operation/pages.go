package operation

import "net/http"

// The pages for people (03 §5.5, §16): those behind the links of mails, and the
// business's own. They are forms and documents, so they have no input type and
// their refusals are pages too. None of them is a tool.
var (
	ShowLink = Op{
		ID: "show_link", Name: "link_page", Method: "GET", Paths: []string{"/c/{token}"},
		Function: "customer-page", Auth: Page, Out: pages(200, 404, 409, 410), Cache: NoStore,
		Summary: "The page behind a link of a mail. It shows and changes nothing, however often.",
	}
	HeadLink = Op{
		ID: "head_link", Name: "link_page", Method: "HEAD", Paths: []string{"/c/{token}"},
		Function: "customer-page", Auth: Page, Out: pages(200, 404, 409, 410), Cache: NoStore,
		Summary: "The head of the page behind a link.",
	}
	PressLink = Op{
		ID: "press_link", Name: "link_page", Method: "POST", Paths: []string{"/c/{token}"},
		Function: "customer-page", Auth: Page, Body: Form, Out: pages(200, 303, 404, 409, 410, 413, 422, 429, 500, 503), Cache: NoStore, MaxBody: MaxForm,
		Summary: "The button of the page behind a link. It acts once, then leads back to the page.",
	}
	ShowPrivacy = Op{
		ID: "show_privacy", Name: "privacy_page", Method: "GET", Paths: []string{"/c/privacy"},
		Function: "customer-page", Auth: Page, Out: pages(200), Cache: CacheMinutes,
		Summary: "How returning customers are recognised, and what networks are told; l is en or pt.",
	}
	HeadPrivacy = Op{
		ID: "head_privacy", Name: "privacy_page", Method: "HEAD", Paths: []string{"/c/privacy"},
		Function: "customer-page", Auth: Page, Out: pages(200), Cache: CacheMinutes,
		Summary: "The head of that page.",
	}
	ShowFront = Op{
		ID: "show_front_page", Name: "front_page", Method: "GET", Paths: []string{"/"},
		Function: "front-page", Auth: Page, Out: pages(200), Cache: CacheFront,
		Summary: "The business's page: who it is, what can be booked, and how to ask.",
	}
	ShowBook = Op{
		ID: "show_booking_form", Name: "book_page", Method: "GET", Paths: []string{"/p/book"},
		Function: "front-page", Auth: Page, Out: pages(200, 404), Cache: NoStore,
		Summary: "A week of free times of one service, and the form that asks for one.",
	}
	ShowQuote = Op{
		ID: "show_quote_form", Name: "quote_page", Method: "GET", Paths: []string{"/p/quote"},
		Function: "front-page", Auth: Page, Out: pages(200), Cache: NoStore,
		Summary: "The form that asks for a price.",
	}
	ShowMessage = Op{
		ID: "show_message_form", Name: "message_page", Method: "GET", Paths: []string{"/p/message"},
		Function: "front-page", Auth: Page, Out: pages(200), Cache: NoStore,
		Summary: "The form that writes to the business.",
	}
	ShowSent = Op{
		ID: "show_sent", Name: "sent_page", Method: "GET", Paths: []string{"/p/sent"},
		Function: "front-page", Auth: Page, Out: pages(200), Cache: NoStore,
		Summary: "What happens next with what a form sent.",
	}
	PostBook = Op{
		ID: "post_booking_form", Name: "book_page", Method: "POST", Paths: []string{"/p/book"},
		Function: "front-page", Auth: Page, Body: Form, Out: pages(200, 303, 404, 413, 422, 429, 500, 503), Cache: NoStore, MaxBody: MaxForm,
		Summary: "Ask for a time by a form. One that costs something is sent once its summary was agreed to.",
	}
	PostQuote = Op{
		ID: "post_quote_form", Name: "quote_page", Method: "POST", Paths: []string{"/p/quote"},
		Function: "front-page", Auth: Page, Body: Form, Out: pages(200, 303, 413, 422, 429, 500, 503), Cache: NoStore, MaxBody: MaxForm,
		Summary: "Ask for a price by a form.",
	}
	PostMessage = Op{
		ID: "post_message_form", Name: "message_page", Method: "POST", Paths: []string{"/p/message"},
		Function: "front-page", Auth: Page, Body: Form, Out: pages(200, 303, 413, 422, 429, 500, 503), Cache: NoStore, MaxBody: MaxForm,
		Summary: "Write to the business by a form.",
	}
)

var people = []*Op{
	&ShowLink, &HeadLink, &PressLink, &ShowPrivacy, &HeadPrivacy,
	&ShowFront, &ShowBook, &ShowQuote, &ShowMessage, &ShowSent, &PostBook, &PostQuote, &PostMessage,
}

// pages are the statuses that a page is answered with; a redirect has no body.
func pages(statuses ...int) []Output {
	var out []Output
	for _, s := range statuses {
		o := Output{Status: s, Media: HTML}
		if s == http.StatusSeeOther {
			o.Media = ""
		}
		out = append(out, o)
	}
	return out
}
