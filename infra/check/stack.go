package check

import "strings"

// one holds the single resource of a type to values, by dotted path.
func one(d *Deployment, typ string, want map[string]string, say sayer) {
	all := d.All(typ)
	if len(all) != 1 {
		say("%d resources of type %s", len(all), typ)
		return
	}
	for _, path := range names(want) {
		if got := text(all[0].Prop(strings.Split(path, ".")...)); got != want[path] {
			say("%s: %s is %s, not %s", all[0], path, got, want[path])
		}
	}
}

// interfaces is what whoever deploys gives and gets (08 §1), and what
// scripts/mint-key reads.
func interfaces(d *Deployment, _ *Schemas, say sayer) {
	for part, wanted := range map[string][]string{
		"Parameters": {"InboxName", "PublicDomain", "MailDomain", "AlarmEmail", "OwnerEmail", "ReceiptRuleSetName"},
		"Outputs":    {"Address", "FirstKey", "DnsAddress", "DnsMail", "DnsMailIn", "ActivateReceiving", "InboxTable", "EventsTable", "SecretArn"},
	} {
		for _, name := range wanted {
			if at(d.Templates[Main], part, name) == nil {
				say("%s lacks %s", part, name)
			}
		}
	}
}

// Limits of the service, with room left (08 §1).
const (
	maxResources = 450
	maxRoutes    = 300
	maxOutputs   = 200
)

// limits counts what SAM makes of each template.
func limits(d *Deployment, _ *Schemas, say sayer) {
	for _, file := range names(d.Templates) {
		n, paths := 0, 0
		for _, r := range d.Resources(file) {
			made, http := expanded(r)
			n, paths = n+made, paths+http
		}
		if n > maxResources {
			say("%s: %d resources", file, n)
		}
		if paths > maxRoutes {
			say("%s: %d routes", file, paths)
		}
		if outputs, _ := d.Templates[file]["Outputs"].(Tree); len(outputs) > maxOutputs {
			say("%s: %d outputs", file, len(outputs))
		}
	}
}

// expanded counts what one resource of SAM's becomes: an API its stage, a
// function a permission per route, and a resource per other event or
// configuration.
func expanded(r Resource) (resources, http int) {
	switch r.Type {
	case "AWS::Serverless::HttpApi":
		return 2, 0
	case "AWS::Serverless::Function":
		for _, name := range names(eventsOf(r)) {
			if at(eventsOf(r)[name], "Type") == "HttpApi" {
				http++
			}
		}
		resources = 1 + len(eventsOf(r))
		if r.Prop("EventInvokeConfig") != nil {
			resources++
		}
		return resources, http
	}
	return 1, 0
}
