// Scripts that are part of the program.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_MODELS_SCRIPTS_H_
#define BYOSHIN_LOCAL_APIGATEWAY_MODELS_SCRIPTS_H_

#include "absl/strings/string_view.h"

namespace byoshin::local::apigateway {

// npm's @cfworker/json-schema. Defines packageModules.
absl::string_view SchemaLibraryScript();
// runtime.js
absl::string_view SchemaRuntimeScript();

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_MODELS_SCRIPTS_H_
