module typedinbox/infra/check

go 1.26.2

require (
	github.com/awslabs/goformation/v7 v7.14.9
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	go.yaml.in/yaml/v3 v3.0.6
	typedinbox v0.0.0
)

require (
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	golang.org/x/text v0.44.0 // indirect
)

replace typedinbox => ../..
