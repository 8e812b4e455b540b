// Text of functions, messages and templates, so that it cannot drive a
// terminal: control characters become \x1b and the like.
#ifndef BYOSHIN_LOCAL_CLI_ESCAPE_H_
#define BYOSHIN_LOCAL_CLI_ESCAPE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::cli {

// `text` on one line and without control characters but tabs.
std::string Printable(absl::string_view text);

// `text` as a terminal may get it: line breaks and tabs stay, as does a
// carriage return at the beginning, which starts the line again. A control
// character stays, too, if `seal` stands before it, which is taken out: nobody
// else knows the seal, so a function can't even choose a colour.
std::string EscapeForTerminal(absl::string_view text, absl::string_view seal);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ESCAPE_H_
