// Writes log lines to standard output: in Lambda, to CloudWatch Logs.
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

// Passes each line to the system in one piece, unbuffered: lines of several
// threads or processes do not interleave, and none is lost if the process is
// frozen or killed. Thread-safe.
class StdoutSink final : public Sink {
 public:
  StdoutSink() : StdoutSink(STDOUT_FILENO) {}
  // For another file, which remains owned by the caller.
  explicit StdoutSink(int fd) : fd_(fd) {}

  // A line that can't be written is dropped: there is nowhere to report it.
  void WriteLine(absl::string_view line) override;

 private:
  const int fd_;
  sync::Mutex mutex_;  // if the system accepts a line in parts
};

}  // namespace byoshin::log

#endif  // BYOSHIN_CORE_LOG_STDOUT_SINK_H_
