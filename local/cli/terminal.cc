#include "local/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/random/random.h"
#include "local/cli/escape.h"
#include "local/files/write_all.h"

namespace byoshin::local::cli {
namespace {

constexpr int kUsualColumns = 80;

absl::string_view CodeOf(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return "\x1b[31m";
    case Colour::kGreen:
      return "\x1b[32m";
    case Colour::kYellow:
      return "\x1b[33m";
    case Colour::kDim:
      return "\x1b[2m";
  }
  return "";
}

constexpr char kPlain[] = "\x1b[0m";

class FileTerminal final : public Terminal {
 public:
  explicit FileTerminal(TerminalFiles files)
      : files_(files), seal_(absl::StrCat("\x01", random::NewHex())) {}

  bool Print(absl::string_view text) override {
    return is_interactive()
               ? WriteAll(files_.output, EscapeForTerminal(text, seal_))
               : WriteAll(files_.output, text);
  }
  void Note(absl::string_view text) override {
    (void)(notes_are_interactive()
               ? WriteAll(files_.error, EscapeForTerminal(text, seal_))
               : WriteAll(files_.error, text));
  }
  bool is_interactive() const override {
    return files_.output_reader == TerminalFiles::Reader::kPerson;
  }
  bool notes_are_interactive() const override {
    return files_.error_reader == TerminalFiles::Reader::kPerson;
  }
  int columns() const override {
    winsize size = {};
    const bool known = is_interactive() &&
                       ioctl(files_.output, TIOCGWINSZ, &size) == 0 &&
                       size.ws_col > 0;
    return known ? size.ws_col : kUsualColumns;
  }
  std::string Paint(Colour colour, absl::string_view text) const override {
    if (!files_.colours) return std::string(text);
    return absl::StrCat(seal_, CodeOf(colour), text, seal_, kPlain);
  }

 private:
  const TerminalFiles files_;
  // Before what Paint() puts in, until Print() takes it out.
  const std::string seal_;
};

TerminalFiles::Reader ReaderOf(int file) {
  return isatty(file) != 0 ? TerminalFiles::Reader::kPerson
                           : TerminalFiles::Reader::kProgram;
}

}  // namespace

std::unique_ptr<Terminal> NewTerminal(TerminalFiles files) {
  return std::make_unique<FileTerminal>(files);
}

Terminal& StandardTerminal() {
  // https://no-color.org
  static Terminal& terminal =
      *NewTerminal({.output = STDOUT_FILENO,
                    .error = STDERR_FILENO,
                    .output_reader = ReaderOf(STDOUT_FILENO),
                    .error_reader = ReaderOf(STDERR_FILENO),
                    .colours = isatty(STDOUT_FILENO) != 0 &&
                               std::getenv("NO_COLOR") == nullptr})
           .release();
  return terminal;
}

bool UsesUtf8(const env::Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::optional<std::string> locale = env::NonEmpty(environment, name);
    if (!locale.has_value()) continue;
    // "de_DE.UTF-8@euro", "C.utf8"
    const std::string lower = absl::AsciiStrToLower(*locale);
    return absl::StrContains(lower, ".utf-8") ||
           absl::StrContains(lower, ".utf8");
  }
  return false;
}

}  // namespace byoshin::local::cli
