package template_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"typedinbox/scripts/template"
)

func TestRead(t *testing.T) {
	cases := map[string]struct {
		text string
		want []template.Function
		err  string
	}{
		"ok/by name, routes by key": {
			text: `
Globals: {Function: {Timeout: 10}}
Resources:
  B:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/write-it/
      Timeout: 60
      Events:
        Clock: {Type: ScheduleV2, Properties: {ScheduleExpression: rate(1 minute)}}
  A:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/read-it/
      Events:
        Rest: {Type: HttpApi, Properties: {ApiId: !Ref Api}}
        Two: {Type: HttpApi, Properties: {Method: get, Path: /v1/two}}
        One: {Type: HttpApi, Properties: {Method: GET, Path: /v1/one}}
  Table: {Type: AWS::DynamoDB::Table, Properties: {BillingMode: PAY_PER_REQUEST}}
`,
			want: []template.Function{
				{Name: "read-it", Timeout: 10 * time.Second, Routes: []template.Route{{}, {"GET", "/v1/one"}, {"GET", "/v1/two"}}},
				{Name: "write-it", Timeout: time.Minute},
			},
		},
		"fail/no YAML":     {text: "Resources: [", err: "t.yaml: yaml"},
		"fail/no function": {text: "Resources: {A: {Type: 'AWS::Serverless::Function', Properties: [1]}}", err: "t.yaml: A: yaml"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "t.yaml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := template.Read(file)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q in it", err, c.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
		})
	}
	if _, err := template.Read(filepath.Join(t.TempDir(), "nothing.yaml")); err == nil {
		t.Error("a template that is not there was read")
	}
}
