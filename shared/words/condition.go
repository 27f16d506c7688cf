package words

import (
	"maps"
	"sync"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// mails are the rows of mails, and shared what their lines may depend on, each
// made when it is first asked for: a program that writes no mail links no row, and
// a page, which shares the conditions, links those alone.
var (
	mails struct {
		once sync.Once
		rows map[string]mailRow
	}
	shared struct {
		once       sync.Once
		conditions map[string]func(MailInput) bool
	}
)

// mailRows are the mails there are, by the name on the mail's row (05 §3).
func mailRows() map[string]mailRow {
	mails.once.Do(func() {
		mails.rows = joined(requestRows(), promiseRows(), refundRows(), ownerRows(),
			changeRows("booking", []block{agreedTime}, booked()), changeRows("order", []block{agreedOrder, instead()}, ordered()))
	})
	return mails.rows
}

// conditions are what a line of a mail may depend on.
func conditions() map[string]func(MailInput) bool {
	shared.once.Do(func() {
		shared.conditions = joined(requestConditions(), promiseConditions(), refundConditions())
	})
	return shared.conditions
}

// joined is one map of several.
func joined[V any](parts ...map[string]V) map[string]V {
	all := map[string]V{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}

// requestConditions are what a line about a request may depend on.
func requestConditions() map[string]func(MailInput) bool {
	return map[string]func(MailInput) bool{
		"named":       func(in MailInput) bool { return format.OneLine(in.Name) != "" },
		"unnamed":     func(in MailInput) bool { return format.OneLine(in.Name) == "" },
		"subject":     func(in MailInput) bool { return in.About.named(in.Lang) },
		"words":       func(in MailInput) bool { return plain(in.Words) != "" && plain(in.Words) != plain(in.offered().Notes) },
		"automatic":   func(in MailInput) bool { return in.Automatic },
		"by a person": func(in MailInput) bool { return !in.Automatic },
		"reference":   func(in MailInput) bool { return in.About.Reference != "" },
		"business":    func(in MailInput) bool { return format.OneLine(in.Business) != "" },
		"no business": func(in MailInput) bool { return format.OneLine(in.Business) == "" },
		"one minute":  func(in MailInput) bool { return in.Minutes == 1 },
		"minutes":     func(in MailInput) bool { return in.Minutes != 1 },
		"one notice":  func(in MailInput) bool { return in.Digest.Count == 1 },
		"notices":     func(in MailInput) bool { return in.Digest.Count != 1 },
		"text":        func(in MailInput) bool { return format.OneLine(in.Text) != "" },
		"elsewhere":   func(in MailInput) bool { return format.OneLine(in.Sender) != "" },
		"unproven":    func(in MailInput) bool { return in.Unproven },
		"app":         func(in MailInput) bool { return in.AppURL != "" },
		"answer":      func(in MailInput) bool { return in.answered() && len(in.Links) == 0 },

		"when":       func(in MailInput) bool { return in.About.Start != nil },
		"confirmed":  func(in MailInput) bool { return in.FromState == inbox.StateConfirmed && in.About.Start != nil },
		"price":      func(in MailInput) bool { return in.About.Price != nil && !in.About.priceOpen() },
		"price open": func(in MailInput) bool { return in.About.Price != nil && in.About.priceOpen() },
		"personal": func(in MailInput) bool {
			return in.About.Price != nil && !in.About.priceOpen() && in.About.Personal != nil
		},
		"says":     func(in MailInput) bool { return in.About.Price != nil && in.About.Personal.says() != "" },
		"lines":    func(in MailInput) bool { return len(in.About.Lines) > 0 },
		"pickup":   func(in MailInput) bool { return in.About.Delivery.dated("pickup") },
		"delivery": func(in MailInput) bool { return in.About.Delivery.dated("delivery") },
		"digital":  func(in MailInput) bool { return in.About.Delivery.dated("digital") },
		"until":    func(in MailInput) bool { return in.CancelUntil != nil },

		"new when":        func(in MailInput) bool { return in.offered().Start != nil },
		"new price":       func(in MailInput) bool { return in.offered().Price != nil && !in.offered().Unpriced },
		"new price open":  func(in MailInput) bool { return in.offered().Price != nil && in.offered().Unpriced },
		"new personal":    func(in MailInput) bool { return in.offered().Personal != nil },
		"new says":        func(in MailInput) bool { return in.offered().Personal.says() != "" },
		"new lines":       func(in MailInput) bool { return len(in.offered().Lines) > 0 },
		"new pickup":      func(in MailInput) bool { return in.offered().Delivery.dated("pickup") },
		"new delivery":    func(in MailInput) bool { return in.offered().Delivery.dated("delivery") },
		"new digital":     func(in MailInput) bool { return in.offered().Delivery.dated("digital") },
		"new until":       func(in MailInput) bool { return in.offered().Until != nil },
		"held":            func(in MailInput) bool { return in.isTime() && in.offered().Held },
		"unheld":          func(in MailInput) bool { return in.isTime() && !in.offered().Held },
		"withdrawable":    func(in MailInput) bool { return in.offered().Withdrawable },
		"notes":           func(in MailInput) bool { return plain(in.offered().Notes) != "" },
		"creates booking": func(in MailInput) bool { return in.offered().Creates == inbox.TypeBooking },
		"creates order":   func(in MailInput) bool { return in.offered().Creates != inbox.TypeBooking },

		"differs": func(in MailInput) bool { return !in.same() },
		"same":    func(in MailInput) bool { return in.same() },
		"first":   func(in MailInput) bool { return !in.same() && in.FromState != inbox.StateProposed },
		"asked":   func(in MailInput) bool { return !in.same() && in.About.Start != nil },
		"again":   func(in MailInput) bool { return !in.same() && in.FromState == inbox.StateProposed },

		"as asked":      func(in MailInput) bool { return in.FromState != inbox.StateProposed || in.AsAsked },
		"as suggested":  func(in MailInput) bool { return in.FromState == inbox.StateProposed && !in.AsAsked },
		"new quote":     func(in MailInput) bool { return in.FromState != inbox.StateQuoted },
		"another quote": func(in MailInput) bool { return in.FromState == inbox.StateQuoted },

		"unanswered":      func(in MailInput) bool { return !theirTurn[in.FromState] },
		"question":        func(in MailInput) bool { return in.FromState == inbox.StateNeedsInfo },
		"lapsed proposal": func(in MailInput) bool { return in.proposalLapsed() },
		"lapsed":          func(in MailInput) bool { return in.proposalLapsed() && in.Lapsed != nil },

		"right":            func(in MailInput) bool { return in.Withdrawal != nil && !in.Withdrawal.IsExcepted() },
		"right excepted":   func(in MailInput) bool { return in.Withdrawal != nil && in.Withdrawal.IsExcepted() },
		"right goods":      right(false, ofGoods),
		"right goods uk":   right(true, ofGoods),
		"right service":    right(false, ofService),
		"right service uk": right(true, ofService),
		"right until":      right(false, hasBegun),
		"right until uk":   right(true, hasBegun),
		"right form":       right(false, always),
		"right form uk":    right(true, always),
		"right link":       func(in MailInput) bool { return right(false, always)(in) && in.withdrawURL() != "" },
		"right link uk":    func(in MailInput) bool { return right(true, always)(in) && in.withdrawURL() != "" },
	}
}

// theirTurn are the states in which an answer of the customer's is waited for.
var theirTurn = map[inbox.State]bool{
	inbox.StateNeedsInfo: true, inbox.StateProposed: true, inbox.StateQuoted: true,
}

// answered says whether the customer's answer is waited for.
func (in MailInput) answered() bool {
	return theirTurn[in.About.State] || in.About.Offered != nil && in.About.Offered.ChangeBy == inbox.SideBusiness
}

// offered is what the business put forward, empty for nothing.
func (in MailInput) offered() *Offered {
	if p := in.About.Offered; p != nil {
		return p
	}
	return &Offered{}
}

// isTime says whether another time was put forward than the booking has.
func (in MailInput) isTime() bool {
	return in.About.Type == inbox.TypeBooking && in.offered().Start != nil && !in.About.stays()
}

// same says whether what was put forward is what was asked for.
func (in MailInput) same() bool { return in.About.asAsked() }

func (in MailInput) proposalLapsed() bool {
	return in.FromState == inbox.StateProposed || in.FromState == inbox.StateQuoted
}
