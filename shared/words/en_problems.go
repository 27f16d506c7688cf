package words

// englishProblems are refusals a customer may hear (03 §3, Languages).
var englishProblems = table{
	"problem.slot_taken":           "That time is taken. Please choose another one.",
	"problem.past":                 "That time has passed. Please choose a later one.",
	"problem.not_too_soon":         "That is too soon for us. Please choose a time from {earliest} on.",
	"problem.cancellation_window":  "It can no longer be cancelled here: that was possible until {until}. Please write to us.",
	"problem.started":              "The time has begun, so it can no longer be cancelled here. Please write to us.",
	"problem.wrong_state":          "That is not possible any more. {human}",
	"problem.version_conflict":     "Something has changed since you looked. {human}",
	"problem.not_found":            "We cannot find that request.",
	"problem.no_service":           "We do not take bookings for that.",
	"problem.closed":               "We are closed then. Please choose another time.",
	"problem.idempotency_mismatch": "That was sent before with other content. Please send it as a new request.",
	"problem.unavailable":          "Many people are asking at once. Nothing was changed; please try again in a moment.",
}
