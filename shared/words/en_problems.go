package words

// englishProblems are refusals a customer may hear (03 §3, Languages).
var englishProblems = table{
	"problem.slot_taken":                 "That time is taken. Please choose another one.",
	"problem.past":                       "That time has passed. Please choose a later one.",
	"problem.not_too_soon":               "That is too soon for us. Please choose a time from {earliest} on.",
	"problem.within_cancellation_window": "It can no longer be cancelled here: that was possible until {until}. Please write to us.",
	"problem.started":                    "The time has begun, so it can no longer be cancelled here. Please write to us.",
	"problem.promise_ahead":              "The time has begun, so it can no longer be changed here. Please write to us.",
	"problem.wrong_state":                "That is not possible any more. {human}",
	"problem.version_conflict":           "Something has changed since you looked. {human}",
	"problem.no_offer":                   "Nothing waits for your answer. {human}",
	"problem.proposal_present":           "Nothing waits for your answer. {human}",
	"problem.has_quote":                  "Nothing waits for your answer. {human}",
	"problem.offer_changed":              "It has changed since you looked. {human}",
	"problem.offer_expired":              "It could be accepted until {until}. Please write to us or send a new request.",
	"problem.not_allowed":                "That request is not open to you. Please use the access you were given when you sent it.",
	"problem.bad_code":                   "That is not the code, or it was used already.",
	"problem.code_expired":               "The code has run out. Please ask for a new one.",
	"problem.too_many_attempts":          "No more codes for now. Please write to us instead.",
	"problem.already_verified":           "We know already that this is you.",
	"problem.nothing_to_verify":          "There is nothing to prove here.",
	"problem.not_found":                  "We cannot find that request.",
	"problem.no_service":                 "We do not take bookings for that.",
	"problem.closed":                     "We are closed then. Please choose another time.",
	"problem.idempotency_mismatch":       "That was sent before with other content. Please send it as a new request.",
	"problem.unavailable":                "Many people are asking at once. Nothing was changed; please try again in a moment.",
}
