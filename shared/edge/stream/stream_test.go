package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// runner remembers what it was asked to run.
type runner struct {
	ran  []string
	fail map[string]error
}

func (r *runner) RunJob(_ context.Context, itemID, jobID string) error {
	r.ran = append(r.ran, itemID+"/"+jobID)
	if err := r.fail[jobID]; err != nil {
		if err.Error() == "panic" {
			panic(err)
		}
		return err
	}
	return nil
}

// job is the record of a ready job, as the stream writes it.
func job(seq int, item, id string) string {
	return fmt.Sprintf(`{"eventID":"e%d","eventName":"INSERT","dynamodb":{"SequenceNumber":"%d",
		"Keys":{"pk":{"S":"i#%s"},"sk":{"S":"j#%s"}},
		"NewImage":{"pk":{"S":"i#%s"},"sk":{"S":"j#%s"},"ready":{"BOOL":true},"r":{"N":"1"},"d":{"B":"e30="}}}}`, seq, seq, item, id, item, id)
}

func TestJobs(t *testing.T) {
	lost := errors.New("the table is out of reach")
	for name, c := range map[string]struct {
		records []string
		fail    map[string]error
		left    time.Duration // until the deadline; 0: none
		ran     []string
		again   []string
	}{
		"ok/none":     {},
		"ok/in order": {records: []string{job(1, "A", "J1"), job(2, "B", "J2")}, ran: []string{"A/J1", "B/J2"}},
		"ok/a bad one does not block": {
			records: []string{job(1, "A", "J1"), job(2, "B", "J2"), job(3, "C", "J3")}, fail: map[string]error{"J2": lost},
			ran: []string{"A/J1", "B/J2", "C/J3"}, again: []string{"2"},
		},
		"ok/a panic does not block": {
			records: []string{job(1, "A", "J1"), job(2, "B", "J2")}, fail: map[string]error{"J1": errors.New("panic")},
			ran: []string{"A/J1", "B/J2"}, again: []string{"1"},
		},
		"ok/deleted":   {records: []string{`{"eventName":"REMOVE","dynamodb":{"SequenceNumber":"1","Keys":{"pk":{"S":"i#A"},"sk":{"S":"j#J1"}}}}`}},
		"ok/not ready": {records: []string{strings.Replace(job(1, "A", "J1"), `"ready":{"BOOL":true},`, "", 1)}},
		"ok/not a job": {records: []string{strings.ReplaceAll(job(1, "A", "J1"), "j#", "e#")}},
		"ok/what cannot be read is left out": {
			records: []string{strings.Replace(job(1, "A", "J1"), `{"N":"1"}`, `{"N":"1.5"}`, 1), `{"dynamodb":{"SequenceNumber":"2"}}`,
				strings.Replace(job(3, "A", "J1"), `{"N":"1"}`, `{"L":[]}`, 1), job(4, "B", "J2")},
			ran: []string{"B/J2"},
		},
		"ok/time enough": {records: []string{job(1, "A", "J1")}, left: time.Hour, ran: []string{"A/J1"}},
		"fail/too late":  {records: []string{job(1, "A", "J1"), job(2, "B", "J2")}, left: reserve / 2, again: []string{"1", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			if c.left > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.left)
				defer cancel()
			}
			r := &runner{fail: c.fail}
			got, err := Jobs(r, slog.New(slog.DiscardHandler))(ctx, event(t, c.records))
			if err != nil {
				t.Fatal(err)
			}
			var again []string
			for _, f := range got.BatchItemFailures {
				again = append(again, f.ItemIdentifier)
			}
			if !slices.Equal(r.ran, c.ran) || !slices.Equal(again, c.again) {
				t.Errorf("ran %v, again %v; want %v, %v", r.ran, again, c.ran, c.again)
			}
		})
	}
}

// Lambda takes an absent list for "all failed" and an empty one for "none".
func TestNoFailureIsAnEmptyList(t *testing.T) {
	got, err := Jobs(&runner{}, slog.New(slog.DiscardHandler))(context.Background(), event(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := json.Marshal(got); string(b) != `{"batchItemFailures":[]}` {
		t.Errorf("got %s", b)
	}
}

func TestFailureIsLoggedWithoutContent(t *testing.T) {
	var log bytes.Buffer
	r := &runner{fail: map[string]error{"J1": errors.New("out of reach")}}
	if _, err := Jobs(r, slog.New(slog.NewJSONHandler(&log, nil)))(context.Background(), event(t, []string{job(1, "A", "J1")})); err != nil {
		t.Fatal(err)
	}
	if s := log.String(); !strings.Contains(s, "out of reach") || !strings.Contains(s, `"record":"e1"`) || strings.Contains(s, "NewImage") {
		t.Errorf("logged %s", s)
	}
}

func event(t *testing.T, records []string) (e events.DynamoDBEvent) {
	t.Helper()
	if err := json.Unmarshal([]byte(`{"Records":[`+strings.Join(records, ",")+`]}`), &e); err != nil {
		t.Fatal(err)
	}
	return e
}
