package awslocal

import (
	"net/http"
	"strings"
	"testing"
)

func TestStart(t *testing.T) {
	first, second := Start(t), Start(t)
	if first != second {
		t.Errorf("two endpoints in one process: %s, %s", first, second)
	}
	if !strings.HasPrefix(first, "http://127.0.0.1:") {
		t.Fatalf("endpoint %q", first)
	}
	req, err := http.NewRequest(http.MethodPost, first, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("ListTables: %s", answer.Status)
	}
}

func TestEnv(t *testing.T) {
	env := Env("http://127.0.0.1:1")
	if env("AWS_ENDPOINT_URL") != "http://127.0.0.1:1" || env("AWS_REGION") == "" || env("HOME") != "" {
		t.Error("environment is not the stand-ins' alone")
	}
}
