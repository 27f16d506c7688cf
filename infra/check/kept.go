package check

import (
	"sort"
	"strings"
)

// logs holds log groups to 30 days, one per function and one for the gateway.
func logs(d *Deployment, _ *Schemas, say sayer) {
	for _, g := range d.All("AWS::Logs::LogGroup") {
		if text(g.Prop("RetentionInDays")) != "30" {
			say("%s: kept %s days", g, text(g.Prop("RetentionInDays")))
		}
	}
	for _, f := range d.Functions() {
		want := `{"Fn::Sub":"/aws/lambda/${InboxName}-` + folder(f) + `"}`
		if got := text(at(d.Templates[Main], "Resources", f.ID+"Log", "Properties", "LogGroupName")); got != want {
			say("%s: its log group is %s, not %s", f, got, want)
		}
	}
	for _, a := range d.All("AWS::Serverless::HttpApi") {
		format := text(a.Prop("AccessLogSettings", "Format"))
		if !strings.Contains(format, "$context.routeKey") {
			say("%s: the access log lacks the route key", a)
		}
		for _, secret := range []string{"$context.path", "$context.resourcePath", "querystring", "sourceIp", "userAgent", "authorizer"} {
			if strings.Contains(format, secret) {
				say("%s: the access log holds %s", a, secret)
			}
		}
		for _, p := range []string{"ThrottlingBurstLimit", "ThrottlingRateLimit"} {
			if a.Prop("DefaultRouteSettings", p) == nil {
				say("%s: no %s", a, p)
			}
		}
		if a.Prop("CorsConfiguration") != nil {
			say("%s: CORS is a middleware's, a setting here would override it", a)
		}
	}
}

// tables compares the tables with what the store expects, and how they are kept.
func tables(d *Deployment, _ *Schemas, say sayer) {
	found := map[string]Resource{}
	for _, t := range d.All("AWS::DynamoDB::Table") {
		found[strings.ToLower(t.ID)] = t
	}
	for _, want := range d.Product.Tables {
		t, ok := found[want.Name]
		if !ok {
			say("there is no table %s", want.Name)
			continue
		}
		delete(found, want.Name)
		safe(t, d.Product.TTL, say)
		sameKeys(t, want, d.Product.Keys, say)
		if got := t.Prop("StreamSpecification", "StreamViewType") == "NEW_IMAGE"; got != want.Stream {
			say("%s: streams new images: %v, and the store says %v", t, got, want.Stream)
		}
	}
	for _, name := range names(found) {
		say("the store knows no table %s", name)
	}
}

func safe(t Resource, ttl string, say sayer) {
	for _, p := range []struct {
		want string
		path []string
	}{
		{"PAY_PER_REQUEST", []string{"BillingMode"}},
		{"true", []string{"DeletionProtectionEnabled"}},
		{"true", []string{"PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"}},
		{"true", []string{"TimeToLiveSpecification", "Enabled"}},
		{ttl, []string{"TimeToLiveSpecification", "AttributeName"}},
	} {
		if got := text(t.Prop(p.path...)); got != p.want {
			say("%s: %s is %s, not %s", t, strings.Join(p.path, "."), got, p.want)
		}
	}
}

func sameKeys(t Resource, want Table, own [2]string, say sayer) {
	attributes := map[string]bool{own[0]: true, own[1]: true}
	if got, w := keysOf(t.Prop("KeySchema")), own[0]+" "+own[1]; got != w {
		say("%s: its key is %s, not %s", t, got, w)
	}
	indexes := map[string]string{}
	for _, i := range list(t.Prop("GlobalSecondaryIndexes")) {
		indexes[text(at(i, "IndexName"))] = keysOf(at(i, "KeySchema")) + " " + text(at(i, "Projection", "ProjectionType"))
	}
	for _, i := range want.Indexes {
		attributes[i.Partition], attributes[i.Sort] = true, true
		if w := i.Partition + " " + i.Sort + " KEYS_ONLY"; indexes[i.Name] != w {
			say("%s: index %s is %q, not %q", t, i.Name, indexes[i.Name], w)
		}
		delete(indexes, i.Name)
	}
	for _, name := range names(indexes) {
		say("%s: the store knows no index %s", t, name)
	}
	var got []string
	for _, a := range list(t.Prop("AttributeDefinitions")) {
		got = append(got, text(at(a, "AttributeName"))+text(at(a, "AttributeType")))
	}
	sort.Strings(got)
	if w := strings.Join(names(attributes), "S ") + "S"; strings.Join(got, " ") != w {
		say("%s: its attributes are %v, not %s", t, got, w)
	}
}

// keysOf is "<partition> <sort>" of a key schema.
func keysOf(v any) string {
	var hash, rng string
	for _, k := range list(v) {
		if at(k, "KeyType") == "HASH" {
			hash = text(at(k, "AttributeName"))
		} else {
			rng = text(at(k, "AttributeName"))
		}
	}
	return hash + " " + rng
}

// stateful are the types that hold something a deploy must never take away.
var stateful = []string{"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SecretsManager::Secret", "AWS::SES::EmailIdentity"}

// retained holds them, and the stacks around tables, to Retain.
func retained(d *Deployment, _ *Schemas, say sayer) {
	for _, typ := range stateful {
		for _, r := range d.All(typ) {
			keep(r, say)
			if stack, ok := d.Stack(r.File); ok && typ == "AWS::DynamoDB::Table" {
				keep(stack, say)
			}
		}
	}
}

func keep(r Resource, say sayer) {
	for _, p := range []string{"DeletionPolicy", "UpdateReplacePolicy"} {
		if r.Body[p] != "Retain" {
			say("%s: %s is not Retain", r, p)
		}
	}
}

// secrets looks for a secret in an environment variable (08 §1).
func secrets(d *Deployment, _ *Schemas, say sayer) {
	look := func(who string, vars any) {
		env, _ := vars.(Tree)
		for _, k := range names(env) {
			v := text(env[k])
			switch {
			case k == "INBOX_SECRET_KEY", strings.Contains(v, "resolve:secretsmanager"), strings.Contains(v, "resolve:ssm-secure"):
				say("%s: %s holds a secret", who, k)
			}
		}
	}
	look("Globals", at(d.Templates[Main], "Globals", "Function", "Environment", "Variables"))
	for _, f := range d.Functions() {
		look(f.String(), f.Prop("Environment", "Variables"))
	}
	for _, s := range d.All("AWS::SecretsManager::Secret") {
		if s.Prop("SecretString") != nil {
			say("%s: its value stands in the template", s)
		}
		if s.Prop("GenerateSecretString") == nil {
			say("%s: is not generated", s)
		}
	}
}
