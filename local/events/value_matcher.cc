#include "local/events/value_matcher.h"

#include <arpa/inet.h>
#include <json/json.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::events {
namespace {

using Test = std::function<bool(const Json::Value&)>;
using TestOrError = absl::StatusOr<Test>;

constexpr char kEqualsIgnoreCase[] = "equals-ignore-case";

// AWS's limits on numbers in conditions.
constexpr double kMinNumber = -5.0e9;
constexpr double kMaxNumber = 5.0e9;

absl::Status Wrong(absl::string_view reason) {
  return absl::InvalidArgumentError(reason);
}

bool IsEqual(const Json::Value& a, const Json::Value& b) {
  if (a.isNumeric() && b.isNumeric()) return a.asDouble() == b.asDouble();
  return a.type() == b.type() && a == b;
}

using TextTest = bool (*)(absl::string_view text, absl::string_view operand);

bool HasPrefix(absl::string_view text, absl::string_view operand) {
  return absl::StartsWith(text, operand);
}
bool HasPrefixIgnoreCase(absl::string_view text, absl::string_view operand) {
  return absl::StartsWithIgnoreCase(text, operand);
}
bool HasSuffix(absl::string_view text, absl::string_view operand) {
  return absl::EndsWith(text, operand);
}
bool HasSuffixIgnoreCase(absl::string_view text, absl::string_view operand) {
  return absl::EndsWithIgnoreCase(text, operand);
}
bool IsEqualIgnoreCase(absl::string_view text, absl::string_view operand) {
  return absl::EqualsIgnoreCase(text, operand);
}

Test TestOfText(TextTest test, std::string operand) {
  return [test, operand = std::move(operand)](const Json::Value& value) {
    return value.isString() && test(value.asString(), operand);
  };
}

TestOrError ParseText(absl::string_view name, const Json::Value& json,
                      TextTest test) {
  if (!json.isString()) {
    return Wrong(absl::StrCat(name, " match pattern must be a string"));
  }
  return TestOfText(test, json.asString());
}

// {"prefix": "a"} or {"prefix": {"equals-ignore-case": "a"}}
TestOrError ParseAffix(absl::string_view name, const Json::Value& json,
                       TextTest test, TextTest test_ignoring_case) {
  if (json.isObject() && json.size() == 1 && json.isMember(kEqualsIgnoreCase)) {
    return ParseText(name, json[kEqualsIgnoreCase], test_ignoring_case);
  }
  return ParseText(name, json, test);
}

TestOrError ParsePrefix(const Json::Value& json) {
  return ParseAffix("prefix", json, HasPrefix, HasPrefixIgnoreCase);
}
TestOrError ParseSuffix(const Json::Value& json) {
  return ParseAffix("suffix", json, HasSuffix, HasSuffixIgnoreCase);
}
TestOrError ParseIgnoreCase(const Json::Value& json) {
  return ParseText(kEqualsIgnoreCase, json, IsEqualIgnoreCase);
}

// The parts of a pattern between its stars.
absl::StatusOr<std::vector<std::string>> SplitWildcard(
    absl::string_view pattern) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '*') {
      if (i > 0 && pattern[i - 1] == '*' && parts.back().empty()) {
        return Wrong("Consecutive wildcard characters are not allowed");
      }
      parts.emplace_back();
      continue;
    }
    if (pattern[i] == '\\') {
      ++i;
      if (i == pattern.size() || (pattern[i] != '*' && pattern[i] != '\\')) {
        return Wrong("Invalid escape character in wildcard");
      }
    }
    parts.back() += pattern[i];
  }
  return parts;
}

bool MatchesWildcard(absl::string_view text,
                     const std::vector<std::string>& parts) {
  if (parts.size() == 1) return text == parts[0];
  if (!absl::StartsWith(text, parts.front())) return false;
  text.remove_prefix(parts.front().size());
  for (std::size_t i = 1; i + 1 < parts.size(); ++i) {
    const std::size_t found = text.find(parts[i]);
    if (found == absl::string_view::npos) return false;
    text.remove_prefix(found + parts[i].size());
  }
  return absl::EndsWith(text, parts.back());
}

TestOrError ParseWildcard(const Json::Value& json) {
  if (!json.isString()) {
    return Wrong("wildcard match pattern must be a string");
  }
  absl::StatusOr<std::vector<std::string>> parts =
      SplitWildcard(json.asString());
  if (!parts.ok()) return parts.status();
  return Test([parts = *std::move(parts)](const Json::Value& value) {
    return value.isString() && MatchesWildcard(value.asString(), parts);
  });
}

struct Bound {
  std::string op;
  double number;

  bool Holds(double value) const {
    if (op == "=") return value == number;
    if (op == "<") return value < number;
    if (op == "<=") return value <= number;
    if (op == ">") return value > number;
    return value >= number;
  }
};

// ["=", 5], [">", 0, "<=", 5]
TestOrError ParseNumeric(const Json::Value& json) {
  if (!json.isArray() || json.empty()) {
    return Wrong("Invalid member in numeric match: it must be an array");
  }
  if (json.size() != 2 && json.size() != 4) {
    return Wrong("Numeric match must have one or two operators with a number");
  }
  std::vector<Bound> bounds;
  for (Json::ArrayIndex i = 0; i < json.size(); i += 2) {
    const std::string op = json[i].isString() ? json[i].asString() : "";
    if (op != "=" && op != "<" && op != "<=" && op != ">" && op != ">=") {
      return Wrong(absl::StrCat("Unrecognized numeric range operator: ", op));
    }
    const Json::Value& number = json[i + 1];
    if (!number.isNumeric()) {
      return Wrong(absl::StrCat("Value of ", op, " must be numeric"));
    }
    if (number.asDouble() < kMinNumber || number.asDouble() > kMaxNumber) {
      return Wrong("Value must be between -5.0E9 and 5.0E9, inclusive");
    }
    bounds.push_back({op, number.asDouble()});
  }
  // A range is a lower and then an upper bound.
  if (bounds.size() == 2 && (bounds[0].op[0] != '>' || bounds[1].op[0] != '<' ||
                             bounds[0].number >= bounds[1].number)) {
    return Wrong("Bottom must be less than top");
  }
  return Test([bounds = std::move(bounds)](const Json::Value& value) {
    return value.isNumeric() &&
           std::all_of(bounds.begin(), bounds.end(), [&](const Bound& bound) {
             return bound.Holds(value.asDouble());
           });
  });
}

// An address of 4 or 16 bytes.
std::optional<std::string> ParseAddress(const std::string& text) {
  std::array<char, sizeof(in6_addr)> bytes{};
  if (inet_pton(AF_INET, text.c_str(), bytes.data()) == 1) {
    return std::string(bytes.data(), sizeof(in_addr));
  }
  if (inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) {
    return std::string(bytes.data(), sizeof(in6_addr));
  }
  return std::nullopt;
}

bool IsInNetwork(absl::string_view address, absl::string_view network,
                 std::size_t bits) {
  if (address.size() != network.size()) return false;
  const std::size_t bytes = bits / 8;
  if (address.substr(0, bytes) != network.substr(0, bytes)) return false;
  const int rest = static_cast<int>(bits % 8);
  if (rest == 0) return true;
  const int difference = static_cast<unsigned char>(address[bytes]) ^
                         static_cast<unsigned char>(network[bytes]);
  return (difference >> (8 - rest)) == 0;
}

// "10.0.0.0/24"
TestOrError ParseCidr(const Json::Value& json) {
  const std::string text = json.isString() ? json.asString() : "";
  const std::vector<std::string> parts = absl::StrSplit(text, '/');
  std::size_t bits = 0;
  const std::optional<std::string> network = ParseAddress(parts[0]);
  if (parts.size() != 2 || !network.has_value() ||
      !absl::SimpleAtoi(parts[1], &bits) || bits > network->size() * 8) {
    return Wrong(absl::StrCat("Malformed CIDR: ", text));
  }
  return Test([network = *network, bits](const Json::Value& value) {
    if (!value.isString()) return false;
    const std::optional<std::string> address = ParseAddress(value.asString());
    return address.has_value() && IsInNetwork(*address, network, bits);
  });
}

// The tests of a value, or of each in a list.
absl::StatusOr<std::vector<Test>> ParseExcluded(
    const Json::Value& json,
    const std::function<TestOrError(const Json::Value&)>& parse) {
  std::vector<Test> tests;
  if (!json.isArray()) {
    TestOrError test = parse(json);
    if (!test.ok()) return test.status();
    tests.push_back(*std::move(test));
    return tests;
  }
  if (json.empty()) return Wrong("Anything-But list must not be empty");
  for (const Json::Value& element : json) {
    TestOrError test = parse(element);
    if (!test.ok()) return test.status();
    tests.push_back(*std::move(test));
  }
  return tests;
}

TestOrError ParseExcludedValue(const Json::Value& json) {
  if (!json.isString() && !json.isNumeric()) {
    return Wrong(
        "Value of anything-but must be a string, a number, or an array of "
        "these");
  }
  return Test(
      [json](const Json::Value& value) { return IsEqual(value, json); });
}

// "a", 5, ["a", "b"], {"prefix": "a"}, {"suffix": ["a", "b"]}
TestOrError ParseAnythingBut(const Json::Value& json) {
  std::function<TestOrError(const Json::Value&)> parse = ParseExcludedValue;
  const Json::Value* excluded = &json;
  if (json.isObject()) {
    static const auto& conditions =
        *new std::map<std::string, TestOrError (*)(const Json::Value&)>{
            {"prefix", ParsePrefix},
            {"suffix", ParseSuffix},
            {kEqualsIgnoreCase, ParseIgnoreCase},
            {"wildcard", ParseWildcard}};
    const std::string name = json.size() == 1 ? json.begin().name() : "";
    const auto condition = conditions.find(name);
    if (condition == conditions.end()) {
      return Wrong(
          "Anything-But expression must have a single prefix, suffix, "
          "equals-ignore-case or wildcard");
    }
    parse = condition->second;
    excluded = &*json.begin();
  }
  absl::StatusOr<std::vector<Test>> tests = ParseExcluded(*excluded, parse);
  if (!tests.ok()) return tests.status();
  return Test([tests = *std::move(tests)](const Json::Value& value) {
    return std::none_of(tests.begin(), tests.end(),
                        [&](const Test& test) { return test(value); });
  });
}

}  // namespace

absl::StatusOr<ValueMatcher> ValueMatcher::Parse(const Json::Value& json) {
  if (json.isArray()) {
    return Wrong("Match value must be String, number, true, false, or null");
  }
  if (!json.isObject()) {
    return ValueMatcher(
        [json](const Json::Value& value) { return IsEqual(value, json); });
  }
  if (json.size() != 1) {
    return Wrong("Only one key allowed in match expression");
  }
  const std::string name = json.begin().name();
  const Json::Value& operand = *json.begin();
  if (name == "exists") {
    if (!operand.isBool()) {
      return Wrong("exists match pattern must be either true or false.");
    }
    return ValueMatcher(operand.asBool() ? Presence::kPresent
                                         : Presence::kAbsent);
  }
  static const auto& conditions =
      *new std::map<std::string, TestOrError (*)(const Json::Value&)>{
          {"anything-but", ParseAnythingBut},
          {"cidr", ParseCidr},
          {kEqualsIgnoreCase, ParseIgnoreCase},
          {"numeric", ParseNumeric},
          {"prefix", ParsePrefix},
          {"suffix", ParseSuffix},
          {"wildcard", ParseWildcard}};
  const auto condition = conditions.find(name);
  if (condition == conditions.end()) {
    return Wrong(absl::StrCat("Unrecognized match type ", name));
  }
  TestOrError test = condition->second(operand);
  if (!test.ok()) return test.status();
  return ValueMatcher(*std::move(test));
}

bool ValueMatcher::MatchesAny(
    const std::vector<const Json::Value*>& values) const {
  if (presence_ == Presence::kPresent) return !values.empty();
  if (presence_ == Presence::kAbsent) return values.empty();
  return std::any_of(values.begin(), values.end(),
                     [&](const Json::Value* value) { return test_(*value); });
}

}  // namespace byoshin::local::events
