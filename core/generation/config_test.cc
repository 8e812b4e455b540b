#include "core/generation/config.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/aws/rdsdata/client.h"
#include "core/env/environment.h"
#include "core/generation/constants.h"
#include "core/generation/database_users.h"
#include "core/generation/testing/fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using ::testing::HasSubstr;

TEST(ModelConfig, HasDefaults) {
  const absl::StatusOr<ModelConfig> config = LoadModelConfig(env::FromMap({}));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->model_id, kDefaultModelId);
  EXPECT_EQ(config->temperature, kDefaultModelTemperature);
  EXPECT_EQ(config->max_tokens, kDefaultModelMaxTokens);
}

TEST(ModelConfig, IsReadFromVariables) {
  const absl::StatusOr<ModelConfig> config =
      LoadModelConfig(env::FromMap({{"MODEL_ID", "m"},
                                    {"MODEL_TEMPERATURE", "0"},
                                    {"MODEL_MAX_TOKENS", "100"}}));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->model_id, "m");
  EXPECT_EQ(config->temperature, 0);
  EXPECT_EQ(config->max_tokens, 100);
}

TEST(ModelConfig, NamesAnInvalidVariable) {
  for (const auto& [name, value] : {std::pair{"MODEL_TEMPERATURE", "hot"},
                                    {"MODEL_TEMPERATURE", "1.1"},
                                    {"MODEL_TEMPERATURE", "nan"},
                                    {"MODEL_MAX_TOKENS", "0"},
                                    {"MODEL_MAX_TOKENS", "many"}}) {
    const absl::Status status =
        LoadModelConfig(env::FromMap({{name, value}})).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << value;
    EXPECT_THAT(std::string(status.message()), HasSubstr(name));
  }
}

TEST(DatabaseConfig, NeedsTheClusterAndTheSecret) {
  const absl::StatusOr<aws::rdsdata::Database> database =
      LoadDatabaseConfig(env::FromMap(
          {{"DATABASE_CLUSTER_ARN", "c"}, {"DATABASE_SECRET_ARN", "s"}}));
  ASSERT_TRUE(database.ok()) << database.status();
  EXPECT_EQ(database->name, kDefaultDatabaseName);
  EXPECT_TRUE(absl::IsFailedPrecondition(
      LoadDatabaseConfig(env::FromMap({{"DATABASE_CLUSTER_ARN", "c"}}))
          .status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(
      LoadDatabaseConfig(env::FromMap({{"DATABASE_SECRET_ARN", "s"}}))
          .status()));
}

TEST(DatabaseUsersConfig, NeedsASecretForEachUser) {
  const absl::StatusOr<std::vector<DatabaseUser>> users = LoadDatabaseUsers(
      env::FromMap({{"READER_SECRET_ARN", "r"}, {"WRITER_SECRET_ARN", "w"}}));
  ASSERT_TRUE(users.ok()) << users.status();
  ASSERT_EQ(users->size(), 2u);
  EXPECT_EQ((*users)[0].name, kReaderUser);
  EXPECT_EQ((*users)[0].secret_arn, "r");
  EXPECT_EQ((*users)[1].name, kWriterUser);
  EXPECT_EQ((*users)[1].secret_arn, "w");
  EXPECT_TRUE(absl::IsFailedPrecondition(
      LoadDatabaseUsers(env::FromMap({{"READER_SECRET_ARN", "r"}})).status()));
}

TEST(StateMachineArn, IsChecked) {
  EXPECT_TRUE(LoadStateMachineArn(
                  env::FromMap({{"STATE_MACHINE_ARN", testing::kStateMachine}}))
                  .ok());
  EXPECT_TRUE(absl::IsInvalidArgument(
      LoadStateMachineArn(env::FromMap({{"STATE_MACHINE_ARN", "x"}}))
          .status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(
      LoadStateMachineArn(env::FromMap({})).status()));
}

TEST(ApiConfig, AllowsEveryOriginUnlessToldOtherwise) {
  EXPECT_EQ(LoadApiConfig(env::FromMap({})).allowed_origin, "*");
  EXPECT_EQ(LoadApiConfig(env::FromMap({{"ALLOWED_ORIGIN", "https://x"}}))
                .allowed_origin,
            "https://x");
}

}  // namespace
}  // namespace byoshin::generation
