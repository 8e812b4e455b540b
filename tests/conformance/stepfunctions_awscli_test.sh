#!/bin/bash
# The AWS CLI drives Step Functions, on simulated time.
#   stepfunctions_awscli_test.sh SIMULATED_CLOUD AWS TEMPLATE ZIP
set -euo pipefail
aws=$PWD/$2
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
export AWS_PAGER='' AWS_MAX_ATTEMPTS=1 HOME=$TEST_TMPDIR

coproc cloud { exec "$1" --template="$3" --zips="$(dirname "$4")"; }
# shellcheck disable=SC2154
trap 'kill -KILL "$cloud_PID" 2>/dev/null || true' EXIT
read -r url <&"${cloud[0]}"

states() { "$aws" --endpoint-url "$url" --output text stepfunctions "$@"; }
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
    exit 1
  fi
  echo "ok: $1"
}

machine=$(states create-state-machine --name year --role-arn arn:aws:iam::000000000000:role/machines \
  --definition '{"StartAt":"W","States":{"W":{"Type":"Wait","Seconds":31536000,"End":true}}}' \
  --query stateMachineArn)
expect "the machine's ARN" arn:aws:states:us-east-1:000000000000:stateMachine:year "$machine"
execution=$(states start-execution --state-machine-arn "$machine" --name one --input '{"a":1}' --query executionArn)
run 31535999
expect "after almost a year" RUNNING "$(states describe-execution --execution-arn "$execution" --query status)"
run 1
expect "after a year" SUCCEEDED "$(states describe-execution --execution-arn "$execution" --query status)"
expect "the output" '{"a":1}' "$(states describe-execution --execution-arn "$execution" --query output)"
expect "the history" $'ExecutionStarted\tWaitStateEntered\tWaitStateExited\tExecutionSucceeded' \
  "$(states get-execution-history --execution-arn "$execution" --query 'events[].type')"
expect "the list" one "$(states list-executions --state-machine-arn "$machine" --query 'executions[].name')"
states delete-state-machine --state-machine-arn "$machine"
if said=$(states describe-state-machine --state-machine-arn "$machine" 2>&1); then
  expect "a deleted machine" "an error" "$said"
fi
grep -q StateMachineDoesNotExist <<<"$said" || expect "a deleted machine" StateMachineDoesNotExist "$said"
