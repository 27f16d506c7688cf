package check

import "strings"

// The templates of mail.
const (
	Mail      = "infra/mail.yaml"
	Receiving = "infra/receiving.yaml"
)

// mail holds the sending domain to 05 §4.1, and what becomes of a mail to §4.8.
func mail(d *Deployment, _ *Schemas, say sayer) {
	one(d, "AWS::SES::ConfigurationSet", map[string]string{
		"Name": `{"Ref":"InboxName"}`,
		"ReputationOptions.ReputationMetricsEnabled": "true",
		"DeliveryOptions.TlsPolicy":                  "OPTIONAL",
		"SuppressionOptions.SuppressedReasons":       `["BOUNCE"]`,
		"TrackingOptions":                            "null",
	}, say)
	one(d, "AWS::SES::EmailIdentity", map[string]string{
		"EmailIdentity": `{"Ref":"MailDomain"}`,
		"DkimSigningAttributes.NextSigningKeyLength": "RSA_2048_BIT",
		"MailFromAttributes.MailFromDomain":          `{"Fn::Sub":"bounce.${MailDomain}"}`,
		"MailFromAttributes.BehaviorOnMxFailure":     "USE_DEFAULT_VALUE",
		"FeedbackAttributes.EmailForwardingEnabled":  "false",
	}, say)
	one(d, "AWS::SES::ConfigurationSetEventDestination", map[string]string{
		"EventDestination.Enabled":                 "true",
		"EventDestination.MatchingEventTypes":      `["send","reject","bounce","complaint","delivery","deliveryDelay"]`,
		"EventDestination.SnsDestination.TopicARN": `{"Ref":"Events"}`,
	}, say)
	one(d, "AWS::SNS::Subscription", map[string]string{
		"TopicArn": `{"Ref":"Events"}`, "Protocol": "sqs", "Endpoint": `{"Ref":"EventsQueue"}`, "RawMessageDelivery": "true",
	}, say)
}

// received holds what arrives to 05 §5.1: kept privately, in the order bucket
// then function, and nothing of it for ever.
func received(d *Deployment, _ *Schemas, say sayer) {
	one(d, "AWS::S3::Bucket", map[string]string{
		"PublicAccessBlockConfiguration":    `{"BlockPublicAcls":true,"BlockPublicPolicy":true,"IgnorePublicAcls":true,"RestrictPublicBuckets":true}`,
		"OwnershipControls.Rules":           `[{"ObjectOwnership":"BucketOwnerEnforced"}]`,
		"LifecycleConfiguration.Rules":      `[{"ExpirationInDays":30,"Id":"received","Prefix":"in/","Status":"Enabled"},{"ExpirationInDays":30,"Id":"quarantine","Prefix":"quarantine/","Status":"Enabled"},{"ExpirationInDays":90,"Id":"notices","Prefix":"notices/","Status":"Enabled"},{"AbortIncompleteMultipartUpload":{"DaysAfterInitiation":1},"Id":"broken-off","Status":"Enabled"}]`,
		"WebsiteConfiguration":              "null",
		"ReplicationConfiguration":          "null",
		"BucketEncryption.BucketKeyEnabled": "null",
	}, say)
	one(d, "AWS::SES::ReceiptRule", map[string]string{
		"Rule.Enabled": "true", "Rule.ScanEnabled": "true", "Rule.TlsPolicy": "Optional", "Rule.Recipients": `[{"Fn::Sub":"in.${MailDomain}"}]`,
		"Rule.Actions": `[{"S3Action":{"BucketName":{"Ref":"Bucket"},"ObjectKeyPrefix":"in/"}},{"LambdaAction":{"FunctionArn":{"Ref":"Receiver"},"InvocationType":"Event"}}]`,
	}, say)
	if stack, ok := d.Stack(Receiving); !ok || text(stack.Prop("Parameters", "Receiver")) != `{"Fn::GetAtt":["ReceiveMail","Arn"]}` {
		say("the receipt rule does not hand over to receive-mail")
	}
	services(d, say)
}

// services looks at who else may do something with what is the inbox's: a
// service, for this account and under a condition, or everyone, and then only
// what is denied.
func services(d *Deployment, say sayer) {
	for _, typ := range []string{"AWS::S3::BucketPolicy", "AWS::SNS::TopicPolicy", "AWS::SQS::QueuePolicy"} {
		for _, r := range d.All(typ) {
			for _, s := range list(r.Prop("PolicyDocument", "Statement")) {
				if at(s, "Effect") != "Deny" && (at(s, "Condition") == nil || at(s, "Principal", "Service") == nil || strings.Contains(text(at(s, "Action")), "*")) {
					say("%s: lets in more than one service for this account", r)
				}
			}
		}
	}
	for _, r := range d.All("AWS::Lambda::Permission") {
		if text(r.Prop("SourceAccount")) != `{"Ref":"AWS::AccountId"}` || r.Prop("SourceArn") == nil {
			say("%s: anybody's rule may call", r)
		}
	}
}
