// The log of one execution environment: what the function prints, line by line,
// and what the platform says about it. A function that floods it, or prints
// bytes that are no text, harms nobody else.
//
//   EnvironmentLog log(logs, "/aws/lambda/sender",
//   "2026/11/16/[$LATEST]0123…"); log.Begin();                       // an
//   execution log.WriteSystem("START RequestId: …"); log.WriteOutput(stream,
//   "some te");  // as it comes log.Finish(); log.Tail(); // its last 4 KB
#ifndef BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_LOG_H_
#define BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_LOG_H_

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "local/logs/logs.h"
#include "local/process/child.h"

namespace byoshin::local::lambda {

// What LogType=Tail answers with.
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

  // An execution begins: its tail is empty, and it may print again.
  void Begin();
  // An execution ends: lines without an end are written, too.
  void Finish();
  // For the files.
  void Flush() { logs_.Flush(group_); }

  std::string Tail() const;

 private:
  // These want mutex_ held.
  void WriteLine(absl::string_view text);
  void WritePartial(std::string& partial);

  logs::Logs& logs_;
  const std::string group_;
  const std::string stream_;

  mutable std::mutex mutex_;
  std::string partial_[2];  // by stream: a line without its end yet
  std::string tail_;
  std::size_t printed_bytes_ = 0;
  std::size_t dropped_bytes_ = 0;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_LOG_H_
