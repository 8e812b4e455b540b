// JSONPath as Step Functions has it: that of Jayway's library, with `$$` for
// the context object and `$name` for variables.
//
//   absl::StatusOr<Path> path = Path::Parse("$.orders[?(@.total > 10)].id");
//   PathResult ids = path->Select(scope);
//
// A path is definite if it can select at most one value. An indefinite path
// selects an array, which is empty if nothing matches.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_PATH_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_PATH_H_

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {

inline constexpr size_t kMaxPathLength = 16384;
inline constexpr size_t kMaxPathSteps = 256;

// Why a path selects nothing, as Jayway's library says it:
//   No results for path: $['a']
//   Missing property in path $['a']['b']
struct PathNotFound {
  std::string message;
};

using PathResult = std::variant<Data, PathNotFound>;

namespace internal {
struct PathProgram;
}  // namespace internal

// Cheap to copy. Thread-safe.
class Path {
 public:
  enum class Root { kInput, kContext, kVariable };

  static absl::StatusOr<Path> Parse(absl::string_view text);
  // "$"
  static const Path& Whole();

  // The path as it was written.
  const std::string& text() const { return text_; }
  Root root() const { return root_; }
  // For kVariable: the name without `$`.
  const std::string& variable() const { return variable_; }
  bool definite() const;
  // True if this is `$`, `$$` or `$name` without any step.
  bool whole() const;

  // Selects from what the root denotes in `scope`.
  PathResult Select(const Scope& scope) const;
  // Selects from `root`, whatever this path's root is.
  PathResult SelectFrom(const Data& root) const;

 private:
  Path() = default;

  std::string text_;
  Root root_ = Root::kInput;
  std::string variable_;
  std::shared_ptr<const internal::PathProgram> program_;
};

// A path that names one place: `$.a.b[3]`. ResultPath is one.
class ReferencePath {
 public:
  static absl::StatusOr<ReferencePath> Parse(absl::string_view text);

  const std::string& text() const { return text_; }
  // True if this is `$`.
  bool whole() const { return steps_.empty(); }

  // `document` with `value` at this place. Objects on the way are created;
  // array elements must exist. Fails with States.ReferencePathConflict.
  Evaluated<Data> Put(const Data& document, const Data& value) const;
  // What is at this place. Fails with States.ReferencePathConflict.
  Evaluated<Data> Get(const Data& document) const;

 private:
  // A member's name, or an element's index.
  using Step = std::variant<std::string, size_t>;

  ReferencePath() = default;
  // The value that `at`, which is where `step` applies, becomes.
  Evaluated<Data> PutFrom(size_t step, const Data& at, const Data& value,
                          const Data& document) const;
  EvaluationError Conflict(size_t step, const Data& document) const;

  std::string text_;
  std::vector<Step> steps_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_PATH_H_
