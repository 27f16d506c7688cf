package decide

import (
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestRefundsTold: what a customer hears of a refusal about returns, in their
// language; of the first step of a withdrawal they read the statement.
func TestRefundsTold(t *testing.T) {
	open := func(w *world) { w.fire(w.customer(), "request_return", `{"reasonCode":"faulty"}`) }
	again := func(w *world) error {
		_, err := RequestReturn(w.f, w.customer(), inbox.ReturnRequest{Reason: "faulty"}, w.env())
		return err
	}
	done := func(w *world) {
		open(w)
		w.refund().fire(owner, "approve")
		w.refund().fire(owner, "refund", `{"paymentRef":"b"}`)
		w.relate()
	}
	cases := map[string]struct {
		w      *world
		ask    func(*world) error
		en, pt string
	}{
		"ok/a return goes on":     {with(sentOrder(t), open), again, "A return goes on already.", "Já há uma devolução em curso."},
		"ok/all of it came back":  {with(sentOrder(t), done), again, "All of that is on its way back already", "Tudo isso já está a ser devolvido"},
		"ok/nothing was sent yet": {orderIn(t, inbox.StatePaid), again, "That is not possible any more.", "Isso já não é possível."},
		"ok/money for nothing": {noGoods(t), func(w *world) error { _, err := w.cancel(""); return err },
			"Nothing has to come back", "Não há nada a devolver"},
		"ok/the statement": {sentOrder(t), func(w *world) error { _, err := w.withdraw(false, ""); return err },
			"I hereby give notice that I withdraw", "Pela presente comunico que me retrato"},
	}
	for name, c := range cases {
		for lang, want := range map[string]string{"en": c.en, "pt": c.pt} {
			t.Run(name+"/"+lang, func(t *testing.T) {
				c.w.f.Record.Locale = lang
				c.w.f.Business.Languages = []string{"en", "pt"}
				p := problem(t, Told(c.w.f, c.w.customer(), "", c.w.now, c.ask(c.w)))
				if !strings.HasPrefix(p.Detail, want) || strings.Contains(p.Detail, "{") {
					t.Errorf("%s: %q, want %q", p.Code, p.Detail, want)
				}
			})
		}
	}
}
