package work

import (
	"context"
	"log/slog"
	"strings"

	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

// lostAfter is how long a raw mail may lie before a delivery that nobody told of
// is taken as lost.
const lostAfter = inbox.Hour

// setupNotice is what the mail service puts beside the mails when receiving is
// set up.
const setupNotice = "AMAZON_SES_SETUP_NOTIFICATION"

// lostMails takes raw mails that lie where the service put them without a row of
// their delivery (05 §5.1): the invocation was lost. Their verdicts are not known.
func (w *Worker) lostMails(ctx context.Context) error {
	if w.Blobs == nil {
		return nil
	}
	before := w.Clock().Add(-lostAfter).Time()
	found := 0
	for after := ""; !near(ctx); {
		page, err := w.Blobs.List(ctx, desk.PrefixIn, after, walkPage)
		if err != nil || len(page) == 0 {
			w.foundLost(ctx, found)
			return err
		}
		after = page[len(page)-1].Key
		var ids []string
		for _, o := range page {
			if id := strings.TrimPrefix(o.Key, desk.PrefixIn); o.At.Before(before) && id != setupNotice {
				ids = append(ids, id)
			}
		}
		known, err := w.Store.InMailsKnown(ctx, ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if known[id] {
				continue
			}
			if err := w.TakeReceipt(ctx, id, mail.Delivery{}); err != nil {
				return err
			}
			found++
		}
	}
	return nil
}

func (w *Worker) foundLost(ctx context.Context, n int) {
	if n > 0 {
		w.Log.LogAttrs(ctx, slog.LevelWarn, "mails were found that no delivery told of", slog.Int("mails", n))
	}
}

// blobsKept is how long objects of a prefix are kept, in milliseconds (05 §5.1,
// §5.13). In production the bucket's lifecycle does the same.
var blobsKept = map[string]int64{
	desk.PrefixIn: 30 * inbox.Day, desk.PrefixQuarantine: 30 * inbox.Day, desk.PrefixNotices: 90 * inbox.Day,
}

// oldBlobs deletes objects past their time.
func (w *Worker) oldBlobs(ctx context.Context) error {
	if w.Blobs == nil {
		return nil
	}
	for prefix, kept := range blobsKept {
		before := w.Clock().Add(-kept).Time()
		for after := ""; !near(ctx); {
			page, err := w.Blobs.List(ctx, prefix, after, walkPage)
			if err != nil {
				return err
			}
			if len(page) == 0 {
				break
			}
			after = page[len(page)-1].Key
			for _, o := range page {
				if o.At.After(before) {
					continue
				}
				if err := w.Blobs.Delete(ctx, o.Key); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
