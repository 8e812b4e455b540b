#include "local/cli/queued_terminal.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {
namespace {

std::string DroppedText(std::int64_t dropped) {
  return absl::StrCat(dropped, dropped == 1 ? " line was" : " lines were",
                      " not printed: output was blocked\n");
}

}  // namespace

struct QueuedTerminal::State {
  enum class Kind { kResult, kNote };
  struct Text {
    Kind kind;
    std::string text;
  };

  State(Terminal& to, std::size_t most) : terminal(to), max_waiting(most) {}

  void Add(Text text);
  // Writes until the end.
  void Run();
  // False if it has given up, because nothing was written for so long.
  bool AwaitEnd(absl::Duration patience);
  void Write(const Text& text);

  Terminal& terminal;
  const std::size_t max_waiting;
  sync::Mutex mutex;
  sync::Condition changed;
  std::vector<Text> waiting ABSL_GUARDED_BY(mutex);
  // Since `waiting` was full.
  std::int64_t dropped ABSL_GUARDED_BY(mutex) = 0;
  std::int64_t written ABSL_GUARDED_BY(mutex) = 0;
  // Nothing more comes; what waits is still written, unless it is given up.
  bool ending ABSL_GUARDED_BY(mutex) = false;
  bool given_up ABSL_GUARDED_BY(mutex) = false;
  bool ended ABSL_GUARDED_BY(mutex) = false;
};

void QueuedTerminal::State::Add(Text text) {
  const sync::MutexLock lock(mutex);
  if (waiting.size() >= max_waiting) {
    ++dropped;
    return;
  }
  waiting.push_back(std::move(text));
  changed.NotifyAll();
}

void QueuedTerminal::State::Write(const Text& text) {
  {
    const sync::MutexLock lock(mutex);
    if (given_up) return;
  }
  if (text.kind == Kind::kResult) {
    terminal.Print(text.text);
  } else {
    terminal.Note(text.text);
  }
  const sync::MutexLock lock(mutex);
  ++written;
  changed.NotifyAll();
}

void QueuedTerminal::State::Run() {
  sync::MutexLock lock(mutex);
  for (;;) {
    while (waiting.empty() && !ending) changed.Wait(mutex);
    if (waiting.empty()) break;
    std::vector<Text> texts = std::exchange(waiting, {});
    if (const std::int64_t count = std::exchange(dropped, 0); count > 0) {
      texts.push_back({Kind::kNote, DroppedText(count)});
    }
    lock.Unlock();
    for (const Text& text : texts) Write(text);
    lock.Lock();
  }
  ended = true;
  changed.NotifyAll();
}

bool QueuedTerminal::State::AwaitEnd(absl::Duration patience) {
  const sync::MutexLock lock(mutex);
  ending = true;
  changed.NotifyAll();
  while (!ended) {
    const std::int64_t before = written;
    const auto deadline =
        std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(patience);
    std::cv_status status = std::cv_status::no_timeout;
    while (!ended && written == before && status != std::cv_status::timeout) {
      status = changed.WaitUntil(mutex, deadline);
    }
    given_up = !ended && written == before;
    if (given_up) return false;
  }
  return true;
}

QueuedTerminal::QueuedTerminal(Terminal& terminal)
    : QueuedTerminal(terminal, Options()) {}

QueuedTerminal::QueuedTerminal(Terminal& terminal, Options options)
    : state_(std::make_shared<State>(terminal, options.max_waiting)),
      patience_(options.patience),
      notes_are_interactive_(terminal.notes_are_interactive()),
      thread_([state = state_] { state->Run(); }) {}

QueuedTerminal::~QueuedTerminal() {
  if (state_->AwaitEnd(patience_)) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void QueuedTerminal::Print(std::string text) {
  state_->Add({State::Kind::kResult, std::move(text)});
}

void QueuedTerminal::Note(std::string text) {
  state_->Add({State::Kind::kNote, std::move(text)});
}

}  // namespace byoshin::local::cli
