package deps

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// Logger writes JSON lines as Lambda reads them: `timestamp` and `level` are
// the names it filters by. A line with a group `metric` of counts is a metric
// of the inbox too. No personal value is logged above debug, no path and no
// query at all (08 §1, 03 §3).
func Logger(w io.Writer, inboxName string, debug bool) *slog.Logger {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	lines := slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: stamped})
	return slog.New(counting{lines, inboxName})
}

func stamped(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.String("timestamp", a.Value.Time().UTC().Format(time.RFC3339Nano))
	}
	return a
}

// Names of the metrics in CloudWatch: one namespace for every inbox, told apart
// by a dimension. Alarms and dashboard (infra/) look there.
const (
	namespace = "Inbox"
	dimension = "Inbox"
	// metricGroup is the group of a line whose numbers are counts.
	metricGroup = "metric"
)

// counting turns the group `metric` of a line into CloudWatch's embedded metric
// format: the counts at the top level, and a description of them.
type counting struct {
	slog.Handler
	inbox string
}

// WithAttrs keeps counting.
func (h counting) WithAttrs(attrs []slog.Attr) slog.Handler {
	return counting{h.Handler.WithAttrs(attrs), h.inbox}
}

// WithGroup stops counting: in a group the format has no effect.
func (h counting) WithGroup(name string) slog.Handler { return h.Handler.WithGroup(name) }

// Handle writes one line.
func (h counting) Handle(ctx context.Context, r slog.Record) error {
	var counts []slog.Attr
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == metricGroup && a.Value.Kind() == slog.KindGroup {
			counts = append(counts, a.Value.Group()...)
			return true
		}
		line.AddAttrs(a)
		return true
	})
	if len(counts) > 0 {
		line.AddAttrs(counts...)
		line.AddAttrs(slog.String(dimension, h.inbox), slog.Any("_aws", described(r.Time, counts)))
	}
	return h.Handler.Handle(ctx, line)
}

// The description of a line's metrics, as CloudWatch wants it.
type (
	metric    struct{ Name, Unit string }
	directive struct {
		Namespace  string
		Dimensions [][]string
		Metrics    []metric
	}
	metadata struct {
		Timestamp         int64
		CloudWatchMetrics []directive
	}
)

func described(at time.Time, counts []slog.Attr) metadata {
	d := directive{Namespace: namespace, Dimensions: [][]string{{dimension}}}
	for _, c := range counts {
		d.Metrics = append(d.Metrics, metric{c.Key, "Count"})
	}
	return metadata{Timestamp: at.UnixMilli(), CloudWatchMetrics: []directive{d}}
}
