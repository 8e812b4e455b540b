// Scripts that are part of the program.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_SCRIPTS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_SCRIPTS_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

// npm's jsonata, made synchronous. Defines window.jsonata.
absl::string_view JsonataScript();
// runtime.js
absl::string_view JsonataRuntimeScript();

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_SCRIPTS_H_
