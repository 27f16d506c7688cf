package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"typedinbox/shared/mail"
)

// receipt is an event as the mail service sends it, with a source and verdicts.
func receipt(source, verdicts string) string {
	return `{"Records":[{"eventSource":"aws:ses","eventVersion":"1.0","ses":{"mail":{"messageId":"m-1","source":"` + source + `",
		"headers":[{"name":"X-SES-Virus-Verdict","value":"PASS"},{"name":"Authentication-Results","value":"dmarc=pass"}],
		"commonHeaders":{"from":["Ana <ana@example.com>"],"subject":"Hello"}},
		"receipt":{"recipients":["reply+abc@in.example.com","x@in.example.com"],"action":{"type":"Lambda","invocationType":"Event"}` + verdicts + `}}}]}`
}

const allPass = `,"spfVerdict":{"status":"PASS"},"dkimVerdict":{"status":"PASS"},"dmarcVerdict":{"status":"PASS"},"spamVerdict":{"status":"PASS"},"virusVerdict":{"status":"PASS"}`

func TestReceipts(t *testing.T) {
	ana, nobody := "ana@example.com", ""
	to := []string{"reply+abc@in.example.com", "x@in.example.com"}
	pass := mail.Verdicts{SPF: "PASS", DKIM: "PASS", DMARC: "PASS", Spam: "PASS", Virus: "PASS"}
	for name, c := range map[string]struct {
		event string
		want  mail.Delivery
	}{
		"ok/all pass":                             {receipt(ana, allPass), mail.Delivery{From: &ana, To: to, Verdicts: pass}},
		"ok/null path":                            {receipt("", allPass), mail.Delivery{From: &nobody, To: to, Verdicts: pass}},
		"ok/null path in brackets":                {receipt("<>", allPass), mail.Delivery{From: &nobody, To: to, Verdicts: pass}},
		"ok/dmarc failed":                         {receipt(ana, `,"dmarcVerdict":{"status":"FAIL"},"dmarcPolicy":"REJECT","spfVerdict":{"status":"GRAY"}`), mail.Delivery{From: &ana, To: to, Verdicts: mail.Verdicts{DMARC: "FAIL", SPF: "GRAY", DMARCPolicy: "reject"}}},
		"ok/scanning off or broken":               {receipt(ana, `,"spamVerdict":{"status":"DISABLED"},"virusVerdict":{"status":"PROCESSING_FAILED"}`), mail.Delivery{From: &ana, To: to, Verdicts: mail.Verdicts{Spam: "DISABLED", Virus: "PROCESSING_FAILED"}}},
		"ok/no verdict, whatever the headers say": {receipt(ana, ""), mail.Delivery{From: &ana, To: to}},
		"ok/a word nobody knows":                  {receipt(ana, `,"virusVerdict":{"status":"PASSED"}`), mail.Delivery{From: &ana, To: to}},
	} {
		t.Run(name, func(t *testing.T) {
			var e events.SimpleEmailEvent
			if err := json.Unmarshal([]byte(c.event), &e); err != nil {
				t.Fatal(err)
			}
			calls := 0
			err := Receipts(func(_ context.Context, id string, d mail.Delivery) error {
				calls++
				if id != "m-1" || !reflect.DeepEqual(d, c.want) {
					t.Errorf("%s: %+v", id, d)
				}
				return nil
			})(context.Background(), e)
			if err != nil || calls != 1 {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
}

// An invocation that fails is tried again, and every record of it was tried.
func TestReceiptsFail(t *testing.T) {
	two := strings.Replace(receipt("a@example.com", ""), `"Records":[`, `"Records":[{"ses":{"mail":{"messageId":""}}},`, 1)
	for name, c := range map[string]struct {
		event string
		err   error
		calls int
		ok    bool
	}{
		"ok/taken":              {receipt("a@example.com", ""), nil, 1, true},
		"fail/table down":       {receipt("a@example.com", ""), errors.New("throttled"), 1, false},
		"fail/one without id":   {two, nil, 1, false},
		"ok/no record, no fear": {`{"Records":[]}`, nil, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			var e events.SimpleEmailEvent
			if err := json.Unmarshal([]byte(c.event), &e); err != nil {
				t.Fatal(err)
			}
			calls := 0
			err := Receipts(func(context.Context, string, mail.Delivery) error { calls++; return c.err })(context.Background(), e)
			if (err == nil) != c.ok || calls != c.calls {
				t.Errorf("%d calls, %v", calls, err)
			}
		})
	}
}

func TestQueue(t *testing.T) {
	for name, c := range map[string]struct {
		bodies []string
		failed []string
	}{
		"ok/none":                     {nil, nil},
		"ok/all taken":                {[]string{"a", "b"}, nil},
		"fail/one alone comes again":  {[]string{"a", "bad", "b"}, []string{"1"}},
		"fail/a panic is its own":     {[]string{"panic", "a"}, []string{"0"}},
		"fail/several are each named": {[]string{"bad", "a", "panic"}, []string{"0", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			var e events.SQSEvent
			for i, b := range c.bodies {
				e.Records = append(e.Records, events.SQSMessage{MessageId: string(rune('0' + i)), Body: b})
			}
			var taken []string
			var log bytes.Buffer
			answer, err := Queue(func(_ context.Context, body []byte) error {
				switch taken = append(taken, string(body)); string(body) {
				case "bad":
					return errors.New("not now")
				case "panic":
					panic("lost")
				}
				return nil
			}, slog.New(slog.NewJSONHandler(&log, nil)))(context.Background(), e)
			if err != nil || len(taken) != len(c.bodies) || answer.BatchItemFailures == nil {
				t.Fatalf("took %v, answered %+v, %v", taken, answer, err)
			}
			var failed []string
			for _, f := range answer.BatchItemFailures {
				failed = append(failed, f.ItemIdentifier)
			}
			if !reflect.DeepEqual(failed, c.failed) {
				t.Errorf("failed %v, want %v", failed, c.failed)
			}
			if (len(c.failed) > 0) != strings.Contains(log.String(), "could not be taken") || strings.Contains(log.String(), `"bad"`) {
				t.Errorf("log %s", log.String())
			}
		})
	}
}
