#include "local/cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::cli {
namespace {

constexpr int kUsualColumns = 80;

// False if it can't be written.
bool WriteAll(int file, absl::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

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

class Standard final : public Terminal {
 public:
  bool Print(absl::string_view text) override {
    return WriteAll(STDOUT_FILENO, text);
  }
  void Note(absl::string_view text) override {
    (void)WriteAll(STDERR_FILENO, text);
  }
  bool is_interactive() const override { return out_; }
  bool notes_are_interactive() const override { return err_; }
  int columns() const override {
    winsize size = {};
    const bool known =
        out_ && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : kUsualColumns;
  }
  std::string Paint(Colour colour, absl::string_view text) const override {
    if (!colours_) return std::string(text);
    return absl::StrCat(CodeOf(colour), text, "\x1b[0m");
  }

 private:
  const bool out_ = isatty(STDOUT_FILENO) != 0;
  const bool err_ = isatty(STDERR_FILENO) != 0;
  // https://no-color.org
  const bool colours_ = out_ && std::getenv("NO_COLOR") == nullptr;
};

}  // namespace

Terminal& StandardTerminal() {
  static Standard& terminal = *new Standard;
  return terminal;
}

}  // namespace byoshin::local::cli
