// Reads the scheduler's records from their table, the newest first, in a thread
// of its own: a month of them must not keep the cloud from starting. A call
// that wants records waits only until those are there.
//
//   RecordReader reader(dynamodb, "us-east-1", [&](const auto& records) {
//     ...  // a page of them
//     return true;
//   });
//   reader.Start("AiResponseMetrics");
//   absl::Status read = reader.AwaitSince(clock.Now() - absl::Minutes(15));
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_READER_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_READER_H_

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/applications/scheduler/series.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Thread-safe.
class RecordReader {
 public:
  using OnRecords = std::function<bool(const std::vector<SlotRecord>& records)>;

  // `dynamodb` outlives it. `on_records` is called on the reading thread with
  // each page, in which the newest comes first, until it returns false: older
  // ones are not wanted.
  RecordReader(Service& dynamodb, std::string region, OnRecords on_records);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  // As Stop().
  ~RecordReader();

  // Begins to read this table; what was being read is left.
  void Start(const std::string& table);

  // Ends reading, and all waits for it with an error. Nothing is read after it.
  void Stop();

  // Blocks until every record since `from` that is wanted has been read, which
  // is at once if nothing is being read. Unavailable after Stop().
  absl::Status AwaitSince(absl::Time from);

  // Whether all that are wanted have been read.
  bool HasReadAll();

 private:
  void Read(const std::string& name);
  // Leaves what is being read.
  void Leave() ABSL_EXCLUSIVE_LOCKS_REQUIRED(starting_);

  Service& dynamodb_;
  const std::string region_;
  const OnRecords on_records_;
  // Held while the thread is started or ended.
  sync::Mutex starting_;
  std::thread thread_ ABSL_GUARDED_BY(starting_);
  sync::Mutex mutex_;
  sync::Condition progress_;
  bool leaving_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  // Every record from here on is known.
  absl::Time read_since_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_READER_H_
