#include "local/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/sync/mutex.h"
#include "core/sync/thread.h"
#include "local/process/revealed_folders.h"

namespace byoshin::local::process {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
// The maximum read from a stream before other events are handled. A pipe holds
// 64 KiB, so only a child that writes continuously has more.
constexpr std::size_t kMaxDrainBytes = std::size_t{256} << 10;
constexpr rlim_t kMaxOpenFilesOnLambda = 1024;
constexpr int kExecFailed = 127;

// The pointers into `strings` that execve() takes.
std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Everything that the child needs between vfork() and execve(), prepared in
// advance: it shares the parent's memory, so it must not allocate.
struct Image {
  const char* executable;
  char* const* argv;
  char* const* environment;
  const char* working_directory;  // null for ours
  int input;
  int output;
  int error;
  int report;  // gets errno if there is no execve
  std::optional<rlim_t> max_open_files;
  std::optional<std::uint64_t> max_data_bytes;
  const RunAs* run_as;  // null for our user
  const RevealedFolders* revealed_folders;
  // For /proc/self/uid_map and gid_map, if run_as is a namespace.
  const char* user_map;
  const char* group_map;
};

// Only what is safe after vfork().
bool WriteText(const char* path, const char* text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const std::size_t size = std::strlen(text);
  const bool written = write(file, text, size) == static_cast<ssize_t>(size);
  const int error = errno;
  close(file);
  errno = error;
  return written;
}

// Only what is safe after vfork(): glibc's setresuid() is not, since it changes
// every thread that it knows of, and these are the parent's.
bool SetUser(const RunAs& run_as) {
  const uid_t user = run_as.user;
  const gid_t group = run_as.group;
  return syscall(SYS_setgroups, 0, nullptr) == 0 &&
         syscall(SYS_setresgid, group, group, group) == 0 &&
         syscall(SYS_setresuid, user, user, user) == 0;
}

// Likewise.
bool EnterNamespace(const Image& image) {
  return syscall(SYS_unshare, CLONE_NEWUSER) == 0 &&
         // The kernel requires it before an unprivileged user maps a group.
         WriteText("/proc/self/setgroups", "deny") &&
         WriteText("/proc/self/uid_map", image.user_map) &&
         WriteText("/proc/self/gid_map", image.group_map);
}

// Likewise. Folders are revealed while the child has the capabilities for it.
bool StepDown(const Image& image) {
  if (image.run_as == nullptr) return true;
  if (image.run_as->way == RunAs::Way::kSetUser) {
    return image.revealed_folders->Reveal() && SetUser(*image.run_as);
  }
  return EnterNamespace(image) && image.revealed_folders->Reveal();
}

void LimitResource(__rlimit_resource resource, rlim_t soft, rlim_t hard) {
  rlimit limit = {};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_max = std::min(limit.rlim_max, hard);
  limit.rlim_cur = std::min(soft, limit.rlim_max);
  setrlimit(resource, &limit);
}

// Only what is safe after vfork().
[[noreturn]] void BecomeChild(const Image& image) {
  // The parent may ignore or handle signals; the child starts with the
  // defaults.
  for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGQUIT}) {
    signal(number, SIG_DFL);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setpgid(0, 0);
  const bool stepped_down = StepDown(image);
  // After that: a change of user resets it.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  LimitResource(RLIMIT_CORE, 0, 0);
  if (image.max_open_files.has_value()) {
    LimitResource(RLIMIT_NOFILE, *image.max_open_files, *image.max_open_files);
  }
  if (image.max_data_bytes.has_value()) {
    LimitResource(RLIMIT_DATA, *image.max_data_bytes, *image.max_data_bytes);
  }
  const bool ready = stepped_down &&
                     (image.working_directory == nullptr ||
                      chdir(image.working_directory) == 0) &&
                     dup2(image.input, STDIN_FILENO) >= 0 &&
                     dup2(image.output, STDOUT_FILENO) >= 0 &&
                     dup2(image.error, STDERR_FILENO) >= 0 &&
                     // Not all descriptors of the parent are close-on-exec, and
                     // a child would keep sockets open that the parent has
                     // closed. This also makes execve() close `report`.
                     syscall(SYS_close_range, STDERR_FILENO + 1, ~0U,
                             /*CLOSE_RANGE_CLOEXEC=*/4U) == 0;
  if (ready) execve(image.executable, image.argv, image.environment);
  const int error = errno;
  [[maybe_unused]] const ssize_t written =
      write(image.report, &error, sizeof(error));
  _exit(kExecFailed);
}

// vfork() does not copy page tables, so the time does not depend on the
// parent's memory. Signals are blocked meanwhile: the parent's handlers must
// not run in the child, which shares its memory.
pid_t ForkAndExec(const Image& image) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork();
  if (pid == 0) BecomeChild(image);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

}  // namespace

std::string ExitStatus::ToString() const {
  return absl::StrCat(kind == Kind::kExited ? "exit status " : "signal ",
                      value);
}

// Index 0 of a pipe is the reading end. All are close-on-exec: another child
// would otherwise keep this one's pipes open.
struct Child::Descriptors {
  int input[2] = {-1, -1};
  int output[2] = {-1, -1};
  int error[2] = {-1, -1};
  int report[2] = {-1, -1};

  ~Descriptors() {
    for (int* pipe : {input, output, error, report}) {
      for (int end : {0, 1}) {
        if (pipe[end] >= 0) close(pipe[end]);
      }
    }
  }

  absl::Status Open(Input kind) {
    bool opened = true;
    if (kind == Input::kNothing) {
      input[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
      opened = input[0] >= 0;
    } else {
      opened = pipe2(input, O_CLOEXEC) == 0;
    }
    for (int* pipe : {output, error, report}) {
      opened = opened && pipe2(pipe, O_CLOEXEC) == 0;
    }
    if (opened) return absl::OkStatus();
    return absl::ErrnoToStatus(errno, "making a pipe for a child process");
  }
};

absl::StatusOr<std::unique_ptr<Child>> Child::Start(Options options) {
  Descriptors descriptors;
  if (absl::Status opened = descriptors.Open(options.input); !opened.ok()) {
    return opened;
  }
  std::unique_ptr<Child> child(new Child(std::move(options)));
  // The thread that watches the child also starts it: the kernel kills the
  // child when the thread that started it ends.
  std::promise<absl::Status> spawned;
  absl::StatusOr<std::thread> thread =
      sync::StartThread([&spawned, &descriptors, child = child.get()] {
        const absl::Status status = child->Spawn(descriptors);
        spawned.set_value(status);
        if (status.ok()) child->Watch();
      });
  if (!thread.ok()) return thread.status();
  child->thread_ = *std::move(thread);
  if (absl::Status status = spawned.get_future().get(); !status.ok()) {
    child->thread_.join();
    return status;
  }
  return child;
}

absl::Status Child::Spawn(Descriptors& descriptors) {
  std::vector<std::string> argv = options_.argv;
  std::vector<std::string> environment;
  for (const auto& [name, value] : options_.environment) {
    environment.push_back(absl::StrCat(name, "=", value));
  }
  const std::vector<char*> argv_pointers = Pointers(argv);
  const std::vector<char*> environment_pointers = Pointers(environment);
  const std::string& directory = options_.working_directory;
  // The child changes its working directory before it finds the executable.
  std::error_code no_working_directory;
  const std::string executable =
      std::filesystem::absolute(argv.front(), no_working_directory);
  if (no_working_directory) {
    return absl::ErrnoToStatus(no_working_directory.value(),
                               absl::StrCat("starting ", argv.front()));
  }
  const RunAs run_as = options_.run_as.value_or(RunAs());
  const std::string user_map =
      absl::StrCat(run_as.user, " ", geteuid(), " 1\n");
  const std::string group_map =
      absl::StrCat(run_as.group, " ", getegid(), " 1\n");
  const absl::StatusOr<RevealedFolders> revealed_folders =
      RevealedFolders::Plan(run_as.revealed_folders,
                            {.user = run_as.user, .group = run_as.group});
  if (!revealed_folders.ok()) return revealed_folders.status();
  pid_ = ForkAndExec(
      {.executable = executable.c_str(),
       .argv = argv_pointers.data(),
       .environment = environment_pointers.data(),
       .working_directory = directory.empty() ? nullptr : directory.c_str(),
       .input = descriptors.input[0],
       .output = descriptors.output[1],
       .error = descriptors.error[1],
       .report = descriptors.report[1],
       .max_open_files = options_.open_files == OpenFiles::kAsOnLambda
                             ? std::optional(kMaxOpenFilesOnLambda)
                             : std::nullopt,
       .max_data_bytes = options_.max_data_bytes,
       .run_as = options_.run_as.has_value() ? &run_as : nullptr,
       .revealed_folders = &*revealed_folders,
       .user_map = user_map.c_str(),
       .group_map = group_map.c_str()});
  if (pid_ < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("starting ", argv.front()));
  }
  close(std::exchange(descriptors.report[1], -1));
  int error = 0;
  ssize_t size;
  do {
    size = read(descriptors.report[0], &error, sizeof(error));
  } while (size < 0 && errno == EINTR);
  if (size == sizeof(error)) {
    waitpid(pid_, nullptr, 0);
    return absl::ErrnoToStatus(error, absl::StrCat("starting ", argv.front()));
  }
  pid_descriptor_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (pid_descriptor_ < 0) {
    const absl::Status status = absl::ErrnoToStatus(
        errno, "watching a child process (Linux 5.9 or later is needed)");
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    return status;
  }
  {
    const sync::MutexLock lock(output_mutex_);
    output_[0] = std::exchange(descriptors.output[0], -1);
    output_[1] = std::exchange(descriptors.error[0], -1);
    for (int descriptor : output_) fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  const sync::MutexLock lock(mutex_);
  input_ = std::exchange(descriptors.input[1], -1);
  reaped_ = false;
  return absl::OkStatus();
}

Child::~Child() {
  CloseInput();
  Kill();
  if (thread_.joinable()) thread_.join();
  if (pid_descriptor_ >= 0) close(pid_descriptor_);
}

void Child::Watch() {
  // Only this thread changes these, and DrainOutput() at the end of a stream;
  // poll() then reports a harmless event.
  while (true) {
    pollfd watched[3] = {{pid_descriptor_, POLLIN, 0}, {}, {}};
    {
      const sync::MutexLock lock(output_mutex_);
      watched[1] = {output_[0], POLLIN, 0};
      watched[2] = {output_[1], POLLIN, 0};
    }
    if (poll(watched, 3, /*timeout=*/-1) < 0) continue;
    if (watched[0].revents != 0) break;
    const sync::MutexLock lock(output_mutex_);
    if (watched[1].revents != 0) Read(Stream::kOutput, kMaxDrainBytes);
    if (watched[2].revents != 0) Read(Stream::kError, kMaxDrainBytes);
  }
  const ExitStatus exit = Reap();
  DrainOutput();
  {
    const sync::MutexLock lock(output_mutex_);
    for (int& descriptor : output_) {
      if (descriptor >= 0) close(std::exchange(descriptor, -1));
    }
  }
  if (options_.on_exit) options_.on_exit(exit);
}

ExitStatus Child::Reap() {
  siginfo_t info = {};
  const sync::MutexLock lock(mutex_);
  // Its own children are killed, too. Until it is reaped, its group's number is
  // not reused, so this can't hit another process.
  kill(-pid_, SIGKILL);
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 &&
         errno == EINTR) {
  }
  reaped_ = true;
  return {.kind = info.si_code == CLD_EXITED ? ExitStatus::Kind::kExited
                                             : ExitStatus::Kind::kSignalled,
          .value = info.si_status};
}

void Child::Read(Stream stream, std::size_t max_bytes) {
  int& descriptor = output_[static_cast<int>(stream)];
  std::array<char, kReadBytes> buffer;
  std::size_t total = 0;
  while (descriptor >= 0 && total < max_bytes) {
    const ssize_t size = read(descriptor, buffer.data(), buffer.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return;  // nothing there
    if (size == 0) {
      close(std::exchange(descriptor, -1));
      return;
    }
    total += static_cast<std::size_t>(size);
    if (options_.on_output) {
      options_.on_output(stream,
                         {buffer.data(), static_cast<std::size_t>(size)});
    }
  }
}

void Child::DrainOutput() {
  const sync::MutexLock lock(output_mutex_);
  Read(Stream::kOutput, kMaxDrainBytes);
  Read(Stream::kError, kMaxDrainBytes);
}

void Child::Kill() {
  const sync::MutexLock lock(mutex_);
  if (!reaped_) kill(-pid_, SIGKILL);
}

void Child::Signal(int number) {
  const sync::MutexLock lock(mutex_);
  if (!reaped_) kill(pid_, number);
}

void Child::CloseInput() {
  const sync::MutexLock lock(mutex_);
  if (input_ >= 0) close(std::exchange(input_, -1));
}

}  // namespace byoshin::local::process
