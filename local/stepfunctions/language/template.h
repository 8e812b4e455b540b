// A value of a definition in which parts are computed: payload templates
// ("name.$": "$.path") in JSONPath, and {% expressions %} in JSONata. Parts
// that are constant are shared by all results.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_TEMPLATE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_TEMPLATE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/expression.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {

namespace internal {
struct TemplateNode;
}  // namespace internal

// Where an expression stands.
struct ExpressionContext {
  // Null: JSONata is refused.
  ExpressionCompiler* compiler = nullptr;
  // Whether $states.result and $states.errorOutput exist there.
  bool has_result = false;
  bool has_error_output = false;
};

// Cheap to copy. Thread-safe.
class Template {
 public:
  // Each adds what is wrong to `diagnostics`, with locations that begin with
  // `location`, such as /States/S/Parameters; the result can then be used for
  // nothing. `field` is the name for errors, such as Parameters or Output.

  // A payload template.
  static Template JsonPath(const Data& source, absl::string_view field,
                           absl::string_view location,
                           Diagnostics& diagnostics);
  // A path or an intrinsic function, such as the value of SecondsPath.
  static Template Query(absl::string_view query, absl::string_view field,
                        absl::string_view location, Diagnostics& diagnostics);
  // With {% expressions %}.
  static Template Jsonata(const Data& source, absl::string_view field,
                          absl::string_view location,
                          const ExpressionContext& context,
                          Diagnostics& diagnostics);
  static Template Constant(Data value, absl::string_view field);

  // JSONPath fails with States.Runtime, JSONata with
  // States.QueryEvaluationError. The error's location is the field.
  Evaluated<Data> Evaluate(const Scope& scope) const;

  // The field in the definition: Seconds, SecondsPath, Output.
  const std::string& field() const { return field_; }
  bool constant() const;
  // True if the whole is one {% expression %}.
  bool expression() const;
  // True if it was made by Query().
  bool query() const { return !query_.empty(); }
  // The path, the intrinsic or the expression, if this is one.
  const std::string& query_text() const { return query_; }

 private:
  Template() = default;

  std::string field_;
  std::string query_;
  std::shared_ptr<const internal::TemplateNode> root_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_TEMPLATE_H_
