#!/bin/bash
# The AWS CLI against the local cloud.
#   awscli_test.sh SERVE AWS
set -euo pipefail
source tests/conformance/serve.sh

aws=$PWD/$2
start_serve "$1"
export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test AWS_DEFAULT_REGION=us-east-1
export AWS_PAGER='' AWS_MAX_ATTEMPTS=1 HOME=$TEST_TMPDIR

aws() { "$aws" --endpoint-url "$serve_url" "$@"; }

# expect WHAT EXPECTED ACTUAL
expect() {
  if [[ $2 != "$3" ]]; then
    echo "FAILED: $1: expected '$2', got '$3'"
    exit 1
  fi
  echo "ok: $1"
}

url=$(aws sqs create-queue --queue-name orders --query QueueUrl --output text)
expect "the queue's URL" "$serve_url/000000000000/orders" "$url"
aws sqs send-message --queue-url "$url" --message-body 'hello & <goodbye>' >/dev/null
handle=$(aws sqs receive-message --queue-url "$url" --query 'Messages[0].ReceiptHandle' --output text)
aws sqs change-message-visibility --queue-url "$url" --receipt-handle "$handle" --visibility-timeout 0
body=$(aws sqs receive-message --queue-url "$url" --wait-time-seconds 5 --query 'Messages[0].Body' --output text)
expect "the message's body" 'hello & <goodbye>' "$body"
count=$(aws sqs get-queue-attributes --queue-url "$url" --attribute-names ApproximateNumberOfMessagesNotVisible \
  --query 'Attributes.ApproximateNumberOfMessagesNotVisible' --output text)
expect "messages in flight" 1 "$count"
error=$(aws sqs get-queue-url --queue-name none 2>&1 || true)
expect "the error for a queue that is not there" yes \
  "$(grep -q 'AWS.SimpleQueueService.NonExistentQueue' <<<"$error" && echo yes || echo "$error")"

aws dynamodb create-table --table-name Music --billing-mode PAY_PER_REQUEST \
  --attribute-definitions AttributeName=Artist,AttributeType=S AttributeName=Year,AttributeType=N \
  --key-schema AttributeName=Artist,KeyType=HASH AttributeName=Year,KeyType=RANGE >/dev/null
aws dynamodb wait table-exists --table-name Music
for year in 1979 1981 1984; do
  aws dynamodb put-item --table-name Music \
    --item "{\"Artist\": {\"S\": \"YMO\"}, \"Year\": {\"N\": \"$year\"}}" \
    --condition-expression 'attribute_not_exists(Artist)'
done
years=$(aws dynamodb query --table-name Music --key-condition-expression 'Artist = :a AND #y > :y' \
  --expression-attribute-names '{"#y": "Year"}' \
  --expression-attribute-values '{":a": {"S": "YMO"}, ":y": {"N": "1980"}}' \
  --query 'Items[].Year.N' --output text)
expect "the years" $'1981\t1984' "$years"
plays=$(aws dynamodb update-item --table-name Music --key '{"Artist": {"S": "YMO"}, "Year": {"N": "1979"}}' \
  --update-expression 'ADD Plays :one' --expression-attribute-values '{":one": {"N": "1"}}' \
  --return-values UPDATED_NEW --query 'Attributes.Plays.N' --output text)
expect "the counter" 1 "$plays"
error=$(aws dynamodb put-item --table-name Music --item '{"Artist": {"S": "YMO"}, "Year": {"N": "1979"}}' \
  --condition-expression 'attribute_not_exists(Artist)' 2>&1 || true)
expect "the error for a condition that fails" yes \
  "$(grep -q 'ConditionalCheckFailedException' <<<"$error" && echo yes || echo "$error")"
aws dynamodb scan --table-name Music --page-size 1 --query Count --output text >/dev/null
aws dynamodb delete-table --table-name Music >/dev/null
stop_serve
