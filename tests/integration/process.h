// A child process whose output a test reads line by line.
//
//   absl::StatusOr<std::unique_ptr<Process>> server =
//       Process::Start({.argv = {"/path/to/server", "--port=0"}});
//   ASSERT_TRUE(server.ok()) << server.status();
//   absl::StatusOr<std::string> ready = (*server)->AwaitLine("listening on ");
//
// The child itself is local/process/child.h's; this adds lines and waiting for
// them. Waiting ends as soon as what is waited for happens or can no longer
// happen. Every wait has a guard besides, so that a test that hangs says what
// it was waiting for; no test relies on it.
#ifndef BYOSHIN_TESTS_INTEGRATION_PROCESS_H_
#define BYOSHIN_TESTS_INTEGRATION_PROCESS_H_

#include <sys/types.h>

#include <array>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/process/child.h"

namespace byoshin::integration {

// Far more than anything waited for takes, sanitizers and a busy machine
// included.
inline constexpr absl::Duration kGuard = absl::Minutes(2);

// Thread-safe.
class Process {
 public:
  struct Options {
    // The executable, as a path, and its arguments.
    std::vector<std::string> argv{};
    // The whole environment: nothing is inherited.
    std::map<std::string, std::string> environment{};
    local::process::Child::OpenFiles open_files =
        local::process::Child::OpenFiles::kAsOnLambda;
    // Called once, from a thread of the Process, when the child has ended, with
    // a description of how.
    std::function<void(absl::string_view)> on_exit{};
  };

  static absl::StatusOr<std::unique_ptr<Process>> Start(Options options);

  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  // Kills the child if it still runs.
  ~Process();

  pid_t pid() const { return child_->pid(); }

  // Just before the child was made.
  absl::Time started() const { return started_; }

  // The first line, of standard output or error, that contains `part`, once it
  // has been written. An error if the output ends without it.
  absl::StatusOr<std::string> AwaitLine(absl::string_view part);

  // Everything that the child has written up to now, to standard output and
  // error.
  std::vector<std::string> lines() const;

  // "exit status 1" or "signal 9", once the child has ended and its output has
  // been read.
  absl::StatusOr<std::string> AwaitExit();

  bool running() const;

  // The child sees the end of its standard input.
  void CloseInput();

  void Kill();

 private:
  explicit Process(Options options) : options_(std::move(options)) {}

  void TakeOutput(local::process::Child::Stream stream,
                  absl::string_view bytes);
  void TakeExit(const local::process::ExitStatus& exit);

  const Options options_;
  absl::Time started_;

  mutable std::mutex mutex_;  // guards all below, but for child_
  std::condition_variable changed_;
  std::array<std::string, 2> partial_;  // by stream: a line without its end yet
  std::vector<std::string> lines_;      // without their line breaks
  std::string exit_;                    // empty while it runs

  // Last: its thread uses the rest.
  std::unique_ptr<local::process::Child> child_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_PROCESS_H_
