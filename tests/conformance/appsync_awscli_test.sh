#!/bin/bash
# The AWS CLI makes a GraphQL API, tries code, and is told what there is not.
#   appsync_awscli_test.sh SIMULATED_CLOUD AWS TEMPLATE
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_simulated_cloud "$1" --template="$3"
appsync() { aws appsync "$@"; }

# ask QUERY: the API's answer.
ask() {
  local host=${url#http://}
  local path=/${host#*/}
  host=${host%%/*}
  exec 3<>"/dev/tcp/${host%:*}/${host#*:}"
  printf 'POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nx-api-key: %s\r\nContent-Length: %d\r\n\r\n%s' \
    "$path" "$host" "$key" "${#1}" "$1" >&3
  tail -n 1 <&3
  exec 3>&-
}

id=$(appsync create-graphql-api --name greetings --authentication-type API_KEY --query graphqlApi.apiId)
url=$(appsync get-graphql-api --api-id "$id" --query graphqlApi.uris.GRAPHQL)
key=$(appsync create-api-key --api-id "$id" --query apiKey.id)
expect "the APIs" $'greetings\nnotes' \
  "$(appsync list-graphql-apis --query 'graphqlApis[].name' | tr '\t' '\n' | sort)"

echo 'type Query { greeting(name: String!): String }' >"$TEST_TMPDIR/schema.graphql"
expect "a schema begins" PROCESSING \
  "$(appsync start-schema-creation --api-id "$id" --definition "fileb://$TEST_TMPDIR/schema.graphql")"
expect "the schema is there" SUCCESS "$(appsync get-schema-creation-status --api-id "$id" --query status)"
appsync get-introspection-schema --api-id "$id" --format JSON "$TEST_TMPDIR/introspection.json" >/dev/null
expect "introspection" 1 "$(grep -c '"greeting"' "$TEST_TMPDIR/introspection.json")"

expect "a data source" none \
  "$(appsync create-data-source --api-id "$id" --name none --type NONE --query dataSource.name)"
cat >"$TEST_TMPDIR/code.js" <<'CODE'
export function request(ctx) { return {payload: `Hello, ${ctx.args.name}`}; }
export function response(ctx) { return ctx.result; }
CODE
runtime=name=APPSYNC_JS,runtimeVersion=1.0.0
expect "code that is tried" '{"payload":"Hello, you"}' "$(appsync evaluate-code --runtime "$runtime" \
  --code "file://$TEST_TMPDIR/code.js" --context '{"arguments":{"name":"you"}}' --function request --query evaluationResult)"
expect "a resolver" greeting "$(appsync create-resolver --api-id "$id" --type-name Query --field-name greeting \
  --data-source-name none --runtime "$runtime" --code "file://$TEST_TMPDIR/code.js" --query resolver.fieldName)"
expect "an answer" '{"data":{"greeting":"Hello, world"}}' \
  "$(ask '{"query":"{ greeting(name: \"world\") }"}')"

echo 'export function request() { while (true) {} }' >"$TEST_TMPDIR/bad.js"
expect_error "code that is not allowed" 'BadRequestException.*The code contains one or more errors' \
  appsync update-resolver --api-id "$id" --type-name Query --field-name greeting --data-source-name none \
  --runtime "$runtime" --code "file://$TEST_TMPDIR/bad.js"
expect_error "an operation that is not there" 'The operation ListTypes is not supported by the local cloud' \
  appsync list-types --api-id "$id" --format SDL
expect_error "an authentication type that is not there" 'OPENID_CONNECT is not supported' \
  appsync create-graphql-api --name oidc --authentication-type OPENID_CONNECT
appsync delete-graphql-api --api-id "$id"
expect_error "an API that was deleted" NotFoundException appsync get-graphql-api --api-id "$id"
