// A dynamodb::Client for tests: the scheduler's table in memory, with its key
// and with the one condition that the scheduler puts on writes.
//
//   FakeTable table;
//   table.Fail(absl::UnavailableError("no connection"));  // the first call
//   ...
//   EXPECT_THAT(table.items(), SizeIs(1));
#ifndef BYOSHIN_CORE_SCHEDULER_TESTING_FAKE_TABLE_H_
#define BYOSHIN_CORE_SCHEDULER_TESTING_FAKE_TABLE_H_

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/error.h"
#include "core/scheduler/constants.h"

namespace byoshin::scheduler::testing {

// Not thread-safe.
class FakeTable final : public aws::dynamodb::Client {
 public:
  using Item = std::map<std::string, aws::dynamodb::AttributeValue>;
  // The partition key and the sort key.
  using Key = std::pair<std::string, std::string>;
  enum class Effect { kNone, kWritten };

  struct Call {
    aws::dynamodb::PutItemRequest request;
    absl::Time deadline;
  };

  // Each is for one call, in the order in which they are called. With kWritten
  // the write happens all the same: the answer was lost, not the request.
  void Fail(absl::Status status, Effect effect = Effect::kNone) {
    script_.push_back({std::move(status), effect});
  }

  absl::Status PutItem(const aws::dynamodb::PutItemRequest& request,
                       absl::Time deadline) override {
    calls_.push_back({request, deadline});
    if (script_.empty()) return Write(request);
    const auto [status, effect] = std::move(script_.front());
    script_.pop_front();
    if (effect == Effect::kWritten) Write(request).IgnoreError();
    return status;
  }

  const std::vector<Call>& calls() const { return calls_; }
  const std::map<Key, Item>& items() const { return items_; }

 private:
  static absl::Status Error(const char* code, const char* message) {
    return aws::ToStatus({.code = code,
                          .message = message,
                          .http_status = 400,
                          .request_id = "made-up"},
                         "DynamoDB PutItem");
  }

  absl::Status Write(const aws::dynamodb::PutItemRequest& request) {
    const auto partition = request.item.find(kMetricNameKey);
    const auto sort = request.item.find(kSlotTimeKey);
    if (partition == request.item.end() || sort == request.item.end() ||
        !std::holds_alternative<std::string>(partition->second) ||
        !std::holds_alternative<std::string>(sort->second)) {
      return Error("ValidationException", "One or more keys are missing");
    }
    const Key key = {std::get<std::string>(partition->second),
                     std::get<std::string>(sort->second)};
    if (request.condition_expression == kPutCondition) {
      if (items_.contains(key)) {
        return Error(aws::dynamodb::kConditionalCheckFailed,
                     "The conditional request failed");
      }
    } else if (!request.condition_expression.empty()) {
      return Error("ValidationException", "Unknown condition");
    }
    items_[key] = request.item;
    return absl::OkStatus();
  }

  std::deque<std::pair<absl::Status, Effect>> script_;
  std::vector<Call> calls_;
  std::map<Key, Item> items_;
};

}  // namespace byoshin::scheduler::testing

#endif  // BYOSHIN_CORE_SCHEDULER_TESTING_FAKE_TABLE_H_
