#include "local/dynamodb/testing/service.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "gtest/gtest.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kRegion = "eu-central-1";

}  // namespace

// 2025-12-02T10:23:00Z
TestService::TestService() : clock_(absl::FromUnixSeconds(1764670980)) {
  absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore({});
  EXPECT_TRUE(store.ok()) << store.status();
  if (store.ok()) store_ = *std::move(store);
  Open();
}

TestService::~TestService() = default;

void TestService::Open() {
  absl::StatusOr<std::unique_ptr<DynamoDb>> dynamodb =
      DynamoDb::Open(*store_, clock_, {});
  ASSERT_TRUE(dynamodb.ok()) << dynamodb.status();
  dynamodb_ = *std::move(dynamodb);
  client_ = std::make_unique<InProcessClient>(*dynamodb_, std::string(kRegion));
}

void TestService::Reopen() {
  client_.reset();
  dynamodb_.reset();
  Open();
}

std::string TestService::Ok(absl::string_view operation,
                            absl::string_view request) {
  absl::StatusOr<std::string> answer = client_->Execute(operation, request);
  EXPECT_TRUE(answer.ok()) << operation << " " << request << "\n"
                           << answer.status();
  return answer.ok() ? *answer : std::string(answer.status().message());
}

std::string TestService::Error(absl::string_view operation,
                               absl::string_view request) {
  absl::StatusOr<std::string> answer = client_->Execute(operation, request);
  EXPECT_FALSE(answer.ok()) << operation << " " << request << "\n" << *answer;
  return answer.ok() ? *answer : std::string(answer.status().message());
}

Answer TestService::Handle(absl::string_view operation,
                           absl::string_view body) {
  return async::Await<Answer>([&](auto done) {
    dynamodb_->Handle({.operation = std::string(operation),
                       .body = std::string(body),
                       .region = std::string(kRegion),
                       .endpoint = "http://127.0.0.1:4566"},
                      done);
  });
}

void TestService::CreateSimpleTable(absl::string_view name) {
  Ok("CreateTable",
     absl::StrCat(R"({"TableName":")", name, R"(","BillingMode":)",
                  R"("PAY_PER_REQUEST","AttributeDefinitions":[)",
                  R"({"AttributeName":"id","AttributeType":"S"}],)",
                  R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})"));
}

void TestService::CreateRangeTable(absl::string_view name) {
  Ok("CreateTable",
     absl::StrCat(R"({"TableName":")", name, R"(","BillingMode":)",
                  R"("PAY_PER_REQUEST","AttributeDefinitions":[)",
                  R"({"AttributeName":"id","AttributeType":"S"},)",
                  R"({"AttributeName":"at","AttributeType":"N"}],)",
                  R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)",
                  R"({"AttributeName":"at","KeyType":"RANGE"}]})"));
}

}  // namespace byoshin::local::dynamodb
