// Writes to a terminal on a separate thread, so that callers never wait for a
// terminal that accepts no output, as after Ctrl-S or in a pager.
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
    // At destruction, the rest is dropped if nothing could be written for this
    // long.
    absl::Duration patience = absl::Seconds(1);
  };

  // Nothing else may use `terminal` during the lifetime of this object. If it
  // is destroyed while the terminal accepts no output, one call continues:
  // `terminal` must exist until that returns.
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
