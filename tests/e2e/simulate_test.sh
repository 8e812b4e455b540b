#!/bin/bash
# Simulates the scheduler with real functions, real HTTP and real storage, and holds it to its report. For longer:
#   ./bazelw test //tests/e2e:simulate_test --test_env=BYOSHIN_SIMULATED_MINUTES=600
set -euo pipefail
byoshin=$PWD/$1

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

expect() { # expect REPORT NAME VALUE
  grep -qE "^$2 +$3\$" <<<"$1" || fail "expected '$2 $3' in: $1"
}

report=$("$byoshin" simulate --for=15m)
echo "$report"
expect "$report" "slots expected" 180
expect "$report" "stored" 180
expect "$report" "missing" 0
expect "$report" "duplicate" 0
expect "$report" "retries" 0
# A function takes no simulated time, so nothing is late that did not wait for anything.
grep -q "max 0 ms" <<<"$report" || fail "late without a reason: $report"

# Windows that lie back: every slot is stored when it is due, and none is expected that is not asked for.
for lag in 10 60 300; do
  report=$("$byoshin" simulate --for=2m --parameter=WindowLagSeconds="$lag")
  expect "$report" "slots expected" 24
  expect "$report" "stored" 24
  expect "$report" "duplicate" 0
  grep -q "max 0 ms" <<<"$report" || fail "late with a lag of $lag s: $report"
done

# A century ahead, where the Sender's own clock would tell it that each minute lies in the future. A soft limit of open
# files is raised.
report=$(ulimit -Sn 256; "$byoshin" simulate --for=2m --start=2126-01-01T00:00:00Z)
expect "$report" "stored" 24
expect "$report" "retries" 0

# Half an hour in which everything fails all the time, and still every slot is stored, once. The seed does not decide who
# is hit: a Sender that is killed often would, now and then, be killed in all of its three attempts.
minutes=${BYOSHIN_SIMULATED_MINUTES:-30}
report=$("$byoshin" simulate --for="${minutes}m" --faults=api:0.4,sqs:0.1,dynamodb:0.1,crash:0.02 --seed=7)
echo "$report"
expect "$report" "slots expected" $((12 * minutes))
expect "$report" "stored" $((12 * minutes))
expect "$report" "missing" 0
expect "$report" "duplicate" 0
expect "$report" "retries" "[1-9][0-9]*"

# Functions that often die, also just after they have answered: the next invocation may then find an environment that is
# gone. Some slots run out of attempts, whole minutes too, but the simulation gets to its end.
report=$("$byoshin" simulate --for=20m --faults=crash:0.4 --seed=7) || true
expect "$report" "slots expected" 240
expect "$report" "stored" "[12][0-9][0-9]"

# An API that never answers: all are missing, and the exit code says so.
if report=$("$byoshin" simulate --for=1m --faults=api:1); then
  fail "slots are missing, but the exit code is 0: $report"
fi
expect "$report" "missing" 12

# Faults of one service are not those of another: without SQS nothing gets to the Collector; logs are not needed.
if report=$("$byoshin" simulate --for=1m --faults=sqs:1); then
  fail "the Sender could send without SQS: $report"
fi
expect "$report" "missing" 12
report=$("$byoshin" simulate --for=1m --faults=logs:1,lambda:1)
expect "$report" "missing" 0
expect "$report" "retries" 0

# Stopped, it says where; the same command continues from there.
data=$TEST_TMPDIR/stopped
"$byoshin" simulate --for=1000h --data="$data" >"$data.out" 2>&1 &
simulation=$!
until [[ -f $data/dynamodb.db ]]; do kill -0 "$simulation" || fail "simulate has ended"; done
kill -TERM "$simulation"
if wait "$simulation"; then fail "stopped, but the exit code is 0"; fi
grep -q 'stopped at 20.*the same command continues from there' "$data.out" || fail "stopped: $(cat "$data.out")"
now=$(sed -nE 's/.*"now":"([^"]*)".*/\1/p' "$data/simulation.json")
[[ -n $now ]] || fail "simulation.json: $(cat "$data/simulation.json")"
# A relative data folder, and a relative folder for temporary files, are those below the working directory.
mkdir -p "$TEST_TMPDIR/here/temporary"
report=$(cd "$TEST_TMPDIR/here" && "$byoshin" simulate --for=1m --data=relative)
expect "$report" "stored" 12
report=$(cd "$TEST_TMPDIR/here" && TMPDIR=temporary "$byoshin" simulate --for=1m)
expect "$report" "stored" 12
[[ -z $(ls -A "$TEST_TMPDIR/here/temporary") ]] || fail "temporary files are left"

# What a killed one has left is removed by the next start, also by one that keeps its data.
mkdir "$TEST_TMPDIR/killed"
TMPDIR=$TEST_TMPDIR/killed "$byoshin" simulate --for=1000h >/dev/null 2>&1 &
killed=$!
until compgen -G "$TEST_TMPDIR/killed/byoshin-*/lambda/*" >/dev/null; do
  kill -0 "$killed" || fail "simulate has ended"
done
kill -KILL "$killed"
wait "$killed" || true
[[ -n $(ls -A "$TEST_TMPDIR/killed") ]] || fail "a killed simulation left nothing to test with"
TMPDIR=$TEST_TMPDIR/killed "$byoshin" simulate --for=1m --data="$TEST_TMPDIR/next" >/dev/null
[[ -z $(ls -A "$TEST_TMPDIR/killed") ]] || fail "left: $(ls -A "$TEST_TMPDIR/killed")"
if missing=$(TMPDIR=/nonexistent "$byoshin" simulate --for=1m 2>&1); then fail "there is no TMPDIR: $missing"; fi
grep -q 'cannot make a temporary folder in /nonexistent .*TMPDIR' <<<"$missing" || fail "no TMPDIR: $missing"

# Users of asynchronous generation start processes, and cancel some; all are over in the end.
report=$("$byoshin" simulate --stack=generation --for=15m)
echo "$report"
expect "$report" "processes" "15 started, 0 of them retries"
expect "$report" "failed" 0
expect "$report" "not over" 0
completed=$(sed -nE 's/^completed +([0-9]+)$/\1/p' <<<"$report")
cancelled=$(sed -nE 's/^cancelled +([0-9]+)$/\1/p' <<<"$report")
((completed >= 12 && completed + cancelled == 15)) || fail "lost processes: $report"
# A model that fails: what has failed is retried when its user comes again.
report=$("$byoshin" simulate --stack=generation --for=40m --model=error)
expect "$report" "processes" "40 started, [5-8] of them retries"
expect "$report" "completed" 0
expect "$report" "failed" "(3[0-9]|40)"
expect "$report" "not over" 0

# A simulated mesh has no users, and the report says so; that of another stack does not.
report=$("$byoshin" simulate --stack=mesh --for=1m)
grep -q "^byoshin-mesh has no simulated users" <<<"$report" || fail "mesh: $report"
report=$("$byoshin" simulate --for=1m)
if grep -q "byoshin-mesh" <<<"$report"; then fail "no mesh is deployed: $report"; fi

# What can't be understood is refused at once.
if "$byoshin" simulate --faults=api:2 2>/dev/null; then fail "--faults=api:2 was taken"; fi
if "$byoshin" simulate --for=soon 2>/dev/null; then fail "--for=soon was taken"; fi
echo "passed"
