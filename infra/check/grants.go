package check

import (
	"sort"
	"strings"
)

// Grant is what a role may do with one resource.
type Grant struct {
	On      string // see resources
	Actions []string
}

// Names of the resources a grant may be on, and how infra/roles.yaml says them.
const (
	inboxTable  = "inbox"
	eventsTable = "events"
	indexes     = "index/" // and the index's name
	stream      = "stream"
	secret      = "secret"
	mailOut     = "mail"
	outboxDLQ   = "outbox failures"
	clockDLQ    = "clock failures"
	mailDLQ     = "mail failures"
	mailEvents  = "mail events"
	bucket      = "bucket"
	blobs       = "blobs " // and the prefix, without its slash
	identity    = "identity"
	suppressed  = "suppression list"
	ownLog      = "own log"
	workersRun  = "sweep, daily"
)

var resources = map[string]string{
	inboxTable:  `{"Ref":"InboxTable"}`,
	eventsTable: `{"Ref":"EventsTable"}`,
	stream:      `{"Ref":"Stream"}`,
	secret:      `{"Ref":"Secret"}`,
	outboxDLQ:   `{"Ref":"OutboxFailures"}`,
	clockDLQ:    `{"Ref":"ClockFailures"}`,
	mailDLQ:     `{"Ref":"MailFailures"}`,
	mailEvents:  `{"Ref":"MailEvents"}`,
	bucket:      `{"Ref":"Blobs"}`,
	identity:    `{"Fn::Sub":"` + arn + "ses" + here + `identity/${MailDomain}"}`,
	suppressed:  "*",
}

const arn = "arn:${AWS::Partition}:"
const here = ":${AWS::Region}:${AWS::AccountId}:"

// What roles have in common. A transaction's parts are allowed by the plain
// actions. Every door finds a key by Get and writes its last use down by Update.
var (
	door    = on(inboxTable, "dynamodb:GetItem", "dynamodb:UpdateItem")
	batch   = on(inboxTable, "dynamodb:BatchGetItem")
	query   = on(inboxTable, "dynamodb:Query")
	put     = on(inboxTable, "dynamodb:PutItem")
	remove  = on(inboxTable, "dynamodb:DeleteItem")
	history = on(eventsTable, "dynamodb:GetItem", "dynamodb:PutItem") // a lost answer is looked up; never an update, never a delete
	recall  = on(eventsTable, "dynamodb:Query")
	sealed  = on(secret, "secretsmanager:GetSecretValue")
	send    = on(mailOut, "ses:SendEmail")
	failed  = on(clockDLQ, "sqs:SendMessage")
	work    = []Grant{on(inboxTable, "dynamodb:GetItem"), batch, query, put, remove, recall, sealed}
	write   = []Grant{door, batch, put, history, sealed}
	attach  = on(blobs+"items", "s3:PutObject")
	notice  = on(blobs+"notices", "s3:PutObject")
	look    = on(bucket, "s3:ListBucket") // without it a missing object answers as a forbidden one
	receive = []Grant{on(blobs+"in", "s3:GetObject"), on(blobs+"quarantine", "s3:PutObject"), attach, notice, look}
)

func on(resource string, actions ...string) Grant { return Grant{resource, actions} }

func listing(index string) Grant { return on(indexes+index, "dynamodb:Query") }

// Grants is the one table of what each function may do, its own log apart. A
// role with more or less is a finding; that it suffices, and that nothing in it
// is idle, is tested with the real binaries (scripts/run-lambda).
var Grants = map[string][]Grant{
	"get-business":       {door, batch, query},
	"list-services":      {door, batch, query},
	"list-products":      {door, query},
	"check-availability": {door, batch, query},
	"request-quote":      append([]Grant{query}, write...),
	"create-booking":     append([]Grant{query}, write...),
	"create-order":       append([]Grant{query}, write...),
	"send-message":       append([]Grant{query}, write...),
	"get-item":           {door, batch, query, recall, listing("party")},
	"answer-offer":       append([]Grant{query}, write...),
	"provide-details":    append([]Grant{query}, write...),
	"withdraw-item":      append([]Grant{query}, write...),
	"request-return":     append([]Grant{query}, write...),
	"cancel-item":        append([]Grant{query}, write...),
	"verify-customer":    {door, batch, query, put, sealed},
	"owner-items":        {door, batch, query, recall, sealed, listing("all"), listing("open"), listing("human"), listing("failed"), listing("party")},
	"transition-item":    write,
	"owner-offers":       append([]Grant{query}, write...),
	"reply":              write,
	"owner-returns":      write,
	"owner-customers":    {door, batch, query, listing("party")},
	"owner-profile":      {door, batch, query, put, sealed},
	"owner-catalogue":    {door, batch, query, put, remove, sealed},
	"owner-availability": {door, batch, query, put, sealed},
	"owner-settings":     {door, batch, put, sealed},
	"owner-mail":         {door, batch, query, put, remove, sealed, on(blobs+"items", "s3:GetObject"), on(suppressed, anywhere)},
	"owner-notices":      append([]Grant{query, on(blobs+"notices", "s3:GetObject"), attach}, write...),
	"inbound-mail":       append([]Grant{query, attach, notice}, write...),
	"front-page":         append([]Grant{query}, write...),
	"customer-page":      append([]Grant{query}, write...),
	"discovery":          {},
	"receive-mail":       {on(inboxTable, "dynamodb:GetItem"), put, on(mailDLQ, "sqs:SendMessage")},
	"mail-feedback":      {on(inboxTable, "dynamodb:GetItem"), batch, put, history, sealed, on(mailEvents, "sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage")},
	"outbox": append([]Grant{on(inboxTable, "dynamodb:ConditionCheckItem"), listing("party"), history, send, on(outboxDLQ, "sqs:SendMessage"),
		on(stream, "dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams")}, append(receive, work...)...),
	"sweep": append([]Grant{on(inboxTable, "dynamodb:ConditionCheckItem", "dynamodb:UpdateItem"), listing("due"), listing("party"), history, send, failed, on(identity, "ses:GetEmailIdentity")}, append(receive, work...)...),
	"daily": append([]Grant{listing("all"), listing("open"), failed, look, on(blobs+"in", "s3:DeleteObject"), on(blobs+"notices", "s3:DeleteObject"),
		on(blobs+"quarantine", "s3:DeleteObject")}, work...),
	clockRole: {on(workersRun, "lambda:InvokeFunction"), failed},
}

// clockRole starts the functions of the schedules.
const clockRole = "clock"

// Roles is the template of the roles.
const Roles = "infra/roles.yaml"

// resource is how a grant's resource stands in the roles' template.
func resource(function, where string) []string {
	if where == ownLog {
		return []string{`{"Fn::Sub":"` + arn + "logs" + here + "log-group:/aws/lambda/${InboxName}-" + function + `:*"}`}
	}
	if prefix, ok := strings.CutPrefix(where, blobs); ok {
		return []string{`{"Fn::Sub":"${Blobs}/` + prefix + `/*"}`}
	}
	if index, ok := strings.CutPrefix(where, indexes); ok {
		return []string{`{"Fn::Sub":"${InboxTable}/index/` + index + `"}`}
	}
	switch where {
	case mailOut:
		return []string{`{"Fn::Sub":"` + arn + "ses" + here + `identity/${MailDomain}"}`, `{"Fn::Sub":"` + arn + "ses" + here + `configuration-set/${InboxName}"}`}
	case workersRun:
		return []string{`{"Fn::Sub":"` + arn + "lambda" + here + `function:${InboxName}-sweep"}`, `{"Fn::Sub":"` + arn + "lambda" + here + `function:${InboxName}-daily"}`}
	}
	return []string{resources[where]}
}

// grants compares every role with the table, action by action.
func grants(d *Deployment, _ *Schemas, say sayer) {
	roles := map[string]Resource{}
	for _, r := range d.All("AWS::IAM::Role") {
		if r.File != Roles {
			say("%s: roles stand in %s", r, Roles)
		}
		roles[r.ID] = r
	}
	for _, function := range names(Grants) {
		r, ok := roles[camel(function)]
		if !ok {
			say("%s has no role", function)
			continue
		}
		delete(roles, r.ID)
		compare(r, wanted(function), granted(r, say), say)
		principal(r, function == clockRole, say)
	}
	for _, id := range names(roles) {
		say("role %s stands in no table of grants", id)
	}
	for _, f := range d.Functions() {
		if Grants[folder(f)] == nil {
			say("%s: nothing is written down about what it may do", f)
		}
		if f.Prop("Policies") != nil {
			say("%s: its rights belong in %s", f, Roles)
		}
	}
}

func wanted(function string) map[string]bool {
	all := Grants[function]
	if function != clockRole {
		all = append([]Grant{{ownLog, []string{"logs:CreateLogStream", "logs:PutLogEvents"}}}, all...)
	}
	want := map[string]bool{}
	for _, g := range all {
		for _, on := range resource(function, g.On) {
			for _, a := range g.Actions {
				want[a+" on "+on] = true
			}
		}
	}
	return want
}

// granted flattens a role's policies to "action on resource".
func granted(r Resource, say sayer) map[string]bool {
	got := map[string]bool{}
	for _, p := range []string{"ManagedPolicyArns", "PermissionsBoundary"} {
		if r.Prop(p) != nil {
			say("%s: %s gives more than the table can say", r, p)
		}
	}
	for _, policy := range list(r.Prop("Policies")) {
		for _, s := range list(at(policy, "PolicyDocument", "Statement")) {
			if at(s, "Effect") != "Allow" || at(s, "NotAction") != nil || at(s, "NotResource") != nil || at(s, "Condition") != nil {
				say("%s: a statement that is not a plain Allow", r)
			}
			for _, a := range each(at(s, "Action")) {
				for _, on := range each(at(s, "Resource")) {
					if strings.Contains(text(a), "*") || text(on) == "*" && text(a) != anywhere {
						say("%s: %s on %s is no exact right", r, text(a), text(on))
					}
					got[text(a)+" on "+text(on)] = true
				}
			}
		}
	}
	return got
}

// anywhere is the one action that the service knows no resource for: its list of
// suppressed addresses is the account's.
const anywhere = "ses:DeleteSuppressedDestination"

func each(v any) []any {
	if a, ok := v.([]any); ok {
		return a
	}
	return []any{v}
}

func compare(r Resource, want, got map[string]bool, say sayer) {
	for _, w := range names(want) {
		if !got[w] {
			say("%s: may not %s, and needs to", r, w)
		}
	}
	for _, g := range names(got) {
		if !want[g] {
			say("%s: may %s, and has no need to", r, g)
		}
	}
}

func principal(r Resource, clock bool, say sayer) {
	want := "lambda.amazonaws.com"
	if clock {
		want = "scheduler.amazonaws.com"
	}
	var who []string
	for _, s := range list(r.Prop("AssumeRolePolicyDocument", "Statement")) {
		who = append(who, text(at(s, "Principal", "Service"))+" "+text(at(s, "Action")))
	}
	sort.Strings(who)
	if len(who) != 1 || who[0] != want+" sts:AssumeRole" {
		say("%s: is taken by %v, not by %s alone", r, who, want)
	}
}
