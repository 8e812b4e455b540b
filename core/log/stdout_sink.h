// The standard output as a sink for log lines: in Lambda, CloudWatch Logs.
//
//   log::StdoutSink sink;
//   log::Logger logger(clock, sink);
#ifndef BYOSHIN_CORE_LOG_STDOUT_SINK_H_
#define BYOSHIN_CORE_LOG_STDOUT_SINK_H_

#include <unistd.h>

#include "absl/strings/string_view.h"
#include "core/log/logger.h"
#include "core/sync/mutex.h"

namespace byoshin::log {

// Hands each line to the system in one piece, at once and unbuffered: lines of
// several threads or processes do not interleave, and none is lost when the
// process is frozen or killed. Thread-safe.
class StdoutSink final : public Sink {
 public:
  StdoutSink() : StdoutSink(STDOUT_FILENO) {}
  // For another file, which stays the caller's.
  explicit StdoutSink(int fd) : fd_(fd) {}

  // A line that cannot be written is dropped: there is nowhere to say so.
  void WriteLine(absl::string_view line) override;

 private:
  const int fd_;
  sync::Mutex mutex_;  // for when the system takes a line in parts
};

}  // namespace byoshin::log

#endif  // BYOSHIN_CORE_LOG_STDOUT_SINK_H_
