package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"typedinbox/shared/inbox"
)

// ordered keeps what a customer keeps of an order.
func (s *session) ordered(answer map[string]any) {
	view, _ := answer["view"].(map[string]any)
	item, _ := view["item"].(map[string]any)
	s.vars["ORDER_ID"], _ = item["id"].(string)
	s.vars["ORDER_TOKEN"], _ = answer["access_token"].(string)
}

// sends is an order that was accepted, paid and sent.
func (s *session) sends() {
	s.t.Helper()
	order := `{"payload":{"orderedItem":[{"sku":"P-2","name":"Print","quantity":2,"price":{"value":1200,"currency":"EUR"}}],"totalPrice":{"value":2400,"currency":"EUR"}},"contact":{"email":"ana@example.com"}}`
	s.ordered(s.send("POST /v1/orders", s.agreed("POST /v1/orders", order, ""), "", 201))
	for _, e := range []string{`"accept"`, `"request_payment"`, `"record_payment","input":{"paymentRef":"P-${ORDER_ID}"}`, `"start_fulfilment"`, `"fulfil"`} {
		s.send("POST /v1/owner/items/${ORDER_ID}/transitions", `{"event":`+e+`}`, "owner", 200)
	}
}

// returns sends what was bought back, from both sides, and withdraws from it, each
// first with its answer lost.
func (s *session) returns() {
	s.t.Helper()
	for _, f := range []string{"withdraw-item", "request-return", "owner-returns"} {
		s.run.guard.next(f, loseAnswer)
	}
	s.sends()
	for _, door := range []string{"returns", "withdraw"} { // and its key was used
		s.send("POST /v1/items/${ORDER_ID}/"+door, `{"reason":"faulty"}`, "owner", 403)
	}
	s.send("POST /v1/items/${ORDER_ID}/returns", `{"reason":"faulty","lines":[{"index":0,"quantity":1}]}`, "order key=return", 201)
	s.sends()
	s.send("POST /v1/owner/items/${ORDER_ID}/returns", `{"reason":"other","note":"On the phone."}`, "owner key=return", 201)
	s.sends()
	s.send("POST /v1/items/${ORDER_ID}/withdraw", `{}`, "order key=withdraw", 409)
	s.send("POST /v1/items/${ORDER_ID}/withdraw", `{"confirm_withdrawal":true}`, "order key=withdraw", 200)
}

var hiddenField = regexp.MustCompile(`name="(terms|v|once|terms_sha|service)" value="([^"]*)"`)

// page asks for a page and keeps the hidden fields of its form.
func (s *session) page(method, path string, form url.Values, status int) url.Values {
	s.t.Helper()
	req, err := http.NewRequest(method, s.run.url+s.filled(path), strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := http.DefaultTransport.RoundTrip(req) // leads nowhere by itself
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status || res.Header.Get("Content-Security-Policy") == "" {
		s.t.Errorf("%s %s: %d %s (error %v), want %d", method, path, res.StatusCode, body, err, status)
	}
	fields := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(string(body), -1) {
		fields.Set(m[1], m[2])
	}
	return fields
}

// pages walks the business's page with its forms, and a link of a mail from its
// page to what it does.
func (s *session) pages() {
	s.t.Helper()
	s.page("GET", "/", nil, 200)
	s.page("GET", "/p/sent?sent=message", nil, 200)
	s.page("GET", "/p/book?service=${SERVICE_ID}", nil, 200)
	s.page("GET", "/c/privacy?l=pt", nil, 200)
	s.page("GET", "/c/"+strings.Repeat("a", 22)+"."+strings.Repeat("b", 22), nil, 404)
	s.run.guard.next("front-page", loseAnswer)
	form := s.page("GET", "/p/message", nil, 200)
	form.Set("name", "Ana")
	form.Set("email", "ana@example.com")
	form.Set("text", "Are you open on Saturday?")
	s.page("POST", "/p/message", form, 303)

	tomorrow := func(hours int) string { return s.after("START", 24+hours) }
	booking := `{"payload":{"reservationFor":{"serviceId":"${SERVICE_ID}","name":"Portrait"},"startTime":"` + tomorrow(0) + `","endTime":"` + tomorrow(1) + `"},"contact":{"name":"Ana","email":"ana@example.com"}}`
	s.booked(s.send("POST /v1/bookings", booking, "", 201))
	s.send("POST /v1/owner/items/${ITEM_ID}/offers", `{"input":{"startTime":"`+tomorrow(2)+`","endTime":"`+tomorrow(3)+`"}}`, "owner", 200)
	s.vars["LINK"] = s.link(inbox.LinkAcceptTime)
	for _, method := range []string{"GET", "HEAD"} {
		s.page(method, "/c/${LINK}", nil, 200)
	}
	s.run.guard.next("customer-page", loseAnswer)
	form = s.page("GET", "/c/${LINK}", nil, 200)
	s.page("POST", "/c/${LINK}", form, 303)
	s.page("GET", "/c/${LINK}", nil, 200)
	s.page("POST", "/c/${LINK}", form, 409)
	s.invoke("customer-page")
}

// after is some hours after an instant that is known.
func (s *session) after(name string, hours int) string {
	s.t.Helper()
	t, err := time.Parse(inbox.InstantLayout, s.vars[name])
	if err != nil {
		s.t.Fatal(err)
	}
	return t.Add(time.Duration(hours) * time.Hour).Format(inbox.InstantLayout)
}

// link does what is owed and answers the token of a link that the item's mails
// carry.
func (s *session) link(action inbox.LinkAction) string {
	s.t.Helper()
	ctx := context.Background()
	if err := s.run.drain(ctx); err != nil {
		s.t.Fatal(err)
	}
	mails, err := s.run.cloud.store.Mails(ctx, s.vars["ITEM_ID"])
	if err != nil {
		s.t.Fatal(err)
	}
	for _, m := range mails {
		if jti := m.Links[action]; jti != "" {
			l, err := s.run.cloud.store.Link(ctx, jti, inbox.InstantOf(time.Now()))
			if err != nil || l == nil {
				s.t.Fatalf("the link of the mail is not kept: %v", err)
			}
			return s.run.cloud.store.LinkToken(l)
		}
	}
	s.t.Fatalf("no mail with a link %s among %d", action, len(mails))
	return ""
}

// attached is a mail with a file, as somebody writes it.
const attached = "From: Ana <ana@example.com>\r\nTo: x@in.inbox.invalid\r\nSubject: A picture\r\nMessage-ID: <m-1@example.com>\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nLike this?\r\n" +
	"--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\n%PDF-1.4 plan\r\n--b--\r\n"

// automatic is a mail that a machine wrote.
const automatic = "From: Robot <robot@example.com>\r\nTo: x@in.inbox.invalid\r\nMessage-ID: <m-2@example.com>\r\nAuto-Submitted: auto-replied\r\nSubject: Away\r\n\r\nI am away.\r\n"

// arrives puts a raw mail where the mail service puts it, hands over word of it
// with the function's sample event, changed by pairs, and does the work.
func (s *session) arrives(id, raw string, change ...string) {
	s.t.Helper()
	ctx := context.Background()
	c := s.run.cloud
	_, err := c.objects.PutObject(ctx, &s3.PutObjectInput{Bucket: &c.bucket, Key: aws.String("in/" + id), Body: bytes.NewReader([]byte(raw))})
	if err != nil {
		s.t.Fatal(err)
	}
	s.vars["RAW_ID"] = id
	if answer := s.invokeWith("receive-mail", strings.NewReplacer(change...)); strings.Contains(string(answer), "errorMessage") {
		s.t.Fatalf("receive-mail: %s", answer)
	}
	if err := s.run.drain(ctx); err != nil {
		s.t.Fatal(err)
	}
}

// mail is what comes in over both ways, what the owner does with it, and what
// the mail service says of what was sent.
func (s *session) mail() {
	s.t.Helper()
	s.vars["MAIL_SECRET"] = "a secret of this test"
	s.send("PUT /v1/owner/settings", `{"doc":{"email":{"inboundSecret":"${MAIL_SECRET}"}}}`, "owner", 200)
	s.run.guard.next("inbound-mail", loseHistory)
	s.event("inbound-mail", 202, "outcome")
	s.hand(automatic)
	s.arrives("raw-1", attached)
	s.arrives("raw-2", strings.Replace(automatic, "m-2@", "m-3@", 1))
	s.arrives("raw-3", attached, `"virusVerdict":{"status":"PASS"}`, `"virusVerdict":{"status":"FAIL"}`)
	made := s.send("GET /v1/owner/items?type=message", "", "owner", 200)
	items, _ := made["items"].([]any)
	for _, v := range items {
		view, _ := v.(map[string]any)
		item, _ := view["item"].(map[string]any)
		s.vars["MESSAGE_ID"], _ = item["id"].(string)
		if s.attachment() {
			break
		}
	}
	list := s.send("GET /v1/owner/notices", "", "owner", 200)
	notices, _ := list["items"].([]any)
	for _, v := range notices {
		notice, _ := v.(map[string]any)
		if notice["kind"] == string(inbox.NoticeAutoReply) {
			s.vars["NOTICE_ID"], _ = notice["id"].(string)
		}
	}
	s.run.guard.next("owner-notices", loseHistory)
	s.send("POST /v1/owner/notices/${NOTICE_ID}/seen", "", "owner", 200)
	s.send("POST /v1/owner/notices/${NOTICE_ID}/to-message", "", "owner", 201)
	s.event("owner-notices", 200, "items")
	s.returned()
}

// hand hands a mail over at the generic door.
func (s *session) hand(raw string) {
	s.t.Helper()
	req, err := http.NewRequest("POST", s.run.url+"/v1/email/inbound", strings.NewReader(raw))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("X-Inbox-Email-Secret", s.vars["MAIL_SECRET"])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		s.t.Errorf("handed over: %d", res.StatusCode)
	}
}

// attachment asks for the first file of a message's first entry.
func (s *session) attachment() bool {
	detail := s.send("GET /v1/owner/items/${MESSAGE_ID}", "", "owner", 200)
	thread, _ := detail["thread"].([]any)
	if len(thread) == 0 {
		return false
	}
	entry, _ := thread[0].(map[string]any)
	if files, _ := entry["attachments"].([]any); len(files) == 0 {
		return false
	}
	id, _ := entry["id"].(string)
	req, err := http.NewRequest("GET", s.run.url+"/v1/owner/items/"+s.vars["MESSAGE_ID"]+"/entries/"+id+"/attachments/1", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.freshKey())
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	to := res.Header.Get("Location")
	if res.StatusCode != 303 || !strings.Contains(to, "X-Amz-Signature=") {
		s.t.Fatalf("the file is at %d %q", res.StatusCode, to)
	}
	file, err := http.Get(to)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = file.Body.Close() }()
	if got, _ := io.ReadAll(file.Body); !strings.HasPrefix(string(got), "%PDF-1.4") {
		s.t.Errorf("the file is %d %q", file.StatusCode, got)
	}
	return true
}

// returned has a mail bounce: the item needs a person, the address is not mailed
// any more, and the owner sends again.
func (s *session) returned() {
	s.t.Helper()
	ctx := context.Background()
	mails, err := s.run.cloud.store.Mails(ctx, s.vars["ITEM_ID"])
	if err != nil {
		s.t.Fatal(err)
	}
	for _, m := range mails {
		if m.Recipient == "customer" && m.Status == inbox.MailSent {
			s.vars["MAIL_ID"], s.vars["PROVIDER_ID"] = m.ID, m.ProviderID
		}
	}
	s.run.guard.next("mail-feedback", loseHistory)
	bounce, err := json.Marshal(map[string]any{"eventType": "Bounce", "mail": map[string]any{"messageId": s.vars["PROVIDER_ID"], "tags": map[string]any{"mail_id": []string{s.vars["MAIL_ID"]}}},
		"bounce": map[string]any{"bounceType": "Permanent", "bounceSubType": "General", "timestamp": "2026-10-01T09:00:02.000Z",
			"bouncedRecipients": []any{map[string]any{"emailAddress": "ana@example.com", "status": "5.1.1", "diagnosticCode": "smtp; 550 no such user"}}}})
	if err != nil {
		s.t.Fatal(err)
	}
	event, _ := json.Marshal(map[string]any{"Records": []any{map[string]any{"messageId": "1", "body": string(bounce)}}})
	for _, e := range [][]byte{event, nil} {
		var answer []byte
		if e == nil {
			answer = s.invoke("mail-feedback")
		} else if answer, err = s.run.pools["mail-feedback"].invoke(ctx, e); err != nil {
			s.t.Fatal(err)
		}
		if string(answer) != `{"batchItemFailures":[]}` {
			s.t.Errorf("mail-feedback: %s", answer)
		}
	}
	s.send("GET /v1/owner/mail/${MAIL_ID}", "", "owner", 200)
	status := s.send("GET /v1/owner/mail", "", "owner", 200)
	list, _ := status["suppressions"].([]any)
	if len(list) == 0 {
		s.t.Fatalf("nothing is suppressed: %v", status)
	}
	first, _ := list[0].(map[string]any)
	s.vars["HASH"], _ = first["hash"].(string)
	s.send("DELETE /v1/owner/suppressions/${HASH}", "", "owner", 200)
	s.run.guard.next("owner-mail", loseAnswer)
	s.send("POST /v1/owner/mail/${MAIL_ID}/send-again", "", "owner key=again", 200)
}
