#include "tests/integration/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"

namespace byoshin::integration {
namespace {

// The pointers that execve wants, into `strings`.
std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string DescribeExit(const siginfo_t& info) {
  return info.si_code == CLD_EXITED
             ? absl::StrCat("exit status ", info.si_status)
             : absl::StrCat("signal ", info.si_status);
}

}  // namespace

// Index 0 is the end that reads. All are closed in children by exec: another
// child would otherwise keep this one's pipes open.
struct Process::Pipes {
  int in[2] = {-1, -1};
  int out[2] = {-1, -1};
  int err[2] = {-1, -1};

  absl::Status Open() {
    for (int* pipe : {in, out, err}) {
      if (pipe2(pipe, O_CLOEXEC) != 0) {
        Close({in[0], in[1], out[0], out[1], err[0], err[1]});
        return absl::ErrnoToStatus(errno, "making a pipe for a child process");
      }
    }
    return absl::OkStatus();
  }

  static void Close(std::initializer_list<int> descriptors) {
    for (int descriptor : descriptors) {
      if (descriptor >= 0) close(descriptor);
    }
  }
};

absl::StatusOr<std::unique_ptr<Process>> Process::Start(Options options) {
  Pipes pipes;
  if (absl::Status status = pipes.Open(); !status.ok()) return status;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes.in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipes.out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, pipes.err[1], STDERR_FILENO);
  // Not all of this process's descriptors close by themselves in a child, which
  // would then keep sockets open that we have closed.
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  absl::Cleanup destroy_actions = [&actions] {
    posix_spawn_file_actions_destroy(&actions);
  };

  std::vector<std::string> argv = options.argv;
  std::vector<std::string> environment;
  for (const auto& [name, value] : options.environment) {
    environment.push_back(absl::StrCat(name, "=", value));
  }
  const absl::Time started = absl::Now();
  pid_t pid = -1;
  const int error =
      posix_spawn(&pid, argv.front().c_str(), &actions, nullptr,
                  Pointers(argv).data(), Pointers(environment).data());
  Pipes::Close({pipes.in[0], pipes.out[1], pipes.err[1]});
  if (error != 0) {
    Pipes::Close({pipes.in[1], pipes.out[0], pipes.err[0]});
    return absl::ErrnoToStatus(error, absl::StrCat("starting ", argv.front()));
  }
  for (int descriptor : {pipes.out[0], pipes.err[0]}) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
  }
  return std::unique_ptr<Process>(
      new Process(pid, started, pipes, std::move(options)));
}

Process::Process(pid_t pid, absl::Time started, const Pipes& pipes,
                 Options options)
    : pid_(pid),
      started_(started),
      options_(std::move(options)),
      input_(pipes.in[1]),
      streams_({Stream{pipes.out[0], {}}, Stream{pipes.err[0], {}}}),
      reader_([this] { ReadOutput(); }),
      reaper_([this] { AwaitChild(); }) {}

Process::~Process() {
  CloseInput();
  Kill();
  reaper_.join();
  reader_.join();
}

void Process::ReadOutput() {
  for (;;) {
    std::vector<pollfd> open;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      Drain();
      changed_.notify_all();
      for (const Stream& stream : streams_) {
        if (!stream.ended) open.push_back({stream.descriptor, POLLIN, 0});
      }
      output_ended_ = open.empty();
      if (output_ended_) break;
    }
    poll(open.data(), open.size(), /*timeout=*/-1);
  }
  for (const Stream& stream : streams_) close(stream.descriptor);
}

void Process::Drain() const {
  std::array<char, 16 * 1024> buffer;
  for (Stream& stream : streams_) {
    while (!stream.ended) {
      const ssize_t size =
          read(stream.descriptor, buffer.data(), buffer.size());
      if (size < 0) break;  // nothing there
      for (char c : absl::string_view(buffer.data(), size)) {
        stream.partial += c;
        if (c != '\n') continue;
        stream.partial.pop_back();
        lines_.push_back(std::exchange(stream.partial, {}));
      }
      stream.ended = size == 0;
      if (stream.ended && !stream.partial.empty()) {
        lines_.push_back(std::exchange(stream.partial, {}));
      }
    }
  }
}

void Process::AwaitChild() {
  siginfo_t info = {};
  // First without reaping: until then the process id stays taken, and Kill
  // cannot hit a stranger.
  while (waitid(P_PID, pid_, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  std::string description = DescribeExit(info);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    waitid(P_PID, pid_, &info, WEXITED);
    exit_ = description;
    changed_.notify_all();
  }
  if (options_.on_exit) options_.on_exit(description);
}

absl::StatusOr<std::string> Process::AwaitLine(absl::string_view part) {
  std::unique_lock<std::mutex> lock(mutex_);
  std::string found;
  std::size_t next = 0;
  const bool done =
      changed_.wait_for(lock, absl::ToChronoMilliseconds(kGuard), [&] {
        for (; next < lines_.size(); ++next) {
          if (!absl::StrContains(lines_[next], part)) continue;
          found = lines_[next];
          return true;
        }
        return output_ended_;
      });
  if (!found.empty()) return found;
  return absl::UnavailableError(
      absl::StrCat(options_.argv.front(), done ? " ended" : " still runs",
                   " and has not written a line with \"", part,
                   "\"; its output:\n", absl::StrJoin(lines_, "\n")));
}

std::vector<std::string> Process::lines() const {
  std::lock_guard<std::mutex> lock(mutex_);
  // What is in the pipes counts: the reader may not have been there yet.
  Drain();
  return lines_;
}

absl::StatusOr<std::string> Process::AwaitExit() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (changed_.wait_for(lock, absl::ToChronoMilliseconds(kGuard),
                        [&] { return !exit_.empty() && output_ended_; })) {
    return exit_;
  }
  return absl::DeadlineExceededError(
      absl::StrCat(options_.argv.front(), " has not ended; its output:\n",
                   absl::StrJoin(lines_, "\n")));
}

bool Process::running() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return exit_.empty();
}

void Process::CloseInput() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (input_ >= 0) close(std::exchange(input_, -1));
}

void Process::Kill() {
  std::lock_guard<std::mutex> lock(mutex_);
  if (exit_.empty()) kill(pid_, SIGKILL);
}

}  // namespace byoshin::integration
