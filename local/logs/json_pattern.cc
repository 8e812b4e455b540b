#include "local/logs/json_pattern.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "local/gateway/error.h"

namespace byoshin::local::logs {
namespace {

// Not in the name of a property without brackets, nor in a value without
// quotes.
constexpr absl::string_view kEndOfName = " \t\r\n.[]()=!<>&|{}\"'";
constexpr absl::string_view kEndOfValue = " \t\r\n()=!<>&|{}\"'";

absl::Status InvalidPattern(absl::string_view why) {
  return ServiceError(
      {.code = "InvalidParameterException",
       .message = absl::StrCat("Invalid filter pattern: ", why)});
}

// `*` stands for any text.
bool MatchesStars(absl::string_view pattern, absl::string_view text) {
  const std::vector<absl::string_view> pieces = absl::StrSplit(pattern, '*');
  if (pieces.size() == 1) return pattern == text;
  if (!absl::ConsumePrefix(&text, pieces.front()) ||
      !absl::ConsumeSuffix(&text, pieces.back())) {
    return false;
  }
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    const std::size_t found = text.find(pieces[i]);
    if (found == absl::string_view::npos) return false;
    text.remove_prefix(found + pieces[i].size());
  }
  return true;
}

std::string TextOf(const Json::Value& value) {
  return value.isString() ? value.asString() : json::WriteValue(value);
}

}  // namespace

// The pattern is at most FilterPattern's 1,024 characters long, which bounds
// how deep it nests.
class JsonPattern::Parser {
 public:
  explicit Parser(absl::string_view text) : rest_(text) {}

  absl::StatusOr<Node> Parse() {
    if (!Take("{")) return InvalidPattern("it does not begin with {");
    absl::StatusOr<Node> node = ParseAny();
    if (!node.ok()) return node;
    if (!Take("}")) return InvalidPattern(absl::StrCat("} expected", Place()));
    Skip();
    if (!rest_.empty()) return InvalidPattern("there is more behind }");
    return node;
  }

 private:
  void Skip() { rest_ = absl::StripLeadingAsciiWhitespace(rest_); }
  bool Take(absl::string_view token) {
    Skip();
    return absl::ConsumePrefix(&rest_, token);
  }
  bool TakeWord(absl::string_view word) {
    Skip();
    const std::size_t end =
        std::min(rest_.find_first_of(kEndOfValue), rest_.size());
    if (!absl::EqualsIgnoreCase(rest_.substr(0, end), word)) return false;
    rest_.remove_prefix(end);
    return true;
  }
  std::string Place() const {
    return rest_.empty() ? " at the end" : absl::StrCat(" before ", rest_);
  }

  // Children that are joined with `joint`.
  template <typename ParseChild>
  absl::StatusOr<Node> ParseJoined(Node::Kind kind, absl::string_view joint,
                                   ParseChild parse) {
    Node node{.kind = kind};
    do {
      absl::StatusOr<Node> child = parse();
      if (!child.ok()) return child;
      node.children.push_back(*std::move(child));
    } while (Take(joint));
    if (node.children.size() > 1) return node;
    return std::move(node.children.front());
  }
  absl::StatusOr<Node> ParseAny() {
    return ParseJoined(Node::Kind::kAny, "||", [this] { return ParseAll(); });
  }
  absl::StatusOr<Node> ParseAll() {
    return ParseJoined(Node::Kind::kAll, "&&", [this] { return ParseOne(); });
  }
  absl::StatusOr<Node> ParseOne() {
    if (!Take("(")) return ParseTest();
    absl::StatusOr<Node> node = ParseAny();
    if (node.ok() && !Take(")")) {
      return InvalidPattern(absl::StrCat(") expected", Place()));
    }
    return node;
  }

  absl::StatusOr<Node> ParseTest() {
    Node node;
    if (absl::Status status = ParseProperty(node.test); !status.ok()) {
      return status;
    }
    if (absl::Status status = ParseComparison(node.test); !status.ok()) {
      return status;
    }
    return node;
  }

  absl::Status ParseProperty(Test& test) {
    if (!Take("$")) {
      return InvalidPattern(absl::StrCat("a property, $.…, expected", Place()));
    }
    while (true) {
      const bool dot = absl::ConsumePrefix(&rest_, ".");
      if (absl::ConsumePrefix(&rest_, "[")) {
        if (absl::Status status = ParseBrackets(test); !status.ok()) {
          return status;
        }
        continue;
      }
      if (!dot) break;
      const std::size_t end =
          std::min(rest_.find_first_of(kEndOfName), rest_.size());
      if (end == 0) return InvalidPattern("the name of a property is empty");
      test.property.emplace_back(std::string(rest_.substr(0, end)));
      rest_.remove_prefix(end);
    }
    if (test.property.empty()) return InvalidPattern("$ names no property");
    return absl::OkStatus();
  }

  // Behind "[": an index, or a name in quotes.
  absl::Status ParseBrackets(Test& test) {
    const char quote = rest_.empty() ? ']' : rest_.front();
    const bool quoted = quote == '\'' || quote == '"';
    if (quoted) rest_.remove_prefix(1);
    const std::string close = quoted ? std::string{quote, ']'} : "]";
    const std::size_t end = rest_.find(close);
    if (end == absl::string_view::npos) {
      return InvalidPattern("a bracket is not closed");
    }
    const absl::string_view inside = rest_.substr(0, end);
    rest_.remove_prefix(end + close.size());
    Json::ArrayIndex index = 0;
    if (quoted) {
      test.property.emplace_back(std::string(inside));
    } else if (absl::SimpleAtoi(inside, &index)) {
      test.property.emplace_back(index);
    } else {
      return InvalidPattern(absl::StrCat("[", inside, "] is not an index"));
    }
    return absl::OkStatus();
  }

  absl::Status ParseComparison(Test& test) {
    static constexpr std::pair<absl::string_view, Operator> kOperators[] = {
        {"!=", Operator::kNotEqual}, {"<=", Operator::kAtMost},
        {">=", Operator::kAtLeast},  {"=", Operator::kEqual},
        {"<", Operator::kLess},      {">", Operator::kGreater}};
    for (const auto& [token, compare] : kOperators) {
      if (!Take(token)) continue;
      test.compare = compare;
      return ParseValue(test);
    }
    if (TakeWord("IS")) {
      static constexpr std::pair<absl::string_view, Operator> kStates[] = {
          {"NULL", Operator::kIsNull},
          {"TRUE", Operator::kIsTrue},
          {"FALSE", Operator::kIsFalse}};
      for (const auto& [word, compare] : kStates) {
        test.compare = compare;
        if (TakeWord(word)) return absl::OkStatus();
      }
    } else if (TakeWord("NOT") && TakeWord("EXISTS")) {
      test.compare = Operator::kNotExists;
      return absl::OkStatus();
    }
    return InvalidPattern(absl::StrCat("a comparison expected", Place()));
  }

  absl::Status ParseValue(Test& test) {
    Skip();
    if (absl::StartsWith(rest_, "%")) {
      return InvalidPattern(
          "the local cloud does not support regular expressions");
    }
    if (absl::ConsumePrefix(&rest_, "\"")) return ParseQuoted(test);
    const std::size_t end =
        std::min(rest_.find_first_of(kEndOfValue), rest_.size());
    if (end == 0)
      return InvalidPattern(absl::StrCat("value expected", Place()));
    test.text = std::string(rest_.substr(0, end));
    test.is_number = absl::SimpleAtod(test.text, &test.number);
    rest_.remove_prefix(end);
    if (test.is_number || test.compare == Operator::kEqual ||
        test.compare == Operator::kNotEqual) {
      return absl::OkStatus();
    }
    return InvalidPattern(absl::StrCat(test.text, " is not a number"));
  }

  absl::Status ParseQuoted(Test& test) {
    if (test.compare != Operator::kEqual &&
        test.compare != Operator::kNotEqual) {
      return InvalidPattern("a text can only be compared with = and !=");
    }
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return absl::OkStatus();
      if (c == '\\' && !rest_.empty()) {
        test.text += rest_.front();
        rest_.remove_prefix(1);
      } else {
        test.text += c;
      }
    }
    return InvalidPattern("a quote is not closed");
  }

  absl::string_view rest_;
};

absl::StatusOr<JsonPattern> JsonPattern::Parse(absl::string_view text) {
  absl::StatusOr<Node> root = Parser(text).Parse();
  if (!root.ok()) return root.status();
  JsonPattern pattern;
  pattern.root_ = *std::move(root);
  return pattern;
}

bool JsonPattern::Matches(absl::string_view line) const {
  line = absl::StripAsciiWhitespace(line);
  if (!absl::StartsWith(line, "{") && !absl::StartsWith(line, "[")) {
    return false;
  }
  const absl::StatusOr<Json::Value> value = json::ParseValue(line);
  return value.ok() && Matches(root_, *value);
}

bool JsonPattern::Matches(const Node& node, const Json::Value& line) {
  const auto matches = [&line](const Node& child) {
    return Matches(child, line);
  };
  switch (node.kind) {
    case Node::Kind::kAll:
      return std::all_of(node.children.begin(), node.children.end(), matches);
    case Node::Kind::kAny:
      return std::any_of(node.children.begin(), node.children.end(), matches);
    case Node::Kind::kTest:
      break;
  }
  return Matches(node.test, line);
}

bool JsonPattern::Matches(const Test& test, const Json::Value& line) {
  const Json::Value* value = &line;
  for (const auto& step : test.property) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      value = value->isObject()
                  ? value->find(name->data(), name->data() + name->size())
                  : nullptr;
    } else {
      const Json::ArrayIndex index = std::get<Json::ArrayIndex>(step);
      value = value->isArray() && index < value->size() ? &(*value)[index]
                                                        : nullptr;
    }
    if (value == nullptr) return test.compare == Operator::kNotExists;
  }
  const bool both_numbers = test.is_number && value->isNumeric();
  const double number = both_numbers ? value->asDouble() : 0;
  switch (test.compare) {
    case Operator::kNotExists:
      return false;
    case Operator::kIsNull:
      return value->isNull();
    case Operator::kIsTrue:
      return value->isBool() && value->asBool();
    case Operator::kIsFalse:
      return value->isBool() && !value->asBool();
    case Operator::kEqual:
      return both_numbers ? number == test.number
                          : MatchesStars(test.text, TextOf(*value));
    case Operator::kNotEqual:
      return both_numbers ? number != test.number
                          : !MatchesStars(test.text, TextOf(*value));
    case Operator::kLess:
      return both_numbers && number < test.number;
    case Operator::kAtMost:
      return both_numbers && number <= test.number;
    case Operator::kGreater:
      return both_numbers && number > test.number;
    case Operator::kAtLeast:
      break;
  }
  return both_numbers && number >= test.number;
}

}  // namespace byoshin::local::logs
