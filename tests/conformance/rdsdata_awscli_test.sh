#!/bin/bash
# The AWS CLI drives the Data API.
#   rdsdata_awscli_test.sh BYOSHIN AWS TEMPLATE
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_up "$PWD/$1" --in-memory --template="$3"

output() {
  aws cloudformation describe-stacks \
    --query "Stacks[0].Outputs[?OutputKey=='$1'].OutputValue"
}
cluster=$(output ClusterArn)
secret=$(output SecretArn)
data() { aws rds-data "$@" --resource-arn "$cluster" --secret-arn "$secret"; }
execute() { data execute-statement --database app "$@"; }

expect "a table" 0 "$(execute --sql 'CREATE TABLE t (n int, s text)' --query numberOfRecordsUpdated)"
expect "a batch" 2 "$(data batch-execute-statement --database app \
  --sql 'INSERT INTO t VALUES (:n, :s)' --query 'length(updateResults)' --parameter-sets \
  '[[{"name":"n","value":{"longValue":1}},{"name":"s","value":{"stringValue":"one"}}],
    [{"name":"n","value":{"longValue":2}},{"name":"s","value":{"isNull":true}}]]')"
expect "a parameter" one "$(execute --sql 'SELECT s FROM t WHERE n = :n' --query 'records[0][0].stringValue' \
  --parameters '[{"name":"n","value":{"longValue":1}}]')"
expect "rows as JSON" '[{"n":1,"s":"one"},{"n":2,"s":null}]' \
  "$(execute --sql 'SELECT n, s FROM t ORDER BY n' --format-records-as JSON --query formattedRecords)"
expect "metadata" "int4 text" "$(execute --sql 'SELECT n, s FROM t' --include-result-metadata \
  --query 'columnMetadata[].typeName' | tr '\t' ' ')"

transaction=$(data begin-transaction --database app --query transactionId)
execute --transaction-id "$transaction" --sql 'DELETE FROM t' >"$TEST_TMPDIR/deleted"
expect "a rollback" "Rollback Complete" \
  "$(data rollback-transaction --transaction-id "$transaction" --query transactionStatus)"
expect "what it kept" 2 "$(execute --sql 'SELECT count(*) FROM t' --query 'records[0][0].longValue')"
transaction=$(data begin-transaction --database app --query transactionId)
expect "a commit" "Transaction Committed" \
  "$(data commit-transaction --transaction-id "$transaction" --query transactionStatus)"

# The CLI of early 2023 does not know this error by its name, but shows it.
expect_error "an error of the database" 'ERROR: relation "missing" does not exist; Position: 15; SQLState: 42P01' \
  execute --sql 'SELECT * FROM missing'

stop_up
