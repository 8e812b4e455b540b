// A terminal for tests: keeps what is written.
#ifndef BYOSHIN_LOCAL_CLI_TESTING_TERMINAL_H_
#define BYOSHIN_LOCAL_CLI_TESTING_TERMINAL_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {

class TestingTerminal final : public Terminal {
 public:
  bool Print(absl::string_view text) override {
    absl::StrAppend(&printed, text);
    return !closed;
  }
  void Note(absl::string_view text) override { absl::StrAppend(&noted, text); }
  bool is_interactive() const override { return interactive; }
  bool notes_are_interactive() const override { return false; }
  int columns() const override { return 80; }
  std::string Paint(Colour, absl::string_view text) const override {
    return std::string(text);
  }

  std::string printed;
  std::string noted;
  // A person reads what is printed.
  bool interactive = false;
  // The reader has gone.
  bool closed = false;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_TESTING_TERMINAL_H_
