#!/bin/bash
# The AWS CLI against the local cloud.
#   awscli_test.sh SERVE AWS
set -euo pipefail
source tests/conformance/awscli.sh
source tests/conformance/serve.sh

aws_program=$PWD/$2
start_serve "$1"
cloud_url=$serve_url

url=$(aws sqs create-queue --queue-name orders --query QueueUrl)
expect "the queue's URL" "$serve_url/000000000000/orders" "$url"
aws sqs send-message --queue-url "$url" --message-body 'hello & <goodbye>' >/dev/null
handle=$(aws sqs receive-message --queue-url "$url" --query 'Messages[0].ReceiptHandle')
aws sqs change-message-visibility --queue-url "$url" --receipt-handle "$handle" --visibility-timeout 0
body=$(aws sqs receive-message --queue-url "$url" --wait-time-seconds 5 --query 'Messages[0].Body')
expect "the message's body" 'hello & <goodbye>' "$body"
count=$(aws sqs get-queue-attributes --queue-url "$url" --attribute-names ApproximateNumberOfMessagesNotVisible \
  --query 'Attributes.ApproximateNumberOfMessagesNotVisible')
expect "messages in flight" 1 "$count"
expect_error "the error for a queue that is not there" AWS.SimpleQueueService.NonExistentQueue \
  aws sqs get-queue-url --queue-name none

url=$(aws sqs create-queue --queue-name orders.fifo --attributes FifoQueue=true --query QueueUrl)
for body in first second; do
  aws sqs send-message --queue-url "$url" --message-body "$body" --message-group-id g --message-deduplication-id "$body" \
    >/dev/null
done
bodies=$(aws sqs receive-message --queue-url "$url" --max-number-of-messages 10 --query 'Messages[].Body')
expect "the messages of a group" $'first\tsecond' "$bodies"

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
  --query 'Items[].Year.N')
expect "the years" $'1981\t1984' "$years"
plays=$(aws dynamodb update-item --table-name Music --key '{"Artist": {"S": "YMO"}, "Year": {"N": "1979"}}' \
  --update-expression 'ADD Plays :one' --expression-attribute-values '{":one": {"N": "1"}}' \
  --return-values UPDATED_NEW --query 'Attributes.Plays.N')
expect "the counter" 1 "$plays"
expect_error "the error for a condition that fails" ConditionalCheckFailedException \
  aws dynamodb put-item --table-name Music --item '{"Artist": {"S": "YMO"}, "Year": {"N": "1979"}}' \
  --condition-expression 'attribute_not_exists(Artist)'
aws dynamodb scan --table-name Music --page-size 1 --query Count >/dev/null
aws dynamodb delete-table --table-name Music >/dev/null
stop_serve
