#include "local/stepfunctions/language/choice.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/diagnostic.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/evaluation.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions {
namespace internal {
namespace {

// What is compared, and how: StringLessThanEqualsPath is kString, kLessEqual,
// with a path.
enum class Operands { kString, kNumeric, kBoolean, kTimestamp };
enum class Relation { kEqual, kLess, kGreater, kLessEqual, kGreaterEqual };

struct Comparison {
  Operands operands;
  Relation relation;
};

enum class Test {
  kIsPresent,
  kIsNull,
  kIsString,
  kIsNumeric,
  kIsBoolean,
  kIsTimestamp,
};

struct Matches {};

using OperatorKind = std::variant<Comparison, Test, Matches>;

struct NamedOperator {
  std::string name;
  OperatorKind kind;
  bool path = false;
};

std::vector<NamedOperator> AllOperators() {
  constexpr std::pair<absl::string_view, Operands> kOperands[] = {
      {"String", Operands::kString},
      {"Numeric", Operands::kNumeric},
      {"Timestamp", Operands::kTimestamp},
  };
  constexpr std::pair<absl::string_view, Relation> kRelations[] = {
      {"Equals", Relation::kEqual},
      {"LessThan", Relation::kLess},
      {"GreaterThan", Relation::kGreater},
      {"LessThanEquals", Relation::kLessEqual},
      {"GreaterThanEquals", Relation::kGreaterEqual},
  };
  std::vector<NamedOperator> all;
  const auto add = [&all](const std::string& name, Comparison comparison) {
    all.push_back({name, comparison, false});
    all.push_back({absl::StrCat(name, "Path"), comparison, true});
  };
  for (const auto& [type, operands] : kOperands) {
    for (const auto& [relation_name, relation] : kRelations) {
      add(absl::StrCat(type, relation_name), {operands, relation});
    }
  }
  add("BooleanEquals", {Operands::kBoolean, Relation::kEqual});
  all.push_back({"StringMatches", Matches{}, false});
  all.push_back({"IsPresent", Test::kIsPresent, false});
  all.push_back({"IsNull", Test::kIsNull, false});
  all.push_back({"IsString", Test::kIsString, false});
  all.push_back({"IsNumeric", Test::kIsNumeric, false});
  all.push_back({"IsBoolean", Test::kIsBoolean, false});
  all.push_back({"IsTimestamp", Test::kIsTimestamp, false});
  return all;
}

const std::vector<NamedOperator>& Operators() {
  static const auto& operators =
      *new std::vector<NamedOperator>(AllOperators());
  return operators;
}

const NamedOperator* FindOperator(absl::string_view name) {
  for (const NamedOperator& candidate : Operators()) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

}  // namespace

struct ConditionNode {
  enum class Kind { kAnd, kOr, kNot, kOperator };
  Kind kind = Kind::kOperator;
  std::vector<std::shared_ptr<const ConditionNode>> parts;

  const NamedOperator* op = nullptr;
  std::optional<Path> variable;
  // One of them.
  Data operand;
  std::optional<Path> operand_path;
};

namespace {

using ConditionPointer = std::shared_ptr<const ConditionNode>;

// And, Or and Not can be nested this deep.
constexpr int kMaxConditionDepth = 100;

EvaluationError InvalidPath(const Path& path) {
  return {kErrorRuntime,
          absl::StrCat("Invalid path '", path.text(),
                       "': The choice state's condition path references an "
                       "invalid value."),
          ""};
}

bool Relates(Relation relation, int order) {
  switch (relation) {
    case Relation::kEqual:
      return order == 0;
    case Relation::kLess:
      return order < 0;
    case Relation::kGreater:
      return order > 0;
    case Relation::kLessEqual:
      return order <= 0;
    case Relation::kGreaterEqual:
      break;
  }
  return order >= 0;
}

template <typename T>
int OrderOf(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int NumericOrder(const Data& a, const Data& b) {
  if (a.is_integer() && b.is_integer()) {
    return OrderOf(a.integer(), b.integer());
  }
  return OrderOf(a.number(), b.number());
}

std::optional<absl::Time> TimestampOf(const Data& data) {
  if (!data.is_string()) return std::nullopt;
  return ParseTimestamp(data.string());
}

// A comparison of values of another type does not hold.
bool ComparisonHolds(const Comparison& comparison, const Data& a,
                     const Data& b) {
  switch (comparison.operands) {
    case Operands::kString:
      return a.is_string() && b.is_string() &&
             Relates(comparison.relation, a.string().compare(b.string()));
    case Operands::kNumeric:
      return a.is_number() && b.is_number() &&
             Relates(comparison.relation, NumericOrder(a, b));
    case Operands::kBoolean:
      return a.is_boolean() && b.is_boolean() && a.boolean() == b.boolean();
    case Operands::kTimestamp:
      break;
  }
  const std::optional<absl::Time> left = TimestampOf(a);
  const std::optional<absl::Time> right = TimestampOf(b);
  return left && right && Relates(comparison.relation, OrderOf(*left, *right));
}

bool TestHolds(Test test, const Data& value) {
  switch (test) {
    case Test::kIsPresent:
      return true;
    case Test::kIsNull:
      return value.is_null();
    case Test::kIsString:
      return value.is_string();
    case Test::kIsNumeric:
      return value.is_number();
    case Test::kIsBoolean:
      return value.is_boolean();
    case Test::kIsTimestamp:
      break;
  }
  return TimestampOf(value).has_value();
}

// The next character of a pattern, and whether it is the wildcard.
struct PatternCharacter {
  char c;
  bool wildcard;
};

std::vector<PatternCharacter> PatternOf(absl::string_view text) {
  std::vector<PatternCharacter> pattern;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() &&
                         (text[i + 1] == '*' || text[i + 1] == '\\');
    if (escaped) ++i;
    pattern.push_back({text[i], !escaped && text[i] == '*'});
  }
  return pattern;
}

// True if `text` matches `pattern`, in which * stands for any text.
bool TextMatches(absl::string_view text, absl::string_view pattern_text) {
  const std::vector<PatternCharacter> pattern = PatternOf(pattern_text);
  size_t at = 0;
  size_t i = 0;
  // Where to go on when what follows the last wildcard does not match.
  std::optional<size_t> wildcard;
  size_t resume = 0;
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at].wildcard) {
      wildcard = at++;
      resume = i;
    } else if (at < pattern.size() && pattern[at].c == text[i]) {
      ++at;
      ++i;
    } else if (wildcard) {
      at = *wildcard + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at].wildcard) ++at;
  return at == pattern.size();
}

Evaluated<bool> OperatorHolds(const ConditionNode& node, const Scope& scope) {
  const PathResult selected = node.variable->Select(scope);
  const Data* const value = std::get_if<Data>(&selected);
  if (const auto* test = std::get_if<Test>(&node.op->kind)) {
    if (*test == Test::kIsPresent) {
      return (value != nullptr) == node.operand.boolean();
    }
    if (value == nullptr) return InvalidPath(*node.variable);
    return TestHolds(*test, *value) == node.operand.boolean();
  }
  if (value == nullptr) return InvalidPath(*node.variable);
  if (std::holds_alternative<Matches>(node.op->kind)) {
    return value->is_string() &&
           TextMatches(value->string(), node.operand.string());
  }
  const auto& comparison = std::get<Comparison>(node.op->kind);
  if (!node.operand_path) {
    return ComparisonHolds(comparison, *value, node.operand);
  }
  const PathResult other = node.operand_path->Select(scope);
  const Data* const operand = std::get_if<Data>(&other);
  if (operand == nullptr) return InvalidPath(*node.operand_path);
  return ComparisonHolds(comparison, *value, *operand);
}

Evaluated<bool> NodeHolds(const ConditionNode& node, const Scope& scope) {
  switch (node.kind) {
    case ConditionNode::Kind::kOperator:
      return OperatorHolds(node, scope);
    case ConditionNode::Kind::kNot: {
      Evaluated<bool> part = NodeHolds(*node.parts[0], scope);
      if (part.ok()) *part = !*part;
      return part;
    }
    default:
      break;
  }
  const bool decisive = node.kind == ConditionNode::Kind::kOr;
  for (const ConditionPointer& part : node.parts) {
    Evaluated<bool> holds = NodeHolds(*part, scope);
    if (!holds.ok() || *holds == decisive) return holds;
  }
  return !decisive;
}

// Reads conditions, and says what is wrong with them.
class ConditionReader {
 public:
  explicit ConditionReader(Diagnostics& diagnostics)
      : diagnostics_(diagnostics) {}

  ConditionPointer Read(const Data& rule, const std::string& location,
                        int depth) {
    auto node = std::make_shared<ConditionNode>();
    if (depth > kMaxConditionDepth) {
      Mistake("The rule is nested too deep", location);
      return node;
    }
    if (!rule.is_object()) {
      Mistake("Expected value of type [OBJECT]", location);
      return node;
    }
    CheckFields(rule, location, depth);
    const Data* const conjunction = rule.Find("And");
    const Data* const disjunction = rule.Find("Or");
    const Data* const negation = rule.Find("Not");
    const Data* const variable = rule.Find("Variable");
    const int kinds = (conjunction != nullptr) + (disjunction != nullptr) +
                      (negation != nullptr) + (variable != nullptr);
    if (kinds != 1) {
      Mistake(
          "The object must have only one of the following fields, [And, Or, "
          "Not, Variable, Condition]",
          location);
      return node;
    }
    if (variable != nullptr) {
      ReadOperator(rule, *variable, location, *node);
    } else if (negation != nullptr) {
      node->kind = ConditionNode::Kind::kNot;
      node->parts.push_back(
          Read(*negation, absl::StrCat(location, "/Not"), depth + 1));
    } else if (conjunction != nullptr) {
      node->kind = ConditionNode::Kind::kAnd;
      ReadParts(*conjunction, absl::StrCat(location, "/And"), depth, *node);
    } else {
      node->kind = ConditionNode::Kind::kOr;
      ReadParts(*disjunction, absl::StrCat(location, "/Or"), depth, *node);
    }
    return node;
  }

 private:
  void Mistake(absl::string_view message, absl::string_view location) {
    diagnostics_.Error(kSchemaValidationFailed, message, location);
  }

  void CheckFields(const Data& rule, const std::string& location, int depth) {
    for (const Data::Member& member : rule.members()) {
      const absl::string_view name = member.name();
      const bool of_any = name == "And" || name == "Or" || name == "Not" ||
                          name == "Variable" || name == "Comment";
      const bool of_top = name == "Next" || name == "Assign";
      if (of_any || (of_top && depth == 0)) continue;
      // The state's reader has found fault with them.
      if (depth == 0 && (name == "Condition" || name == "Output")) continue;
      if (FindOperator(name) != nullptr) continue;
      Mistake(absl::StrCat("Field '", name, "' is not supported"), location);
    }
  }

  void ReadParts(const Data& parts, const std::string& location, int depth,
                 ConditionNode& node) {
    if (!parts.is_array()) {
      Mistake("Expected value of type [ARRAY]", location);
      return;
    }
    if (parts.size() == 0) Mistake("Value cannot be empty", location);
    for (size_t i = 0; i < parts.size(); ++i) {
      node.parts.push_back(Read(
          parts.elements()[i], absl::StrCat(location, "[", i, "]"), depth + 1));
    }
  }

  std::optional<Path> ReadPath(const Data& value, const std::string& location) {
    if (!value.is_string()) {
      Mistake("Expected value of type [STRING]", location);
      return std::nullopt;
    }
    absl::StatusOr<Path> path = Path::Parse(value.string());
    if (path.ok()) return *std::move(path);
    Mistake(absl::StartsWith(value.string(), "$")
                ? "Value is not a Reference Path"
                : "Value is not a Reference Path: Reference path didn't start "
                  "with '$'",
            location);
    return std::nullopt;
  }

  void ReadOperator(const Data& rule, const Data& variable,
                    const std::string& location, ConditionNode& node) {
    node.variable = ReadPath(variable, absl::StrCat(location, "/Variable"));
    const Data* operand = nullptr;
    int count = 0;
    for (const Data::Member& member : rule.members()) {
      const NamedOperator* const op = FindOperator(member.name());
      if (op == nullptr) continue;
      node.op = op;
      operand = &member.value;
      ++count;
    }
    if (count != 1) {
      Mistake(absl::StrCat(
                  "There should only be one of the following fields: [",
                  absl::StrJoin(Operators(), ", ",
                                [](std::string* out, const NamedOperator& op) {
                                  absl::StrAppend(out, op.name);
                                }),
                  "]"),
              location);
      return;
    }
    const std::string at = absl::StrCat(location, "/", node.op->name);
    if (node.op->path) {
      node.operand_path = ReadPath(*operand, at);
    } else {
      CheckOperand(*node.op, *operand, at);
      node.operand = *operand;
    }
  }

  void CheckOperand(const NamedOperator& op, const Data& operand,
                    const std::string& location) {
    const auto* const comparison = std::get_if<Comparison>(&op.kind);
    const bool text = std::holds_alternative<Matches>(op.kind) ||
                      (comparison != nullptr &&
                       (comparison->operands == Operands::kString ||
                        comparison->operands == Operands::kTimestamp));
    const bool number =
        comparison != nullptr && comparison->operands == Operands::kNumeric;
    if (text && !operand.is_string()) {
      Mistake("Expected value of type [STRING]", location);
    } else if (number && !operand.is_number()) {
      Mistake("Expected value of type [NUMBER]", location);
    } else if (!text && !number && !operand.is_boolean()) {
      Mistake("Expected value of type [BOOLEAN]", location);
    } else if (text && comparison != nullptr &&
               comparison->operands == Operands::kTimestamp &&
               !TimestampOf(operand)) {
      Mistake("String does not match RFC3339 timestamp", location);
    }
  }

  Diagnostics& diagnostics_;
};

}  // namespace
}  // namespace internal

Condition Condition::Parse(const Data& rule, absl::string_view location,
                           Diagnostics& diagnostics) {
  Condition condition;
  condition.root_ = internal::ConditionReader(diagnostics)
                        .Read(rule, std::string(location), 0);
  return condition;
}

Evaluated<bool> Condition::Holds(const Scope& scope) const {
  return internal::NodeHolds(*root_, scope);
}

Evaluated<bool> Holds(const ChoiceRule& rule, const Scope& scope) {
  if (rule.condition) return rule.condition->Holds(scope);
  const Evaluated<Data> value = rule.expression->Evaluate(scope);
  if (!value.ok()) return value.error();
  if (value->is_boolean()) return value->boolean();
  return UnexpectedType(*rule.expression, "boolean", *value);
}

}  // namespace byoshin::local::stepfunctions
