# Two commands matter: `make run` starts the inbox on this machine, `make test`
# proves it. Both prepare what they need. The rest are parts of those two.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
export CGO_ENABLED ?= 0

BUILD := build
FUNCTIONS := $(notdir $(wildcard functions/*))
FUZZTIME ?= 10s

.PHONY: help
help: ## list the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-22s %s\n", $$1, $$2}'

.PHONY: run
run: ## start the inbox on this machine: http://127.0.0.1:8787
	@mkdir -p $(BUILD)
	@go build -o $(BUILD)/local ./scripts/local
	@exec $(BUILD)/local

.PHONY: run-lambda
run-lambda: ## the same with the real function binaries behind the template's routes
	@go run ./scripts/run-lambda

.PHONY: invoke
invoke: ## run a function of a running run-lambda on its sample event: make invoke FUNCTION=get-business
	@curl -sf -X POST "http://127.0.0.1:$${PORT:-8787}/_local/invoke/$(FUNCTION)"; echo

.PHONY: test
test: ## everything: format, generated files, tests, races, template, binaries, fuzzing
	@scripts/test.sh

.PHONY: race
race: ## the tests of storage and operations under Go's race detector (needs gcc)
	CGO_ENABLED=1 go test -race -timeout 30m -short ./shared/table/embedded ./shared/store ./shared/desk ./shared/work ./shared/identity

.PHONY: lint
lint: ## golangci-lint with the rules of .golangci.yml
	@scripts/lint.sh

.PHONY: generate
generate: ## write the generated documents anew
	@go generate ./...

.PHONY: check-template
check-template: ## read the deployment template as CloudFormation would, and check what it promises
	@cd infra/check && go test ./...

.PHONY: check-table
check-table: ## recount places, versions, chains and offers from the items
	@go run ./scripts/check-table

.PHONY: bench
bench: ## print the numbers the product is held to, as JSON lines
	@scripts/bench.sh

.PHONY: soak
soak: ## what is too slow for every day: long model runs and fuzzing
	@FUZZTIME=5m MODEL_SEEDS=2000 LINEAR_SEEDS=100 scripts/test.sh soak

.PHONY: test-dynamodb-local
test-dynamodb-local: ## the storage suite against DynamoDB Local (opt-in, see scripts/dynamodb-local.sh)
	@scripts/dynamodb-local.sh

.PHONY: build
build: ## every function as it is deployed: build/<function>/bootstrap, arm64
	@for f in $(FUNCTIONS); do \
		GOFLAGS="$$(cat infra/functions.goflags)" GOOS=linux GOARCH=arm64 go build -o $(BUILD)/$$f/bootstrap ./functions/$$f; done

.PHONY: deploy
deploy: ## build and deploy with the SAM CLI (see docs/DEPLOY.md)
	GOFLAGS="$$(cat infra/functions.goflags)" sam build && sam deploy --guided
