#!/usr/bin/env bash
# Everything that is proved about the inbox, in the order of how soon it tells.
# It needs Go alone and fetches modules by itself; a browser for the pages it
# installs where it may, and says so where it may not. FUZZTIME and MODEL_SEEDS
# lengthen it; "soak" as an argument runs the long parts only.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS="${GOFLAGS:-} -buildvcs=false"
FUZZTIME=${FUZZTIME:-10s}

step() { printf '\n== %s\n' "$*"; }

need() {
  command -v "$1" >/dev/null && return
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "$1 is missing; install it" >&2; exit 1; }
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$2" >/dev/null
}

# What the tests of the pages drive: Chromium, and its driver by the lock file.
# Without it they skip with a message.
browser() {
  (need node nodejs; need npm npm; need chromium chromium) ||
    { echo "no browser can be installed here: the pages are tested without one"; return 0; }
  (cd scripts/pages && npm ci --silent --no-audit --no-fund --ignore-scripts) ||
    echo "the browser's driver cannot be installed here: the pages are tested without one"
}

# Each fuzz target by itself: package and name.
fuzz_targets() { grep -rlE '^func Fuzz' --include='*_test.go' shared scripts | while read -r f; do
  grep -oE '^func Fuzz[A-Za-z0-9]+' "$f" | sed "s|^func |./$(dirname "$f") |"; done | sort -u; }

fuzz_one() { go test -run '^$' -fuzz "^$2\$" -fuzztime "$FUZZTIME" "$1" >build/fuzz.log 2>&1 </dev/null; }

fuzz() {
  step "fuzzing, $FUZZTIME each"
  fuzz_targets | while read -r pkg name; do
    echo "$pkg $name"
    # The fuzzer now and then reports its own end as a failure; an input that
    # fails is named in its log.
    fuzz_one "$pkg" "$name" || { ! grep -q 'Failing input' build/fuzz.log && fuzz_one "$pkg" "$name"; } ||
      { cat build/fuzz.log; exit 1; }
  done
}

mkdir -p build
if [ "${1:-}" = soak ]; then
  step "the model, long"
  go test -timeout 3h -run 'Model|Linear' -v ./scripts/...
  fuzz
  exit
fi

need curl curl
step "format and vet"
unformatted=$(gofmt -l $(git ls-files '*.go'))
[ -z "$unformatted" ] || { echo "gofmt differs: $unformatted"; exit 1; }
go vet ./...

step "a browser for the pages"
browser

step "tests"
go test -timeout 20m ./...

step "deployment template"
(cd infra/check && go test ./...)

fuzz

step "all passed"
