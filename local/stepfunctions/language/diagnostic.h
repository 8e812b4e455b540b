// What is wrong with a definition, as ValidateStateMachineDefinition says it.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DIAGNOSTIC_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DIAGNOSTIC_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

inline constexpr char kInvalidJson[] = "INVALID_JSON_DESCRIPTION";
inline constexpr char kSchemaValidationFailed[] = "SCHEMA_VALIDATION_FAILED";
inline constexpr char kMissingTransitionTarget[] = "MISSING_TRANSITION_TARGET";
inline constexpr char kMissingEndState[] = "MISSING_END_STATE";
inline constexpr char kDuplicateStateName[] = "DUPLICATE_STATE_NAME";
inline constexpr char kInvalidJsonataExpression[] =
    "INVALID_JSONATA_EXPRESSION";
inline constexpr char kUnsupportedJsonataExpression[] =
    "UNSUPPORTED_JSONATA_EXPRESSION";

struct Diagnostic {
  enum class Severity { kError, kWarning };
  Severity severity = Severity::kError;
  std::string code;
  std::string message;
  // Such as /States/S/Next; empty if the whole text is wrong.
  std::string location;
};

// Collects diagnostics in the order in which they are found.
class Diagnostics {
 public:
  void Error(absl::string_view code, absl::string_view message,
             absl::string_view location);
  void Warning(absl::string_view code, absl::string_view message,
               absl::string_view location);
  const std::vector<Diagnostic>& list() const { return list_; }
  bool has_error() const { return has_error_; }

 private:
  std::vector<Diagnostic> list_;
  bool has_error_ = false;
};

// The message with which CreateStateMachine refuses a definition:
//   Invalid State Machine Definition: 'CODE: message at /States/S, …'
std::string InvalidDefinitionMessage(const std::vector<Diagnostic>& errors);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_DIAGNOSTIC_H_
