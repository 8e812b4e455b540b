#!/bin/bash
# The command line of the generator: what goes where, and how it fails.
#   template_cli_test.sh GENERATOR
set -uo pipefail
generator=$PWD/$1
cd "$TEST_TMPDIR" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

expect_error() { # expect_error STATUS TEXT ARGUMENTS...
  local status=$1 text=$2
  shift 2
  "$generator" "$@" >out 2>err
  local got=$?
  ((got == status)) || fail "$*: exit status $got, not $status"
  [[ ! -s out ]] || fail "$*: printed something to standard output"
  grep -qF -- "$text" err || fail "$*: does not say \"$text\" but: $(cat err)"
}

"$generator" >plain.json 2>err || fail "exit status"
[[ ! -s err ]] || fail "said something besides the template: $(cat err)"
[[ $(head -c 1 plain.json) == "{" && $(tail -c 2 plain.json) == "}" ]] ||
  fail "not only a JSON object"

# The same bytes whatever surrounds it.
env -i LC_ALL=C TZ=Asia/Tokyo "$generator" --format=json >again.json
cmp plain.json again.json || fail "not the same bytes"

BUILD_WORKING_DIRECTORY=$PWD "$generator" --out=file.json >out || fail "--out: exit status"
[[ ! -s out ]] || fail "--out: printed something"
cmp plain.json file.json || fail "--out: not the same bytes"

"$generator" --format=yaml >plain.yaml || fail "--format=yaml: exit status"
grep -q '^Resources:$' plain.yaml || fail "--format=yaml: not YAML"

"$generator" --help | grep -q -- '--format=json|yaml' || fail "--help"

expect_error 2 'unknown flag --nonsense' --nonsense
expect_error 2 '"xml" is neither json nor yaml' --format=xml
expect_error 2 'there is scheduler' --stack=nonsense
expect_error 1 "can't write to /nowhere/file" --out=/nowhere/file
"$generator" >/dev/full 2>err && fail "a full disk is not noticed"
grep -q "can't write to standard output" err || fail "a full disk is not named"

((failures == 0)) && echo "all passed"
exit "$((failures > 0))"
