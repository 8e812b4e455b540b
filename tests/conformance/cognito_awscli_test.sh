#!/bin/bash
# The AWS CLI drives Cognito, on simulated time.
#   cognito_awscli_test.sh SIMULATED_CLOUD AWS TEMPLATE
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_simulated_cloud "$1" --template="$3"
cognito() { aws cognito-idp "$@"; }

pool=$(cognito list-user-pools --max-results 5 --query "UserPools[?Name=='people'].Id")
client=$(cognito create-user-pool-client --user-pool-id "$pool" --client-name cli \
  --explicit-auth-flows ALLOW_USER_PASSWORD_AUTH ALLOW_REFRESH_TOKEN_AUTH --query UserPoolClient.ClientId)
cognito admin-create-user --user-pool-id "$pool" --username cli@example.com --temporary-password Temporary-1 \
  --user-attributes Name=email,Value=cli@example.com Name=custom:plan,Value=paid >/dev/null
expect "the user's status" FORCE_CHANGE_PASSWORD \
  "$(cognito admin-get-user --user-pool-id "$pool" --username cli@example.com --query UserStatus)"
session=$(cognito initiate-auth --client-id "$client" --auth-flow USER_PASSWORD_AUTH \
  --auth-parameters USERNAME=cli@example.com,PASSWORD=Temporary-1 --query Session)
token=$(cognito respond-to-auth-challenge --client-id "$client" --challenge-name NEW_PASSWORD_REQUIRED \
  --session "$session" --challenge-responses USERNAME=cli@example.com,NEW_PASSWORD=Permanent-1 \
  --query AuthenticationResult.AccessToken)
expect "the user's plan" paid \
  "$(cognito get-user --access-token "$token" --query "UserAttributes[?Name=='custom:plan'].Value")"
cognito admin-delete-user --user-pool-id "$pool" --username cli@example.com
expect_error "a deleted user" UserNotFoundException cognito get-user --access-token "$token"
