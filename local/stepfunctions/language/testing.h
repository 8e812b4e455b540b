// For tests: data from text, any data, and a stand-in for JSONata.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_TESTING_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_TESTING_H_

#include <rapidcheck.h>

#include <memory>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {

// The data that `text` is. Aborts if it is not JSON.
Data D(absl::string_view text);

// Stands in for JSONata. The expressions that it knows: $name and
// $states.a.b, which give what they name; `error` and `function`, which fail;
// and `invalid`, which is refused. Any other is undefined.
class EchoCompiler : public ExpressionCompiler {
 public:
  std::variant<std::shared_ptr<const Expression>,
               std::vector<ExpressionMistake>>
  Compile(absl::string_view text) override;
};

// Data that is nested at most `depth` deep.
rc::Gen<Data> AnyData(int depth);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_TESTING_H_
