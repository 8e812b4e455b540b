#!/bin/bash
# The AWS CLI drives Step Functions, on simulated time.
#   stepfunctions_awscli_test.sh SIMULATED_CLOUD AWS TEMPLATE ZIP
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_simulated_cloud "$1" --template="$3" --zips="$(dirname "$4")"
states() { aws stepfunctions "$@"; }

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
expect_error "a deleted machine" StateMachineDoesNotExist \
  states describe-state-machine --state-machine-arn "$machine"
