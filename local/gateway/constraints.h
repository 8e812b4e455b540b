// The limits that an AWS API sets for a request's members, and the message that
// lists the members that exceed them.
//
//   ConstraintErrors errors;
//   errors.CheckValue("limit", limit, {.min = 1, .max = 50});
//   errors.CheckLength("name", name, {.min = 3});
//   if (!errors.empty()) return Invalid(errors.Message());
//   // 1 validation error detected: Value '0' at 'limit' failed to satisfy
//   // constraint: Member must have value greater than or equal to 1
#ifndef BYOSHIN_LOCAL_GATEWAY_CONSTRAINTS_H_
#define BYOSHIN_LOCAL_GATEWAY_CONSTRAINTS_H_

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace byoshin::local {

// How AWS words each constraint.
inline constexpr absl::string_view kMustNotBeNull = "Member must not be null";
std::string MinValue(std::int64_t min);
std::string MaxValue(std::int64_t max);
std::string MinLength(std::int64_t min);
std::string MaxLength(std::int64_t max);
std::string MustMatch(absl::string_view pattern);
std::string MustBeOneOf(const std::vector<std::string>& values);

// Where a member is: "tags.2.member.key". AWS starts names with a lower-case
// letter.
std::string MemberPath(absl::string_view parent, absl::string_view name);

// The characters of a string, or the elements of a list or map.
std::int64_t LengthOf(const Json::Value& value);

struct ConstraintLimits {
  std::optional<std::int64_t> min{};
  std::optional<std::int64_t> max{};
};

// The constraint that the number violates; empty if it violates none.
std::string RangeFault(const Json::Value& number,
                       const ConstraintLimits& limits);

// Not thread-safe.
class ConstraintErrors {
 public:
  using Limits = ConstraintLimits;

  // AWS lists the first ten errors; the others are dropped.
  void Add(absl::string_view path, const Json::Value& value,
           absl::string_view constraint);
  // An error in words of its own.
  void AddWorded(std::string error);
  void CheckValue(absl::string_view path, const Json::Value& number,
                  const Limits& limits);
  void CheckLength(absl::string_view path, const Json::Value& value,
                   const Limits& limits);
  void CheckOneOf(absl::string_view path, const Json::Value& text,
                  const std::vector<std::string>& values);

  bool empty() const { return errors_.empty(); }
  std::string Message() const;

 private:
  std::vector<std::string> errors_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_CONSTRAINTS_H_
