#include "local/applications/scheduler/record_table.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/time/iso8601.h"
#include "local/applications/scheduler/record_item.h"
#include "local/applications/scheduler/series.h"
#include "local/dashboard/time_range.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

// What BatchWriteItem takes.
constexpr Json::ArrayIndex kMaxBatchWrites = 25;

// The first second that is not before `time`; in the order of their texts, such
// keys are in the order of time.
std::string KeyAt(absl::Time time) {
  static const absl::Time kFirst =
      time::ParseIso8601("0001-01-01T00:00:00Z").value();
  static const absl::Time kLast =
      time::ParseIso8601("9999-12-31T23:59:59Z").value();
  return time::FormatIso8601(std::clamp(
      time + absl::Seconds(1) - absl::Nanoseconds(1), kFirst, kLast));
}

}  // namespace

Json::Value RecordTable::Query() const {
  Json::Value query;
  query["TableName"] = name_;
  query["KeyConditionExpression"] = "#m = :m";
  query["ExpressionAttributeNames"]["#m"] = scheduler::kMetricNameKey;
  query["ExpressionAttributeValues"][":m"]["S"] = scheduler::kMetricName;
  query["Limit"] = kRecordsPerPage;
  return query;
}

absl::StatusOr<Json::Value> RecordTable::Call(
    const char* operation, const Json::Value& request) const {
  return CallInProcess(dynamodb_, {.operation = operation, .region = region_},
                       request);
}

absl::StatusOr<RecordPage> RecordTable::Read(Json::Value query,
                                             const Json::Value& begin) const {
  if (!begin.isNull()) query["ExclusiveStartKey"] = begin;
  absl::StatusOr<Json::Value> answer = Call("Query", query);
  if (!answer.ok()) return answer.status();
  RecordPage page{.next = (*answer)["LastEvaluatedKey"]};
  for (const Json::Value& item : (*answer)["Items"]) {
    if (const std::optional<SlotRecord> record = RecordOf(item)) {
      page.records.push_back(*record);
    }
  }
  return page;
}

absl::StatusOr<RecordPage> RecordTable::Newest(const Json::Value& begin) const {
  Json::Value query = Query();
  query["ScanIndexForward"] = false;
  return Read(std::move(query), begin);
}

absl::StatusOr<RecordPage> RecordTable::Oldest(
    const dashboard::TimeRange& range, const Json::Value& begin) const {
  Json::Value query = Query();
  query["KeyConditionExpression"] = "#m = :m AND #s BETWEEN :from AND :to";
  query["ExpressionAttributeNames"]["#s"] = scheduler::kSlotTimeKey;
  query["ExpressionAttributeValues"][":from"]["S"] = KeyAt(range.from);
  query["ExpressionAttributeValues"][":to"]["S"] = KeyAt(range.to);
  absl::StatusOr<RecordPage> page = Read(std::move(query), begin);
  if (!page.ok()) return page.status();
  // BETWEEN includes its end.
  std::erase_if(page->records, [&](const SlotRecord& record) {
    return record.slot >= range.to;
  });
  return page;
}

absl::StatusOr<std::int64_t> RecordTable::DeleteAll() const {
  std::int64_t deleted = 0;
  Json::Value query = Query();
  query["ProjectionExpression"] = "#m, #s";
  query["ExpressionAttributeNames"]["#s"] = scheduler::kSlotTimeKey;
  while (true) {
    const absl::StatusOr<Json::Value> page = Call("Query", query);
    if (!page.ok()) return page.status();
    const Json::Value& items = (*page)["Items"];
    if (absl::Status status = Delete(items); !status.ok()) return status;
    deleted += items.size();
    if ((*page)["LastEvaluatedKey"].isNull()) return deleted;
    query["ExclusiveStartKey"] = (*page)["LastEvaluatedKey"];
  }
}

absl::Status RecordTable::Delete(const Json::Value& items) const {
  for (Json::ArrayIndex begin = 0; begin < items.size();
       begin += kMaxBatchWrites) {
    Json::Value request;
    Json::Value& writes = request["RequestItems"][name_];
    const Json::ArrayIndex end =
        std::min(begin + kMaxBatchWrites, items.size());
    for (Json::ArrayIndex i = begin; i < end; ++i) {
      Json::Value write;
      write["DeleteRequest"]["Key"] = items[i];
      writes.append(std::move(write));
    }
    if (absl::Status deleted = Call("BatchWriteItem", request).status();
        !deleted.ok()) {
      return deleted;
    }
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::applications
