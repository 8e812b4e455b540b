#!/bin/bash
# The README's `up` commands one after another, in several orders, on the default data folder: what earlier ones have
# deployed goes on to work beside what is deployed now, and `byoshin down` removes it.
set -euo pipefail
byoshin=$PWD/$1
out=$TEST_TMPDIR/out

fail() {
  echo "FAILED: $*" >&2
  cat "$out" >&2
  exit 1
}

# Waits until the output has a line like $1; Bazel's time limit ends it if none comes.
await_line() {
  until grep -qE "$1" "$out"; do
    kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
    read -rt 0.05 <> <(:) || true
  done
}

start() { # start FLAGS...
  echo "-- up $*"
  : >"$out"
  "$byoshin" up --port=0 --api-port=0 "$@" >"$out" 2>&1 &
  up=$!
  await_line 'Ctrl-C stops'
  url=$(sed -nE 's|^Dashboard: (.*)/$|\1|p' "$out")
}

stop() {
  kill -TERM "$up"
  wait "$up" || fail "it did not end well"
  if grep -E 'fails: |may not work|could not be' "$out"; then fail "something does not work"; fi
}

ask() { "$byoshin" "$@" --endpoint="$url"; }

# Each stack as its users see it.
scheduler_works() {
  ask tick >/dev/null
  await_line '^20[0-9-]+T[0-9:]+Z  count +[0-9]+ '
}
generation_works() {
  [[ $(ask token --user=demo) == *.*.* ]] || fail "no token of the user"
  grep -q '^PROCESS' <<<"$(ask processes)" || fail "the database does not answer"
}
mesh_works() {
  local key api body='{"query":"mutation { createDomain }"}' answer
  key=$(sed -nE 's/^  key (da2-.*)$/\1/p' "$out")
  api=$(sed -nE 's|^GraphQL API: http://[^/]*(/.*)$|\1|p' "$out")
  exec 3<>"/dev/tcp/127.0.0.1/${url##*:}"
  printf 'POST %s HTTP/1.0\r\nHost: localhost\r\nx-api-key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
    "$api" "$key" "${#body}" "$body" >&3
  answer=$(cat <&3)
  exec 3>&-
  grep -q '"data":{"createDomain":"' <<<"$answer" || fail "GraphQL: $answer"
}

expect() { # expect STACKS-LINE STACK...
  grep -qxF -- "Stacks: $1" "$out" || fail "expected \"Stacks: $1\""
  shift
  local stack
  for stack in "$@"; do "${stack}_works"; done
}

hint='(byoshin down STACK removes one)'

# As the README has them, and then all of them.
export HOME=$TEST_TMPDIR/1
start
expect 'byoshin' scheduler
stop
start --stack=generation
expect "byoshin-generation; from earlier runs: byoshin $hint" generation scheduler
stop
start --stack=mesh
expect "byoshin-mesh; from earlier runs: byoshin, byoshin-generation $hint" mesh scheduler generation
stop
start
expect "byoshin; from earlier runs: byoshin-generation, byoshin-mesh $hint" scheduler mesh generation

# A running cloud removes a stack at once: its functions, queues and logs are gone, its table is retained.
removed=$(ask down scheduler)
grep -qx 'removed the stack byoshin' <<<"$removed" || fail "down: $removed"
grep -qE '^MetricsTable +AWS::DynamoDB::Table +AiResponseMetrics$' <<<"$removed" || fail "down: $removed"
if grep -q 'SchedulingQueue' <<<"$(ask queues)"; then fail "a removed stack has queues"; fi
if grep -q 'CollectorFunction' <<<"$(ask status)"; then fail "a removed stack has functions"; fi
await_line 'the stack byoshin was removed'
if again=$(ask down scheduler 2>&1); then fail "removed twice: $again"; fi
grep -q 'there is no stack "byoshin"; there are: byoshin-generation, byoshin-mesh' <<<"$again" || fail "down: $again"
stop
data=$HOME/.local/share/byoshin/up
if compgen -G "$data/zips/collector-*" >/dev/null; then fail "a removed stack has code"; fi

# Without a cloud, it is removed from the data. A soft limit of open files is raised, as by `up`.
removed=$(ulimit -Sn 256; "$byoshin" down generation --data="$data" 2>&1)
grep -qx 'removed the stack byoshin-generation' <<<"$removed" || fail "down: $removed"
if missing=$("$byoshin" down mesh --data="$TEST_TMPDIR/none" 2>&1); then fail "removed from nothing: $missing"; fi
grep -q "$TEST_TMPDIR/none does not exist" <<<"$missing" || fail "down: $missing"
[[ ! -e $TEST_TMPDIR/none ]] || fail "down has made a folder"

# Deployed again, they have the data that was retained.
start --stack=generation
expect "byoshin-generation; from earlier runs: byoshin-mesh $hint" generation mesh
if grep -q '^Polling' "$out"; then fail "it polls for a stack that was removed"; fi
stop
start
expect "byoshin; from earlier runs: byoshin-generation, byoshin-mesh $hint" scheduler mesh generation
stop

# The other way round. An API of the user's own stays the one that is polled.
export HOME=$TEST_TMPDIR/2
start --stack=mesh
expect 'byoshin-mesh' mesh
stop
start --parameter=ApiBaseUrl=http://127.0.0.1:9
expect "byoshin; from earlier runs: byoshin-mesh $hint" mesh
kill -TERM "$up"
wait "$up" || fail "it did not end well"
start --stack=mesh
grep -q '^Polling http://127.0.0.1:9 ' "$out" || fail "another API is polled"
kill -TERM "$up"
wait "$up" || fail "it did not end well"
start --stack=scheduler,mesh
expect 'byoshin, byoshin-mesh' mesh scheduler
stop
echo "passed"
