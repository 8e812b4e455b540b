#include "tests/integration/function_fixture.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "tests/integration/lambda_package.h"

namespace byoshin::integration {
namespace {

using ::testing::IsEmpty;

// Unpacked once for all tests of the program.
const LambdaPackage* Package(absl::string_view name) {
  static auto& packages =
      *new std::map<std::string, std::unique_ptr<LambdaPackage>>();
  std::unique_ptr<LambdaPackage>& package = packages[std::string(name)];
  if (package == nullptr) {
    absl::StatusOr<LambdaPackage> unpacked =
        LambdaPackage::Unpack(absl::StrCat("lambdas/", name, ".zip"));
    if (!unpacked.ok()) {
      ADD_FAILURE() << unpacked.status();
      return nullptr;
    }
    package = std::make_unique<LambdaPackage>(*std::move(unpacked));
  }
  return package.get();
}

FunctionError ToError(const RuntimeApi::Outcome& outcome) {
  EXPECT_EQ(outcome.content_type, "application/json");
  const Json::Value error = ParseJson(outcome.payload);
  if (!error.isObject()) return {};
  return {error["errorType"].asString(), error["errorMessage"].asString()};
}

void ExpectNoSecret(absl::string_view line) {
  EXPECT_FALSE(absl::StrContains(line, kSecretAccessKey)) << line;
  EXPECT_FALSE(absl::StrContains(line, kSessionToken)) << line;
}

}  // namespace

Json::Value ParseJson(absl::string_view text) {
  absl::StatusOr<Json::Value> value = json::ParseValue(text);
  if (value.ok()) return *std::move(value);
  ADD_FAILURE() << value.status() << ": " << text;
  return {};
}

std::unique_ptr<LambdaProcess> FunctionTest::NewProcess(
    absl::string_view name, const Variables& variables) {
  const LambdaPackage* package = Package(name);
  if (package == nullptr) return nullptr;
  absl::StatusOr<std::unique_ptr<LambdaProcess>> process = LambdaProcess::Start(
      {.argv = {package->bootstrap()}, .variables = variables});
  if (process.ok()) return *std::move(process);
  ADD_FAILURE() << process.status();
  return nullptr;
}

void FunctionTest::StartFunction(absl::string_view name,
                                 const Variables& variables) {
  function_ = NewProcess(name, variables);
  ASSERT_NE(function_, nullptr);
}

std::string FunctionTest::Respond(const std::string& payload,
                                  absl::Duration time_limit) {
  absl::StatusOr<RuntimeApi::Outcome> outcome =
      function_->Invoke({.payload = payload, .time_limit = time_limit});
  if (!outcome.ok()) {
    ADD_FAILURE() << outcome.status() << "\nits output:\n"
                  << absl::StrJoin(function_->process().lines(), "\n");
    return {};
  }
  EXPECT_EQ(outcome->kind, RuntimeApi::Outcome::Kind::kResponse)
      << outcome->payload;
  return outcome->payload;
}

FunctionError FunctionTest::Fail(const std::string& payload,
                                 absl::Duration time_limit) {
  absl::StatusOr<RuntimeApi::Outcome> outcome =
      function_->Invoke({.payload = payload, .time_limit = time_limit});
  if (!outcome.ok()) {
    ADD_FAILURE() << outcome.status() << "\nits output:\n"
                  << absl::StrJoin(function_->process().lines(), "\n");
    return {};
  }
  EXPECT_EQ(outcome->kind, RuntimeApi::Outcome::Kind::kError)
      << outcome->payload;
  return ToError(*outcome);
}

FunctionError FunctionTest::FailToStart(absl::string_view name,
                                        const Variables& variables) {
  std::unique_ptr<LambdaProcess> process = NewProcess(name, variables);
  if (process == nullptr) return {};
  absl::StatusOr<RuntimeApi::Outcome> outcome = process->api().AwaitInitError();
  EXPECT_TRUE(outcome.ok()) << outcome.status();
  absl::StatusOr<std::string> exit = process->process().AwaitExit();
  EXPECT_TRUE(exit.ok()) << exit.status();
  EXPECT_EQ(exit.value_or(""), "exit status 1");
  for (const std::string& line : process->process().lines()) {
    ExpectNoSecret(line);
  }
  return outcome.ok() ? ToError(*outcome) : FunctionError();
}

std::vector<Json::Value> FunctionTest::LogLines(absl::string_view message) {
  std::vector<Json::Value> found;
  for (const std::string& line : function_->process().lines()) {
    ExpectNoSecret(line);
    Json::Value value = ParseJson(line);
    EXPECT_TRUE(value.isObject()) << line;
    if (value.isObject() && value["message"] == std::string(message)) {
      found.push_back(std::move(value));
    }
  }
  return found;
}

void FunctionTest::TearDown() {
  if (function_ == nullptr) return;
  EXPECT_TRUE(function_->process().running());
  EXPECT_THAT(function_->api().violations(), IsEmpty());
}

}  // namespace byoshin::integration
