// Scripts that are part of the program. For this folder alone.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_SCRIPTS_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_SCRIPTS_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::appsync::script {

// npm's acorn. Defines `acorn`.
absl::string_view ParserScript();
// checker*.js, whose value is a function of the code. Needs `acorn`.
absl::string_view CheckerScript();
// library_*.js, as one function.
absl::string_view LibraryScript();

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_SCRIPTS_H_
