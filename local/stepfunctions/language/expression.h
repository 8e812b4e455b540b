// JSONata, as the language sees it. local/stepfunctions/jsonata implements it.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EXPRESSION_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EXPRESSION_H_

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/random.h"

namespace byoshin::local::stepfunctions {

// What an expression can refer to.
struct ExpressionBindings {
  // `$states`
  Data states;
  // An object: each member is a variable.
  Data variables;
  // For $uuid() and $random(). Never null.
  Random* random = nullptr;
  // For $now() and $millis().
  absl::Time now;
};

// Why an expression has no result. Whoever evaluates it adds the expression and
// the field.
struct ExpressionFailure {
  enum class Kind {
    // The result is a function or something else that JSON can't express.
    kUnsupportedResult,
    // The expression raised an error, or exceeded a limit.
    kError,
  };
  Kind kind = Kind::kError;
  // For kError: what follows "threw an error during evaluation", such as
  //   . T2001: The left side of the "+" operator must evaluate to a number
  //   : Expression evaluation memory limit exceeded
  std::string tail;
};

// std::nullopt: undefined.
using ExpressionResult = std::variant<std::optional<Data>, ExpressionFailure>;

// A compiled JSONata expression. Thread-safe.
class Expression {
 public:
  virtual ~Expression() = default;
  // Whether it mentions $states.result or $states.errorOutput.
  virtual bool references_result() const = 0;
  virtual bool references_error_output() const = 0;
  virtual ExpressionResult Evaluate(
      const ExpressionBindings& bindings) const = 0;
};

// Why an expression is refused when the state machine is created.
struct ExpressionMistake {
  // INVALID_JSONATA_EXPRESSION or UNSUPPORTED_JSONATA_EXPRESSION
  std::string code;
  // Without the location, such as
  //   Reference to 'x' at the top level is not supported.
  std::string message;
};

// Thread-safe.
class ExpressionCompiler {
 public:
  virtual ~ExpressionCompiler() = default;
  // `text` is what stands between {% and %}, without spaces at its ends.
  virtual std::variant<std::shared_ptr<const Expression>,
                       std::vector<ExpressionMistake>>
  Compile(absl::string_view text) = 0;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_EXPRESSION_H_
