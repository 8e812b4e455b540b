#include "core/generation/config.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/aws/rdsdata/client.h"
#include "core/env/environment.h"
#include "core/generation/constants.h"
#include "core/generation/database_users.h"
#include "core/generation/process.h"

namespace byoshin::generation {
namespace {

absl::Status InvalidVariable(absl::string_view name, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the environment variable ", name, " is invalid: ", why));
}

}  // namespace

absl::StatusOr<ModelConfig> LoadModelConfig(
    const env::Environment& environment) {
  ModelConfig config{.model_id = env::NonEmpty(environment, kModelIdVariable)
                                     .value_or(kDefaultModelId),
                     .temperature = kDefaultModelTemperature,
                     .max_tokens = kDefaultModelMaxTokens};
  if (const auto text = env::NonEmpty(environment, kModelTemperatureVariable);
      text.has_value()) {
    const bool valid = absl::SimpleAtod(*text, &config.temperature) &&
                       config.temperature >= 0 && config.temperature <= 1;
    if (!valid) {
      return InvalidVariable(kModelTemperatureVariable,
                             "expected a number from 0 to 1");
    }
  }
  if (const auto text = env::NonEmpty(environment, kModelMaxTokensVariable);
      text.has_value()) {
    if (!absl::SimpleAtoi(*text, &config.max_tokens) || config.max_tokens < 1) {
      return InvalidVariable(kModelMaxTokensVariable,
                             "expected a positive integer");
    }
  }
  return config;
}

absl::StatusOr<aws::rdsdata::Database> LoadDatabaseConfig(
    const env::Environment& environment) {
  absl::StatusOr<std::string> cluster =
      env::Required(environment, kClusterVariable);
  if (!cluster.ok()) return cluster.status();
  absl::StatusOr<std::string> secret =
      env::Required(environment, kSecretVariable);
  if (!secret.ok()) return secret.status();
  return aws::rdsdata::Database{
      .resource_arn = *std::move(cluster),
      .secret_arn = *std::move(secret),
      .name = env::NonEmpty(environment, kDatabaseVariable)
                  .value_or(kDefaultDatabaseName)};
}

absl::StatusOr<std::vector<DatabaseUser>> LoadDatabaseUsers(
    const env::Environment& environment) {
  std::vector<DatabaseUser> users;
  for (const auto& [name, variable] :
       {std::pair(kReaderUser, kReaderSecretVariable),
        std::pair(kWriterUser, kWriterSecretVariable)}) {
    absl::StatusOr<std::string> secret = env::Required(environment, variable);
    if (!secret.ok()) return secret.status();
    users.push_back({.name = name, .secret_arn = *std::move(secret)});
  }
  return users;
}

absl::StatusOr<std::string> LoadStateMachineArn(
    const env::Environment& environment) {
  absl::StatusOr<std::string> arn =
      env::Required(environment, kStateMachineVariable);
  if (!arn.ok()) return arn.status();
  const absl::StatusOr<std::string> execution = ExecutionArnFor(*arn, "id");
  if (!execution.ok()) {
    return InvalidVariable(kStateMachineVariable, execution.status().message());
  }
  return arn;
}

ApiConfig LoadApiConfig(const env::Environment& environment) {
  return {.allowed_origin = env::NonEmpty(environment, kAllowedOriginVariable)
                                .value_or(kDefaultAllowedOrigin)};
}

}  // namespace byoshin::generation
