// A child process that inherits nothing but what it is given, whose output is
// passed on as it is written, and that ends with this process.
//
//   absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(
//       {.argv = {"/path/to/bootstrap"},
//        .environment = {{"TZ", ":UTC"}},
//        .on_output = [](Child::Stream, absl::string_view bytes) { ... },
//        .on_exit = [](const ExitStatus& exit) { ... }});
//   ...
//   (*child)->Kill();  // it, and every process that it has started
//
// The child leads its own process group, so that a Ctrl-C in a terminal reaches
// only this process, and so that the child's own children are killed with it.
// If this process dies, even by SIGKILL, the kernel kills the child.
#ifndef BYOSHIN_LOCAL_PROCESS_CHILD_H_
#define BYOSHIN_LOCAL_PROCESS_CHILD_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::process {

struct ExitStatus {
  enum class Kind { kExited, kSignalled };
  Kind kind = Kind::kExited;
  // The exit status, or the number of the signal.
  int value = 0;

  // "exit status 1" or "signal 9".
  std::string ToString() const;
};

// A user that a child of a privileged process becomes.
struct RunAs {
  enum class Way {
    // By setuid(): needs CAP_SETUID and CAP_SETGID.
    kSetUser,
    // In a user namespace of its own, where the child has this user's number
    // and no capabilities outside. Files that it creates belong to the user of
    // this process. Needs no capability, but a kernel that permits it.
    kNamespace,
  };
  Way way = Way::kSetUser;
  uid_t user = 0;
  gid_t group = 0;
  // Folders that the child can use even if folders above them are closed to
  // this user. Absolute, without symbolic links. If there is a closed folder,
  // this needs CAP_SYS_ADMIN or kNamespace; see revealed_folders.h.
  std::vector<std::string> revealed_folders{};
};

// Thread-safe.
class Child {
 public:
  enum class Stream { kOutput, kError };
  // The child's standard input.
  enum class Input {
    kNothing,  // it is at its end from the start
    kOpen,     // it ends with CloseInput()
  };
  // The limit of open files (RLIMIT_NOFILE).
  enum class OpenFiles {
    kAsOnLambda,
    kInherited,  // that of this process
  };

  struct Options {
    // The executable, which may be relative to the working directory of this
    // process, and its arguments.
    std::vector<std::string> argv{};
    // The whole environment: nothing is inherited.
    std::map<std::string, std::string> environment{};
    // The child's working directory; empty for that of this process.
    std::string working_directory{};
    Input input = Input::kNothing;
    OpenFiles open_files = OpenFiles::kAsOnLambda;
    // The limit of private writable memory (RLIMIT_DATA).
    std::optional<std::uint64_t> max_data_bytes{};
    // By default the child has the user of this process.
    std::optional<RunAs> run_as{};
    // Called with what the child writes, in order within a stream, on one
    // thread at a time: an internal one, or that of DrainOutput(). Must not
    // call the Child.
    std::function<void(Stream, absl::string_view)> on_output{};
    // Called once, on an internal thread, when the child has ended and all
    // output has been passed to on_output. Must not destroy the Child.
    std::function<void(const ExitStatus&)> on_exit{};
  };

  static absl::StatusOr<std::unique_ptr<Child>> Start(Options options);

  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  // Kills the child if it is running, and waits for on_exit to return.
  ~Child();

  pid_t pid() const { return pid_; }

  // Passes what the child has written so far to on_output, on this thread.
  // After a message from the child by another channel, this delivers all that
  // the child wrote before it, up to a limit that only a child that writes
  // continuously reaches.
  void DrainOutput();

  // Kills the child and the processes of its group. Does not wait.
  void Kill();

  // Sends a signal to the child alone, if it is running.
  void Signal(int number);

  void CloseInput();

 private:
  struct Descriptors;

  explicit Child(Options options) : options_(std::move(options)) {}

  absl::Status Spawn(Descriptors& descriptors);
  void Watch();
  // Reads from a stream until it is empty, or `max_bytes`.
  void Read(Stream stream, std::size_t max_bytes)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(output_mutex_);
  ExitStatus Reap();

  const Options options_;
  pid_t pid_ = -1;
  int pid_descriptor_ = -1;

  sync::Mutex output_mutex_;
  // By Stream.
  int output_[2] ABSL_GUARDED_BY(output_mutex_) = {-1, -1};

  sync::Mutex mutex_;
  int input_ ABSL_GUARDED_BY(mutex_) = -1;
  // True, too, before the child is started: pid_ is not a process then.
  bool reaped_ ABSL_GUARDED_BY(mutex_) = true;

  std::thread thread_;
};

}  // namespace byoshin::local::process

#endif  // BYOSHIN_LOCAL_PROCESS_CHILD_H_
