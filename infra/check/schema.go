package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	samschema "github.com/awslabs/goformation/v7/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schemas judges the properties of resources: SAM's types by goformation's
// schema, AWS's own by the CloudFormation registry's.
type Schemas struct {
	registry string // directory of the registry's schemas, <service>/<type>.json
	mu       sync.Mutex
	sam      *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
	sources  map[string]Tree
}

// NewSchemas prepares the schemas found under a directory of the registry's.
func NewSchemas(registry string) (*Schemas, error) {
	sam, err := samSchema()
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	if err := c.AddResource("sam.json", sam); err != nil {
		return nil, err
	}
	return &Schemas{registry: registry, sam: c, compiled: map[string]*jsonschema.Schema{}, sources: map[string]Tree{}}, nil
}

// newer are properties that SAM has and the schema (April 2024) does not know.
var newer = map[string][]string{
	"AWS::Serverless::Function":               {"LoggingConfig", "SnapStart", "RuntimeManagementConfig", "PropagateTags", "RolePath", "RecursiveLoop", "SourceKMSKeyArn"},
	"AWS::Serverless::HttpApi":                {"AccessLogSettings", "Name", "PropagateTags"},
	"AWS::Serverless::Function.DynamoDBEvent": {"FilterCriteria", "FunctionResponseTypes", "ParallelizationFactor", "MaximumRecordAgeInSeconds", "TumblingWindowInSeconds"},
	"AWS::Serverless::Function.SQSEvent":      {"FilterCriteria", "FunctionResponseTypes", "ScalingConfig", "MaximumBatchingWindowInSeconds"},
}

// optional are properties that a schema calls required and a template may leave
// out.
var optional = map[string][]string{
	"AWS::Serverless::Function.EventInvokeDestinationConfig": {"OnSuccess", "OnFailure"},
	"AWS::CloudFormation::Stack":                             {"StackName"},
}

// events maps the event types we know to the schema's definitions.
var events = map[string]string{
	"HttpApi":         "AWS::Serverless::Function.HttpApiEvent",
	"ScheduleV2":      "ScheduleV2",
	"S3":              "AWS::Serverless::Function.S3Event",
	"DynamoDB":        "AWS::Serverless::Function.DynamoDBEvent",
	"SQS":             "AWS::Serverless::Function.SQSEvent",
	"EventBridgeRule": "AWS::Serverless::Function.EventBridgeRuleEvent",
}

// samSchema is goformation's schema, cut down to SAM's own types (the 7,300
// others make compiling take minutes), with an event judged by its Type.
func samSchema() (Tree, error) {
	sam, err := unmarshal([]byte(samschema.SamSchema))
	if err != nil {
		return nil, err
	}
	defs := sam["definitions"].(Tree)
	for k := range defs {
		if !strings.HasPrefix(k, "AWS::Serverless::") {
			delete(defs, k)
		}
	}
	delete(sam, "properties")
	function := at(defs, "AWS::Serverless::Function", "properties", "Properties").(Tree)
	delete(function, "anyOf")
	delete(function, "required")
	for _, typ := range names(defs) {
		correct(typ, defs[typ].(Tree))
	}
	defs["ScheduleV2"] = scheduleV2()
	defs["AWS::Serverless::Function.EventSource"] = eventSource()
	soften(sam, true)
	return sam, nil
}

// correct adds what is newer than a schema and drops what it asks for in vain.
// A type's properties stand one level down in SAM's schema, except in its parts.
func correct(typ string, def Tree) {
	if inner, ok := at(def, "properties", "Properties").(Tree); ok {
		def = inner
	}
	for _, k := range newer[typ] {
		if p := def["properties"].(Tree); p[k] == nil {
			p[k] = true
		}
	}
	var required []any
	for _, k := range list(def["required"]) {
		if !contains(optional[typ], text(k)) {
			required = append(required, k)
		}
	}
	delete(def, "required")
	if len(required) > 0 {
		def["required"] = required
	}
}

// scheduleV2 is SAM's schedule of EventBridge Scheduler, which the schema lacks.
func scheduleV2() Tree {
	str := Tree{"type": "string"}
	retry := Tree{"type": "object", "additionalProperties": false, "properties": Tree{
		"MaximumEventAgeInSeconds": Tree{"type": "integer", "minimum": json.Number("60"), "maximum": json.Number("86400")},
		"MaximumRetryAttempts":     Tree{"type": "integer", "minimum": json.Number("0"), "maximum": json.Number("185")},
	}}
	dead := Tree{"type": "object", "additionalProperties": false, "properties": Tree{"Arn": str, "Type": Tree{"enum": []any{"SQS"}}, "QueueLogicalId": str}}
	return Tree{"type": "object", "additionalProperties": false, "required": []any{"ScheduleExpression"}, "properties": Tree{
		"ScheduleExpression":         Tree{"type": "string", "pattern": `^(rate\(\d+ (minute|minutes|hour|hours|day|days)\)|cron\(\S+( \S+){5}\)|at\(\S+\))$`},
		"ScheduleExpressionTimezone": str, "Description": str, "Input": str, "Name": str, "GroupName": str, "RoleArn": str,
		"State": Tree{"enum": []any{"ENABLED", "DISABLED"}}, "StartDate": str, "EndDate": str, "KmsKeyArn": str,
		"PermissionsBoundary": str, "FlexibleTimeWindow": true, "OmitName": true, "RetryPolicy": retry, "DeadLetterConfig": dead,
	}}
}

// eventSource judges an event's properties by its type.
func eventSource() Tree {
	var kinds, cases []any
	for _, k := range names(events) {
		kinds = append(kinds, k)
		cases = append(cases, Tree{
			"if":   Tree{"properties": Tree{"Type": Tree{"const": k}}},
			"then": Tree{"properties": Tree{"Properties": Tree{"$ref": "#/definitions/" + events[k]}}},
		})
	}
	return Tree{"type": "object", "required": []any{"Type", "Properties"}, "additionalProperties": false,
		"properties": Tree{"Type": Tree{"enum": kinds}, "Properties": true}, "allOf": cases}
}

// intrinsic is a CloudFormation function, allowed wherever a value is.
var intrinsic = Tree{"type": "object", "minProperties": json.Number("1"), "maxProperties": json.Number("1"), "additionalProperties": false,
	"patternProperties": Tree{"^(Ref|Fn::[A-Za-z0-9:]+|Condition)$": true}}

// soften makes every sub-schema accept a function too, and scalars as loosely
// as CloudFormation, which coerces them.
func soften(s any, top bool) any {
	m, ok := s.(Tree)
	if !ok {
		return s
	}
	for _, k := range []string{"properties", "patternProperties", "definitions"} {
		if p, ok := m[k].(Tree); ok {
			for n, v := range p {
				p[n] = soften(v, k == "definitions")
			}
		}
	}
	for _, k := range []string{"items", "additionalProperties"} {
		if _, ok := m[k].(Tree); ok {
			m[k] = soften(m[k], false)
		}
	}
	if top {
		return m
	}
	switch m["type"] {
	case "string":
		m["type"] = []any{"string", "number", "boolean"}
	case "boolean":
		m["type"] = []any{"boolean", "string"}
	case "number", "integer":
		delete(m, "type")
		m["anyOf"] = []any{Tree{"type": "number"}, Tree{"type": "string", "pattern": `^-?[0-9.]+$`}}
	}
	return Tree{"if": intrinsic, "then": true, "else": m}
}

func unmarshal(b []byte) (Tree, error) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	m, ok := v.(Tree)
	if !ok {
		return nil, fmt.Errorf("not an object")
	}
	delete(m, "$id")
	return m, nil
}

// Source is the registry's schema of an AWS type, as published.
func (s *Schemas) Source(typ string) (Tree, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source(typ)
}

func (s *Schemas) source(typ string) (Tree, error) {
	if t, ok := s.sources[typ]; ok {
		return t, nil
	}
	b, err := os.ReadFile(filepath.Join(s.registry, filepath.Join(strings.Split(strings.ToLower(typ), "::")...)+".json"))
	if err != nil {
		return nil, fmt.Errorf("no schema for type %s", typ)
	}
	t, err := unmarshal(b)
	if err == nil {
		s.sources[typ] = t
	}
	return t, err
}

// schema is the compiled schema of a type's properties.
func (s *Schemas) schema(typ string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c, ok := s.compiled[typ]; ok {
		return c, nil
	}
	c, err := s.compile(typ)
	if err == nil {
		s.compiled[typ] = c
	}
	return c, err
}

func (s *Schemas) compile(typ string) (*jsonschema.Schema, error) {
	if strings.HasPrefix(typ, "AWS::Serverless::") {
		root := "sam.json#/definitions/" + typ + "/properties/Properties"
		if c, err := s.sam.Compile(root + "/else"); err == nil {
			return c, nil
		}
		return s.sam.Compile(root)
	}
	if _, err := s.source(typ); err != nil {
		return nil, err
	}
	fresh, err := json.Marshal(s.sources[typ])
	if err != nil {
		return nil, err
	}
	doc, err := unmarshal(fresh)
	if err != nil {
		return nil, err
	}
	delete(doc, "$schema") // names a meta-schema of the registry's own
	correct(typ, doc)
	soften(doc, true)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	c.UseRegexpEngine(lenient)
	if err := c.AddResource("cfn.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("cfn.json")
}

// lenient takes the registry's patterns that use look-ahead for "anything".
func lenient(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = regexp.MustCompile("")
	}
	return re, nil
}

// Judge says what is wrong with the properties of a type.
func (s *Schemas) Judge(typ string, properties any) []string {
	c, err := s.schema(typ)
	if err != nil {
		return []string{err.Error()}
	}
	if properties == nil {
		properties = Tree{}
	}
	b, err := json.Marshal(properties)
	if err != nil {
		return []string{err.Error()}
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return []string{err.Error()}
	}
	return complaints(c.Validate(v))
}

// complaints are the leaves of a validation error.
func complaints(err error) (out []string) {
	e, ok := err.(*jsonschema.ValidationError)
	if !ok {
		if err != nil {
			out = append(out, err.Error())
		}
		return out
	}
	if len(e.Causes) == 0 {
		parts := strings.Split(e.Error(), "': ")
		return []string{strings.Join(e.InstanceLocation, "/") + ": " + parts[len(parts)-1]}
	}
	for _, c := range e.Causes {
		out = append(out, complaints(c)...)
	}
	return out
}
