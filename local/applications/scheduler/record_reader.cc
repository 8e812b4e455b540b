#include "local/applications/scheduler/record_reader.h"

#include <json/json.h>

#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/applications/scheduler/record_table.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
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

void RecordReader::Read(const std::string& name) {
  const RecordTable table(dynamodb_, region_, name);
  const auto know_since = [this](absl::Time time) {
    {
      const sync::MutexLock lock(mutex_);
      if (leaving_ || stopped_) return false;
      read_since_ = time;
    }
    progress_.NotifyAll();
    return true;
  };
  Json::Value begin;
  do {
    const absl::StatusOr<RecordPage> page = table.Newest(begin);
    if (!page.ok()) break;  // such as a table that has been deleted
    if (!on_records_(page->records)) break;
    begin = page->next;
    if (begin.isNull() || page->records.empty()) continue;
    if (!know_since(page->records.back().slot)) return;
  } while (!begin.isNull());
  know_since(absl::InfinitePast());
}

}  // namespace byoshin::local::applications
