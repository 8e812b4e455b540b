#!/bin/bash
# The AWS CLI looks at the deployed scheduler.
#   deployed_stack_awscli_test.sh BYOSHIN AWS
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_up "$PWD/$1" --data="$TEST_TMPDIR/data" --parameter=MockApiAccess=key

expect "who we are" arn:aws:iam::000000000000:root "$(aws sts get-caller-identity --query Arn)"

# What CloudFormation tells of the stack leads to all the rest.
expect "the stack's status" CREATE_COMPLETE \
  "$(aws cloudformation describe-stacks --stack-name byoshin --query 'Stacks[0].StackStatus')"
aws cloudformation describe-stacks --query 'Stacks[0].Outputs[].[OutputKey,OutputValue]' >"$TEST_TMPDIR/outputs"
output() { awk -v key="$1" '$1 == key {print $2}' "$TEST_TMPDIR/outputs"; }
expect "the table's name" AiResponseMetrics "$(output MetricsTableName)"
aws cloudformation list-stack-resources --stack-name byoshin \
  --query 'StackResourceSummaries[].[LogicalResourceId,PhysicalResourceId]' >"$TEST_TMPDIR/resources"
physical() { awk -v id="$1" '$1 == id {print $2}' "$TEST_TMPDIR/resources"; }
expect "the rule, as resource and as output" "$(output ScheduleRuleName)" "$(physical ScheduleRule)"
expect "the newest event" CREATE_COMPLETE \
  "$(aws cloudformation describe-stack-events --stack-name byoshin --no-paginate \
    --query 'StackEvents[0].ResourceStatus')"
expect_error "a stack that is not there" 'Stack with id none does not exist' \
  aws cloudformation describe-stacks --stack-name none

rule=$(output ScheduleRuleName)
expect "the schedule" 'cron(* * * * ? *)' "$(aws events describe-rule --name "$rule" --query ScheduleExpression)"
aws events disable-rule --name "$rule"
expect "the rule's state" DISABLED "$(aws events list-rules --query 'Rules[0].State')"

sender=$(output SenderFunctionName)
expect "the Sender's queue" "$(output SchedulingQueueUrl)" \
  "$(aws lambda get-function-configuration --function-name "$sender" --query Environment.Variables.QUEUE_URL)"
expect "who may invoke the Sender" yes \
  "$(aws lambda get-policy --function-name "$sender" --query Policy | grep -q events.amazonaws.com && echo yes)"

role=$(physical SenderRole)
expect "the Sender's policy" SenderPolicy "$(aws iam list-role-policies --role-name "$role" --query 'PolicyNames[0]')"
expect "what it allows first" sqs:SendMessage "$(aws iam get-role-policy --role-name "$role" \
  --policy-name SenderPolicy --query 'PolicyDocument.Statement[0].Action')"
expect_error "a role that is not there" NoSuchEntity aws iam get-role --role-name none

# The mock API, by its key, as any program would call it.
api=$(physical MockApi)
expect "the API's paths" "/ /health /response_count" \
  "$(aws apigateway get-resources --rest-api-id "$api" --query 'items[].path' | tr '\t' '\n' | sort | xargs)"
expect "the stage" prod "$(aws apigateway get-stages --rest-api-id "$api" --query 'item[0].stageName')"
key=$(aws apigateway get-api-key --api-key "$(output MockApiKeyId)" --include-value --query value)
expect "the key's length" 40 "${#key}"
expect_error "an API that is not there" 'Invalid API identifier' aws apigateway get-rest-api --rest-api-id none

aws lambda invoke --function-name "$sender" --cli-binary-format raw-in-base64-out \
  --payload '{"time":"2020-01-01T00:00:00Z"}' "$TEST_TMPDIR/sent" >/dev/null
expect "what the Sender says" yes "$(grep -q '"sent":12' "$TEST_TMPDIR/sent" && echo yes || cat "$TEST_TMPDIR/sent")"

group=$(physical SenderLogGroup)
expect "how long its log is kept" 30 \
  "$(aws logs describe-log-groups --log-group-name-prefix "$group" --query 'logGroups[0].retentionInDays')"
# The last lines come a moment after the answer.
until [[ $(aws logs tail "$group" --format short --filter-pattern platform.report) == *platform.report* ]]; do :; done
# Not those of the minutes that the schedule has fired meanwhile.
expect "events that match a pattern of JSON" 4 \
  "$(aws logs filter-log-events --log-group-name "$group" --query 'length(events)' \
    --filter-pattern '{ $.message = "message sent" && $.from = "2020-01-01T*" && ($.slot < 3 || $.slot = 11) }')"
echo "ok: the tail of the Sender's log"
expect_error "a log group that is not there" ResourceNotFoundException aws logs tail /none

stop_up
