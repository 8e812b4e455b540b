#!/bin/bash
# `byoshin up` in real time: slots come in, the commands see them, data stays, mistakes are told.
set -euo pipefail
byoshin=$PWD/$1
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

start() { # start FLAGS...
  : >"$out"
  "$byoshin" up --port=0 --api-port=0 --data="$data" "$@" >"$out" 2>&1 &
  up=$!
  await_line '^Dashboard: '
  url=$(sed -nE 's|^Dashboard: (.*)/$|\1|p' "$out")
}

stop() {
  kill -TERM "$up"
  wait "$up" || fail "it did not end well"
}

ask() { "$byoshin" "$@" --endpoint="$url"; }

# What was due when it stopped is done when it runs again: whether it stops before the Sender, between Sender and
# Collector, or while messages wait on the queue. That takes some seconds, in which all else is looked at.
data=$TEST_TMPDIR/stopped
out=$TEST_TMPDIR/out_of_stopped
start
# All in one minute, so that it is known which.
until
  minute=$(date -u +%Y-%m-%dT%H:%M)
  ask tick >/dev/null
  [[ $minute == "$(date -u +%Y-%m-%dT%H:%M)" ]]
do :; done
stop
start
stopped=("$out" "$up" "$url")

data=$TEST_TMPDIR/data
out=$TEST_TMPDIR/out
start
fired=$(ask tick)
[[ $fired == fired* ]] || fail "tick: $fired"
await_line '^20[0-9-]+T[0-9:]+Z  count +[0-9]+ +[0-9.]+ .+ late$'
records=$(ask records --format=csv)
grep -qE '^20.*Z,[0-9]+$' <<<"$records" || fail "records: $records"
grep -q 'SchedulingQueue' <<<"$(ask queues)" || fail "queues"
grep -q 'CollectorFunction' <<<"$(ask status)" || fail "status"
grep -qE 'CollectorFunction-[A-Z0-9]+  INFO   count stored  count=' <<<"$(ask logs --function=collector)" || fail "logs"
grep -q '"level":"INFO"' <<<"$(ask logs --raw)" || fail "logs --raw"
grep -qE 'AI Employee Mock API +http://127.0.0.1:' <<<"$(ask status)" || fail "REST APIs"
result=$(ask invoke sender <(echo '{"time":"2026-01-01T00:00:00Z"}') 2>/dev/null)
grep -q '"sent":12' <<<"$result" || fail "invoke: $result"
# The records of an old minute are shown, and makes nothing of the time since then missing.
await_line '^2026-01-01T00:00:00Z  count '
old=$(ask records --since=2026-01-01T00:00:00Z --format=csv)
grep -q '^2026-01-01T00:00:00Z,' <<<"$old" || fail "records of an old minute: $old"
grep -qE '^missing slots [0-9]{1,3}$' <<<"$(ask status)" || fail "missing because of an old minute: $(ask status)"
# Nothing is collected for a time that has not come.
if refused=$(ask invoke sender <(echo '{"time":"2999-01-01T00:00:00Z"}') 2>&1); then fail "the future: $refused"; fi
grep -q 'more than a minute ahead of the present one' <<<"$refused" || fail "the future: $refused"

# What the Sender and the rule fail with are dead letters, but there is nothing to move them back to.
for queue in SenderFailureQueue RuleFailureQueue; do
  if refused=$(ask redrive "$queue" 2>&1); then fail "redrive $queue: $refused"; fi
  grep -q 'there is no queue to move what is in' <<<"$refused" || fail "redrive $queue: $refused"
done

# A second one on the same data, or the same port, says so.
if second=$("$byoshin" up --port=0 --api-port=0 --data="$data" 2>&1); then fail "two on the same data"; fi
grep -q 'another process is using' <<<"$second" || fail "second on the same data: $second"
if second=$("$byoshin" up --port="${url##*:}" --api-port=0 --in-memory 2>&1); then fail "two on one port"; fi
grep -qi 'address already in use.*--port=' <<<"$second" || fail "second on the same port: $second"
if second=$("$byoshin" up --port=0 --api-port="${url##*:}" --in-memory 2>&1); then fail "an API on a used port"; fi
grep -qi 'address already in use.*--api-port=' <<<"$second" || fail "second on the API's port: $second"

# Files that can't grow stand for a disk that is full, but for the message.
if full=$(trap '' XFSZ; ulimit -f 1000; "$byoshin" up --port=0 --api-port=0 --data="$TEST_TMPDIR/full" 2>&1); then
  fail "up without room on the disk"
fi
grep -q 'cannot keep .*: File too large' <<<"$full" || fail "files that cannot grow: $full"

# A limit that is too low is told, with the one that is needed.
if few=$(ulimit -n 128; "$byoshin" up --port=0 --api-port=0 --in-memory 2>&1); then fail "up with 128 open files"; fi
grep -q 'only 128 files may be open, and at least 512 are needed' <<<"$few" || fail "128 open files: $few"

stop

# What was stored is there again.
before=$(grep -cE '^20' <<<"$records")
start --durability=full
after=$(ask records --format=csv | grep -cE '^20')
((after >= before)) || fail "$before records before, $after after a restart"
stop

# An API that does not answer is told with its reason, and its slots are missing though none was ever stored.
(
  data=$TEST_TMPDIR/unanswered
  out=$TEST_TMPDIR/out_of_unanswered
  start --parameter=ApiBaseUrl=http://127.0.0.1:9 --parameter=WindowLagSeconds=60
  ask tick >/dev/null
  await_line '^20[0-9-]+T[0-9:]+Z  byoshin-CollectorFunction-[A-Z0-9]+ fails: GET http://127.0.0.1:9/response_count: '
  until grep -qE '[1-9][0-9]* missing' <<<"$(ask chart --since=5m --ascii)"; do
    kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
    read -rt 0.2 <> <(:) || true
  done
  stop
  [[ $(grep -c 'fails: ' "$out") == 1 ]] || fail "one failure was told more than once"
)

out=${stopped[0]} up=${stopped[1]} url=${stopped[2]}
for slot in "$minute:00Z" "$minute:05Z"; do
  until grep -q "^$slot," <<<"$(ask records --format=csv)"; do
    kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
    read -rt 0.2 <> <(:) || true
  done
done

# As often as is wanted.
for _ in 1 2; do
  grep -qE '^deleted [0-9]+ records' <<<"$(ask reset --yes 2>&1)" || fail "reset"
done
stop
echo "passed"
