// What a path is compiled to. Only for path*.cc.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_PATH_PROGRAM_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_PATH_PROGRAM_H_

#include <re2/re2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/path.h"

namespace byoshin::local::stepfunctions::internal {

// Paths and filters in brackets can be nested this deep.
inline constexpr int kMaxPathNesting = 32;
// What one path may visit. Repeated deep scans multiply.
inline constexpr size_t kMaxPathVisits = 5'000'000;

struct Filter;

// ['a'], .a, ['a','b']
struct PropertyStep {
  std::vector<std::string> names;
};
// [0], [-1], [0,2]
struct IndexStep {
  std::vector<int64_t> indexes;
};
// [1:3], [:-1]
struct SliceStep {
  std::optional<int64_t> from;
  std::optional<int64_t> to;
};
// [*], .*
struct WildcardStep {};
// ..: the value and all below it.
struct ScanStep {};
// [?(…)]
struct FilterStep {
  std::shared_ptr<const Filter> filter;
};
// .length()
struct FunctionStep {
  enum class Function {
    kLength,
    kMin,
    kMax,
    kSum,
    kAvg,
    kStddev,
    kFirst,
    kLast,
    kKeys,
  };
  Function function;
};

using PathStep = std::variant<PropertyStep, IndexStep, SliceStep, WildcardStep,
                              ScanStep, FilterStep, FunctionStep>;

struct PathProgram {
  std::vector<PathStep> steps;
  bool definite = true;
};

// An operand of a filter's comparison.
struct FilterOperand {
  // A path below `@` (current) or `$`, or a literal.
  bool current = false;
  std::shared_ptr<const PathProgram> path;
  Data literal;
};

struct Filter {
  enum class Kind { kAnd, kOr, kNot, kExists, kComparison, kRegex };
  enum class Operator {
    kEqual,
    kUnequal,
    kLess,
    kLessOrEqual,
    kGreater,
    kGreaterOrEqual,
    kIn,
    kNotIn,
    kContains,
    kSubsetOf,
    kAnyOf,
    kNoneOf,
    kSize,
    kEmpty,
  };
  Kind kind = Kind::kExists;
  // kAnd, kOr: several; kNot: one.
  std::vector<Filter> parts;
  Operator comparison = Operator::kEqual;
  FilterOperand left;
  FilterOperand right;
  std::shared_ptr<const re2::RE2> regex;
};

// True if `step` selects at most one value.
bool IsDefinite(const PathStep& step);

// Reads the steps of a path, after its root. Also used for `@` in filters.
struct PathReader {
  absl::string_view rest;
  int nesting = 0;
};
absl::StatusOr<PathProgram> ReadSteps(PathReader& reader);

// Reads a filter, from after `[?(` to its closing parenthesis.
absl::StatusOr<Filter> ReadFilter(PathReader& reader);

// What `program` selects from `root`. `document` is what `$` in filters is.
PathResult RunPath(const PathProgram& program, const Data& root,
                   const Data& document, size_t& visits);

// True if `filter` holds for `current`.
bool FilterHolds(const Filter& filter, const Data& current,
                 const Data& document, size_t& visits);

}  // namespace byoshin::local::stepfunctions::internal

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_PATH_PROGRAM_H_
