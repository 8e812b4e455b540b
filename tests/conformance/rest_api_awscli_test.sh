#!/bin/bash
# The AWS CLI describes what guards a REST API.
#   rest_api_awscli_test.sh SIMULATED_CLOUD AWS TEMPLATE ZIP
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_simulated_cloud "$1" --template="$3" --zips="$(dirname "$4")"
apigateway() { aws apigateway "$@"; }

api=$(apigateway get-rest-apis --query 'items[0].id')
expect "the authorizers" $'request\ttoken' \
  "$(apigateway get-authorizers --rest-api-id "$api" --query 'sort_by(items, &name)[].name')"
id=$(apigateway get-authorizers --rest-api-id "$api" --query "items[?type=='TOKEN'].id")
expect "an authorizer" "300	[a-z ]+" "$(apigateway get-authorizer --rest-api-id "$api" --authorizer-id "$id" \
  --query '[authorizerResultTtlInSeconds, identityValidationExpression]')"
expect "the validators" "all	True	True" "$(apigateway get-request-validators --rest-api-id "$api" \
  --query 'items[0].[name, validateRequestBody, validateRequestParameters]')"
expect "the models" $'Item\tOrder' "$(apigateway get-models --rest-api-id "$api" --query 'sort_by(items, &name)[].name')"
expect "a model" application/json \
  "$(apigateway get-model --rest-api-id "$api" --model-name Order --query contentType)"
expect "the changed responses" $'BAD_REQUEST_BODY\tDEFAULT_4XX\tDEFAULT_5XX' \
  "$(apigateway get-gateway-responses --rest-api-id "$api" \
    --query 'sort_by(items, &responseType)[?!defaultResponse].responseType')"
expect "a response" 422 "$(apigateway get-gateway-response --rest-api-id "$api" --response-type BAD_REQUEST_BODY \
  --query statusCode)"
