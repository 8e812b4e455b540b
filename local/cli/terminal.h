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

  // Results, to standard output, at once. False once nobody reads them any
  // more, as when piped into `head`. For a person, control characters are
  // escaped, here and in notes: see EscapeForTerminal(). A file or a pipe gets
  // the bytes as they are.
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

// Where a terminal of file descriptors writes, and who reads it.
struct TerminalFiles {
  enum class Reader { kPerson, kProgram };
  int output;
  int error;
  Reader output_reader;
  Reader error_reader;
  // Whether the person has not asked for none.
  bool colours = false;
};
std::unique_ptr<Terminal> NewTerminal(TerminalFiles files);

// Whether the locale's characters are UTF-8: of LC_ALL, LC_CTYPE and LANG, the
// first that is not empty says so. Without any of them the locale is "C", which
// is ASCII.
bool UsesUtf8(const env::Environment& environment);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_TERMINAL_H_
