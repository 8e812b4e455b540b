// The log of an execution environment: what the function prints, line by line,
// and the platform's own lines. Output is limited, and may be any bytes.
//
//   EnvironmentLog log(logs, "/aws/lambda/sender", stream_name);
//   log.Begin();  // an execution
//   log.WriteSystem("START RequestId: …");
//   log.WriteOutput(stream, "some te");  // as it arrives
//   log.Finish();
//   log.Tail();  // its last 4 KB
#ifndef BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_LOG_H_
#define BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_LOG_H_

#include <cstddef>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/logs/logs.h"
#include "local/process/child.h"

namespace byoshin::local::lambda {

// The size of the answer to LogType=Tail.
inline constexpr std::size_t kLogTailBytes = std::size_t{4} << 10;
// CloudWatch's limit on a line; a longer one becomes several.
inline constexpr std::size_t kMaxLogLineBytes = std::size_t{256} << 10;
// What one execution may print; the rest is dropped, and a line says so.
inline constexpr std::size_t kMaxLogBytesPerExecution = std::size_t{4} << 20;

// Thread-safe.
class EnvironmentLog {
 public:
  // `logs` outlives this.
  EnvironmentLog(logs::Logs& logs, std::string group, std::string stream)
      : logs_(logs), group_(std::move(group)), stream_(std::move(stream)) {}

  void WriteOutput(process::Child::Stream stream, absl::string_view bytes);
  void WriteSystem(absl::string_view line);

  // Starts an execution: clears the tail and the count of printed bytes.
  void Begin();
  // Ends an execution: writes incomplete lines, too.
  void Finish();
  // Flushes the log's file.
  void Flush() { logs_.Flush(group_); }

  std::string Tail() const;

 private:
  void WriteLine(absl::string_view text) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WritePartial(std::string& partial) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  logs::Logs& logs_;
  const std::string group_;
  const std::string stream_;

  mutable sync::Mutex mutex_;
  // By stream: an incomplete line.
  std::string partial_[2] ABSL_GUARDED_BY(mutex_);
  std::string tail_ ABSL_GUARDED_BY(mutex_);
  std::size_t printed_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
  std::size_t dropped_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_LOG_H_
