// Filter patterns of lines that are JSON:
//
//   absl::StatusOr<JsonPattern> pattern = JsonPattern::Parse(
//       R"({ $.level = "ERROR" && ($.attempt > 1 || $.last IS TRUE) })");
//   pattern->Matches(R"({"level":"ERROR","attempt":2})");
//
// A property is $.a.b, $.list[0] or $.['a name']. It is compared with = and !=
// (texts, in which * stands for any text, and numbers), with <, <=, > and >=
// (numbers), and with IS NULL, IS TRUE, IS FALSE and NOT EXISTS. A comparison
// with a property that is not there is false.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html
#ifndef BYOSHIN_LOCAL_LOGS_JSON_PATTERN_H_
#define BYOSHIN_LOCAL_LOGS_JSON_PATTERN_H_

#include <json/json.h>

#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::logs {

// A value.
class JsonPattern {
 public:
  // In braces. InvalidParameterException if it is not such a pattern, or has a
  // regular expression.
  static absl::StatusOr<JsonPattern> Parse(absl::string_view text);

  // False for a line that is not JSON.
  bool Matches(absl::string_view line) const;

 private:
  class Parser;

  enum class Operator {
    kEqual,
    kNotEqual,
    kLess,
    kAtMost,
    kGreater,
    kAtLeast,
    kIsNull,
    kIsTrue,
    kIsFalse,
    kNotExists,
  };
  struct Test {
    // Names of members and indexes of elements.
    std::vector<std::variant<std::string, Json::ArrayIndex>> property;
    Operator compare = Operator::kEqual;
    // The operand: as text, and as a number if it is one that is
    // not quoted.
    std::string text{};
    bool is_number = false;
    double number = 0;
  };
  // All, or one, of the children must match; without children, the test must.
  struct Node {
    enum class Kind { kTest, kAll, kAny } kind = Kind::kTest;
    Test test{};
    std::vector<Node> children{};
  };

  static bool Matches(const Node& node, const Json::Value& line);
  static bool Matches(const Test& test, const Json::Value& line);

  Node root_;
};

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_JSON_PATTERN_H_
