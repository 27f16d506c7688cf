package work

import (
	"context"
	"log/slog"
)

// Names of the metrics a worker counts. Each comes as a log line with a group
// [MetricGroup] that holds name and value, which the Lambda's log handler turns
// into a metric; the alarms of the deployment look at them (08 §1).
const (
	MetricGroup         = "metric"
	MetricJobsFailed    = "JobsFailed"    // a job that failed for good
	MetricMailsFailed   = "MailsFailed"   // a mail that failed for good
	MetricSenderBlocked = "SenderBlocked" // the mail service takes nothing from us
	MetricSweepFailed   = "SweepFailed"   // due work that a sweep could not do and left
	MetricCheckFindings = "CheckFindings" // rows that do not fit each other

	MetricMailsReceived   = "MailsReceived"   // a mail that came in, whatever became of it
	MetricMailsLimited    = "MailsLimited"    // a mail that the limits put off
	MetricMailsBounced    = "MailsBounced"    // a mail that was sent and came back
	MetricMailsComplained = "MailsComplained" // a mail that its reader called unwanted
)

// count logs one metric. No attribute holds a personal value.
func (w *Worker) count(ctx context.Context, level slog.Level, message, metric string, n int, attrs ...slog.Attr) {
	attrs = append([]slog.Attr{slog.Group(MetricGroup, slog.Int(metric, n))}, attrs...)
	w.Log.LogAttrs(ctx, level, message, attrs...)
}
