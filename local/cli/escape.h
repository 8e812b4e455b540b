// Escapes control characters in text from functions, messages and templates, so
// that it can't control the terminal: they become \x1b and the like.
#ifndef BYOSHIN_LOCAL_CLI_ESCAPE_H_
#define BYOSHIN_LOCAL_CLI_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cli {

// `text` on one line, without control characters except tabs.
std::string Printable(absl::string_view text);

// Escapes the control characters in `text`, except line breaks, tabs, and a
// carriage return at the beginning, which starts the line again. A control
// character that follows `seal` is kept, and the seal is removed. The seal is
// secret, so a function can't even choose a colour.
std::string EscapeForTerminal(absl::string_view text, absl::string_view seal);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ESCAPE_H_
