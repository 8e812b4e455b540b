#include "local/applications/scheduler/record_reader.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "local/applications/scheduler/record_item.h"
#include "local/gateway/in_process.h"

namespace byoshin::local::applications {
namespace {

Json::Value FirstQuery(const std::string& table) {
  Json::Value query;
  query["TableName"] = table;
  query["KeyConditionExpression"] = "#m = :m";
  query["ExpressionAttributeNames"]["#m"] = scheduler::kMetricNameKey;
  query["ExpressionAttributeValues"][":m"]["S"] = scheduler::kMetricName;
  query["ScanIndexForward"] = false;
  query["Limit"] = kRecordsPerPage;
  return query;
}

}  // namespace

RecordReader::RecordReader(Service& dynamodb, std::string region,
                           OnRecords on_records)
    : dynamodb_(dynamodb),
      region_(std::move(region)),
      on_records_(std::move(on_records)) {}

RecordReader::~RecordReader() { Stop(); }

void RecordReader::Start(const std::string& table) {
  const sync::MutexLock starting(starting_);
  Leave();
  {
    const sync::MutexLock lock(mutex_);
    if (stopped_) return;
    leaving_ = false;
    read_since_ = absl::InfiniteFuture();
  }
  thread_ = std::thread([this, table] { Read(table); });
}

void RecordReader::Stop() {
  {
    const sync::MutexLock lock(mutex_);
    stopped_ = true;
  }
  progress_.NotifyAll();
  const sync::MutexLock starting(starting_);
  Leave();
}

void RecordReader::Leave() {
  {
    const sync::MutexLock lock(mutex_);
    leaving_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

absl::Status RecordReader::AwaitSince(absl::Time from) {
  const sync::MutexLock lock(mutex_);
  while (read_since_ > from && !stopped_) progress_.Wait(mutex_);
  return stopped_ ? absl::UnavailableError("the cloud is stopping")
                  : absl::OkStatus();
}

bool RecordReader::HasReadAll() {
  const sync::MutexLock lock(mutex_);
  return read_since_ == absl::InfinitePast();
}

void RecordReader::Read(const std::string& table) {
  Json::Value query = FirstQuery(table);
  const auto know_since = [this](absl::Time time) {
    {
      const sync::MutexLock lock(mutex_);
      if (leaving_ || stopped_) return false;
      read_since_ = time;
    }
    progress_.NotifyAll();
    return true;
  };
  while (true) {
    const absl::StatusOr<Json::Value> page = CallInProcess(
        dynamodb_, {.operation = "Query", .region = region_}, query);
    if (!page.ok()) break;  // such as a table that has been deleted
    std::vector<SlotRecord> records;
    for (const Json::Value& item : (*page)["Items"]) {
      if (std::optional<SlotRecord> record = RecordOf(item)) {
        records.push_back(*record);
      }
    }
    on_records_(records);
    if ((*page)["LastEvaluatedKey"].isNull()) break;
    query["ExclusiveStartKey"] = (*page)["LastEvaluatedKey"];
    if (!records.empty() && !know_since(records.back().slot)) return;
  }
  know_since(absl::InfinitePast());
}

}  // namespace byoshin::local::applications
