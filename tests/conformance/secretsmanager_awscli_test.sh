#!/bin/bash
# The AWS CLI drives Secrets Manager, on simulated time.
#   secretsmanager_awscli_test.sh SIMULATED_CLOUD AWS TEMPLATE
set -euo pipefail
source tests/conformance/awscli.sh

aws_program=$PWD/$2
start_simulated_cloud "$1" --template="$3"
secrets() { aws secretsmanager "$@"; }

expect "the name of a new secret" db "$(secrets create-secret --name db --secret-string '{"user":"u"}' --query Name)"
expect "its value" '{"user":"u"}' "$(secrets get-secret-value --secret-id db --query SecretString)"
expect "the stages of a new version" AWSPENDING \
  "$(secrets put-secret-value --secret-id db --secret-string new --version-stages AWSPENDING --query 'VersionStages[]')"
expect "the value of that stage" new \
  "$(secrets get-secret-value --secret-id db --version-stage AWSPENDING --query SecretString)"
secrets tag-resource --secret-id db --tags Key=team,Value=core
expect "its tags" $'team\tcore' "$(secrets describe-secret --secret-id db --query 'Tags[].[Key,Value]')"
expect "the secrets with that tag" db \
  "$(secrets list-secrets --filters Key=tag-key,Values=team --query 'SecretList[].Name')"
expect "the length of a password" 21 "$(secrets get-random-password --password-length 20 --query RandomPassword | wc -c | xargs)"
secrets delete-secret --secret-id db --force-delete-without-recovery >/dev/null
if message=$(secrets get-secret-value --secret-id db 2>&1 | tail -n 1); then
  echo "FAILED: a deleted secret was read"
  exit 1
fi
expect "the error of a deleted secret" \
  "An error occurred (ResourceNotFoundException) when calling the GetSecretValue operation: Secrets Manager can't find the specified secret." \
  "${message/ (reached max retries: 0)/}"
