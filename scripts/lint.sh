#!/usr/bin/env bash
# The linter is the style guide: .golangci.yml. It is built once from the module
# proxy and kept in build/.
set -euo pipefail
cd "$(dirname "$0")/.."
version=v2.15.0
bin=build/golangci-lint-$version
if [ ! -x "$bin" ]; then
  mkdir -p build
  GOBIN=$PWD/build/tmp-lint go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$version"
  mv build/tmp-lint/golangci-lint "$bin"
  rmdir build/tmp-lint
fi
exec "$bin" run "$@" ./...
