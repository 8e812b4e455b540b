// Enhanced filters of subscriptions, and of their invalidation.
//
//   absl::StatusOr<EventFilter> filter = EventFilter::Parse(R"({"filterGroup":
//       [{"filters":[{"fieldName":"severity","operator":"ge","value":3}]}]})");
//   if (filter->Matches(published)) Send();
//
// https://docs.aws.amazon.com/appsync/latest/devguide/extensions.html
#ifndef BYOSHIN_LOCAL_APPSYNC_REALTIME_EVENT_FILTER_H_
#define BYOSHIN_LOCAL_APPSYNC_REALTIME_EVENT_FILTER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"

namespace byoshin::local::appsync {

// Immutable, so thread-safe.
class EventFilter {
 public:
  // InvalidArgument says what is wrong.
  static absl::StatusOr<EventFilter> Parse(absl::string_view json);

  // Whether one of the groups matches, that is all of its filters do.
  bool Matches(const json::Data& event) const;

 private:
  enum class Operator {
    kEq,
    kNe,
    kLe,
    kLt,
    kGe,
    kGt,
    kContains,
    kNotContains,
    kBeginsWith,
    kIn,
    kNotIn,
    kBetween,
    kContainsAny,
  };
  struct Condition {
    // The members that lead to the value.
    std::vector<std::string> path;
    Operator op = Operator::kEq;
    json::Data value;
  };

  static absl::StatusOr<Condition> ParseCondition(const json::Data& filter);
  static bool Holds(const Condition& condition, const json::Data& value);

  std::vector<std::vector<Condition>> groups_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_REALTIME_EVENT_FILTER_H_
