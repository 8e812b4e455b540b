// The filters of JSONPath: [?(@.total > 10 && @.status == 'OPEN')]
#include <re2/re2.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/path_program.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

using Operator = Filter::Operator;

absl::Status FilterMistake(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("in a filter: ", what));
}

void SkipFilterSpaces(absl::string_view& rest) {
  rest = absl::StripLeadingAsciiWhitespace(rest);
}

// The longer ones come first.
constexpr std::pair<absl::string_view, Operator> kFilterOperators[] = {
    {"==", Operator::kEqual},
    {"!=", Operator::kUnequal},
    {"<=", Operator::kLessOrEqual},
    {">=", Operator::kGreaterOrEqual},
    {"<", Operator::kLess},
    {">", Operator::kGreater},
    {"contains ", Operator::kContains},
    {"CONTAINS ", Operator::kContains},
    {"subsetof ", Operator::kSubsetOf},
    {"SUBSETOF ", Operator::kSubsetOf},
    {"anyof ", Operator::kAnyOf},
    {"ANYOF ", Operator::kAnyOf},
    {"noneof ", Operator::kNoneOf},
    {"NONEOF ", Operator::kNoneOf},
    {"size ", Operator::kSize},
    {"SIZE ", Operator::kSize},
    {"empty ", Operator::kEmpty},
    {"EMPTY ", Operator::kEmpty},
    {"nin ", Operator::kNotIn},
    {"NIN ", Operator::kNotIn},
    {"in ", Operator::kIn},
    {"IN ", Operator::kIn},
};

// The end of the literal at the beginning of `rest`: JSON, or text between
// apostrophes.
size_t LiteralLength(absl::string_view rest) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
        if (depth == 0) return i + 1;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return i;
      if (--depth == 0) return i + 1;
    } else if (depth == 0 && (absl::ascii_isspace(c) || c == ')' || c == '&' ||
                              c == '|' || c == ',')) {
      return i;
    }
  }
  return rest.size();
}

// JSON in which text may stand between apostrophes, as strict JSON.
std::string WithQuotationMarks(absl::string_view literal) {
  std::string json;
  char quote = 0;
  for (size_t i = 0; i < literal.size(); ++i) {
    const char c = literal[i];
    if (c == '\\' && quote != 0 && i + 1 < literal.size()) {
      if (literal[++i] != '\'') json += c;
      json += literal[i];
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      json += '"';
    } else if (c == quote && quote != 0) {
      quote = 0;
      json += '"';
    } else if (c == '"') {
      json += "\\\"";
    } else {
      json += c;
    }
  }
  return json;
}

absl::StatusOr<FilterOperand> ReadOperand(PathReader& reader) {
  SkipFilterSpaces(reader.rest);
  FilterOperand operand;
  operand.current = absl::ConsumePrefix(&reader.rest, "@");
  if (operand.current || absl::ConsumePrefix(&reader.rest, "$")) {
    absl::StatusOr<PathProgram> path = ReadSteps(reader);
    if (!path.ok()) return path.status();
    operand.path = std::make_shared<const PathProgram>(*std::move(path));
    return operand;
  }
  const size_t length = LiteralLength(reader.rest);
  absl::StatusOr<Data> literal =
      Data::Parse(WithQuotationMarks(reader.rest.substr(0, length)));
  if (!literal.ok()) return FilterMistake("expected a value");
  operand.literal = *std::move(literal);
  reader.rest.remove_prefix(length);
  return operand;
}

// /pattern/i
absl::StatusOr<std::shared_ptr<const re2::RE2>> ReadRegex(
    absl::string_view& rest) {
  SkipFilterSpaces(rest);
  if (!absl::ConsumePrefix(&rest, "/")) return FilterMistake("expected '/'");
  std::string pattern;
  size_t i = 0;
  for (; i < rest.size() && rest[i] != '/'; ++i) {
    if (rest[i] == '\\' && i + 1 < rest.size()) {
      ++i;
      if (rest[i] != '/') pattern += '\\';
    }
    pattern += rest[i];
  }
  if (i == rest.size()) return FilterMistake("expected '/'");
  rest.remove_prefix(i + 1);
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  options.set_case_sensitive(!absl::ConsumePrefix(&rest, "i"));
  auto regex = std::make_shared<const re2::RE2>(pattern, options);
  if (!regex->ok()) return FilterMistake("invalid regular expression");
  return regex;
}

absl::StatusOr<Filter> ReadOr(PathReader& reader);

// A comparison, or a path that must exist.
absl::StatusOr<Filter> ReadComparison(PathReader& reader) {
  absl::StatusOr<FilterOperand> left = ReadOperand(reader);
  if (!left.ok()) return left.status();
  Filter filter;
  filter.kind = Filter::Kind::kExists;
  filter.left = *std::move(left);
  SkipFilterSpaces(reader.rest);
  if (absl::ConsumePrefix(&reader.rest, "=~")) {
    filter.kind = Filter::Kind::kRegex;
    absl::StatusOr<std::shared_ptr<const re2::RE2>> regex =
        ReadRegex(reader.rest);
    if (!regex.ok()) return regex.status();
    filter.regex = *std::move(regex);
    return filter;
  }
  for (const auto& [name, comparison] : kFilterOperators) {
    if (!absl::ConsumePrefix(&reader.rest, name)) continue;
    filter.kind = Filter::Kind::kComparison;
    filter.comparison = comparison;
    absl::StatusOr<FilterOperand> right = ReadOperand(reader);
    if (!right.ok()) return right.status();
    filter.right = *std::move(right);
    return filter;
  }
  if (filter.left.path == nullptr) return FilterMistake("expected a path");
  return filter;
}

absl::StatusOr<Filter> ReadTerm(PathReader& reader) {
  SkipFilterSpaces(reader.rest);
  if (++reader.nesting > kMaxPathNesting) {
    return FilterMistake("nested too deep");
  }
  absl::StatusOr<Filter> filter = FilterMistake("");
  if (absl::ConsumePrefix(&reader.rest, "!")) {
    absl::StatusOr<Filter> negated = ReadTerm(reader);
    if (!negated.ok()) return negated;
    filter = Filter();
    filter->kind = Filter::Kind::kNot;
    filter->parts.push_back(*std::move(negated));
  } else if (absl::ConsumePrefix(&reader.rest, "(")) {
    filter = ReadOr(reader);
    SkipFilterSpaces(reader.rest);
    if (filter.ok() && !absl::ConsumePrefix(&reader.rest, ")")) {
      return FilterMistake("expected ')'");
    }
  } else {
    filter = ReadComparison(reader);
  }
  --reader.nesting;
  return filter;
}

// Terms with `separator` between them.
template <typename Read>
absl::StatusOr<Filter> ReadJoined(PathReader& reader, Filter::Kind kind,
                                  absl::string_view separator, Read read) {
  absl::StatusOr<Filter> first = read(reader);
  if (!first.ok()) return first;
  Filter joined;
  joined.kind = kind;
  joined.parts.push_back(*std::move(first));
  SkipFilterSpaces(reader.rest);
  while (absl::ConsumePrefix(&reader.rest, separator)) {
    absl::StatusOr<Filter> next = read(reader);
    if (!next.ok()) return next;
    joined.parts.push_back(*std::move(next));
    SkipFilterSpaces(reader.rest);
  }
  if (joined.parts.size() == 1) return std::move(joined.parts[0]);
  return joined;
}

absl::StatusOr<Filter> ReadOr(PathReader& reader) {
  return ReadJoined(reader, Filter::Kind::kOr, "||", [](PathReader& of) {
    return ReadJoined(of, Filter::Kind::kAnd, "&&", ReadTerm);
  });
}

// The value of an operand; nothing if its path finds nothing.
std::optional<Data> ValueOf(const FilterOperand& operand, const Data& current,
                            const Data& document, size_t& visits) {
  if (operand.path == nullptr) return operand.literal;
  PathResult result = RunPath(
      *operand.path, operand.current ? current : document, document, visits);
  if (Data* const value = std::get_if<Data>(&result)) return std::move(*value);
  return std::nullopt;
}

// Less than 0, 0, or more; nothing if they can't be ordered.
std::optional<int> Ordered(const Data& a, const Data& b) {
  if (a.is_number() && b.is_number()) {
    return a.number() < b.number() ? -1 : a.number() > b.number() ? 1 : 0;
  }
  if (a.is_string() && b.is_string()) return a.string().compare(b.string());
  return std::nullopt;
}

bool IsIn(const Data& value, const Data& array) {
  const auto elements = array.elements();
  return std::find(elements.begin(), elements.end(), value) != elements.end();
}

// How many elements of `a` are in `b`.
size_t CountIn(const Data& a, const Data& b) {
  const auto elements = a.elements();
  return std::count_if(elements.begin(), elements.end(),
                       [&b](const Data& value) { return IsIn(value, b); });
}

size_t SizeOf(const Data& value) {
  return value.is_string() ? value.string().size() : value.size();
}

bool Compare(Operator comparison, const Data& a, const Data& b) {
  const std::optional<int> order = Ordered(a, b);
  switch (comparison) {
    case Operator::kEqual:
      return a == b;
    case Operator::kUnequal:
      return a != b;
    case Operator::kLess:
      return order && *order < 0;
    case Operator::kLessOrEqual:
      return order && *order <= 0;
    case Operator::kGreater:
      return order && *order > 0;
    case Operator::kGreaterOrEqual:
      return order && *order >= 0;
    case Operator::kIn:
      return IsIn(a, b);
    case Operator::kNotIn:
      return !IsIn(a, b);
    case Operator::kContains:
      if (a.is_string() && b.is_string()) {
        return absl::StrContains(a.string(), b.string());
      }
      return IsIn(b, a);
    case Operator::kSubsetOf:
      return a.is_array() && CountIn(a, b) == a.size();
    case Operator::kAnyOf:
      return CountIn(a, b) > 0;
    case Operator::kNoneOf:
      return CountIn(a, b) == 0;
    case Operator::kSize:
      return b.is_integer() && b.integer() >= 0 &&
             SizeOf(a) == static_cast<size_t>(b.integer());
    case Operator::kEmpty:
      return b.is_boolean() && (SizeOf(a) == 0) == b.boolean();
  }
  return false;
}

bool ComparisonHolds(const Filter& filter, const Data& current,
                     const Data& document, size_t& visits) {
  const std::optional<Data> left =
      ValueOf(filter.left, current, document, visits);
  const std::optional<Data> right =
      ValueOf(filter.right, current, document, visits);
  if (!left || !right) {
    return filter.comparison == Operator::kUnequal &&
           left.has_value() != right.has_value();
  }
  // A comparison with an array takes as long as the array is.
  visits += 1 + left->size() * (right->size() + 1);
  return Compare(filter.comparison, *left, *right);
}

}  // namespace

absl::StatusOr<Filter> ReadFilter(PathReader& reader) {
  absl::StatusOr<Filter> filter = ReadOr(reader);
  if (!filter.ok()) return filter;
  SkipFilterSpaces(reader.rest);
  if (!absl::ConsumePrefix(&reader.rest, ")")) {
    return FilterMistake("expected ')'");
  }
  return filter;
}

bool FilterHolds(const Filter& filter, const Data& current,
                 const Data& document, size_t& visits) {
  if (++visits > kMaxPathVisits) return false;
  const auto holds = [&](const Filter& part) {
    return FilterHolds(part, current, document, visits);
  };
  switch (filter.kind) {
    case Filter::Kind::kAnd:
      return std::all_of(filter.parts.begin(), filter.parts.end(), holds);
    case Filter::Kind::kOr:
      return std::any_of(filter.parts.begin(), filter.parts.end(), holds);
    case Filter::Kind::kNot:
      return !holds(filter.parts[0]);
    case Filter::Kind::kExists:
      return ValueOf(filter.left, current, document, visits).has_value();
    case Filter::Kind::kRegex: {
      const std::optional<Data> value =
          ValueOf(filter.left, current, document, visits);
      if (!value || !value->is_string()) return false;
      const absl::string_view text = value->string();
      return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()),
                                 *filter.regex);
    }
    case Filter::Kind::kComparison:
      break;
  }
  return ComparisonHolds(filter, current, document, visits);
}

}  // namespace byoshin::local::stepfunctions::internal
