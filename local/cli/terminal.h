// Where commands write: text for people or for programs, and whether a person
// is watching.
//
//   terminal.Print("12 records\n");
//   terminal.Print(terminal.Paint(Colour::kRed, "missing"));
#ifndef BYOSHIN_LOCAL_CLI_TERMINAL_H_
#define BYOSHIN_LOCAL_CLI_TERMINAL_H_

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::local::cli {

enum class Colour { kRed, kGreen, kYellow, kDim };

// Not thread-safe.
class Terminal {
 public:
  virtual ~Terminal() = default;

  // Writes results to standard output, unbuffered. False once the reader has
  // gone, as when piped into `head`. On a terminal, control characters are
  // escaped, here and in notes: see EscapeForTerminal(). A file or a pipe gets
  // the bytes unchanged.
  virtual bool Print(absl::string_view text) = 0;
  // Writes progress and warnings to standard error.
  virtual void Note(absl::string_view text) = 0;

  // Whether results, or notes, go to a person rather than into a file.
  virtual bool is_interactive() const = 0;
  virtual bool notes_are_interactive() const = 0;
  virtual int columns() const = 0;

  // In colour if results go to a terminal, unless NO_COLOR is set.
  virtual std::string Paint(Colour colour, absl::string_view text) const = 0;
};

// Standard output and error of this process.
Terminal& StandardTerminal();

// The file descriptors of a terminal, and what reads them.
struct TerminalFiles {
  enum class Reader { kPerson, kProgram };
  int output;
  int error;
  Reader output_reader;
  Reader error_reader;
  // False if NO_COLOR is set.
  bool colours = false;
};
std::unique_ptr<Terminal> NewTerminal(TerminalFiles files);

// Whether the locale's encoding is UTF-8, according to the first of LC_ALL,
// LC_CTYPE and LANG that is not empty. Without any of them the locale is "C",
// which is ASCII.
bool UsesUtf8(const env::Environment& environment);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_TERMINAL_H_
