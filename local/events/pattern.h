// Event patterns: which events a rule is for.
//
//   absl::StatusOr<EventPattern> pattern = EventPattern::Parse(
//       R"({"source": ["aws.states"], "detail": {"status": ["FAILED"]}})");
//   if (!pattern.ok()) return pattern.status();
//   if (pattern->Matches(event)) ...
//
// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
#ifndef BYOSHIN_LOCAL_EVENTS_PATTERN_H_
#define BYOSHIN_LOCAL_EVENTS_PATTERN_H_

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::events {

// AWS's limit.
inline constexpr std::size_t kMaxPatternBytes = 4096;

// Immutable, so thread-safe.
class EventPattern {
 public:
  // InvalidArgument, with the reason, for text that is not a pattern.
  static absl::StatusOr<EventPattern> Parse(absl::string_view text);

  // Every field of the pattern must match. A field matches if one of the values
  // that the pattern lists matches the event's value or, if that is a list, an
  // element of it. Of a list of objects, one must match all fields of the
  // pattern for them.
  bool Matches(const Json::Value& event) const;

 private:
  struct Node;

  explicit EventPattern(std::shared_ptr<const Node> root)
      : root_(std::move(root)) {}

  static absl::StatusOr<std::shared_ptr<const Node>> ParseNode(
      const Json::Value& json);
  static absl::Status AddMember(const std::string& name,
                                const Json::Value& json, Node& node);
  static absl::Status AddAlternatives(const Json::Value& json, Node& node);
  static bool MatchesNode(const Node& node, const Json::Value& value);
  static bool MatchesObject(const Node& node, const Json::Value& object);

  std::shared_ptr<const Node> root_;
};

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_PATTERN_H_
