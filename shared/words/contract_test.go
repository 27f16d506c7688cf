package words

import (
	"strings"
	"testing"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// TestExceptions: every withdrawal flag but the standard one has its sentence
// (02 §9.2), and each stands in a summary in place of the right.
func TestExceptions(t *testing.T) {
	seen := map[string]bool{}
	for _, flag := range inbox.Withdrawals {
		c := Contract{Type: inbox.TypeOrder, Flag: flag, Days: 14, Total: inbox.Money{Value: 100, Currency: "EUR"}, Lines: []Line{{Quantity: 1, Name: "X"}}}
		s := Summary(format.En, c)
		right := strings.Contains(s, "You may withdraw from the contract within 14 days")
		if right != (flag == inbox.WithdrawalStandard) || strings.Contains(s, "no right of withdrawal") == right || strings.ContainsAny(s, "{}") || seen[s] {
			t.Errorf("fail/%s: %q", flag, s)
		}
		seen[s] = true
	}
}

// TestSummaryToBusinesses: who is no consumer is told nothing of a right that
// consumers have (02 §5.3, §9.1).
func TestSummaryToBusinesses(t *testing.T) {
	for name, c := range map[string]Contract{
		"ok/standard": {Flag: inbox.WithdrawalStandard, StartsWithin: true},
		"ok/excepted": {Flag: "perishable"},
	} {
		c.Type, c.Name, c.Start, c.Zone, c.Days, c.Total, c.NoConsumers = inbox.TypeBooking, "Cut", &start, lisbon(t), 14, *eur(4000), true
		want := "Cut, Wednesday, 7 October 2026 at 10:00 (Western European Time), for €40.00. By confirming you take on an obligation to pay €40.00."
		if got := Summary(format.En, c); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestSummaryText: what looks like a placeholder in a name stays as it is, and
// a language without sentences falls back.
func TestSummaryText(t *testing.T) {
	c := Contract{Type: inbox.TypeOrder, Days: 14, Total: inbox.Money{Value: 100, Currency: "EUR"}, Lines: []Line{{Quantity: 1, Name: "a {total}\nb"}}}
	for _, l := range format.Langs {
		s := Summary(l, c)
		if !strings.Contains(s, "1 × a {total} b (") || !strings.HasPrefix(AskToConfirm(l, s), s) {
			t.Errorf("%s: %q", l, s)
		}
	}
}

// TestSummaryOfTheirPrice: a price chosen for the customer is named right after
// what is confirmed (02 §5.3, §7.3), in their language.
func TestSummaryOfTheirPrice(t *testing.T) {
	c := Contract{
		Type: inbox.TypeBooking, Name: "Corte", Start: &start, Zone: lisbon(t), Days: 14, Total: *eur(4000),
		Personal: &Personal{*eur(4500), "Obrigado pela confiança."}, Trader: "Ana Lda", Address: "Rua 1, Lisboa",
	}
	for l, want := range map[format.Lang]string{
		format.En: "Corte, Wednesday, 7 October 2026 at 10:00 (Western European Time), for €40.00. " +
			"This price was set for you by automated decision-making. List price: €45.00. Obrigado pela confiança. " +
			"You contract with Ana Lda, Rua 1, Lisboa. You may withdraw from the contract within 14 days of booking. " +
			"By confirming you take on an obligation to pay €40.00.",
		format.Pt: "Corte, quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental), por 40,00\u00a0€. " +
			"Este preço foi definido para si por decisão automatizada. Preço de tabela: 45,00\u00a0€. Obrigado pela confiança. " +
			"Contrata com Ana Lda, Rua 1, Lisboa. Pode retratar-se do contrato no prazo de 14 dias a contar da marcação. " +
			"Ao confirmar, assume a obrigação de pagar 40,00\u00a0€.",
	} {
		got := Summary(l, c)
		if got != want {
			t.Errorf("%s: %s\nwant %s", l, got, want)
		}
		if ask, yes := AskToConfirm(l, got), AskToAccept(l, got); !strings.HasPrefix(ask, got) || !strings.HasPrefix(yes, got) || ask == yes || !strings.Contains(yes, "terms_sha") {
			t.Errorf("%s: %q, %q", l, ask, yes)
		}
	}
}
