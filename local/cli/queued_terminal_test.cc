#include "local/cli/queued_terminal.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {
namespace {

using ::testing::ElementsAre;

// Never ends in a test that passes.
constexpr absl::Duration kLong = absl::Hours(1);

// Takes nothing while it is blocked, as after Ctrl-S. Thread-safe.
class BlockableTerminal final : public Terminal {
 public:
  bool Print(absl::string_view text) override {
    Write(absl::StrCat("out ", text));
    return true;
  }
  void Note(absl::string_view text) override {
    Write(absl::StrCat("err ", text));
  }
  bool is_interactive() const override { return true; }
  bool notes_are_interactive() const override { return true; }
  int columns() const override { return 80; }
  std::string Paint(Colour, absl::string_view text) const override {
    return std::string(text);
  }

  void Block() {
    const sync::MutexLock lock(mutex_);
    blocked_ = true;
  }
  void Unblock() {
    const sync::MutexLock lock(mutex_);
    blocked_ = false;
    changed_.NotifyAll();
  }
  // Until somebody is blocked.
  void AwaitWriter() {
    const sync::MutexLock lock(mutex_);
    while (writers_ == 0) changed_.Wait(mutex_);
  }
  void AwaitNoWriter() {
    const sync::MutexLock lock(mutex_);
    while (writers_ > 0) changed_.Wait(mutex_);
  }
  std::vector<std::string> written() {
    const sync::MutexLock lock(mutex_);
    return written_;
  }

 private:
  void Write(std::string text) {
    const sync::MutexLock lock(mutex_);
    ++writers_;
    changed_.NotifyAll();
    while (blocked_) changed_.Wait(mutex_);
    written_.push_back(std::move(text));
    --writers_;
    changed_.NotifyAll();
  }

  sync::Mutex mutex_;
  sync::Condition changed_;
  bool blocked_ ABSL_GUARDED_BY(mutex_) = false;
  int writers_ ABSL_GUARDED_BY(mutex_) = 0;
  std::vector<std::string> written_ ABSL_GUARDED_BY(mutex_);
};

TEST(QueuedTerminal, WritesEverythingInOrderBeforeItEnds) {
  BlockableTerminal terminal;
  {
    QueuedTerminal queued(terminal, {.patience = kLong});
    queued.Print("1");
    queued.Note("2");
    queued.Print("3");
  }
  EXPECT_THAT(terminal.written(), ElementsAre("out 1", "err 2", "out 3"));
}

TEST(QueuedTerminal, KeepsNobodyWaitingWhileTheTerminalTakesNothing) {
  BlockableTerminal terminal;
  terminal.Block();
  {
    QueuedTerminal queued(terminal, {.patience = kLong});
    queued.Note("1");
    terminal.AwaitWriter();
    queued.Note("2");
    queued.Print("3");
    EXPECT_THAT(terminal.written(), ElementsAre());
    terminal.Unblock();
  }
  EXPECT_THAT(terminal.written(), ElementsAre("err 1", "err 2", "out 3"));
}

TEST(QueuedTerminal, SaysHowMuchItHasDropped) {
  BlockableTerminal terminal;
  terminal.Block();
  {
    QueuedTerminal queued(terminal, {.max_waiting = 2, .patience = kLong});
    queued.Print("1");
    terminal.AwaitWriter();
    for (const char* text : {"2", "3", "4", "5", "6"}) queued.Print(text);
    terminal.Unblock();
  }
  EXPECT_THAT(terminal.written(),
              ElementsAre("out 1", "out 2", "out 3",
                          "err 3 lines were not printed: output was "
                          "blocked\n"));
}

TEST(QueuedTerminal, EndsEvenIfTheTerminalTakesNothing) {
  BlockableTerminal terminal;
  terminal.Block();
  {
    QueuedTerminal queued(terminal, {.patience = absl::Milliseconds(1)});
    queued.Print("1");
    queued.Print("2");
    terminal.AwaitWriter();
  }
  EXPECT_THAT(terminal.written(), ElementsAre());
  terminal.Unblock();
  terminal.AwaitNoWriter();
  EXPECT_THAT(terminal.written(), ElementsAre("out 1"));
}

}  // namespace
}  // namespace byoshin::local::cli
