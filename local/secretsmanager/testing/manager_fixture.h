// Secrets Manager on a simulated clock.
//
//   Create("db", "hunter2");
//   EXPECT_EQ(Call("GetSecretValue", R"({"SecretId":"db"})")["SecretString"],
//             "hunter2");
//   EXPECT_EQ(ErrorOf("GetSecretValue", R"({"SecretId":"x"})"),
//             "ResourceNotFoundException: Secrets Manager can't …");
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_TESTING_MANAGER_FIXTURE_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_TESTING_MANAGER_FIXTURE_H_

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/in_process.h"
#include "local/secretsmanager/secretsmanager.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/testing/failing_store.h"

namespace byoshin::local::secretsmanager {

class ManagerFixture : public ::testing::Test {
 protected:
  static constexpr char kRegion[] = "us-east-1";

  ManagerFixture() { Open(); }

  // As a process that starts again.
  void Open() {
    manager_.reset();
    manager_ = *SecretsManager::Open({.store = store_, .clock = clock_});
  }

  absl::StatusOr<Json::Value> Try(absl::string_view operation,
                                  absl::string_view body,
                                  absl::string_view region = kRegion) {
    return CallInProcess(*manager_,
                         {.operation = std::string(operation),
                          .region = std::string(region),
                          .caller = {.account_id = kLocalAccountId}},
                         *json::ParseValue(body));
  }
  Json::Value Call(absl::string_view operation, absl::string_view body) {
    const absl::StatusOr<Json::Value> result = Try(operation, body);
    EXPECT_TRUE(result.ok()) << operation << ": " << result.status();
    return result.value_or(Json::Value());
  }
  // "CODE: MESSAGE"; empty if there is none.
  std::string ErrorOf(absl::string_view operation, absl::string_view body) {
    const std::optional<aws::Error> error =
        aws::ErrorOf(Try(operation, body).status());
    return error.has_value() ? absl::StrCat(error->code, ": ", error->message)
                             : "";
  }

  // 32 characters: "t" and zeros before the number.
  static std::string Token(int number) {
    std::string digits = absl::StrCat(number);
    return absl::StrCat("t", std::string(31 - digits.size(), '0'), digits);
  }
  // Returns the ARN.
  std::string Create(absl::string_view name, absl::string_view value,
                     int token = 1) {
    return Call("CreateSecret",
                absl::StrCat(R"({"Name":")", name, R"(","SecretString":)",
                             json::WriteValue(std::string(value)),
                             R"(,"ClientRequestToken":")", Token(token),
                             "\"}"))["ARN"]
        .asString();
  }
  // `more` are further members, with a comma before each.
  std::string Put(absl::string_view id, absl::string_view value, int token,
                  absl::string_view more = "") {
    return absl::StrCat(R"({"SecretId":")", id, R"(","SecretString":")", value,
                        R"(","ClientRequestToken":")", Token(token), "\"", more,
                        "}");
  }
  std::string ValueOf(absl::string_view id) {
    return Call("GetSecretValue",
                absl::StrCat(R"({"SecretId":")", id, "\"}"))["SecretString"]
        .asString();
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'800'000'000)};
  std::unique_ptr<Store> sqlite_ = *OpenSqliteStore({});
  FailingStore store_{*sqlite_};
  std::unique_ptr<SecretsManager> manager_;
};

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_TESTING_MANAGER_FIXTURE_H_
