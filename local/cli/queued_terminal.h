// Writes to a terminal on a thread of its own, so that nobody who has something
// to say waits for a terminal that takes nothing: Ctrl-S, or a pager that is
// not read.
//
//   QueuedTerminal terminal(context.terminal);
//   terminal.Print("12 records\n");   // returns at once
#ifndef BYOSHIN_LOCAL_CLI_QUEUED_TERMINAL_H_
#define BYOSHIN_LOCAL_CLI_QUEUED_TERMINAL_H_

#include <cstddef>
#include <memory>
#include <string>
#include <thread>

#include "absl/time/time.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {

// Thread-safe.
class QueuedTerminal {
 public:
  struct Options {
    // Texts that may wait. Further ones are dropped, and a note says how many.
    std::size_t max_waiting = 10'000;
    // At the end, if nothing could be written for so long, the rest is dropped.
    absl::Duration patience = absl::Seconds(1);
  };

  // Until the end of this, nothing else uses `terminal`. If the end comes while
  // the terminal takes nothing, one call of it goes on: `terminal` must exist
  // until that returns.
  explicit QueuedTerminal(Terminal& terminal);
  QueuedTerminal(Terminal& terminal, Options options);
  QueuedTerminal(const QueuedTerminal&) = delete;
  QueuedTerminal& operator=(const QueuedTerminal&) = delete;
  // Waits until everything is written.
  ~QueuedTerminal();

  // As those of Terminal, in the order of the calls.
  void Print(std::string text);
  void Note(std::string text);
  bool notes_are_interactive() const { return notes_are_interactive_; }

 private:
  struct State;

  // Shared with the thread, which may outlive this.
  const std::shared_ptr<State> state_;
  const absl::Duration patience_;
  const bool notes_are_interactive_;
  std::thread thread_;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_QUEUED_TERMINAL_H_
