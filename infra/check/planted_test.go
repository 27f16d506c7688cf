package check

import (
	"fmt"
	"strings"
	"testing"
)

// planted is a change that makes the deployment wrong: From becomes To in File,
// once, and the finding must contain Want.
type planted struct {
	File, From, To string
	Want           string
}

// Every rule catches its errors. A change that no longer applies fails too, so
// the table keeps up with the templates.
func TestPlanted(t *testing.T) {
	for name, p := range map[string]planted{
		"fail/misspelt property":             {Main, "MemorySize: 512", "MemorySise: 512", "additional properties 'MemorySise'"},
		"fail/property of an AWS type":       {"infra/tables.yaml", "DeletionProtectionEnabled: true", "DeletionProtection: true", "additional properties 'DeletionProtection'"},
		"fail/unknown type":                  {Main, "Type: AWS::SQS::Queue", "Type: AWS::SQS::Que", "no schema for type AWS::SQS::Que"},
		"fail/wrong kind of value":           {Main, "BatchSize: 10", "BatchSize: ten", "BatchSize"},
		"fail/event without its type":        {Main, "Type: DynamoDB", "Type: Dynamo", "Type"},
		"fail/read-only property":            {"infra/tables.yaml", "BillingMode: PAY_PER_REQUEST", "BillingMode: PAY_PER_REQUEST\n      StreamArn: x", "can only be read"},
		"fail/schedule expression":           {Main, "rate(1 minute)", "every minute", "ScheduleExpression"},
		"fail/two keys alike":                {Main, "    Timeout: 10", "    Timeout: 10\n    Timeout: 11", "stands twice"},
		"fail/part of a resource":            {Main, "    DeletionPolicy: Retain", "    DeletePolicy: Retain", "is no part of a resource"},
		"fail/shared property":               {Main, "    Handler: bootstrap", "    Handlr: bootstrap", "Globals.Function"},
		"fail/reference to nothing":          {Main, "!Ref MailDomain", "!Ref MailDomian", "refers to MailDomian"},
		"fail/attribute of nothing":          {Main, "!GetAtt ApiLog.Arn", "!GetAtt ApiLogs.Arn", "refers to ApiLogs"},
		"fail/attribute it does not have":    {Main, "!GetAtt ApiLog.Arn", "!GetAtt ApiLog.ARN", "wants ARN of ApiLog"},
		"fail/output it does not have":       {Main, "Tables.Outputs.EventsArn", "Tables.Outputs.EventArn", "wants output EventArn"},
		"fail/substitution of nothing":       {Main, "${InboxName}-get-item", "${Inbox}-get-item", "refers to Inbox"},
		"fail/condition of nothing":          {Main, "Condition: ServesDomain", "Condition: ServeDomain", "ServeDomain"},
		"fail/unused parameter":              {Main, "        INBOX_OWNER_EMAIL: !Ref OwnerEmail\n", "", "OwnerEmail is never used"},
		"fail/unknown value":                 {"infra/alarms.yaml", "TreatMissingData: notBreaching", "TreatMissingData: fine", "fine is not one of"},
		"fail/unknown operator":              {"infra/alarms.yaml", "ComparisonOperator: LessThanThreshold", "ComparisonOperator: Less", "Less is not one of"},
		"fail/parameter not declared":        {Main, "        Stream: !GetAtt", "        Streams: !GetAtt", "gives Streams"},
		"fail/parameter not given":           {Main, "        Stream: !GetAtt", "        Streams: !GetAtt", "does not give Stream"},
		"fail/route twice":                   {Main, `Method: GET, Path: "/v1/products"`, `Method: GET, Path: "/v1/services"`, "GET /v1/services is served by"},
		"fail/route missing":                 {Main, `Method: GET, Path: "/v1/products"`, `Method: GET, Path: "/v1/product"`, "GET /v1/products of the operation table is no route"},
		"fail/route of no operation":         {Main, `Method: GET, Path: "/v1/products"`, `Method: GET, Path: "/v1/product"`, "GET /v1/product is a route of no operation"},
		"fail/route of another function":     {Main, "CodeUri: functions/list-products/", "CodeUri: functions/list-services/", "belongs to list-products"},
		"fail/no folder":                     {Main, "CodeUri: functions/list-products/", "CodeUri: functions/no-products/", "there is no functions/no-products/main.go"},
		"fail/folder not in the template":    {Main, "CodeUri: functions/list-products/", "CodeUri: functions/no-products/", "functions/list-products is not in the template"},
		"fail/not registered":                {Registry, `"get-item"`, `"got-item"`, "get-item is not in the local registry"},
		"fail/registered alone":              {Registry, `"get-item"`, `"got-item"`, "got-item is in the local registry"},
		"fail/another's role":                {Main, "Role: !GetAtt Roles.Outputs.GetItem", "Role: !GetAtt Roles.Outputs.OwnerItems", "GetItem: Role is"},
		"fail/another's log":                 {Main, "LogGroup: !Ref GetItemLog", "LogGroup: !Ref ReplyLog", "GetItem: LoggingConfig is"},
		"fail/slow answer":                   {Main, "    Timeout: 10", "    Timeout: 30", "Timeout is 30, not 10"},
		"fail/other processor":               {Main, "Architectures: [arm64]", "Architectures: [x86_64]", "Architectures"},
		"fail/other build":                   {Main, "BuildMethod: go1.x", "BuildMethod: makefile", "is not built with"},
		"fail/right too many":                {Roles, "Action: [dynamodb:GetItem, dynamodb:PutItem], Resource: !Ref EventsTable", "Action: [dynamodb:GetItem, dynamodb:PutItem, dynamodb:UpdateItem], Resource: !Ref EventsTable", "may dynamodb:UpdateItem on {\"Ref\":\"EventsTable\"}, and has no need to"},
		"fail/right too few":                 {Roles, "Action: [ses:SendEmail]", "Action: [ses:SendRawEmail]", "may not ses:SendEmail"},
		"fail/right on everything":           {Roles, "Resource: !Ref OutboxFailures", "Resource: \"*\"", "is no exact right"},
		"fail/wildcard of actions":           {Roles, "Action: [ses:SendEmail]", "Action: [\"ses:*\"]", "is no exact right"},
		"fail/managed policy":                {Roles, "  Reply:\n    Type: AWS::IAM::Role\n    Properties:\n", "  Reply:\n    Type: AWS::IAM::Role\n    Properties:\n      ManagedPolicyArns: [\"arn:aws:iam::aws:policy/PowerUserAccess\"]\n", "more than the table can say"},
		"fail/taken by another service":      {Roles, "Service: lambda.amazonaws.com", "Service: ec2.amazonaws.com", "is taken by"},
		"fail/rights beside the role":        {Main, "      MemorySize: 512\n", "      MemorySize: 512\n      Policies: [AmazonSESFullAccess]\n", "its rights belong in"},
		"fail/log kept for ever":             {Main, "RetentionInDays: 30", "RetentionInDays: 3653", "kept 3653 days"},
		"fail/path in the access log":        {Main, "$context.routeKey", "$context.routeKey $context.path", "the access log holds $context.path"},
		"fail/no throttling":                 {Main, "ThrottlingBurstLimit: 200, ", "", "no ThrottlingBurstLimit"},
		"fail/no point in time recovery":     {"infra/tables.yaml", "PointInTimeRecoveryEnabled: true", "PointInTimeRecoveryEnabled: false", "PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled is false"},
		"fail/no deletion protection":        {"infra/tables.yaml", "DeletionProtectionEnabled: true", "DeletionProtectionEnabled: false", "DeletionProtectionEnabled is false"},
		"fail/another time to live":          {"infra/tables.yaml", "AttributeName: ttl", "AttributeName: expires", "TimeToLiveSpecification.AttributeName"},
		"fail/index keys":                    {"infra/tables.yaml", "AttributeName: lo, KeyType: HASH", "AttributeName: la, KeyType: HASH", "index open"},
		"fail/index unknown":                 {"infra/tables.yaml", "IndexName: open", "IndexName: opened", "the store knows no index opened"},
		"fail/index holds everything":        {"infra/tables.yaml", "ProjectionType: KEYS_ONLY", "ProjectionType: ALL", "index all"},
		"fail/no stream":                     {"infra/tables.yaml", "StreamViewType: NEW_IMAGE", "StreamViewType: KEYS_ONLY", "streams new images"},
		"fail/table goes with the stack":     {"infra/tables.yaml", "DeletionPolicy: Retain", "DeletionPolicy: Delete", "DeletionPolicy is not Retain"},
		"fail/table is replaced":             {"infra/tables.yaml", "UpdateReplacePolicy: Retain", "UpdateReplacePolicy: Delete", "UpdateReplacePolicy is not Retain"},
		"fail/tables' stack goes":            {Main, "  Tables:\n    Type: AWS::CloudFormation::Stack\n    DeletionPolicy: Retain\n", "  Tables:\n    Type: AWS::CloudFormation::Stack\n", "Tables: DeletionPolicy is not Retain"},
		"fail/stream without dead letters":   {Main, "            DestinationConfig: {OnFailure: {Type: SQS, Destination: !GetAtt OutboxFailures.Arn}}\n", "", "its stream has no dead-letter queue"},
		"fail/stream blocks":                 {Main, "            BisectBatchOnFunctionError: true\n", "", "BisectBatchOnFunctionError"},
		"fail/stream forgets":                {Main, "MaximumRecordAgeInSeconds: 86400", "MaximumRecordAgeInSeconds: 3600", "MaximumRecordAgeInSeconds is 3600"},
		"fail/whole batch again":             {Main, "            FunctionResponseTypes: [ReportBatchItemFailures]\n", "", "FunctionResponseTypes"},
		"fail/schedule without dead letters": {Main, "            DeadLetterConfig: {Arn: !GetAtt ClockFailures.Arn}\n", "", "its schedule has no dead-letter queue"},
		"fail/schedule without retries":      {Main, "            RetryPolicy: {MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 3}\n", "", "its schedule has no MaximumRetryAttempts"},
		"fail/failed run forgotten":          {Main, "        DestinationConfig: {OnFailure: {Type: SQS, Destination: !GetAtt ClockFailures.Arn}}\n", "        DestinationConfig: {}\n", "its asynchronous invocation has no dead-letter queue"},
		"fail/queue nobody watches":          {Main, "ClockFailures: !GetAtt ClockFailures.QueueName", "ClockFailures: !GetAtt OutboxFailures.QueueName", "no alarm watches the queue ClockFailures"},
		"fail/queue forgets":                 {Main, "MessageRetentionPeriod: 1209600", "MessageRetentionPeriod: 345600", "less than 14 days"},
		"fail/filter of another attribute":   {Main, `"NewImage":{"ready":`, `"NewImage":{"due":`, "the filter is"},
		"fail/alarm tells nobody":            {"infra/alarms.yaml", "      AlarmActions: [!Ref News]\n", "", "tells null"},
		"fail/alarm missing":                 {"infra/alarms.yaml", "MetricName: Reputation.BounceRate", "MetricName: Send", "no alarm looks at AWS/SES Reputation.BounceRate"},
		"fail/metric nobody counts":          {"infra/alarms.yaml", "MetricName: JobsFailed", "MetricName: JobsFailing", "nothing counts JobsFailing"},
		"fail/no 99th percentile":            {"infra/alarms.yaml", "ExtendedStatistic: p99", "Statistic: Average", "no alarm looks at AWS/ApiGateway Latency p99"},
		"fail/nobody reads":                  {"infra/alarms.yaml", "Endpoint: !Ref AlarmEmail", "Endpoint: someone@example.com", "nobody reads the alarms"},
		"fail/secret in the environment":     {Main, "INBOX_SECRET_ARN: !Ref Secret", "INBOX_SECRET_KEY: \"{{resolve:secretsmanager:inbox}}\"", "INBOX_SECRET_KEY holds a secret"},
		"fail/secret in the template":        {Main, "GenerateSecretString: {PasswordLength: 64, ExcludePunctuation: true}", "SecretString: changeme", "its value stands in the template"},
		"fail/secret goes":                   {Main, "  Secret:\n    Type: AWS::SecretsManager::Secret\n    DeletionPolicy: Retain\n", "  Secret:\n    Type: AWS::SecretsManager::Secret\n", "Secret: DeletionPolicy is not Retain"},
		"fail/circle":                        {Main, "        InboxTable: !GetAtt Tables.Outputs.InboxArn\n", "        InboxTable: !GetAtt ReceiveMail.Arn\n", "wait for each other"},
		"fail/circle over the API":           {Main, `!If [HasDomain, !Sub "https://${PublicDomain}", ""]`, `!Sub "https://${Api}.example.com"`, "wait for each other"},
		"fail/messages brought for ever":     {Main, "maxReceiveCount: 5", "maxReceiveCount: 500", "brings a message 500 times"},
		"fail/messages brought too soon":     {Main, "VisibilityTimeout: 360", "VisibilityTimeout: 30", "VisibilityTimeout is 30"},
		"fail/queue without dead letters":    {Main, "      RedrivePolicy: {deadLetterTargetArn: !GetAtt MailFailures.Arn, maxReceiveCount: 5}\n", "", "its message that fails has no dead-letter queue"},
		"fail/whole batch of messages again": {Main, "BatchSize: 10, FunctionResponseTypes: [ReportBatchItemFailures]}", "BatchSize: 10}", "a whole batch comes again"},
		"fail/received mail forgotten":       {Main, "        MaximumEventAgeInSeconds: 21600\n        MaximumRetryAttempts: 2\n        DestinationConfig: {OnFailure: {Type: SQS, Destination: !GetAtt MailFailures.Arn}}\n", "        MaximumEventAgeInSeconds: 21600\n        MaximumRetryAttempts: 2\n", "its asynchronous invocation has no dead-letter queue"},
		"fail/a bounce is not told":          {Mail, "[send, reject, bounce, complaint,", "[send, reject, complaint,", "MatchingEventTypes is"},
		"fail/an event nobody knows":         {Mail, "deliveryDelay]", "deliverydelay]", "deliverydelay is not one of"},
		"fail/events in an envelope":         {Mail, ", RawMessageDelivery: true", "", "RawMessageDelivery is null"},
		"fail/anybody publishes":             {Mail, "            Principal: {Service: ses.amazonaws.com}\n            Action: sns:Publish", "            Principal: \"*\"\n            Action: sns:Publish", "lets in more than one service"},
		"fail/bucket in public":              {Mail, "RestrictPublicBuckets: true", "RestrictPublicBuckets: false", "PublicAccessBlockConfiguration is"},
		"fail/raw mail for ever":             {Mail, "Prefix: in/, ExpirationInDays: 30", "Prefix: in/, ExpirationInDays: 3650", "LifecycleConfiguration.Rules is"},
		"fail/bucket goes":                   {Mail, "    Type: AWS::S3::Bucket\n    DeletionPolicy: Retain\n", "    Type: AWS::S3::Bucket\n", "Blobs: DeletionPolicy is not Retain"},
		"fail/function before the bucket":    {Receiving, "          - S3Action: {BucketName: !Ref Bucket, ObjectKeyPrefix: in/}\n          - LambdaAction: {FunctionArn: !Ref Receiver, InvocationType: Event}\n", "          - LambdaAction: {FunctionArn: !Ref Receiver, InvocationType: Event}\n          - S3Action: {BucketName: !Ref Bucket, ObjectKeyPrefix: in/}\n", "Rule.Actions is"},
		"fail/no scanning":                   {Receiving, "ScanEnabled: true", "ScanEnabled: false", "Rule.ScanEnabled is false"},
		"fail/anybody's rule calls":          {Receiving, "      SourceAccount: !Ref \"AWS::AccountId\"\n", "", "anybody's rule may call"},
		"fail/handed to another":             {Main, "Receiver: !GetAtt ReceiveMail.Arn", "Receiver: !GetAtt InboundMail.Arn", "does not hand over to receive-mail"},
		"fail/substitution of its own":       {Receiving, "${Set}:receipt-rule", "${Sets}:receipt-rule", "refers to Sets"},
		"fail/anywhere for another action":   {Roles, "Action: [ses:DeleteSuppressedDestination], Resource: \"*\"", "Action: [ses:DeleteSuppressedDestination, ses:SendEmail], Resource: \"*\"", "is no exact right"},
		"fail/links rewritten":               {"infra/mail.yaml", "SendingOptions: {SendingEnabled: true}", "TrackingOptions: {CustomRedirectDomain: t.example.com}", "TrackingOptions is"},
		"fail/complaints dropped":            {"infra/mail.yaml", "SuppressedReasons: [BOUNCE]", "SuppressedReasons: [BOUNCE, COMPLAINT]", "SuppressedReasons is"},
		"fail/short mail key":                {"infra/mail.yaml", "RSA_2048_BIT", "RSA_1024_BIT", "NextSigningKeyLength is"},
		"fail/output missing":                {Main, "  FirstKey:\n", "  FirstKeys:\n", "Outputs lacks FirstKey"},
		"fail/aliases":                       {Main, "Architectures: [arm64]", "Architectures: &a [arm64]\n    Layers: *a", "no YAML aliases"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := false
			read := func(path string) ([]byte, error) {
				b, err := readFile(path)
				if err != nil || path != p.File {
					return b, err
				}
				after := strings.Replace(string(b), p.From, p.To, 1)
				changed = after != string(b)
				return []byte(after), nil
			}
			found := findings(t, read, listDir)
			if !changed {
				t.Fatalf("%s holds no %q: the error was not planted", p.File, p.From)
			}
			for _, f := range found {
				if strings.Contains(f, p.Want) {
					return
				}
			}
			t.Errorf("not caught; found:\n%s", strings.Join(found, "\n"))
		})
	}
}

// Errors that are about numbers of things.
func TestPlantedLimits(t *testing.T) {
	grow := func(n int, one string) func(string) ([]byte, error) {
		return func(path string) ([]byte, error) {
			b, err := readFile(path)
			if err != nil || path != Main {
				return b, err
			}
			var more strings.Builder
			for i := range n {
				fmt.Fprintf(&more, one, i)
			}
			return []byte(strings.Replace(string(b), "\nResources:\n", "\nResources:\n"+more.String(), 1)), nil
		}
	}
	for name, c := range map[string]struct {
		read func(string) ([]byte, error)
		want string
	}{
		"fail/too many resources":     {grow(450, "  Queue%d: {Type: AWS::SQS::Queue, Properties: {MessageRetentionPeriod: 1209600}}\n"), "template.yaml: "},
		"fail/a role nobody declared": {func(path string) ([]byte, error) { b, err := readFile(path); return addRole(path, b), err }, "role Stray stands in no table"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range findings(t, c.read, listDir) {
				if strings.Contains(f, c.want) {
					return
				}
			}
			t.Error("not caught")
		})
	}
}

func addRole(path string, b []byte) []byte {
	if path != Roles {
		return b
	}
	stray := "  Stray:\n    Type: AWS::IAM::Role\n    Properties: {AssumeRolePolicyDocument: {}}\n"
	return []byte(strings.Replace(string(b), "\nResources:\n", "\nResources:\n"+stray, 1))
}
