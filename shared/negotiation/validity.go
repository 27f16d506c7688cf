package negotiation

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// TimeValid is until when a proposed time can be accepted: its start less the
// minimum notice, for automation at most negotiation.offerValidHours from now
// (02 §3).
func TimeValid(start, now inbox.Instant, s settings.Settings, automation bool) inbox.Instant {
	until := start.Add(-int64(s.Booking.MinNoticeMin) * inbox.Minute)
	if automation {
		return min(until, offerValid(now, s))
	}
	return until
}

// DateValid is until when a quote or changes to an order can be accepted: the
// date given, else negotiation.offerValidHours from now, which automation's
// never pass (02 §3).
func DateValid(given *inbox.Instant, now inbox.Instant, s settings.Settings, automation bool) inbox.Instant {
	until := offerValid(now, s)
	switch {
	case given == nil:
		return until
	case automation:
		return min(*given, until)
	}
	return *given
}

func offerValid(now inbox.Instant, s settings.Settings) inbox.Instant {
	return now.Add(int64(s.Negotiation.OfferValidHours) * inbox.Hour)
}
