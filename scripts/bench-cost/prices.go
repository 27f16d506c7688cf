package main

// price is what AWS asks for one unit of something, in dollars. List prices of
// us-east-1 without the free tier and without a savings plan.
type price struct {
	name string
	unit float64
}

// What a booking uses.
var (
	writeUnit = price{"DynamoDB write units, on demand", 0.625 / 1e6}
	readUnit  = price{"DynamoDB read units, on demand", 0.125 / 1e6}
	request   = price{"HTTP API requests", 1.00 / 1e6}
	invoke    = price{"Lambda requests", 0.20 / 1e6}
	compute   = price{"Lambda GB-seconds, arm64", 0.0000133334}
	logged    = price{"CloudWatch Logs, GB taken in", 0.50}
)

// What every mail and every month costs beside.
var (
	mailed     = price{"SES, one mail", 0.10 / 1000}
	scheduled  = price{"EventBridge Scheduler, one invocation", 1.00 / 1e6}
	secretKept = price{"Secrets Manager, one secret", 0.40}
	alarmed    = price{"CloudWatch, one metric of an alarm", 0.10}
	counted    = price{"CloudWatch, one metric of our own, in a month it occurs", 0.30}
	stored     = price{"DynamoDB, one GB kept", 0.25}
	recovery   = price{"DynamoDB, one GB of point-in-time recovery", 0.20}
)

// What is assumed about a run of a function; start and memory are measured by
// bench-functions, the rest is the services' usual latency.
const (
	doorSeconds   = 0.040 // a request: two or three storage calls
	mailSeconds   = 0.250 // a job: storage calls and the mail service
	doorGB        = 0.25
	outboxGB      = 0.5
	bytesPerLine  = 450.0 // of a log line, the service's own 26 bytes included
	linesPerDoor  = 2.0   // ours and the gateway's access log
	linesPerWork  = 2.0
	coldShare     = 0.02 // of invocations that start a container
	coldSeconds   = 0.15
	minutesAMonth = 30 * 24 * 60.0
)
