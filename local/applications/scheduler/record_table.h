// The scheduler's records in their table, a page at a time.
//
//   const RecordTable table(dynamodb, "us-east-1", "AiResponseMetrics");
//   absl::StatusOr<RecordPage> page = table.Newest();
//   ... table.Newest(page->next) ... until `next` is null
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_TABLE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_TABLE_H_

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/applications/scheduler/series.h"
#include "local/dashboard/time_range.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Items in one request: few enough that writers do not wait long for the
// service.
inline constexpr int kRecordsPerPage = 250;

struct RecordPage {
  std::vector<SlotRecord> records{};
  // Where the next page begins; null if this is the last one.
  Json::Value next{};
};

// Its calls block until DynamoDB has answered.
class RecordTable {
 public:
  // `dynamodb` outlives it.
  RecordTable(Service& dynamodb, std::string region, std::string name)
      : dynamodb_(dynamodb),
        region_(std::move(region)),
        name_(std::move(name)) {}

  // The newest first.
  absl::StatusOr<RecordPage> Newest(const Json::Value& begin) const;
  // The oldest first.
  absl::StatusOr<RecordPage> Oldest(const dashboard::TimeRange& range,
                                    const Json::Value& begin) const;
  // Deletes all items of the metric; returns how many there were.
  absl::StatusOr<std::int64_t> DeleteAll() const;

 private:
  Json::Value Query() const;
  absl::StatusOr<Json::Value> Call(const char* operation,
                                   const Json::Value& request) const;
  absl::StatusOr<RecordPage> Read(Json::Value query,
                                  const Json::Value& begin) const;
  absl::Status Delete(const Json::Value& items) const;

  Service& dynamodb_;
  const std::string region_;
  const std::string name_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_TABLE_H_
