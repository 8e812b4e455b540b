// What paths, templates and expressions can refer to while they are evaluated.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_SCOPE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_SCOPE_H_

#include <optional>

#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {

struct Scope {
  // JSONPath: what `$` is (for ResultSelector, the result).
  // JSONata: `$states.input`.
  Data input;
  // The context object: `$$` or `$states.context`.
  Data context;
  // An object with all variables that are visible: `$name`.
  Data variables = Data::EmptyObject();
  // JSONata only: `$states.result` and `$states.errorOutput`.
  std::optional<Data> result;
  std::optional<Data> error_output;
  // For States.UUID, States.MathRandom, $uuid and $random. Must outlive this.
  Random* random = nullptr;
  // For $now() and $millis().
  absl::Time now;
};

// `$states` of JSONata.
Data StatesOf(const Scope& scope);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_SCOPE_H_
