// A PostgreSQL server as a child process, on a Unix socket that only this user
// can reach. It is initialised on first use, started again after it has died,
// and ends with this process.
//
//   Server server({.binaries = *FindBinaries(), .folder = "/data/rds/orders",
//                  .name = "the cluster orders", .superuser_password = "..."});
//   absl::StatusOr<ServerAddress> address = server.EnsureRunning();
//   if (!address.ok()) return address.status();
//   Connection::Connect({.keywords = {{"host", address->socket_folder},
//                                     {"user", kSuperuser}, ...}});
#ifndef BYOSHIN_LOCAL_POSTGRES_SERVER_H_
#define BYOSHIN_LOCAL_POSTGRES_SERVER_H_

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/files/temporary_folder.h"
#include "local/postgres/server_user.h"
#include "local/process/child.h"

namespace byoshin::local::postgres {

// As on RDS:
// https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Appendix.PostgreSQL.CommonDBATasks.Roles.html
inline constexpr char kSuperuser[] = "rdsadmin";
inline constexpr std::uint16_t kPort = 5432;

enum class Keep {
  kNothing,  // the data ends with this process: no time is spent on the disk
  kData,     // committed data survives a crash of server and machine
};

struct ServerOptions {
  // As FindBinaries() returns it.
  std::string binaries{};
  // Absolute; created if it is missing. Everything of the server is in it.
  std::string folder{};
  // For messages: "the cluster orders".
  std::string name = "PostgreSQL";
  // Of kSuperuser, when the server is initialised.
  std::string superuser_password{};
  // As FindPrepared() returns it; empty for none. A server that is initialised
  // from it has kPreparedPassword instead.
  std::string prepared{};
  Keep keep = Keep::kData;
  // How long Stop() waits until everything in memory is written to the data
  // files. What is not is in the log already, and is recovered at the next
  // start.
  absl::Duration shutdown_limit = absl::Seconds(10);
  // Called with messages for the user, on any thread; must not block. May be
  // null.
  std::function<void(const std::string&)> on_note = nullptr;
};

struct ServerAddress {
  // libpq's `host` and `port`.
  std::string socket_folder{};
  std::uint16_t port = kPort;
};

// Thread-safe.
class Server {
 public:
  explicit Server(ServerOptions options) : options_(std::move(options)) {}
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  // Calls Stop().
  ~Server() { Stop(); }

  // Initialises the server unless that was done before, starts it unless it
  // runs, and waits until it accepts connections; quick if it does. Unavailable
  // says why it can't be started; the next call tries again.
  absl::StatusOr<ServerAddress> EnsureRunning();

  // Disconnects clients and shuts down in order. EnsureRunning() starts it
  // again; a call that still waits for the start returns Unavailable.
  void Stop();

  // Stop(), for good: EnsureRunning() fails from now on.
  void Retire();

  // The number of its main process; nullopt if it does not run.
  std::optional<pid_t> pid();

 private:
  enum class State { kDown, kStarting, kReady };

  void AskToStop(bool asked);
  void StopNow() ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  // Returns whether it has ended in time.
  bool AwaitDown(std::chrono::milliseconds limit);
  absl::Status Prepare() ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  absl::Status Initialize() ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  absl::Status RunInitdb(const std::string& folder)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  absl::Status MakeSocketFolder() ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  absl::Status Start() ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  absl::Status AwaitReady() ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  std::vector<std::string> Arguments() const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(control_);
  std::string DataFolder() const;

  // Called on the child's thread.
  void TakeOutput(absl::string_view bytes);
  void TakeLine(absl::string_view line) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TakeExit(const process::ExitStatus& exit);

  void Note(const std::string& text) const {
    if (options_.on_note) options_.on_note(text);
  }

  const ServerOptions options_;

  // Held while the server is started or stopped. Taken before mutex_.
  sync::Mutex control_;
  bool retired_ ABSL_GUARDED_BY(control_) = false;
  // Chosen at the first start.
  std::optional<ServerUser> user_ ABSL_GUARDED_BY(control_);
  std::string socket_folder_ ABSL_GUARDED_BY(control_);
  // If a socket's path would be too long in the server's folder.
  std::unique_ptr<TemporaryFolder> short_folder_ ABSL_GUARDED_BY(control_);

  sync::Mutex mutex_;
  sync::Condition changed_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kDown;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  // Stop() waits for control_: whoever waits for the start gives up.
  bool stop_asked_ ABSL_GUARDED_BY(mutex_) = false;
  std::string unfinished_line_ ABSL_GUARDED_BY(mutex_);
  // Why it ended, by its own words.
  std::string last_words_ ABSL_GUARDED_BY(mutex_);

  // Last: its thread uses the rest.
  std::unique_ptr<process::Child> child_ ABSL_GUARDED_BY(control_);
};

}  // namespace byoshin::local::postgres

#endif  // BYOSHIN_LOCAL_POSTGRES_SERVER_H_
