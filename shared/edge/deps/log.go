package deps

import (
	"context"
	"io"
	"log/slog"
	"time"
)

// Logger writes JSON lines as Lambda reads them: `timestamp` and `level` are
// the names it filters by. No personal value is logged above debug, no path and
// no query at all (08 §1, 03 §3).
func Logger(w io.Writer, debug bool) *slog.Logger {
	level := slog.LevelInfo
	if debug {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: stamped}))
}

func stamped(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.String("timestamp", a.Value.Time().UTC().Format(time.RFC3339Nano))
	}
	return a
}

// Namespace is where the metrics of every inbox are; the dimension Inbox tells
// them apart.
const Namespace = "Inbox"

// Metric names something that is counted.
type Metric string

// The metrics. Alarms and dashboard (infra/) look at these names.
const (
	JobsDone    Metric = "JobsDone"
	JobsPutBack Metric = "JobsPutBack"
	JobsFailed  Metric = "JobsFailed" // for good: the alarm
	ItemsLapsed Metric = "ItemsLapsed"
)

// Metrics counts for one inbox, as embedded metric lines in the log.
type Metrics struct {
	Log   *slog.Logger
	Inbox string
	Now   func() time.Time
}

// metric and directive are CloudWatch's embedded metric format.
type metric struct {
	Name Metric
	Unit string
}

type directive struct {
	Namespace  string
	Dimensions [][]string
	Metrics    []metric
}

type metadata struct {
	Timestamp         int64
	CloudWatchMetrics []directive
}

// Count writes one line with the counts that are not 0; none without them.
func (m Metrics) Count(ctx context.Context, counts map[Metric]int) {
	d := directive{Namespace: Namespace, Dimensions: [][]string{{"Inbox"}}}
	attrs := []slog.Attr{slog.String("Inbox", m.Inbox)}
	for _, name := range []Metric{JobsDone, JobsPutBack, JobsFailed, ItemsLapsed} {
		if n := counts[name]; n != 0 {
			d.Metrics = append(d.Metrics, metric{name, "Count"})
			attrs = append(attrs, slog.Int(string(name), n))
		}
	}
	if len(d.Metrics) == 0 {
		return
	}
	attrs = append(attrs, slog.Any("_aws", metadata{Timestamp: m.Now().UnixMilli(), CloudWatchMetrics: []directive{d}}))
	m.Log.LogAttrs(ctx, slog.LevelInfo, "counted", attrs...)
}
