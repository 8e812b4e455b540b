#!/bin/bash
# `byoshin up` in real time: slots come in, the commands see them, data stays, mistakes are told.
set -euo pipefail
byoshin=$PWD/$1
data=$TEST_TMPDIR/data
out=$TEST_TMPDIR/out
export HOME=$TEST_TMPDIR

fail() {
  echo "FAILED: $*" >&2
  [[ -f $out ]] && cat "$out" >&2
  exit 1
}

# Waits until the output has a line like $1; Bazel's time limit ends it if none comes.
await_line() {
  until grep -qE "$1" "$out"; do
    kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
    read -rt 0.05 <> <(:) || true
  done
}

start() {
  : >"$out"
  "$byoshin" up --port=0 --api-port=0 --data="$data" >"$out" 2>&1 &
  up=$!
  await_line '^Dashboard: '
  url=$(sed -nE 's|^Dashboard: (.*)/$|\1|p' "$out")
}

ask() { "$byoshin" "$@" --endpoint="$url"; }

start
fired=$(ask tick)
[[ $fired == fired* ]] || fail "tick: $fired"
await_line '^20[0-9-]+T[0-9:]+Z  count +[0-9]+ +[0-9.]+ ms late$'
records=$(ask records --format=csv)
grep -qE '^20.*Z,[0-9]+$' <<<"$records" || fail "records: $records"
grep -q 'SchedulingQueue' <<<"$(ask queues)" || fail "queues"
grep -q 'CollectorFunction' <<<"$(ask status)" || fail "status"
grep -q '"level":"INFO"' <<<"$(ask logs)" || fail "logs"
result=$(ask invoke sender <(echo '{"time":"2026-01-01T00:00:00Z"}') 2>/dev/null)
grep -q '"sent":12' <<<"$result" || fail "invoke: $result"

# A second one on the same data, or the same port, says so.
if second=$("$byoshin" up --port=0 --api-port=0 --data="$data" 2>&1); then fail "two on the same data"; fi
grep -q 'another process is using' <<<"$second" || fail "second on the same data: $second"
if second=$("$byoshin" up --port="${url##*:}" --api-port=0 --in-memory 2>&1); then fail "two on one port"; fi
grep -qi 'address already in use' <<<"$second" || fail "second on the same port: $second"

kill -TERM "$up"
wait "$up" || fail "it did not end well"

# What was stored is there again.
before=$(grep -cE '^20' <<<"$records")
start
after=$(ask records --format=csv | grep -cE '^20')
((after >= before)) || fail "$before records before, $after after a restart"
kill -TERM "$up"
wait "$up" || fail "it did not end well"
echo "passed"
