// Refuses code that APPSYNC_JS 1.0.0 refuses when it is saved.
//
//   Checker checker;
//   CheckedCode checked = checker.Check(code);
//   if (!checked.errors.empty()) return BadRequest(checked.errors);
//
// The runtime has a subset of JavaScript: no loops that may not end, no
// exceptions, no classes, no promises, no regular expressions, no recursion.
// docs/local-cloud-appsync-javascript.md lists what is refused.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_CHECKER_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_CHECKER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::appsync::script {

// In characters of JavaScript, that is UTF-16 code units.
inline constexpr size_t kMaxCodeCharacters = 32'768;

// What BadRequestException and EvaluateCode call a code error's errorType.
inline constexpr char kParserError[] = "PARSER_ERROR";
inline constexpr char kLintError[] = "LINT_ERROR";

// Lines and columns count from 1, as the linter's do.
struct CodeLocation {
  int line = 0;
  int column = 0;
  // The number of characters.
  int span = 0;
};

struct CodeError {
  std::string error_type;
  // What is wrong, in words.
  std::string value;
  CodeLocation location;
};

// Code that can be run. Either `errors` is empty or the rest is.
struct CheckedCode {
  std::vector<CodeError> errors;
  // The handlers that the code exports, such as "request" and "response".
  std::vector<std::string> exports;
  // The module as a script whose value makes its exports anew, for Runtime
  // alone.
  std::string factory;
};

// Thread-safe.
class Checker {
 public:
  Checker();
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;
  ~Checker();

  CheckedCode Check(absl::string_view code);

 private:
  // A JavaScript engine with a parser of JavaScript in it.
  class Parser;

  sync::Mutex mutex_;
  // Null until it is needed, and after code has exceeded a limit.
  std::unique_ptr<Parser> parser_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_CHECKER_H_
