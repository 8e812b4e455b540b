#!/bin/bash
# The memory of `byoshin up` with all stacks: it keeps no code that it has deployed, and gives back what a big request
# took.
set -euo pipefail
byoshin=$PWD/$1
out=$TEST_TMPDIR/out
limit_kib=$((64 << 10))
# The allocator of a sanitizer keeps what is freed.
grep -qE '__[at]san_init' "$byoshin" && limit_kib=$((8 << 20))

fail() {
  echo "FAILED: $*" >&2
  cat "$out" >&2
  exit 1
}

# Without pages of files, in KiB.
resident() { sed -nE 's/^RssAnon:[[:space:]]*([0-9]+) kB$/\1/p' "/proc/$up/status"; }

"$byoshin" up --stack=all --in-memory --port=0 --api-port=0 >"$out" 2>&1 &
up=$!
until grep -q 'Ctrl-C stops' "$out"; do
  kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
  read -rt 0.05 <> <(:) || true
done
idle=$(resident)
echo "idle: $idle KiB"
((idle < limit_kib)) || fail "it has $idle KiB"

url=$(sed -nE 's|^Dashboard: (.*)/$|\1|p' "$out")
key=$(sed -nE 's/^  key (da2-.*)$/\1/p' "$out")
api=$(sed -nE 's|^GraphQL API: http://[^/]*(/.*)$|\1|p' "$out")
# 10 MB, and many times as much once they are read.
body=$TEST_TMPDIR/body
{
  printf '{"query":"mutation { createDomain }","variables":{"x":['
  seq -s, -f '{"key":%.0f,"value":"value"}' 300000
  printf ']}}'
} >"$body"
exec 3<>"/dev/tcp/127.0.0.1/${url##*:}"
printf 'POST %s HTTP/1.0\r\nHost: localhost\r\nx-api-key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n' \
  "$api" "$key" "$(stat -c %s "$body")" >&3
cat "$body" >&3
answer=$(cat <&3)
exec 3>&-
grep -q '"data":{"createDomain":"' <<<"$answer" || fail "GraphQL: $answer"
echo "after 10 MB: $(resident) KiB"
# Bazel's time limit ends it if it does not come to pass.
until (($(resident) < limit_kib)); do
  kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
  read -rt 0.5 <> <(:) || true
done
echo "later: $(resident) KiB"
kill -TERM "$up"
wait "$up" || fail "it did not end well"
echo "passed"
