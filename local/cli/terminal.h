// Where commands write: text for people or for programs, and whether a person
// is watching.
//
//   terminal.Print("12 records\n");
//   terminal.Print(terminal.Paint(Colour::kRed, "missing"));
#ifndef BYOSHIN_LOCAL_CLI_TERMINAL_H_
#define BYOSHIN_LOCAL_CLI_TERMINAL_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cli {

enum class Colour { kRed, kGreen, kYellow, kDim };

// Not thread-safe.
class Terminal {
 public:
  virtual ~Terminal() = default;

  // Results, to standard output, at once. False once nobody reads them any
  // more, as when piped into `head`.
  virtual bool Print(absl::string_view text) = 0;
  // Progress and warnings, to standard error.
  virtual void Note(absl::string_view text) = 0;

  // Whether results, or notes, go to a person rather than into a file.
  virtual bool is_interactive() const = 0;
  virtual bool notes_are_interactive() const = 0;
  virtual int columns() const = 0;

  // In colour if results go to a person who has not asked for none (NO_COLOR).
  virtual std::string Paint(Colour colour, absl::string_view text) const = 0;
};

// Standard output and error of this process.
Terminal& StandardTerminal();

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_TERMINAL_H_
