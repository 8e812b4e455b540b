#include "local/appsync/realtime/event_filter.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/data.h"
#include "local/appsync/realtime/limits.h"
#include "local/appsync/sources/dynamodb_request.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;

constexpr absl::string_view kOperators[] = {
    "eq",    "ne",       "le",          "lt",         "ge",
    "gt",    "contains", "notContains", "beginsWith", "in",
    "notIn", "between",  "containsAny"};

// Negative, 0 or positive; nullopt if the two can't be compared.
std::optional<int> Compare(const Data& a, const Data& b) {
  if (a.is_number() && b.is_number()) {
    return a == b ? 0 : (a.number() < b.number() ? -1 : 1);
  }
  if (a.is_string() && b.is_string()) return a.string().compare(b.string());
  return std::nullopt;
}

bool Contains(const Data& value, const Data& wanted) {
  if (value.is_string() && wanted.is_string()) {
    return absl::StrContains(value.string(), wanted.string());
  }
  const absl::Span<const Data> elements = value.elements();
  return std::find(elements.begin(), elements.end(), wanted) != elements.end();
}

bool IsIn(const Data& value, const Data& list) {
  const absl::Span<const Data> elements = list.elements();
  return std::find(elements.begin(), elements.end(), value) != elements.end();
}

absl::Status InvalidFilter(absl::string_view message) {
  return absl::InvalidArgumentError(
      absl::StrCat("Invalid subscription filter: ", message));
}

absl::Status CheckList(absl::string_view name, const Data& value,
                       std::size_t min, std::size_t max) {
  if (value.is_array() && value.size() >= min && value.size() <= max) {
    return absl::OkStatus();
  }
  return InvalidFilter(absl::StrCat("the value of ", name, " must have ", min,
                                    " to ", max, " elements"));
}

const Data& ValueAt(const Data& event, const std::vector<std::string>& path) {
  const Data* value = &event;
  for (const std::string& name : path) value = &MemberOf(*value, name);
  return *value;
}

}  // namespace

absl::StatusOr<EventFilter::Condition> EventFilter::ParseCondition(
    const Data& filter) {
  Condition condition;
  const std::string name = TextOf(filter, "fieldName");
  if (name.empty()) return InvalidFilter("a filter needs fieldName");
  condition.path = absl::StrSplit(name, '.');
  if (condition.path.size() > kMaxFilterDepth) {
    return InvalidFilter(
        absl::StrCat(name, " has more than ", kMaxFilterDepth, " levels"));
  }
  const std::string op = TextOf(filter, "operator");
  const auto* found =
      std::find(std::begin(kOperators), std::end(kOperators), op);
  if (found == std::end(kOperators)) {
    return InvalidFilter(absl::StrCat("there is no operator ", op));
  }
  condition.op = static_cast<Operator>(found - std::begin(kOperators));
  condition.value = MemberOf(filter, "value");
  absl::Status valid;
  if (condition.op == Operator::kIn || condition.op == Operator::kNotIn) {
    valid = CheckList(op, condition.value, 1, kMaxInValues);
  } else if (condition.op == Operator::kBetween) {
    valid = CheckList(op, condition.value, 2, 2);
  } else if (condition.op == Operator::kContainsAny) {
    valid = CheckList(op, condition.value, 1, kMaxContainsAnyValues);
  }
  if (!valid.ok()) return valid;
  return condition;
}

absl::StatusOr<EventFilter> EventFilter::Parse(absl::string_view json) {
  const absl::StatusOr<Data> value = Data::Parse(json);
  if (!value.ok()) return InvalidFilter(value.status().message());
  const Data& groups = MemberOf(*value, "filterGroup");
  if (absl::Status valid =
          CheckList("filterGroup", groups, 1, kMaxFilterGroups);
      !valid.ok()) {
    return valid;
  }
  EventFilter parsed;
  for (const Data& group : groups.elements()) {
    const Data& filters = MemberOf(group, "filters");
    if (absl::Status valid =
            CheckList("filters", filters, 1, kMaxFiltersInGroup);
        !valid.ok()) {
      return valid;
    }
    std::vector<Condition>& conditions = parsed.groups_.emplace_back();
    for (const Data& filter : filters.elements()) {
      absl::StatusOr<Condition> condition = ParseCondition(filter);
      if (!condition.ok()) return condition.status();
      conditions.push_back(*std::move(condition));
    }
  }
  return parsed;
}

bool EventFilter::Holds(const Condition& condition, const Data& value) {
  const Data& wanted = condition.value;
  const std::optional<int> order = Compare(value, wanted);
  switch (condition.op) {
    case Operator::kEq:
      return value == wanted;
    case Operator::kNe:
      return value != wanted;
    case Operator::kLe:
      return order.has_value() && *order <= 0;
    case Operator::kLt:
      return order.has_value() && *order < 0;
    case Operator::kGe:
      return order.has_value() && *order >= 0;
    case Operator::kGt:
      return order.has_value() && *order > 0;
    case Operator::kContains:
      return Contains(value, wanted);
    case Operator::kNotContains:
      return !Contains(value, wanted);
    case Operator::kBeginsWith:
      return value.is_string() && wanted.is_string() &&
             absl::StartsWith(value.string(), wanted.string());
    case Operator::kIn:
      return IsIn(value, wanted);
    case Operator::kNotIn:
      return !IsIn(value, wanted);
    case Operator::kBetween: {
      const std::optional<int> low = Compare(value, wanted.elements()[0]);
      const std::optional<int> high = Compare(value, wanted.elements()[1]);
      return low.has_value() && high.has_value() && *low >= 0 && *high <= 0;
    }
    case Operator::kContainsAny:
      return std::any_of(
          wanted.elements().begin(), wanted.elements().end(),
          [&](const Data& element) { return Contains(value, element); });
  }
  return false;
}

bool EventFilter::Matches(const Data& event) const {
  return std::any_of(
      groups_.begin(), groups_.end(), [&](const auto& conditions) {
        return std::all_of(conditions.begin(), conditions.end(),
                           [&](const Condition& condition) {
                             return Holds(condition,
                                          ValueAt(event, condition.path));
                           });
      });
}

}  // namespace byoshin::local::appsync
