#!/bin/bash
# `byoshin up` and `byoshin simulate` with templates that know nothing of Byoshin.
set -euo pipefail
byoshin=$PWD/$1
echo_zip=$PWD/$2
export HOME=$TEST_TMPDIR
data=$TEST_TMPDIR/data
out=$TEST_TMPDIR/out
: >"$out"

fail() {
  echo "FAILED: $*" >&2
  cat "$out" >&2
  exit 1
}

start() { # start FLAGS...
  : >"$out"
  "$byoshin" up --port=0 --api-port=0 --data="$data" "$@" >"$out" 2>&1 &
  up=$!
  until grep -q 'Ctrl-C stops' "$out"; do
    kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
    read -rt 0.05 <> <(:) || true
  done
  url=$(sed -nE 's|^Dashboard: (.*)/$|\1|p' "$out")
}

stop() {
  kill -TERM "$up"
  wait "$up" || fail "it did not end well"
}

ask() { "$byoshin" "$@" --endpoint="$url"; }

# refuse TEXT FLAGS...: up ends and says TEXT.
refuse() {
  local text=$1 said
  shift
  if said=$(timeout 60 "$byoshin" up --port=0 --api-port=0 --in-memory "$@" 2>&1); then fail "was taken: $*"; fi
  grep -qF -- "$text" <<<"$said" || fail "expected \"$text\" in: $said"
}

cat >"$TEST_TMPDIR/plain.json" <<'END'
{"Resources": {
  "Jobs": {"Type": "AWS::SQS::Queue"},
  "Alerts": {"Type": "AWS::SNS::Topic"},
  "Graph": {"Type": "AWS::AppSync::GraphQLApi", "Properties": {"Name": "orders", "AuthenticationType": "API_KEY"}},
  "Schema": {"Type": "AWS::AppSync::GraphQLSchema", "Properties": {
    "ApiId": {"Fn::GetAtt": ["Graph", "ApiId"]}, "Definition": "type Query { orders: String }"}},
  "Key": {"Type": "AWS::AppSync::ApiKey", "Properties": {"ApiId": {"Fn::GetAtt": ["Graph", "ApiId"]}}},
  "Orders": {"Type": "AWS::DynamoDB::Table", "Properties": {
    "TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}}}}
END
# Has the parameter that the scheduler's template has, but no scheduler.
sed 's|^{|{"Parameters": {"ApiBaseUrl": {"Type": "String"}}, |' "$TEST_TMPDIR/plain.json" >"$TEST_TMPDIR/api.json"
cat >"$TEST_TMPDIR/worker.json" <<'END'
{"Parameters": {"Bucket": {"Type": "String", "Default": "any"}, "Stage": {"Type": "String"},
                "Owner": {"Type": "String"}},
 "Resources": {
  "Jobs": {"Type": "AWS::SQS::Queue"},
  "Role": {"Type": "AWS::IAM::Role", "Properties": {
    "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
      "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}]},
    "Policies": [{"PolicyName": "p", "PolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
      "Action": ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
      "Resource": {"Fn::GetAtt": ["Jobs", "Arn"]}}]}}]}},
  "Worker": {"Type": "AWS::Lambda::Function", "Properties": {
    "Runtime": "provided.al2023", "Handler": "bootstrap", "Role": {"Fn::GetAtt": ["Role", "Arn"]},
    "Environment": {"Variables": {"STAGE": {"Ref": "Stage"}, "OWNER": {"Ref": "Owner"}}},
    "Code": {"S3Bucket": {"Ref": "Bucket"}, "S3Key": "releases/v1/worker-1.zip"}}},
  "Mapping": {"Type": "AWS::Lambda::EventSourceMapping", "Properties": {
    "EventSourceArn": {"Fn::GetAtt": ["Jobs", "Arn"]}, "FunctionName": {"Ref": "Worker"}}},
  "Permission": {"Type": "AWS::Lambda::Permission", "Properties": {
    "Action": "lambda:InvokeFunction", "FunctionName": {"Ref": "Worker"}, "Principal": "apigateway.amazonaws.com"}},
  "Api": {"Type": "AWS::ApiGateway::RestApi", "Properties": {"Name": "shop"}},
  "Path": {"Type": "AWS::ApiGateway::Resource", "Properties": {
    "RestApiId": {"Ref": "Api"}, "ParentId": {"Fn::GetAtt": ["Api", "RootResourceId"]}, "PathPart": "{kind}"}},
  "Method": {"Type": "AWS::ApiGateway::Method", "Properties": {
    "RestApiId": {"Ref": "Api"}, "ResourceId": {"Ref": "Path"}, "HttpMethod": "ANY", "AuthorizationType": "NONE",
    "Integration": {"Type": "AWS_PROXY", "IntegrationHttpMethod": "POST", "Uri": {"Fn::Sub":
      "arn:aws:apigateway:${AWS::Region}:lambda:path/2015-03-31/functions/${Worker.Arn}/invocations"}}}},
  "Deployment": {"Type": "AWS::ApiGateway::Deployment", "DependsOn": "Method",
                 "Properties": {"RestApiId": {"Ref": "Api"}}},
  "Live": {"Type": "AWS::ApiGateway::Stage", "Properties": {
    "RestApiId": {"Ref": "Api"}, "DeploymentId": {"Ref": "Deployment"}, "StageName": "live"}}}}
END
mkdir "$TEST_TMPDIR/zips"

# What is missing is said, all at once, and where it was looked for.
worker=(--template="$TEST_TMPDIR/worker.json" --zips="$TEST_TMPDIR/zips")
refuse '--parameter=NAME=VALUE: Owner, Stage' "${worker[@]}"
worker+=(--parameter=Stage=test --parameter=Owner=me)
refuse "there is no worker-1.zip and no Worker.zip in $TEST_TMPDIR/zips" "${worker[@]}"
printf 'Resources:\n  Jobs:\n    Type: AWS::SQS::Queue\n' >"$TEST_TMPDIR/plain.yaml"
refuse 'looks like YAML' --template="$TEST_TMPDIR/plain.yaml"

# A copied program has neither template nor zips, and needs none of ours for another template.
cp -L "$byoshin" "$TEST_TMPDIR/copied"
if copied=$(cd / && env -u RUNFILES_DIR timeout 60 "$TEST_TMPDIR/copied" up --in-memory --port=0 2>&1); then fail "a copied program has a template"; fi
grep -q -- '--template=FILE and --zips=FOLDER' <<<"$copied" || fail "a copied program: $copied"
for template in plain api; do
  report=$(cd / && env -u RUNFILES_DIR timeout 60 "$TEST_TMPDIR/copied" simulate --for=5m --template="$TEST_TMPDIR/$template.json" 2>&1) ||
    fail "simulate with $template.json: $report"
  if grep -qE '^(slots|stored|missing|lateness)' <<<"$report"; then fail "slots where there are none: $report"; fi
  grep -q '^took' <<<"$report" || fail "report: $report"
done

# The scheduler's stack, another template on the same data, and the scheduler's again: its table is taken up.
start
ask tick >/dev/null
until grep -qE '^20' <<<"$(ask records --format=csv)"; do
  kill -0 "$up" 2>/dev/null || fail "byoshin up has ended"
  read -rt 0.2 <> <(:) || true
done
stop
before=$(grep -cE '^20' "$out")

start --template="$TEST_TMPDIR/api.json"
if grep -qi 'polling' "$out"; then fail "polling where nothing polls"; fi
grep -qE "^GraphQL API orders: $url/graphql/[a-z0-9]+/graphql\$" "$out" || fail "where is the GraphQL API?"
grep -qE '^  key da2-[a-z0-9]+$' "$out" || fail "what is its key?"
grep -qxF 'the stack byoshin has 1 topic: recorded, but without effect here' "$out" || fail "a topic without a word"
grep -q 'Jobs' <<<"$(ask queues)" || fail "queues"
ask status >/dev/null || fail "status"
ask logs >/dev/null || fail "logs"
stop

start
grep -q 'resource MetricsTable .* is part of it again' "$out" || fail "it does not say that it has taken up the table"
after=$(ask records --format=csv | grep -cE '^20')
((after >= before)) || fail "$before records before, $after after another template"
stop

# Functions by key, by name, and after a restart; a queue that wakes one, and a REST API before it.
cp "$echo_zip" "$TEST_TMPDIR/zips/worker-1.zip"
data=$TEST_TMPDIR/worker
start "${worker[@]}"
api=$(ask status | sed -nE 's/^shop +(http.*)$/\1/p')
[[ -n $api ]] || fail "status names no REST API"
grep -qxF "REST API shop: $api" "$out" || fail "the greeting names no REST API"
ask invoke worker <(echo '{"httpMethod":"GET","path":"/x"}') >/dev/null 2>&1 || fail "invoke"
stop
mv "$TEST_TMPDIR/zips/worker-1.zip" "$TEST_TMPDIR/zips/Worker.zip"
start "${worker[@]}"
grep -q 'Worker' <<<"$(ask status)" || fail "status after a restart"
if grep -q 'could not be' "$out"; then fail "not all is there again"; fi
stop
echo "passed"
