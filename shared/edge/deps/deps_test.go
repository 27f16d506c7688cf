package deps

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/work"
)

// environment is what the template gives a function, changed by pairs.
func environment(pairs ...string) func(string) string {
	env := map[string]string{
		"INBOX_NAME": "inbox", "INBOX_TABLE": "T", "INBOX_EVENTS_TABLE": "E", "INBOX_SECRET_ARN": "arn:secret", "INBOX_BUCKET": "B",
		"INBOX_PUBLIC_URL": "https://book.example.com/", "INBOX_MAIL_DOMAIN": "example.com", "INBOX_OWNER_EMAIL": "owner@example.com",
		"AWS_LAMBDA_FUNCTION_NAME": "inbox-get-item", "AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "key",
	}
	for i := 0; i < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return func(name string) string { return env[name] }
}

func TestConfigure(t *testing.T) {
	for name, c := range map[string]struct {
		env  func(string) string
		want Config
		err  string
	}{
		"ok/all": {environment(), Config{"inbox", "T", "E", "arn:secret", "https://book.example.com", "B", "example.com", "owner@example.com", "inbox-get-item"}, ""},
		"ok/no public address": {environment("INBOX_PUBLIC_URL", ""),
			Config{"inbox", "T", "E", "arn:secret", "", "B", "example.com", "owner@example.com", "inbox-get-item"}, ""},
		"fail/every missing one is named": {environment("INBOX_TABLE", "", "INBOX_OWNER_EMAIL", ""), Config{}, "deps: not set: INBOX_TABLE, INBOX_OWNER_EMAIL"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Configure(c.env)
			if got != c.want || (err == nil) != (c.err == "") || (err != nil && err.Error() != c.err) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// The environment the template declares is the one that is read, and the secret
// itself is none of it.
func TestTemplateDeclaresEnvironment(t *testing.T) {
	raw, err := os.ReadFile("../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, m := range regexp.MustCompile(`(?m)^        (INBOX_[A-Z_]+):`).FindAllStringSubmatch(string(raw), -1) {
		declared = append(declared, m[1])
	}
	var asked []string
	_, err = Configure(func(name string) string {
		if strings.HasPrefix(name, "INBOX_") {
			asked = append(asked, name)
		}
		return "x"
	})
	slices.Sort(declared)
	slices.Sort(asked)
	if err != nil || !slices.Equal(declared, asked) {
		t.Errorf("declared %v, read %v, error %v", declared, asked, err)
	}
}

// cloud answers AWS calls by their target and remembers them.
type cloud struct {
	mu      sync.Mutex
	targets []string
	answer  map[string]string // target's last part → body; absent: 400
	stumble int               // how many calls are answered 503 before
	auth    []string          // Authorization of the calls
}

func (a *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	target := r.Header.Get("X-Amz-Target")
	target = target[strings.LastIndex(target, ".")+1:]
	a.mu.Lock()
	defer a.mu.Unlock()
	a.targets, a.auth = append(a.targets, target), append(a.auth, r.Header.Get("Authorization"))
	if a.stumble > 0 {
		a.stumble--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	body, ok := a.answer[target]
	if !ok {
		w.WriteHeader(http.StatusBadRequest)
		body = `{"__type":"AccessDeniedException","message":"no"}`
	}
	_, _ = io.WriteString(w, body)
}

func TestOpen(t *testing.T) {
	secret := `{"SecretString":"0123456789abcdef0123456789abcdef"}`
	for name, c := range map[string]struct {
		sealed  bool
		answer  map[string]string
		calls   []string
		ready   bool
		err     error
		errText string
	}{
		"ok/plain reads no secret":      {false, map[string]string{"GetItem": `{}`}, []string{"GetItem"}, false, nil, ""},
		"ok/sealed":                     {true, map[string]string{"GetItem": `{}`, "GetSecretValue": secret}, []string{"GetSecretValue", "GetItem"}, true, nil, ""},
		"ok/table asleep at the start":  {false, nil, []string{"GetItem"}, false, nil, ""},
		"fail/secret refused":           {true, map[string]string{"GetItem": `{}`}, []string{"GetSecretValue"}, false, nil, "secret cannot be read"},
		"fail/secret empty":             {true, map[string]string{"GetSecretValue": `{"SecretString":" "}`}, []string{"GetSecretValue"}, false, canon.ErrNoKey, ""},
		"fail/secret short is not told": {true, map[string]string{"GetSecretValue": `{"SecretString":"hunter2"}`}, []string{"GetSecretValue"}, false, nil, "shorter"},
	} {
		t.Run(name, func(t *testing.T) {
			a := &cloud{answer: c.answer}
			srv := httptest.NewServer(a)
			defer srv.Close()
			f, err := open(context.Background(), environment("AWS_ENDPOINT_URL", srv.URL), c.sealed)
			if !slices.Equal(a.targets, c.calls) {
				t.Errorf("called %v, want %v", a.targets, c.calls)
			}
			if c.err != nil || c.errText != "" {
				if err == nil || (c.err != nil && !errors.Is(err, c.err)) || !strings.Contains(err.Error(), c.errText) || strings.Contains(err.Error(), "hunter2") {
					t.Errorf("error %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if f.Ring.Ready() != c.ready || f.Store == nil || f.Name != "inbox" || f.Clock() == 0 {
				t.Errorf("made %+v", f)
			}
		})
	}
}

func TestSecretIsAskedForAgain(t *testing.T) {
	for name, c := range map[string]struct {
		stumble int
		answer  string
		calls   int
		ok      bool
	}{
		"ok/after two stumbles": {2, `{"SecretString":"0123456789abcdef0123456789abcdef"}`, 3, true},
		"fail/three stumbles":   {3, `{"SecretString":"0123456789abcdef0123456789abcdef"}`, 3, false},
		"fail/no JSON":          {0, `hunter2`, 3, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := &cloud{answer: map[string]string{"GetSecretValue": c.answer}, stumble: c.stumble}
			srv := httptest.NewServer(a)
			defer srv.Close()
			r, err := ring(context.Background(), environment("AWS_ENDPOINT_URL_SECRETS_MANAGER", srv.URL), "arn:secret")
			if len(a.targets) != c.calls || (err == nil) != c.ok || r.Ready() != c.ok {
				t.Errorf("%d calls, ready %v, error %v", len(a.targets), r.Ready(), err)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error tells the secret: %v", err)
			}
			for _, auth := range a.auth {
				if !strings.HasPrefix(auth, "AWS4-HMAC-SHA256 Credential=id/") || !strings.Contains(auth, "/eu-west-1/secretsmanager/aws4_request") {
					t.Errorf("signed %q", auth)
				}
			}
		})
	}
}

func TestSecretEndpoint(t *testing.T) {
	for name, c := range map[string]struct{ region, endpoint, want string }{
		"ok/everywhere": {"eu-west-1", "", "https://secretsmanager.eu-west-1.amazonaws.com"},
		"ok/China":      {"cn-north-1", "", "https://secretsmanager.cn-north-1.amazonaws.com.cn"},
		"ok/given":      {"eu-west-1", "http://127.0.0.1:1", "http://127.0.0.1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := secretRequest(context.Background(), ServiceOf(environment("AWS_REGION", c.region, "AWS_ENDPOINT_URL", c.endpoint), "SECRETS_MANAGER"), "arn")
			if err != nil || req.URL.String() != c.want {
				t.Errorf("asks %v, error %v", req, err)
			}
		})
	}
}

func TestServiceEndpoint(t *testing.T) {
	for name, c := range map[string]struct {
		env  func(string) string
		want string
	}{
		"ok/the service's own":   {environment(), ""},
		"ok/for every service":   {environment("AWS_ENDPOINT_URL", "http://all"), "http://all"},
		"ok/for one wins":        {environment("AWS_ENDPOINT_URL", "http://all", "AWS_ENDPOINT_URL_SESV2", "http://ses"), "http://ses"},
		"ok/another's is not it": {environment("AWS_ENDPOINT_URL_DYNAMODB", "http://ddb"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := ServiceOf(c.env, "SESV2")
			got := ""
			if s.Endpoint != nil {
				got = *s.Endpoint
			}
			cred, err := s.Credentials.Retrieve(context.Background())
			if got != c.want || s.Region != "eu-west-1" || err != nil || cred.AccessKeyID != "id" || cred.SecretAccessKey != "key" {
				t.Errorf("endpoint %q, region %q, %v", got, s.Region, err)
			}
		})
	}
}

func TestLogger(t *testing.T) {
	var out bytes.Buffer
	Logger(&out, "inbox", false).Info("hello", "n", 1)
	Logger(&out, "inbox", false).Debug("a person's name")
	var line struct {
		Timestamp time.Time
		Level     string
		Msg       string
		N         int
		Time      string
		AWS       any `json:"_aws"`
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if line.Timestamp.IsZero() || line.Level != "INFO" || line.Msg != "hello" || line.N != 1 || line.Time != "" || line.AWS != nil {
		t.Errorf("line %s", out.String())
	}
	out.Reset()
	Logger(&out, "inbox", true).Debug("detail")
	if !strings.Contains(out.String(), "detail") {
		t.Error("debug is not logged when asked for")
	}
}

func TestMetrics(t *testing.T) {
	var out bytes.Buffer
	log := Logger(&out, "inbox", false).With("function", "sweep")
	log.Error("a job failed for good", slog.Group(work.MetricGroup, slog.Int(work.MetricJobsFailed, 1), slog.Int(work.MetricMailsFailed, 2)), "item", "I")
	var line struct {
		AWS struct {
			Timestamp         int64
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name, Unit string }
			}
		} `json:"_aws"`
		Inbox, Function, Item   string
		JobsFailed, MailsFailed int
		Metric                  any
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	d := line.AWS.CloudWatchMetrics
	if len(d) != 1 || d[0].Namespace != "Inbox" || len(d[0].Metrics) != 2 || d[0].Metrics[0].Name != "JobsFailed" || d[0].Metrics[0].Unit != "Count" ||
		d[0].Dimensions[0][0] != "Inbox" || line.AWS.Timestamp == 0 {
		t.Errorf("described as %s", out.String())
	}
	if line.Inbox != "inbox" || line.JobsFailed != 1 || line.MailsFailed != 2 || line.Item != "I" || line.Function != "sweep" || line.Metric != nil {
		t.Errorf("line %s", out.String())
	}
}

// Alarms look at metrics that are counted, and the dashboard shows them all.
func TestMetricsOfAlarmsAndDashboard(t *testing.T) {
	counted := []string{
		work.MetricJobsFailed, work.MetricMailsFailed, work.MetricSenderBlocked, work.MetricSweepFailed, work.MetricCheckFindings,
		work.MetricMailsReceived, work.MetricMailsBounced, work.MetricMailsComplained,
	}
	alarms, err := os.ReadFile("../../../infra/alarms.yaml")
	if err != nil {
		t.Fatal(err)
	}
	looked := regexp.MustCompile(`Namespace: Inbox\n\s+MetricName: (\w+)`).FindAllStringSubmatch(string(alarms), -1)
	if len(looked) == 0 {
		t.Error("no alarm looks at a metric of ours")
	}
	for _, m := range looked {
		if !slices.Contains(counted, m[1]) {
			t.Errorf("an alarm looks at %s", m[1])
		}
	}
	page, err := os.ReadFile("../../../infra/dashboard.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range counted {
		if !strings.Contains(string(page), `"`+m+`"`) {
			t.Errorf("the dashboard does not show %s", m)
		}
	}
}
