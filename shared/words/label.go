package words

import (
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Actions of `next` at a customer's item (03 §7).
const (
	ActionAccept   = "accept_offer"
	ActionDecline  = "decline_offer"
	ActionTime     = "suggest_time"
	ActionOffer    = "make_offer"
	ActionDetails  = "provide_details"
	ActionWithdraw = "withdraw_from_contract"
	ActionReturn   = "request_return"
	ActionCancel   = "cancel_item"
	ActionMessage  = "send_message"
)

// Actions lists every action.
var Actions = []string{
	ActionAccept, ActionDecline, ActionTime, ActionOffer, ActionDetails,
	ActionWithdraw, ActionReturn, ActionCancel, ActionMessage,
}

// EventLabel is the text of the button that fires an event, for the side that
// presses it. At the business recorded means that the event writes down the
// customer's yes to what the business put forward itself: from the state
// proposed, or on its own open change (01 §3, §5.6). An unknown event is its own
// label.
func EventLabel(l format.Lang, side inbox.Side, t inbox.Type, event string, recorded bool) string {
	l = Written(l)
	key := string(side) + "." + event
	if recorded {
		if s := sayCore(l, key+".recorded", t); s != "" {
			return s
		}
	}
	if s := sayCore(l, key, t); s != "" {
		return s
	}
	return event
}

// ActionLabel is the text of one of a customer's next steps. The state tells
// apart what decline_offer and suggest_time do: on a promise they answer or make
// a change; own says that the open change is the customer's. An unknown action
// is its own label.
func ActionLabel(l format.Lang, t inbox.Type, s inbox.State, action string, own bool) string {
	l = Written(l)
	keys := []string{"next." + action}
	if s != inbox.StateProposed && s != inbox.StateQuoted {
		keys = append([]string{"next." + action + ".change"}, keys...)
	}
	if own {
		keys = append([]string{"next." + action + ".own"}, keys...)
	}
	for _, key := range keys {
		if label := sayCore(l, key, t); label != "" {
			return label
		}
	}
	return action
}
