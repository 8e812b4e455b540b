// A child process of the local cloud: started fast, with nothing of ours but
// what it is given, its output handed over as it comes, and gone when we are.
//
//   absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(
//       {.argv = {"/path/to/bootstrap"},
//        .environment = {{"TZ", ":UTC"}},
//        .on_output = [](Child::Stream, absl::string_view bytes) { ... },
//        .on_exit = [](const ExitStatus& exit) { ... }});
//   ...
//   (*child)->Kill();  // it, and every process that it has started
//
// The child leads a process group of its own, so that a Ctrl-C in a terminal is
// ours to handle, and so that its own children go with it. If this process
// dies, by SIGKILL too, the kernel kills the child.
#ifndef BYOSHIN_LOCAL_PROCESS_CHILD_H_
#define BYOSHIN_LOCAL_PROCESS_CHILD_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::process {

struct ExitStatus {
  enum class Kind { kExited, kSignalled };
  Kind kind = Kind::kExited;
  // The exit status, or the number of the signal.
  int value = 0;

  // "exit status 1" or "signal 9".
  std::string ToString() const;
};

// Thread-safe.
class Child {
 public:
  enum class Stream { kOutput, kError };
  // What the child reads from its standard input.
  enum class Input {
    kNothing,  // it is at its end from the start
    kOpen,     // it ends with CloseInput()
  };

  struct Options {
    // The executable, as a path from where we run if it is relative, and its
    // arguments.
    std::vector<std::string> argv{};
    // The whole environment: nothing is inherited.
    std::map<std::string, std::string> environment{};
    // Where it runs; empty for where we run.
    std::string working_directory{};
    Input input = Input::kNothing;
    // Private writable memory (RLIMIT_DATA) beyond which the system gives it
    // no more.
    std::optional<std::uint64_t> max_data_bytes{};
    // Called with what it writes, in order within a stream, by one thread at a
    // time: one of ours, or that of DrainOutput(). Must not call the Child.
    std::function<void(Stream, absl::string_view)> on_output{};
    // Called once, on a thread of ours, when the child has ended and its output
    // has been handed over. Must not destroy the Child.
    std::function<void(const ExitStatus&)> on_exit{};
  };

  static absl::StatusOr<std::unique_ptr<Child>> Start(Options options);

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Kills the child if it still runs, and waits for on_exit to return.
  ~Child();

  pid_t pid() const { return pid_; }

  // Hands over what the child has written up to now, on this thread. What it
  // wrote before it told us something by another way is there when this
  // returns, up to a bound that only a child reaches that writes without pause.
  void DrainOutput();

  // Kills the child and the processes of its group. Does not wait.
  void Kill();

  void CloseInput();

 private:
  struct Descriptors;

  explicit Child(Options options) : options_(std::move(options)) {}

  absl::Status Spawn(Descriptors& descriptors);
  void Watch();
  // Reads from a stream until there is nothing, or `max_bytes`. Wants
  // output_mutex_ held.
  void Read(Stream stream, std::size_t max_bytes);
  ExitStatus Reap();

  const Options options_;
  pid_t pid_ = -1;
  int pid_descriptor_ = -1;

  std::mutex output_mutex_;
  int output_[2] = {-1, -1};  // by Stream; guarded by output_mutex_

  std::mutex mutex_;
  int input_ = -1;  // guarded by mutex_
  // Also before it is there: pid_ is nobody's number then.
  bool reaped_ = true;  // guarded by mutex_

  std::thread thread_;
};

}  // namespace byoshin::local::process

#endif  // BYOSHIN_LOCAL_PROCESS_CHILD_H_
