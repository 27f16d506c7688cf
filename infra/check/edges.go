package check

import (
	"encoding/json"
	"sort"
	"strings"
)

// Alarms is the template of the alarms.
const Alarms = "infra/alarms.yaml"

// edges looks at everything that runs without a caller who waits for it.
func edges(d *Deployment, _ *Schemas, say sayer) {
	dead := map[string]bool{}
	for _, f := range d.Functions() {
		if handedOver[folder(f)] {
			dead[invokeEdge(f, say)] = true
		}
		for _, name := range names(eventsOf(f)) {
			e, _ := eventsOf(f)[name].(Tree)
			p, _ := e["Properties"].(Tree)
			switch e["Type"] {
			case "HttpApi":
			case "DynamoDB":
				dead[streamEdge(f, p, say)] = true
			case "SQS":
				dead[queueEdge(d, f, p, say)] = true
			case "ScheduleV2":
				dead[scheduleEdge(f, p, say)] = true
				dead[invokeEdge(f, say)] = true
			default:
				say("%s: nothing is known of an edge of type %s", f, text(e["Type"]))
			}
		}
	}
	for _, arn := range names(dead) {
		if arn != "" {
			watched(d, arn, say)
		}
	}
	for _, q := range d.All("AWS::SQS::Queue") {
		if text(q.Prop("MessageRetentionPeriod")) != "1209600" {
			say("%s: keeps what failed for less than 14 days", q)
		}
	}
}

// streamEdge is the queue that a stream's failures go to.
func streamEdge(f Resource, p Tree, say sayer) string {
	for name, want := range map[string]string{
		"BisectBatchOnFunctionError": "true",
		"MaximumRecordAgeInSeconds":  "86400",
		"FunctionResponseTypes":      `["ReportBatchItemFailures"]`,
		"StartingPosition":           "TRIM_HORIZON",
		"Stream":                     `{"Fn::GetAtt":["Tables","Outputs.InboxStream"]}`,
	} {
		if got := text(p[name]); got != want {
			say("%s: %s is %s, not %s", f, name, got, want)
		}
	}
	if p["MaximumRetryAttempts"] == nil {
		say("%s: a record that fails is tried for a whole day; MaximumRetryAttempts is missing", f)
	}
	return queue(f, "stream", at(p, "DestinationConfig", "OnFailure", "Destination"), say)
}

// handedOver are the functions that another service invokes without waiting: the
// receipt rule of the mail service.
var handedOver = map[string]bool{"receive-mail": true}

// queueEdge is the queue that the messages of a queue go to that were brought in
// vain. Until a message may come again, a run must have ended for sure.
func queueEdge(d *Deployment, f Resource, p Tree, say sayer) string {
	if got := text(p["FunctionResponseTypes"]); got != `["ReportBatchItemFailures"]` {
		say("%s: FunctionResponseTypes is %s: a whole batch comes again", f, got)
	}
	from := list(at(p["Queue"], "Fn::GetAtt"))
	if len(from) != 2 || from[1] != "Arn" {
		say("%s: takes from %s, no queue of the stack", f, text(p["Queue"]))
		return ""
	}
	body, _ := at(d.Templates[Main], "Resources", text(from[0])).(Tree)
	q := Resource{Main, text(from[0]), "AWS::SQS::Queue", body}
	if got := text(q.Prop("VisibilityTimeout")); got != "360" {
		say("%s: VisibilityTimeout is %s, not six times the function's", q, got)
	}
	if n := text(q.Prop("RedrivePolicy", "maxReceiveCount")); n != "5" {
		say("%s: brings a message %s times, not 5", q, n)
	}
	return queue(q, "message that fails", q.Prop("RedrivePolicy", "deadLetterTargetArn"), say)
}

// scheduleEdge is the queue for runs that did not take place.
func scheduleEdge(f Resource, p Tree, say sayer) string {
	for _, name := range []string{"MaximumEventAgeInSeconds", "MaximumRetryAttempts"} {
		if at(p, "RetryPolicy", name) == nil {
			say("%s: its schedule has no %s", f, name)
		}
	}
	if got := text(p["RoleArn"]); got != `{"Fn::GetAtt":["Roles","Outputs.`+camel(clockRole)+`"]}` {
		say("%s: its schedule runs as %s", f, got)
	}
	return queue(f, "schedule", at(p, "DeadLetterConfig", "Arn"), say)
}

// invokeEdge is the queue for runs that took place and failed.
func invokeEdge(f Resource, say sayer) string {
	for _, name := range []string{"MaximumEventAgeInSeconds", "MaximumRetryAttempts"} {
		if f.Prop("EventInvokeConfig", name) == nil {
			say("%s: EventInvokeConfig has no %s", f, name)
		}
	}
	return queue(f, "asynchronous invocation", f.Prop("EventInvokeConfig", "DestinationConfig", "OnFailure", "Destination"), say)
}

func queue(f Resource, edge string, destination any, say sayer) string {
	a := list(at(destination, "Fn::GetAtt"))
	if len(a) != 2 || a[1] != "Arn" {
		say("%s: its %s has no dead-letter queue", f, edge)
		return ""
	}
	return text(a[0])
}

// watched says whether an alarm looks at the depth of a queue of the stack.
func watched(d *Deployment, id string, say sayer) {
	stack, _ := d.Stack(Alarms)
	given, _ := stack.Prop("Parameters").(Tree)
	for _, p := range names(given) {
		if text(given[p]) != `{"Fn::GetAtt":["`+id+`","QueueName"]}` {
			continue
		}
		for _, a := range d.All("AWS::CloudWatch::Alarm") {
			for _, dim := range list(a.Prop("Dimensions")) {
				if a.Prop("MetricName") == "ApproximateNumberOfMessagesVisible" && at(dim, "Name") == "QueueName" && text(at(dim, "Value")) == `{"Ref":"`+p+`"}` {
					return
				}
			}
		}
	}
	say("no alarm watches the queue %s", id)
}

// heard is what an alarm must exist for, as namespace and metric (08 §1). The
// dead letters are looked for by their queues.
var heard = []string{
	"AWS/ApiGateway 5xx",
	"AWS/ApiGateway Latency p99",
	"AWS/DynamoDB ReadThrottleEvents",
	"AWS/DynamoDB WriteThrottleEvents",
	"AWS/Lambda Invocations",
	"AWS/Lambda IteratorAge",
	"AWS/Lambda Throttles",
	"AWS/SES Reputation.BounceRate",
	"AWS/SES Reputation.ComplaintRate",
	"AWS/SQS ApproximateNumberOfMessagesVisible",
	"Inbox CheckFindings",
	"Inbox JobsFailed",
	"Inbox SenderBlocked",
	"Inbox SweepFailed",
}

func alarms(d *Deployment, _ *Schemas, say sayer) {
	found := map[string]bool{}
	for _, a := range d.All("AWS::CloudWatch::Alarm") {
		metrics := measured(a)
		for _, m := range metrics {
			found[m] = true
		}
		if len(metrics) == 0 {
			say("%s: looks at nothing", a)
		}
		if own, ok := strings.CutPrefix(strings.Join(metrics, ","), "Inbox "); ok && !contains(d.Product.Metrics, own) {
			say("%s: nothing counts %s", a, own)
		}
		if got := text(a.Prop("AlarmActions")); got != `[{"Ref":"News"}]` {
			say("%s: tells %s", a, got)
		}
		if a.Prop("AlarmDescription") == nil || a.Prop("TreatMissingData") == nil {
			say("%s: lacks a description or what missing data means", a)
		}
		if a.Prop("ActionsEnabled") != nil {
			say("%s: its action can be off", a)
		}
	}
	for _, m := range heard {
		if !found[m] {
			say("no alarm looks at %s", m)
		}
	}
	if got := text(at(d.Templates[Alarms], "Resources", "News", "Properties", "Subscription")); !strings.Contains(got, `"Ref":"AlarmEmail"`) {
		say("nobody reads the alarms: %s", got)
	}
}

// measured lists the metrics of an alarm; a percentile is named with it.
func measured(a Resource) (out []string) {
	if n := a.Prop("MetricName"); n != nil {
		m := text(a.Prop("Namespace")) + " " + text(n)
		if p := a.Prop("ExtendedStatistic"); p != nil {
			m += " " + text(p)
		}
		return []string{m}
	}
	for _, q := range list(a.Prop("Metrics")) {
		if m := at(q, "MetricStat", "Metric"); m != nil {
			out = append(out, text(at(m, "Namespace"))+" "+text(at(m, "MetricName")))
		}
	}
	sort.Strings(out)
	return out
}

// ready is the pattern by which the stream finds job rows that are due: the
// attribute that the store writes on such a row and on no other.
const ready = `{"dynamodb":{"NewImage":{"ready":{"BOOL":[{"exists":true}]}}}}`

func streamFilter(d *Deployment, _ *Schemas, say sayer) {
	for _, f := range d.Functions() {
		for _, name := range names(eventsOf(f)) {
			e := eventsOf(f)[name]
			if at(e, "Type") != "DynamoDB" {
				continue
			}
			filters := list(at(e, "Properties", "FilterCriteria", "Filters"))
			if len(filters) != 1 {
				say("%s: %d filters", f, len(filters))
				continue
			}
			pattern := text(at(filters[0], "Pattern"))
			if !json.Valid([]byte(pattern)) || pattern != ready {
				say("%s: the filter is %s, not %s", f, pattern, ready)
			}
		}
	}
}
