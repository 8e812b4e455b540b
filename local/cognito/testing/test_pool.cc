#include "local/cognito/testing/test_pool.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/aws/error.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "local/cognito/cognito.h"
#include "local/gateway/in_process.h"
#include "local/jwt/rsa_key.h"
#include "local/jwt/token.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::cognito {
namespace {

// The least that scrypt can do.
constexpr PasswordCost kCheapPasswords = {
    .log2_cost = 1, .block_size = 1, .parallelism = 1};

// Generating takes long, so all tests share two.
absl::StatusOr<jwt::RsaKey> NextKey() {
  static const auto& keys = *new std::array<jwt::RsaKey, 2>{
      *jwt::RsaKey::Generate(), *jwt::RsaKey::Generate()};
  static int next = 0;
  return keys[next++ % keys.size()];
}

}  // namespace

TestPool::TestPool() : store_(*OpenSqliteStore({})) {
  Reopen();
  pool_ = CreatePool("{}");
  client_ = CreateClient(R"({"ExplicitAuthFlows": [
      "ALLOW_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH",
      "ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]})");
}

void TestPool::Reopen() {
  cognito_.reset();
  absl::StatusOr<std::unique_ptr<Cognito>> cognito =
      Cognito::Open(*store_, clock_,
                    {.password_cost = kCheapPasswords,
                     .new_key = NextKey,
                     .on_note = [this](const std::string& note) {
                       const sync::MutexLock lock(mutex_);
                       notes_.push_back(note);
                     }});
  ASSERT_TRUE(cognito.ok()) << cognito.status();
  cognito_ = *std::move(cognito);
}

absl::StatusOr<Json::Value> TestPool::Call(const std::string& operation,
                                           const Json::Value& request) {
  return CallInProcess(*cognito_,
                       {.operation = operation,
                        .region = kRegion,
                        .caller = {.account_id = kAccount}},
                       request);
}

absl::StatusOr<Json::Value> TestPool::Call(const std::string& operation,
                                           const char* request) {
  return Call(operation, *json::ParseValue(request));
}

Json::Value TestPool::Good(const absl::StatusOr<Json::Value>& result) {
  EXPECT_TRUE(result.ok()) << result.status();
  return result.value_or(Json::objectValue);
}

std::string TestPool::ErrorOf(const absl::StatusOr<Json::Value>& result) {
  if (result.ok()) return "none";
  const std::optional<aws::Error> error = aws::ErrorOf(result.status());
  if (!error.has_value()) return result.status().ToString();
  return absl::StrCat(error->code, ": ", error->message);
}

Json::Value TestPool::InPool(const std::string& user) {
  Json::Value request(Json::objectValue);
  request["UserPoolId"] = pool_;
  if (!user.empty()) request["Username"] = user;
  return request;
}

Json::Value TestPool::ByClient(const std::string& user) {
  Json::Value request(Json::objectValue);
  request["ClientId"] = client_;
  if (!user.empty()) request["Username"] = user;
  return request;
}

std::string TestPool::CreatePool(const std::string& settings) {
  Json::Value request = *json::ParseValue(settings);
  request["PoolName"] = "people";
  return Good(Call("CreateUserPool", request))["UserPool"]["Id"].asString();
}

std::string TestPool::CreateClient(const std::string& settings) {
  Json::Value request = *json::ParseValue(settings);
  request["UserPoolId"] = pool_;
  request["ClientName"] = "app";
  return Good(Call("CreateUserPoolClient",
                   request))["UserPoolClient"]["ClientId"]
      .asString();
}

void TestPool::AddUser(const std::string& name, const std::string& password) {
  Good(Call("AdminCreateUser", InPool(name)));
  Json::Value request = InPool(name);
  request["Password"] = password;
  request["Permanent"] = true;
  Good(Call("AdminSetUserPassword", request));
}

absl::StatusOr<Json::Value> TestPool::SignIn(const std::string& name,
                                             const std::string& password) {
  Json::Value request = ByClient();
  request["AuthFlow"] = "USER_PASSWORD_AUTH";
  request["AuthParameters"]["USERNAME"] = name;
  request["AuthParameters"]["PASSWORD"] = password;
  return Call("InitiateAuth", request);
}

absl::StatusOr<Json::Value> TestPool::Refresh(const std::string& token) {
  Json::Value request = ByClient();
  request["AuthFlow"] = "REFRESH_TOKEN_AUTH";
  request["AuthParameters"]["REFRESH_TOKEN"] = token;
  return Call("InitiateAuth", request);
}

Json::Value TestPool::Claims(const Json::Value& token) {
  return *jwt::UnverifiedClaims(token.asString());
}

std::vector<std::string> TestPool::Notes() {
  const sync::MutexLock lock(mutex_);
  return notes_;
}

std::string TestPool::LastCode() {
  const std::vector<std::string> notes = Notes();
  if (notes.empty()) return "";
  return notes.back().substr(notes.back().rfind(' ') + 1);
}

}  // namespace byoshin::local::cognito
