package work

import (
	"context"
	"fmt"
	"hash/fnv"
	"log/slog"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Limits of mail that comes in (05 §5.3, 03 §17).
const (
	senderBurst, senderPerHour   = 10, 20
	mailboxBurst, mailboxPerHour = 200, 400
)

// Bounds of how long a mail waits that the limits put off.
const (
	firstHold = 10 * inbox.Minute
	holdFor   = inbox.Day
)

// putOff is a job that is to run later, which is no failure and costs no attempt.
type putOff struct{ until inbox.Instant }

func (p *putOff) Error() string { return fmt.Sprintf("work: put off until %s", p.until) }

// admit lets a mail in, the sender's limit first, so that one who loops does not
// use up everybody's. Over the limit a mail waits, each time longer; after a day
// it is a notice. Over the generic door it is refused, to come again (05 §5.3).
func (r *reception) admit(ctx context.Context, _ error) (*inbox.MailOutcome, error) {
	if r.in.Admitted {
		return nil, nil
	}
	wait, err := r.wait(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case wait == 0:
		return nil, r.admitted(ctx)
	case r.door:
		p := inbox.Refuse(inbox.CodeTooManyRequests, "Too many mails came in. Nothing was kept; send this one again later.")
		p.RetryAfter = int((wait + inbox.Second - 1) / inbox.Second)
		return nil, p
	}
	return r.hold(ctx)
}

// wait is how long the mail has to wait, 0 when it need not.
func (r *reception) wait(ctx context.Context) (int64, error) {
	now := r.w.Clock()
	if r.m.Sender != "" {
		b := store.Bucket{Class: "emailSender", Of: r.m.Sender, Burst: senderBurst, PerHour: senderPerHour}
		if wait, err := r.w.Store.TakeToken(ctx, b, now); wait > 0 || err != nil {
			return wait, err
		}
	}
	return r.w.Store.TakeToken(ctx, store.Bucket{Class: "email", Burst: mailboxBurst, PerHour: mailboxPerHour}, now)
}

// admitted remembers that the limits let the mail in, so a second try does not
// count again.
func (r *reception) admitted(ctx context.Context) error {
	r.in.Admitted = true
	if r.in.Rev == 0 {
		return nil
	}
	return r.w.Store.SaveInMail(ctx, r.in)
}

// hold puts the mail off, or keeps it as a notice when it waited a day.
func (r *reception) hold(ctx context.Context) (*inbox.MailOutcome, error) {
	now := r.w.Clock()
	delay := int64(firstHold) << min(r.in.Held, 10)
	until := now.Add(delay + spread(r.in.ID, delay))
	if until > r.in.ReceivedAt.Add(holdFor) {
		return r.notice(ctx, inbox.NoticeHeld, told{once: "held:" + r.m.Sender, until: inbox.Day})
	}
	r.in.Held++
	if err := r.w.Store.SaveInMail(ctx, r.in); err != nil {
		return nil, err
	}
	r.w.count(ctx, slog.LevelInfo, "a mail waits", MetricMailsLimited, 1, slog.Int("times", r.in.Held))
	return nil, &putOff{until}
}

// spread keeps mails that came together from coming back together, as each can
// use only what came back by then: up to the delay once more, the same for a mail
// each time.
func spread(id string, delay int64) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return delay * int64(h.Sum32()%1000) / 1000
}
