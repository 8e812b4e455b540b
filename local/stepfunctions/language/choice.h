// The rules of a Choice state.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_CHOICE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_CHOICE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions {

namespace internal {
struct ConditionNode;
}  // namespace internal

// What a rule of JSONPath mode says: a comparison, or And, Or, Not of others.
// Cheap to copy. Thread-safe.
class Condition {
 public:
  // Reads the comparison of `rule`; other members, such as Next, are ignored.
  static Condition Parse(const Data& rule, absl::string_view location,
                         Diagnostics& diagnostics);
  Evaluated<bool> Holds(const Scope& scope) const;

 private:
  Condition() = default;
  std::shared_ptr<const internal::ConditionNode> root_;
};

struct ChoiceRule {
  // JSONPath: condition; JSONata: expression, the Condition field.
  std::optional<Condition> condition;
  std::optional<Template> expression;
  std::string next;
  std::optional<Template> assign;
  std::optional<Template> output;
};

// True if the rule applies.
Evaluated<bool> Holds(const ChoiceRule& rule, const Scope& scope);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_CHOICE_H_
