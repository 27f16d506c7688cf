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
