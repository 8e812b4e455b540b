// Tries the local DynamoDB on any request: the operation on the first line, the
// body after it. Whatever the request says, it gets one answer, which is JSON,
// and an error is the caller's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/dynamodb/engine/database.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/wire/errors.h"
#include "local/gateway/error.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr char kRegion[] = "eu-west-1";

// A table with a local index, and a global one whose key has several
// attributes.
constexpr char kTable[] = R"({"TableName":"orders",
  "BillingMode":"PAY_PER_REQUEST",
  "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},
    {"AttributeName":"at","AttributeType":"N"},
    {"AttributeName":"a","AttributeType":"S"},
    {"AttributeName":"b","AttributeType":"N"}],
  "KeySchema":[{"AttributeName":"id","KeyType":"HASH"},
    {"AttributeName":"at","KeyType":"RANGE"}],
  "LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[
    {"AttributeName":"id","KeyType":"HASH"},
    {"AttributeName":"a","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"KEYS_ONLY"}}],
  "GlobalSecondaryIndexes":[{"IndexName":"global","KeySchema":[
    {"AttributeName":"a","KeyType":"HASH"},
    {"AttributeName":"b","KeyType":"HASH"},
    {"AttributeName":"at","KeyType":"RANGE"},
    {"AttributeName":"id","KeyType":"RANGE"}],
    "Projection":{"ProjectionType":"ALL"}}]})";
constexpr char kItem[] = R"({"TableName":"orders","Item":{"id":{"S":"1"},
  "at":{"N":"1"},"a":{"S":"x"},"b":{"N":"2"},"n":{"N":"3"},
  "s":{"SS":["p","q"]},"l":{"L":[{"M":{"k":{"NULL":true}}}]}}})";

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

absl::StatusOr<std::string> Execute(Database& database,
                                    absl::string_view operation,
                                    absl::string_view body) {
  const Operation* found = FindOperation(operation);
  if (found == nullptr) return ValidationError("no such operation");
  absl::StatusOr<Work> work =
      Prepare(*found, json::ParseValue(body), {.region = kRegion});
  if (!work.ok()) return work.status();
  return (*work)(database);
}

void CheckError(const absl::Status& status) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  Require(error.http_status >= 400 && error.http_status < 500,
          "an error is the caller's");
  Require(!error.code.empty() && !error.message.empty(),
          "an error has a code and a message");
  Require(
      json::ParseValue(JsonErrorAnswer(status, "x#", MessageMember(error)).body)
          .ok(),
      "an error can be written as JSON");
}

// A database with a table and an item, put back after each request.
class Target {
 public:
  Target() {
    Require(database_.Load().ok(), "an empty store can be loaded");
    Require(Execute(database_, "CreateTable", kTable).ok(), "created");
    Require(Execute(database_, "PutItem", kItem).ok(), "put");
    Require(store_->Commit().ok(), "committed");
  }

  void Try(absl::string_view operation, absl::string_view body) {
    const absl::StatusOr<std::string> answer =
        Execute(database_, operation, body);
    if (answer.ok()) {
      Require(answer->empty() || json::ParseValue(*answer).ok(),
              "an answer is JSON");
    } else {
      CheckError(answer.status());
    }
    store_->Rollback();
    Require(database_.Load().ok(), "the store can be loaded again");
  }

 private:
  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  Database database_{*store_, clock_, {}};
};

}  // namespace
}  // namespace byoshin::local::dynamodb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('\n', 1));
  static auto* const target = new byoshin::local::dynamodb::Target;
  target->Try(parts.first, parts.second);
  return 0;
}
