#include "local/postgres/server.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/files/read_file.h"
#include "core/sync/mutex.h"
#include "local/files/folders.h"
#include "local/files/private_file.h"
#include "local/files/temporary_folder.h"
#include "local/postgres/leftovers.h"
#include "local/postgres/prepared.h"
#include "local/postgres/server_user.h"
#include "local/process/child.h"

namespace byoshin::local::postgres {
namespace {

using process::Child;
using process::ExitStatus;

// sun_path of sockaddr_un holds 108 bytes, with the 0 at the end.
constexpr std::size_t kMaxSocketPath = 107;
// Recovery after a crash reads at most max_wal_size; beyond this, something
// hangs.
constexpr std::chrono::seconds kStartLimit(60);
// How long a server may take to end that need not write anything any more.
constexpr std::chrono::seconds kEndLimit(10);
constexpr std::size_t kMaxLastWords = 2000;

// English messages in the server's log, and the same dates everywhere.
const std::map<std::string, std::string>& Environment() {
  static const auto& environment = *new std::map<std::string, std::string>{
      {"LC_ALL", "C"}, {"TZ", "UTC"}, {"PATH", "/usr/bin:/bin"}};
  return environment;
}

// Runs a program to its end. The error has what it said.
absl::Status RunToEnd(std::vector<std::string> argv,
                      const std::string& working_directory,
                      const ServerUser& user) {
  std::promise<ExitStatus> ended;
  std::string said;
  absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(
      {.argv = std::move(argv),
       .environment = Environment(),
       .working_directory = working_directory,
       .run_as = user.run_as,
       .on_output =
           [&](Child::Stream stream, absl::string_view bytes) {
             if (stream == Child::Stream::kError) absl::StrAppend(&said, bytes);
           },
       .on_exit = [&](const ExitStatus& exit) { ended.set_value(exit); }});
  if (!child.ok()) return child.status();
  const ExitStatus exit = ended.get_future().get();
  if (exit.kind == ExitStatus::Kind::kExited && exit.value == 0) {
    return absl::OkStatus();
  }
  return absl::UnavailableError(
      absl::StrCat(exit.ToString(), ": ", absl::StripAsciiWhitespace(said)));
}

void AddSetting(absl::string_view setting, std::vector<std::string>& argv) {
  argv.push_back("-c");
  argv.emplace_back(setting);
}

}  // namespace

std::string Server::DataFolder() const {
  return absl::StrCat(options_.folder, "/data");
}

absl::StatusOr<ServerAddress> Server::EnsureRunning() {
  const sync::MutexLock lock(control_);
  State state;
  {
    const sync::MutexLock state_lock(mutex_);
    state = state_;
  }
  absl::Status status;
  if (retired_) {
    status = absl::UnavailableError("it is being deleted");
  } else if (state == State::kDown) {
    child_.reset();
    status = Prepare();
    if (status.ok()) status = Start();
  }
  if (status.ok() && state != State::kReady) status = AwaitReady();
  if (!status.ok()) {
    return absl::UnavailableError(
        absl::StrCat("PostgreSQL of ", options_.name,
                     " can't be started: ", status.message()));
  }
  return ServerAddress{.socket_folder = socket_folder_};
}

absl::Status Server::Prepare() {
  if (absl::Status made = MakePrivateFolder(options_.folder); !made.ok()) {
    return made;
  }
  if (!user_.has_value()) {
    absl::StatusOr<ServerUser> user = ChooseServerUser(
        {.folder = options_.folder, .binaries = options_.binaries});
    if (!user.ok()) return user.status();
    user_ = *std::move(user);
    if (!user_->note.empty()) Note(user_->note);
  }
  if (absl::Status made = MakeSocketFolder(); !made.ok()) return made;
  std::error_code error;
  if (!std::filesystem::exists(absl::StrCat(DataFolder(), "/PG_VERSION"),
                               error)) {
    if (absl::Status made = Initialize(); !made.ok()) return made;
  }
  if (absl::Status given = GiveTree(DataFolder(), *user_); !given.ok()) {
    return given;
  }
  // No other process uses the folder, so these are of a server that was killed.
  // PostgreSQL itself would compare only the number of the process, which
  // another one may have by now.
  EndLeftovers(std::filesystem::canonical(DataFolder(), error).string());
  std::filesystem::remove(absl::StrCat(DataFolder(), "/postmaster.pid"), error);
  const std::string socket = absl::StrCat(socket_folder_, "/.s.PGSQL.", kPort);
  std::filesystem::remove(socket, error);
  std::filesystem::remove(absl::StrCat(socket, ".lock"), error);
  return absl::OkStatus();
}

absl::Status Server::Initialize() {
  const std::string unfinished = absl::StrCat(options_.folder, "/unfinished");
  if (absl::Status removed = RemoveTree(unfinished); !removed.ok()) {
    return removed;
  }
  absl::Status status;
  if (options_.prepared.empty()) {
    status = RunInitdb(unfinished);
  } else {
    const absl::StatusOr<std::string> packed =
        files::ReadFile(options_.prepared);
    status = packed.ok() ? Unpack(*packed, unfinished) : packed.status();
  }
  if (!status.ok()) {
    (void)RemoveTree(unfinished);
    return status;
  }
  std::error_code error;
  std::filesystem::rename(unfinished, DataFolder(), error);
  if (!error) return absl::OkStatus();
  return absl::ErrnoToStatus(error.value(),
                             absl::StrCat("creating ", DataFolder()));
}

absl::Status Server::RunInitdb(const std::string& folder) {
  const std::string password =
      absl::StrCat(options_.folder, "/initial-password");
  const absl::Cleanup forget = [&password] { ::unlink(password.c_str()); };
  absl::Status status = ReplacePrivateFile(
      password, absl::StrCat(options_.superuser_password, "\n"));
  if (status.ok()) status = GiveTree(password, *user_);
  if (!status.ok()) return status;
  // Sorting as on Aurora, whose default is en_US.UTF-8: by ICU, which comes
  // with the server, since the machine may lack that locale.
  std::vector<std::string> argv = {
      absl::StrCat(options_.binaries, "/bin/initdb"),
      absl::StrCat("--pgdata=", folder),
      absl::StrCat("--username=", kSuperuser),
      absl::StrCat("--pwfile=", password),
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--locale-provider=icu",
      "--icu-locale=en-US",
      "--no-instructions"};
  if (options_.keep == Keep::kNothing) argv.push_back("--no-sync");
  return RunToEnd(std::move(argv), options_.folder, *user_);
}

absl::Status Server::MakeSocketFolder() {
  if (socket_folder_.empty()) {
    const std::string beside = absl::StrCat(options_.folder, "/socket");
    const std::size_t path_size =
        absl::StrCat(beside, "/.s.PGSQL.", kPort).size();
    if (path_size <= kMaxSocketPath) {
      socket_folder_ = beside;
    } else {
      absl::StatusOr<std::unique_ptr<TemporaryFolder>> folder =
          TemporaryFolder::Make();
      if (!folder.ok()) return folder.status();
      short_folder_ = *std::move(folder);
      socket_folder_ = short_folder_->path();
    }
  }
  if (absl::Status made = MakePrivateFolder(socket_folder_); !made.ok()) {
    return made;
  }
  return GiveTree(socket_folder_, *user_);
}

// https://www.postgresql.org/docs/17/runtime-config.html
std::vector<std::string> Server::Arguments() const {
  std::vector<std::string> argv = {
      absl::StrCat(options_.binaries, "/bin/postgres"), "-D", DataFolder()};
  AddSetting("listen_addresses=", argv);
  AddSetting(absl::StrCat("unix_socket_directories=", socket_folder_), argv);
  AddSetting("unix_socket_permissions=0700", argv);
  AddSetting(absl::StrCat("port=", kPort), argv);
  AddSetting("shared_buffers=64MB", argv);
  AddSetting("max_wal_size=256MB", argv);
  AddSetting("min_wal_size=32MB", argv);
  AddSetting("max_logical_replication_workers=0", argv);
  AddSetting("wal_level=minimal", argv);
  AddSetting("max_wal_senders=0", argv);
  AddSetting("timezone=UTC", argv);
  AddSetting("log_timezone=UTC", argv);
  // The log is for this class. Errors of statements go to their clients.
  AddSetting("log_destination=stderr", argv);
  AddSetting("logging_collector=off", argv);
  AddSetting("log_line_prefix=", argv);
  AddSetting("log_min_messages=log", argv);
  AddSetting("log_checkpoints=off", argv);
  // Recovery is quicker if it syncs the file system once, not each file.
  AddSetting("recovery_init_sync_method=syncfs", argv);
  if (options_.keep == Keep::kNothing) {
    // The kernel keeps what was written, even if the server is killed.
    AddSetting("fsync=off", argv);
    AddSetting("full_page_writes=off", argv);
    // In the folder, which is removed even if nobody stops the server.
    AddSetting("dynamic_shared_memory_type=mmap", argv);
  }
  return argv;
}

absl::Status Server::Start() {
  {
    const sync::MutexLock lock(mutex_);
    state_ = State::kStarting;
    stopping_ = false;
    unfinished_line_.clear();
    last_words_.clear();
  }
  absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(
      {.argv = Arguments(),
       .environment = Environment(),
       .working_directory = options_.folder,
       .run_as = user_->run_as,
       .on_output = [this](Child::Stream,
                           absl::string_view bytes) { TakeOutput(bytes); },
       .on_exit = [this](const ExitStatus& exit) { TakeExit(exit); }});
  if (!child.ok()) {
    const sync::MutexLock lock(mutex_);
    state_ = State::kDown;
    return child.status();
  }
  child_ = *std::move(child);
  return absl::OkStatus();
}

absl::Status Server::AwaitReady() {
  const auto deadline = std::chrono::steady_clock::now() + kStartLimit;
  const sync::MutexLock lock(mutex_);
  while (state_ == State::kStarting && !stop_asked_) {
    if (changed_.WaitUntil(mutex_, deadline) == std::cv_status::timeout) break;
  }
  if (state_ == State::kReady) return absl::OkStatus();
  if (stop_asked_) return absl::UnavailableError("it is being stopped");
  if (state_ == State::kStarting) {
    return absl::UnavailableError("it is not ready yet; try again later");
  }
  return absl::UnavailableError(last_words_.empty() ? "it has ended"
                                                    : last_words_);
}

void Server::TakeOutput(absl::string_view bytes) {
  const sync::MutexLock lock(mutex_);
  absl::StrAppend(&unfinished_line_, bytes);
  std::size_t begin = 0;
  for (std::size_t end;
       (end = unfinished_line_.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    TakeLine(absl::string_view(unfinished_line_).substr(begin, end - begin));
  }
  unfinished_line_.erase(0, begin);
}

void Server::TakeLine(absl::string_view line) {
  if (absl::StrContains(line, "ready to accept connections")) {
    state_ = State::kReady;
    last_words_.clear();
    changed_.NotifyAll();
  } else if (absl::StrContains(line, "terminating any other active server")) {
    // One of its processes was killed: it recovers by itself.
    state_ = State::kStarting;
  }
  const bool is_reason =
      absl::StartsWith(line, "FATAL:") || absl::StartsWith(line, "PANIC:") ||
      absl::StartsWith(line, "HINT:") || absl::StartsWith(line, "DETAIL:") ||
      absl::StartsWith(line, "postgres:");
  if (is_reason && last_words_.size() < kMaxLastWords) {
    absl::StrAppend(&last_words_, last_words_.empty() ? "" : " ", line);
  }
}

void Server::TakeExit(const ExitStatus& exit) {
  std::string note;
  {
    const sync::MutexLock lock(mutex_);
    if (state_ == State::kReady && !stopping_) {
      note = absl::StrCat("PostgreSQL of ", options_.name, " has ended (",
                          exit.ToString(), last_words_.empty() ? "" : ": ",
                          last_words_, "); the next call starts it again");
    }
    if (last_words_.empty()) last_words_ = exit.ToString();
    state_ = State::kDown;
    changed_.NotifyAll();
  }
  if (!note.empty()) Note(note);
}

void Server::Stop() {
  AskToStop(true);
  const sync::MutexLock lock(control_);
  AskToStop(false);
  StopNow();
}

void Server::Retire() {
  AskToStop(true);
  const sync::MutexLock lock(control_);
  AskToStop(false);
  retired_ = true;
  StopNow();
}

void Server::AskToStop(bool asked) {
  const sync::MutexLock lock(mutex_);
  stop_asked_ = asked;
  changed_.NotifyAll();
}

void Server::StopNow() {
  if (child_ == nullptr) return;
  {
    const sync::MutexLock state_lock(mutex_);
    stopping_ = true;
  }
  // "Fast" and "immediate" shutdown.
  // https://www.postgresql.org/docs/17/server-shutdown.html
  bool is_down = false;
  if (options_.keep == Keep::kData) {
    child_->Signal(SIGINT);
    is_down = AwaitDown(absl::ToChronoMilliseconds(options_.shutdown_limit));
  }
  if (!is_down) {
    child_->Signal(SIGQUIT);
    AwaitDown(kEndLimit);
  }
  child_.reset();
}

bool Server::AwaitDown(std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const sync::MutexLock lock(mutex_);
  while (state_ != State::kDown) {
    if (changed_.WaitUntil(mutex_, deadline) == std::cv_status::timeout) {
      break;
    }
  }
  return state_ == State::kDown;
}

std::optional<pid_t> Server::pid() {
  const sync::MutexLock lock(control_);
  const sync::MutexLock state_lock(mutex_);
  if (child_ == nullptr || state_ == State::kDown) return std::nullopt;
  return child_->pid();
}

}  // namespace byoshin::local::postgres
