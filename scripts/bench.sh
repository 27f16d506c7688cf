#!/usr/bin/env bash
# Prints the numbers of the product as JSON lines: {name, value, unit, goal, ok}.
set -euo pipefail
cd "$(dirname "$0")/.."
go run ./scripts/bench
go run ./scripts/bench-functions
go run ./scripts/bench-cost
