#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tests/bench/workloads.h"

namespace byoshin::bench {
namespace {

constexpr int kItems = 1000;
constexpr int kQueriedItems = 100;
constexpr int kItemsAtOnce = 25;  // No more are allowed.

std::string Target(absl::string_view operation) {
  return absl::StrCat("DynamoDB_20120810.", operation);
}

absl::Status Refused(const WireAnswer& answer) {
  return absl::UnknownError(
      absl::StrCat("the server answered ", answer.status, " ", answer.body));
}

// Requests made beforehand, shared by all connections.
struct Requests {
  std::vector<std::string> bytes{};
  std::size_t next = 0;
};

enum class AtTheEnd { kStop, kRepeat };

class Prepared final : public Conversation {
 public:
  Prepared(std::shared_ptr<Requests> requests, AtTheEnd at_the_end)
      : requests_(std::move(requests)), at_the_end_(at_the_end) {}

  absl::string_view Next() override {
    if (requests_->next == requests_->bytes.size()) {
      if (at_the_end_ == AtTheEnd::kStop) return {};
      requests_->next = 0;
    }
    return requests_->bytes[requests_->next++];
  }

  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status != 200) return Refused(answer);
    return true;
  }

 private:
  const std::shared_ptr<Requests> requests_;
  const AtTheEnd at_the_end_;
};

std::function<std::unique_ptr<Conversation>(int)> Starting(
    std::shared_ptr<Requests> requests, AtTheEnd at_the_end) {
  return [requests = std::move(requests), at_the_end](int) {
    return std::make_unique<Prepared>(requests, at_the_end);
  };
}

// `expected`: what the answer says where all was done.
absl::Status Call(Connection& connection, const std::string& request,
                  absl::string_view expected = "") {
  absl::StatusOr<Reply> reply = connection.Exchange(request);
  if (!reply.ok()) return reply.status();
  if (reply->status == 200 && absl::StrContains(reply->body, expected)) {
    return absl::OkStatus();
  }
  return absl::UnknownError(
      absl::StrCat("preparing: ", reply->status, " ", reply->body));
}

// A table with a string as hash key and one as range key, ready for use.
absl::Status MakeTable(const Signer& signer, Connection& connection,
                       absl::string_view name) {
  absl::Status status = Call(
      connection,
      signer.JsonRequest(
          Target("CreateTable"),
          absl::StrCat(
              R"({"TableName":")", name,
              R"(","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[)"
              R"({"AttributeName":"metric","AttributeType":"S"},)"
              R"({"AttributeName":"slot","AttributeType":"S"}],"KeySchema":[)"
              R"({"AttributeName":"metric","KeyType":"HASH"},)"
              R"({"AttributeName":"slot","KeyType":"RANGE"}]})")));
  if (!status.ok()) return status;
  const std::string describe = signer.JsonRequest(
      Target("DescribeTable"), absl::StrCat(R"({"TableName":")", name, "\"}"));
  for (;;) {
    absl::StatusOr<Reply> reply = connection.Exchange(describe);
    if (!reply.ok()) return reply.status();
    if (absl::StrContains(reply->body, R"("TableStatus":"ACTIVE")")) {
      return absl::OkStatus();
    }
  }
}

// The Collector's record of a slot, about 150 bytes.
std::string Item(absl::string_view metric, int slot) {
  return absl::StrFormat(
      R"({"metric":{"S":"%s"},"slot":{"S":"2025-12-02T%09d"},)"
      R"("count":{"N":"%d"},"latencyMs":{"N":"12.5"},)"
      R"("outcome":{"S":"delivered to the collector"}})",
      metric, slot, slot % 977);
}

std::string Key(absl::string_view metric, int slot) {
  return absl::StrFormat(
      R"({"metric":{"S":"%s"},"slot":{"S":"2025-12-02T%09d"}})", metric, slot);
}

// In batches: one by one it would take longer than a short measurement.
absl::Status PutItems(const Signer& signer, Connection& connection,
                      absl::string_view table, int count) {
  for (int from = 0; from < count; from += kItemsAtOnce) {
    std::vector<std::string> puts;
    for (int i = from; i < std::min(from + kItemsAtOnce, count); ++i) {
      puts.push_back(absl::StrCat(R"({"PutRequest":{"Item":)",
                                  Item("responses", i), "}}"));
    }
    absl::Status status =
        Call(connection,
             signer.JsonRequest(
                 Target("BatchWriteItem"),
                 absl::StrCat(R"({"RequestItems":{")", table, R"(":[)",
                              absl::StrJoin(puts, ","), "]}}")),
             R"("UnprocessedItems":{})");
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

Workload ConditionalPuts(const Signer& signer, int count) {
  static int runs = 0;
  const std::string table = absl::StrCat("Puts", ++runs);
  auto requests = std::make_shared<Requests>();
  requests->bytes.reserve(count);
  for (int i = 0; i < count; ++i) {
    requests->bytes.push_back(signer.JsonRequest(
        Target("PutItem"),
        absl::StrCat(
            R"({"TableName":")", table, R"(","Item":)",
            // Many partitions, as with many metrics.
            Item(absl::StrCat("metric", i % 100), i),
            R"json(,"ConditionExpression":"attribute_not_exists(slot)"})json")));
  }
  return {.prepare =
              [&signer, table](Connection& connection) {
                return MakeTable(signer, connection, table);
              },
          .start = Starting(std::move(requests), AtTheEnd::kStop)};
}

Workload Gets(const Signer& signer) {
  static int runs = 0;
  const std::string table = absl::StrCat("Gets", ++runs);
  auto requests = std::make_shared<Requests>();
  for (int i = 0; i < kItems; ++i) {
    requests->bytes.push_back(signer.JsonRequest(
        Target("GetItem"),
        absl::StrCat(R"({"TableName":")", table, R"(","Key":)",
                     Key("responses", i), R"(,"ConsistentRead":true})")));
  }
  return {.prepare =
              [&signer, table](Connection& connection) {
                absl::Status status = MakeTable(signer, connection, table);
                if (!status.ok()) return status;
                return PutItems(signer, connection, table, kItems);
              },
          .start = Starting(std::move(requests), AtTheEnd::kRepeat)};
}

Workload Queries(const Signer& signer) {
  static int runs = 0;
  const std::string table = absl::StrCat("Queries", ++runs);
  auto requests = std::make_shared<Requests>();
  requests->bytes.push_back(signer.JsonRequest(
      Target("Query"),
      absl::StrCat(
          R"({"TableName":")", table,
          R"(","KeyConditionExpression":"metric = :m",)"
          R"("ExpressionAttributeValues":{":m":{"S":"responses"}}})")));
  return {.prepare =
              [&signer, table](Connection& connection) {
                absl::Status status = MakeTable(signer, connection, table);
                if (!status.ok()) return status;
                return PutItems(signer, connection, table, kQueriedItems);
              },
          .start = Starting(std::move(requests), AtTheEnd::kRepeat)};
}

}  // namespace byoshin::bench
