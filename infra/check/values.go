package check

// values are the closed lists that the schemas leave open, by the name of the
// property wherever it stands.
var values = map[string][]string{
	"Architectures":            {"arm64"},
	"AttributeType":            {"S", "N", "B"},
	"BehaviorOnMxFailure":      {"USE_DEFAULT_VALUE", "REJECT_MESSAGE"},
	"BillingMode":              {"PAY_PER_REQUEST", "PROVISIONED"},
	"BuildMethod":              {"go1.x"},
	"ComparisonOperator":       {"GreaterThanThreshold", "GreaterThanOrEqualToThreshold", "LessThanThreshold", "LessThanOrEqualToThreshold"},
	"DeletionPolicy":           {"Retain", "Delete", "Snapshot", "RetainExceptOnCreate"},
	"Effect":                   {"Allow", "Deny"},
	"EndpointType":             {"REGIONAL"},
	"FunctionResponseTypes":    {"ReportBatchItemFailures"},
	"InvocationType":           {"Event", "RequestResponse"},
	"KeyType":                  {"HASH", "RANGE"},
	"LogFormat":                {"JSON", "Text"},
	"ApplicationLogLevel":      {"TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"},
	"SystemLogLevel":           {"DEBUG", "INFO", "WARN"},
	"MatchingEventTypes":       {"send", "reject", "bounce", "complaint", "delivery", "open", "click", "renderingFailure", "deliveryDelay", "subscription"},
	"NextSigningKeyLength":     {"RSA_1024_BIT", "RSA_2048_BIT"},
	"ObjectOwnership":          {"BucketOwnerEnforced", "BucketOwnerPreferred", "ObjectWriter"},
	"ProjectionType":           {"ALL", "KEYS_ONLY", "INCLUDE"},
	"Protocol":                 {"email", "email-json", "sqs", "lambda", "https", "http", "sms"},
	"Runtime":                  {"provided.al2023"},
	"SSEAlgorithm":             {"AES256", "aws:kms", "aws:kms:dsse"},
	"SecurityPolicy":           {"TLS_1_2"},
	"StartingPosition":         {"TRIM_HORIZON", "LATEST"},
	"Stat":                     {"Sum", "Average", "Minimum", "Maximum", "SampleCount", "p50", "p90", "p95", "p99"},
	"Statistic":                {"Sum", "Average", "Minimum", "Maximum", "SampleCount"},
	"StreamViewType":           {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"},
	"SuppressedReasons":        {"BOUNCE", "COMPLAINT"},
	"TlsPolicy":                {"OPTIONAL", "REQUIRE", "Optional", "Require"},
	"TreatMissingData":         {"breaching", "notBreaching", "ignore", "missing"},
	"UpdateReplacePolicy":      {"Retain", "Delete", "Snapshot"},
	"RetentionInDays":          {"1", "3", "5", "7", "14", "30", "60", "90", "120", "150", "180", "365", "400", "545", "731", "1096", "1827", "2192", "2557", "2922", "3288", "3653"},
	"Period":                   {"10", "20", "30", "60", "300", "900", "3600", "21600", "86400"},
	"Method":                   {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"},
	"AWSTemplateFormatVersion": {"2010-09-09"},
	"Transform":                {"AWS::Serverless-2016-10-31"},
}

// knownValues looks at every property that has a closed list.
func knownValues(d *Deployment, _ *Schemas, say sayer) {
	for _, file := range names(d.Templates) {
		walkValues(d.Templates[file], file, say)
	}
}

func walkValues(v any, where string, say sayer) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			walkValues(e, where, say)
		}
	case Tree:
		for _, k := range names(x) {
			judgeValue(k, x[k], where, say)
			walkValues(x[k], where+"/"+k, say)
		}
	}
}

func judgeValue(name string, v any, where string, say sayer) {
	known, ok := values[name]
	if !ok {
		return
	}
	each := list(v)
	if each == nil {
		each = []any{v}
	}
	for _, e := range each {
		if _, computed := e.(Tree); !computed && !contains(known, text(e)) {
			say("%s/%s: %s is not one of %v", where, name, text(e), known)
		}
	}
}
