// One of the values that an event pattern lists for a field: a value, or a
// condition such as {"prefix": "a"}.
#ifndef BYOSHIN_LOCAL_EVENTS_VALUE_MATCHER_H_
#define BYOSHIN_LOCAL_EVENTS_VALUE_MATCHER_H_

#include <json/json.h>

#include <functional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace byoshin::local::events {

// Immutable, so thread-safe.
class ValueMatcher {
 public:
  // InvalidArgument, with the reason.
  static absl::StatusOr<ValueMatcher> Parse(const Json::Value& json);

  // Whether it matches one of the values of a field; there are none if the
  // field is missing, an object or an empty list.
  bool MatchesAny(const std::vector<const Json::Value*>& values) const;

 private:
  using Test = std::function<bool(const Json::Value&)>;
  enum class Presence { kAny, kPresent, kAbsent };

  explicit ValueMatcher(Test test) : test_(std::move(test)) {}
  explicit ValueMatcher(Presence presence) : presence_(presence) {}

  // Decides alone unless it is kAny.
  Presence presence_ = Presence::kAny;
  Test test_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_VALUE_MATCHER_H_
