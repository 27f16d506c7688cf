package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// browserScripts is where what drives the browser is; what it needs of Node is
// installed there.
const browserScripts = "../pages"

// shots is where the pictures of pages are left, as output of the build.
const shots = "../../build/pages"

// visit is one page to look at, and what to do there.
type visit struct {
	Name   string            `json:"name"`
	URL    string            `json:"url"`
	Fill   map[string]string `json:"fill,omitempty"`
	Choose int               `json:"choose,omitempty"` // the n-th time, from 1
	Press  string            `json:"press,omitempty"`  // the button

	status int    // of what the press led to
	says   string // and what stands on it
}

// found is what the browser says: a problem, or where a press led.
type found struct {
	Name, Problem, URL, Text string
	Status                   int
}

// TestInABrowser: every page, from the links of the mails that were sent, on a
// phone and on a desk, light and dark, without scripts; axe finds nothing, and
// every button does what it says (05 §6.9).
func TestInABrowser(t *testing.T) {
	chromium := browserOrSkip(t)
	for _, lang := range []string{"en", "pt"} {
		t.Run(lang, func(t *testing.T) {
			c := serve(t, nil)
			c.browse(t, chromium, lang, append(c.linkVisits(c.owner(), lang), c.frontVisits(lang)...))
			c.clean()
		})
	}
}

// browserOrSkip is the browser's program.
func browserOrSkip(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes a while")
	}
	if _, err := os.Stat(filepath.Join(browserScripts, "node_modules", "playwright-core")); err != nil {
		t.Skip("the browser's driver is not installed; make test does (npm ci in scripts/pages)")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("there is no Chromium on this machine; make test installs one where it may")
	return ""
}

// everyKind are pages that have between them every element there is.
var everyKind = []string{"accept-time", "other-time", "withdraw", "no-text", "front", "book"}

// browse opens the pages and tells what is wrong with them.
func (c *client) browse(t *testing.T, chromium, lang string, visits []visit) {
	t.Helper()
	want := map[string]any{"browser": chromium, "shots": filepath.Join(shots, lang), "locale": lang, "pages": visits, "dark": everyKind}
	if lang != "en" {
		want["judge"] = everyKind
	}
	plan, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(browserScripts, "browse.mjs"))
	var out, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(plan), &out, &complaints
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, complaints.Bytes(), out.Bytes())
	}
	pressed := map[string]found{}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		var f found
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			t.Fatalf("%v: %s", err, lines.Bytes())
		}
		if f.Problem != "" {
			t.Errorf("%s: %s", f.Name, f.Problem)
			continue
		}
		pressed[f.Name] = f
	}
	for _, v := range visits {
		if v.Press == "" {
			continue
		}
		if f := pressed[v.Name]; f.Status != v.status || !strings.Contains(f.Text, v.says) {
			t.Errorf("%s: %q led to %d %s: %s", v.Name, v.Press, f.Status, f.URL, f.Text)
		}
	}
}

// inBoth is a text in English and in Portuguese.
type inBoth [2]string

func (b inBoth) in(lang string) string {
	if lang == "pt" {
		return b[1]
	}
	return b[0]
}

// linkIn is the address behind a label of a mail, which stands at the end of its
// line.
func linkIn(t *testing.T, m sentMail, label string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(label) + `: (\S+/c/[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22})$`).FindStringSubmatch(m.Text)
	if found == nil {
		t.Fatalf("%s has no link %q:\n%s", m.Template, label, m.Text)
	}
	return found[1]
}

// guests are customers of one language, each with an address of their own.
type guests struct {
	*client
	owner *client
	lang  string
	n     int
}

// contact is a new customer's.
func (g *guests) contact() (map[string]any, string) {
	g.n++
	address := fmt.Sprintf("guest-%d-%s@example.com", g.n, g.lang)
	return map[string]any{"name": "Guest of the Studio", "email": address, "locale": g.lang}, address
}

// last is the newest mail to an address.
func (g *guests) last(address string) sentMail {
	g.t.Helper()
	list := g.mails(address)
	if len(list) == 0 {
		g.t.Fatalf("no mail to %s", address)
	}
	return list[0]
}

// asks is a new customer's request for a time of a service.
func (g *guests) asks(service string) (item, address string, slot inbox.Slot) {
	g.t.Helper()
	service = g.service(service)
	contact, address := g.contact()
	slots := g.slots(service, 14)
	slot = slots[(g.n*5)%len(slots)]
	body := booking(service, slot, address)
	body["contact"] = contact
	return g.book(body).is(201).str("view.item.id"), address, slot
}

// proposed is the mail about another time.
func (g *guests) proposed(service string, minutes int64) sentMail {
	item, address, slot := g.asks(service)
	start := slot.StartTime.Add(21 * inbox.Day)
	g.owner.fire(item, "propose", map[string]any{"startTime": start, "endTime": start.Add(minutes * inbox.Minute), "note": "Would this suit you?"}).is(200)
	return g.last(address)
}

// confirmed is the mail about a booking that is confirmed.
func (g *guests) confirmed() sentMail { m, _ := g.booked(); return m }

func (g *guests) booked() (sentMail, string) {
	item, address, _ := g.asks("Portrait session")
	g.owner.fire(item, "confirm", nil).is(200)
	return g.last(address), item
}

// moving is the mail that asks to move a booking.
func (g *guests) moving() sentMail {
	item, address, slot := g.asks("Portrait session")
	g.owner.fire(item, "confirm", nil).is(200)
	g.owner.fire(item, "propose_change", map[string]any{"startTime": slot.StartTime.Add(28 * inbox.Day), "endTime": slot.EndTime.Add(28 * inbox.Day), "note": "The studio is closed that day."}).is(200)
	return g.last(address)
}

// questioned is the mail with a question.
func (g *guests) questioned() sentMail {
	item, address, _ := g.asks("Consultation")
	g.owner.fire(item, "request_info", map[string]any{"note": "What is it about?"}).is(200)
	return g.last(address)
}

// ordered is an order of two prints.
func (g *guests) ordered() (item, address string) {
	contact, address := g.contact()
	price := map[string]any{"value": 3500, "currency": "EUR"}
	body := map[string]any{"contact": contact, "payload": map[string]any{
		"orderedItem": []any{map[string]any{"sku": "PRINT-A3", "name": "Print, A3", "quantity": 2, "price": price}}, "totalPrice": map[string]any{"value": 7000, "currency": "EUR"},
	}}
	return g.post("/v1/orders", g.client.confirmed("/v1/orders", body)).is(201).str("view.item.id"), address
}

// changed is the mail about an order as the business would take it.
func (g *guests) changed() sentMail {
	item, address := g.ordered()
	price := map[string]any{"value": 3500, "currency": "EUR"}
	g.owner.fire(item, "propose", map[string]any{
		"orderedItem": []any{map[string]any{"sku": "PRINT-A3", "name": "Print, A3", "quantity": 1, "price": price}}, "totalPrice": price, "note": "One is left.",
	}).is(200)
	return g.last(address)
}

// accepted is the mail about an order that is accepted.
func (g *guests) accepted() sentMail {
	item, address := g.ordered()
	g.owner.fire(item, "accept", nil).is(200)
	return g.last(address)
}

// quoted is the mail with a quote.
func (g *guests) quoted() sentMail {
	contact, address := g.contact()
	made := g.post("/v1/quotes", map[string]any{"contact": contact, "payload": map[string]any{"itemOffered": map[string]any{"name": "Ten prints"}, "description": "Ten of them, framed."}}).is(201)
	price := map[string]any{"value": 9900, "currency": "EUR"}
	g.owner.fire(made.str("view.item.id"), "quote", map[string]any{
		"totalPrice": price, "validThrough": g.w.clock.now().Add(10 * inbox.Day), "creates": "order", "notes": "Frames of oak.",
		"lines": []any{map[string]any{"name": "Ten prints", "quantity": 1, "price": price}},
	}).is(200)
	return g.last(address)
}

// linkPages are the links of mails, each with its label and what its page does.
var linkPages = []struct {
	name  string
	mail  func(*guests) sentMail
	label inBoth
	does  visit
	press inBoth
	says  inBoth
}{
	{"accept-time", func(g *guests) sentMail { return g.proposed("Portrait session", 60) }, inBoth{"Accept this time", "Aceitar este horário"}, visit{},
		inBoth{"Order with obligation to pay", "Encomenda com obrigação de pagar"}, inBoth{"Your booking is confirmed.", "A sua marcação está confirmada."}},
	{"accept-time-free", func(g *guests) sentMail { return g.proposed("Consultation", 30) }, inBoth{"Accept this time", "Aceitar este horário"}, visit{},
		inBoth{"Confirm this booking", "Confirmar esta marcação"}, inBoth{"Your booking is confirmed.", "A sua marcação está confirmada."}},
	{"decline-time", func(g *guests) sentMail { return g.proposed("Consultation", 30) }, inBoth{"Decline and close the request", "Recusar e encerrar o pedido"},
		visit{Fill: map[string]string{"text": "I found another studio."}}, inBoth{"Decline and close the request", "Recusar e encerrar o pedido"},
		inBoth{"You have declined the time we suggested.", "Recusou o horário que sugerimos."}},
	{"other-time", func(g *guests) sentMail { return g.proposed("Consultation", 30) }, inBoth{"Choose another time", "Escolher outro horário"}, visit{Choose: 9},
		inBoth{"Ask for this time", "Pedir este horário"}, inBoth{"We have the time you asked for.", "Temos o horário que pediu."}},
	{"change-time", (*guests).confirmed, inBoth{"Change the time", "Alterar o horário"}, visit{Choose: 7},
		inBoth{"Ask for this time", "Pedir este horário"}, inBoth{"Until we have confirmed it, the time you have stays.", "Enquanto não o confirmarmos, mantém-se o que tem."}},
	{"cancel", (*guests).confirmed, inBoth{"Cancel this booking", "Cancelar esta marcação"}, visit{},
		inBoth{"Cancel this booking", "Cancelar esta marcação"}, inBoth{"Your booking is cancelled.", "A sua marcação está cancelada."}},
	{"accept-change", (*guests).moving, inBoth{"Accept the change", "Aceitar a alteração"}, visit{},
		inBoth{"Confirm the change", "Confirmar a alteração"}, inBoth{"The change is made.", "A alteração está feita."}},
	{"keep-as-is", (*guests).moving, inBoth{"Keep it as it is", "Manter como está"}, visit{},
		inBoth{"Keep it as it is", "Manter como está"}, inBoth{"Everything stays as it was agreed.", "Tudo fica como estava combinado."}},
	{"details", (*guests).questioned, inBoth{"Answer our question", "Responder à nossa pergunta"}, visit{Fill: map[string]string{"text": "A wedding in June."}},
		inBoth{"Send this answer", "Enviar esta resposta"}, inBoth{"We have your answer.", "Temos a sua resposta."}},
	{"accept-quote", (*guests).quoted, inBoth{"Accept this quote", "Aceitar este orçamento"}, visit{},
		inBoth{"Order with obligation to pay", "Encomenda com obrigação de pagar"}, inBoth{"You have accepted our quote.", "Aceitou o nosso orçamento."}},
	{"decline-quote", (*guests).quoted, inBoth{"Decline this quote", "Recusar este orçamento"}, visit{},
		inBoth{"Decline this quote", "Recusar este orçamento"}, inBoth{"Your request is closed.", "O seu pedido está encerrado."}},
	{"accept-order", (*guests).changed, inBoth{"Accept these changes", "Aceitar estas alterações"}, visit{},
		inBoth{"Order with obligation to pay", "Encomenda com obrigação de pagar"}, inBoth{"Your order is accepted", "A sua encomenda está aceite"}},
	{"decline-order", (*guests).changed, inBoth{"Decline and close the order", "Recusar e encerrar a encomenda"}, visit{},
		inBoth{"Decline and close the order", "Recusar e encerrar a encomenda"}, inBoth{"You have declined our changes. Your order is closed.", "Recusou as nossas alterações. A sua encomenda está encerrada."}},
	{"cancel-order", (*guests).accepted, inBoth{"Cancel this order", "Cancelar esta encomenda"}, visit{},
		inBoth{"Cancel this order", "Cancelar esta encomenda"}, inBoth{"Your order is cancelled.", "A sua encomenda está cancelada."}},
	{"withdraw", (*guests).accepted, inBoth{"Withdraw from contract here", "Retrate-se do contrato aqui"}, visit{Fill: map[string]string{"text": "Both prints."}},
		inBoth{"Confirm withdrawal", "Confirmar retratação"}, inBoth{"You have withdrawn from the contract.", "Retratou-se do contrato."}},
}

// linkVisits visits every link from its mail, and afterwards the pages that a
// link has when it can do nothing.
func (c *client) linkVisits(owner *client, lang string) []visit {
	g := &guests{client: c, owner: owner, lang: lang}
	var visits []visit
	for _, p := range linkPages {
		v := p.does
		v.Name, v.URL, v.Press = p.name, linkIn(c.t, p.mail(g), p.label.in(lang)), p.press.in(lang)
		v.status, v.says = 200, p.says.in(lang)
		visits = append(visits, v)
	}
	used := linkPages[1]
	gone, item := g.booked()
	owner.fire(item, "cancel_by_business", nil).is(200)
	return append(visits,
		visit{Name: "used", URL: visits[1].URL},
		visit{Name: "no-text", URL: linkIn(c.t, g.questioned(), linkPages[8].label.in(lang)), Fill: map[string]string{"text": "  "}, Press: linkPages[8].press.in(lang), status: 422,
			says: inBoth{"Please write something first.", "Escreva primeiro a sua mensagem, por favor."}.in(lang)},
		visit{Name: "moved", URL: linkIn(c.t, gone, linkPages[5].label.in(lang))},
		visit{Name: "unknown", URL: c.url + "/c/nothing"},
		visit{Name: "replaced", URL: replaced(g, used.label.in(lang))},
	)
}

// replaced is the link of a time in whose place another was suggested.
func replaced(g *guests, label string) string {
	item, address, slot := g.asks("Consultation")
	var first string
	for _, days := range []int64{21, 22} {
		start := slot.StartTime.Add(days * inbox.Day)
		g.owner.fire(item, "propose", map[string]any{"startTime": start, "endTime": start.Add(30 * inbox.Minute)}).is(200)
		if m := g.last(address); first == "" {
			first = linkIn(g.t, m, label)
		}
	}
	return first
}

// frontVisits are the pages of the business and their forms.
func (c *client) frontVisits(lang string) []visit {
	who := map[string]string{"name": "Guest of the Studio", "email": "guest@example.com"}
	with := func(text string) map[string]string {
		all := maps.Clone(who)
		all["text"] = text
		return all
	}
	book := c.url + "/p/book?service="
	return []visit{
		{Name: "front", URL: c.url + "/"},
		{Name: "book", URL: book + c.service("Consultation"), Fill: who, Choose: 5, Press: inBoth{"Ask for this time", "Pedir este horário"}.in(lang),
			status: 200, says: inBoth{"We will confirm it or suggest another time", "Iremos confirmá-lo ou sugerir outro horário"}.in(lang)},
		{Name: "book-priced", URL: book + c.service("Portrait session"), Fill: who, Choose: 5, Press: inBoth{"Ask for this time", "Pedir este horário"}.in(lang),
			status: 200, says: inBoth{"Please check and confirm", "Verifique e confirme, por favor"}.in(lang)},
		{Name: "quote", URL: c.url + "/p/quote", Fill: with("Pictures of a wedding"), Press: inBoth{"Ask for a quote", "Pedir um orçamento"}.in(lang),
			status: 200, says: inBoth{"We will answer with a price", "Responderemos com um preço"}.in(lang)},
		{Name: "message", URL: c.url + "/p/message", Fill: with("Is there parking?"), Press: inBoth{"Send this message", "Enviar esta mensagem"}.in(lang),
			status: 200, says: inBoth{"We will answer by email", "Responderemos por email"}.in(lang)},
		{Name: "sent", URL: c.url + "/p/sent?sent=message"},
		{Name: "nowhere", URL: book + "unknown"},
	}
}
