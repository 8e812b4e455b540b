// Reads the scheduler's records from their table, the newest first, in a thread
// of its own: a month of them must not keep the cloud from starting. Whoever
// wants to look at records waits only until those are there.
//
//   RecordReader reader(dynamodb, "us-east-1", [&](const auto& records) {
//     ...  // a page of them
//   });
//   reader.Start("AiResponseMetrics");
//   absl::Status read = reader.AwaitSince(clock.Now() - absl::Minutes(15));
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_READER_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_READER_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "local/applications/scheduler/series.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Records in one request: few enough that those who store one need not wait for
// long until the service has time for them.
inline constexpr int kRecordsPerPage = 250;

// Thread-safe.
class RecordReader {
 public:
  using OnRecords = std::function<void(const std::vector<SlotRecord>& records)>;

  // `dynamodb` outlives it. `on_records` is called on the reading thread with
  // each page, in which the newest comes first.
  RecordReader(Service& dynamodb, std::string region, OnRecords on_records);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;
  // As Stop().
  ~RecordReader();

  // Begins to read this table; what was being read is left.
  void Start(const std::string& table);

  // Ends reading, and with an error whoever waits. Nothing is read after it.
  void Stop();

  // Blocks until every record since `from` has been read, which is at once if
  // nothing is. Unavailable after Stop().
  absl::Status AwaitSince(absl::Time from);

  // Whether all records have been read.
  bool HasReadAll();

 private:
  void Read(const std::string& table);
  // Leaves what is being read. `starting_` is held.
  void Leave();

  Service& dynamodb_;
  const std::string region_;
  const OnRecords on_records_;
  // Held by who starts and ends the thread.
  std::mutex starting_;
  std::thread thread_;  // guarded by starting_
  std::mutex mutex_;
  std::condition_variable progress_;
  // All guarded by mutex_.
  bool leaving_ = false;
  bool stopped_ = false;
  // Every record from here on is known.
  absl::Time read_since_ = absl::InfinitePast();
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_READER_H_
