#include "tests/integration/process.h"

#include <chrono>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"

namespace byoshin::integration {

using local::process::Child;
using local::process::ExitStatus;

absl::StatusOr<std::unique_ptr<Process>> Process::Start(Options options) {
  std::unique_ptr<Process> process(new Process(std::move(options)));
  Process* const self = process.get();
  process->started_ = absl::Now();
  absl::StatusOr<std::unique_ptr<Child>> child = Child::Start(
      {.argv = process->options_.argv,
       .environment = process->options_.environment,
       .input = Child::Input::kOpen,
       .open_files = process->options_.open_files,
       .on_output =
           [self](Child::Stream stream, absl::string_view bytes) {
             self->TakeOutput(stream, bytes);
           },
       .on_exit = [self](const ExitStatus& exit) { self->TakeExit(exit); }});
  if (!child.ok()) return child.status();
  process->child_ = *std::move(child);
  return process;
}

Process::~Process() = default;

void Process::TakeOutput(Child::Stream stream, absl::string_view bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::string& partial = partial_[static_cast<std::size_t>(stream)];
  for (char c : bytes) {
    partial += c;
    if (c != '\n') continue;
    partial.pop_back();
    lines_.push_back(std::exchange(partial, {}));
  }
  changed_.notify_all();
}

void Process::TakeExit(const ExitStatus& exit) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (std::string& partial : partial_) {
      if (!partial.empty()) lines_.push_back(std::exchange(partial, {}));
    }
    exit_ = exit.ToString();
    changed_.notify_all();
  }
  if (options_.on_exit) options_.on_exit(exit.ToString());
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
        return !exit_.empty();
      });
  if (!found.empty()) return found;
  return absl::UnavailableError(
      absl::StrCat(options_.argv.front(), done ? " ended" : " still runs",
                   " and has not written a line with \"", part,
                   "\"; its output:\n", absl::StrJoin(lines_, "\n")));
}

std::vector<std::string> Process::lines() const {
  // What is in the pipes counts: nobody may have read it yet.
  child_->DrainOutput();
  std::lock_guard<std::mutex> lock(mutex_);
  return lines_;
}

absl::StatusOr<std::string> Process::AwaitExit() {
  std::unique_lock<std::mutex> lock(mutex_);
  if (changed_.wait_for(lock, absl::ToChronoMilliseconds(kGuard),
                        [&] { return !exit_.empty(); })) {
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

void Process::CloseInput() { child_->CloseInput(); }

void Process::Kill() { child_->Kill(); }

}  // namespace byoshin::integration
