# The AWS CLI and a local cloud, for tests in shell. To be sourced.
#
#   aws_program=$PWD/$2
#   start_up "$PWD/$1" --in-memory --template="$3"   # or start_simulated_cloud
#   expect "the queue" orders "$(aws sqs …)"
#   expect_error "no such queue" NonExistentQueue aws sqs …
#   stop_up
#
# The cloud is killed when the test exits.

export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
export AWS_DEFAULT_OUTPUT=text AWS_PAGER='' AWS_MAX_ATTEMPTS=1 HOME=$TEST_TMPDIR

# The output of `byoshin up`, which a failure prints.
up_log=

# Calls the AWS CLI at cloud_url, which start_up and start_simulated_cloud set.
aws() { "$aws_program" --endpoint-url "$cloud_url" "$@"; }

# start_up BYOSHIN FLAG...
start_up() {
  local byoshin=$1
  shift
  up_log=$TEST_TMPDIR/up.log
  "$byoshin" up --port=0 --api-port=0 "$@" >"$up_log" 2>&1 &
  up_pid=$!
  trap 'kill -KILL "$up_pid" 2>/dev/null || true' EXIT
  # Bazel's time limit ends the test if the line never comes.
  until cloud_url=$(sed -nE 's|^Dashboard: (.*)/$|\1|p' "$up_log") && [[ -n $cloud_url ]]; do
    kill -0 "$up_pid" 2>/dev/null || { cat "$up_log"; exit 1; }
    read -rt 0.05 <> <(:) || true
  done
}

# Fails if `byoshin up` does not exit with 0.
stop_up() {
  kill -TERM "$up_pid"
  wait "$up_pid"
  trap - EXIT
}

# start_simulated_cloud SIMULATED_CLOUD FLAG...
start_simulated_cloud() {
  coproc cloud { exec "$@"; }
  # shellcheck disable=SC2154
  trap 'kill -KILL "$cloud_PID" 2>/dev/null || true' EXIT
  read -r cloud_url <&"${cloud[0]}"
}

# run SECONDS: lets the simulated cloud's time pass.
run() {
  local answer
  echo "run $1" >&"${cloud[1]}"
  read -r answer <&"${cloud[0]}"
  [[ $answer == ran ]]
}

# expect WHAT EXPECTED ACTUAL
expect() {
  if [[ $2 != "$3" ]]; then
    echo "FAILED: $1: expected '$2', got '$3'"
    [[ -z $up_log ]] || cat "$up_log"
    exit 1
  fi
  echo "ok: $1"
}

# expect_error WHAT PATTERN COMMAND...
expect_error() {
  local what=$1 pattern=$2 said
  shift 2
  if said=$("$@" 2>&1); then expect "$what" "an error" "$said"; fi
  grep -q -- "$pattern" <<<"$said" || expect "$what" "$pattern" "$said"
  echo "ok: $what"
}
