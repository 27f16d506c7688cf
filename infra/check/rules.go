package check

import (
	"fmt"
	"sort"
)

// Rule is one thing the deployment is held to.
type Rule struct {
	Name  string
	Check func(d *Deployment, s *Schemas, say func(format string, args ...any))
}

// Rules is everything a deployment is held to (08 §5).
var Rules = []Rule{
	{"the properties of every resource fit its type", fitTypes},
	{"every reference names something that exists", references},
	{"no resources wait for each other", order},
	{"values are among those the services know", knownValues},
	{"nested stacks get the parameters they declare", parameters},
	{"routes are unique, those of the operation table, and each path's own function serves it", routes},
	{"every function has a folder, a name, a log and a role of its own", functions},
	{"functions run as 08 §1 says", runtime},
	{"every role holds exactly what is written down for it", grants},
	{"logs are kept 30 days, and the access log holds no path, query or address", logs},
	{"tables are those of the store and outlive every deploy", tables},
	{"what is kept is retained", retained},
	{"every asynchronous edge has retries, a dead-letter queue and an alarm on it", edges},
	{"somebody hears about everything that must be heard", alarms},
	{"the stream hands over job rows that are ready", streamFilter},
	{"no secret is in an environment variable", secrets},
	{"mail is sent as 05 §4.1 says", mail},
	{"mail is received as 05 §5.1 says", received},
	{"parameters and outputs are those of 08 §1", interfaces},
	{"the stack is far from the limits", limits},
}

// Findings runs every rule. A finding names its rule.
func Findings(d *Deployment, s *Schemas) (all []string) {
	for _, r := range Rules {
		var found []string
		r.Check(d, s, func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) })
		sort.Strings(found)
		for _, f := range found {
			all = append(all, r.Name+" | "+f)
		}
	}
	return all
}
