// Reads JSONPath.
#include <cstddef>
#include <cstdint>
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
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/path_program.h"

namespace byoshin::local::stepfunctions::internal {
namespace {

absl::Status PathMistake(absl::string_view what) {
  return absl::InvalidArgumentError(what);
}

void SkipPathSpaces(absl::string_view& rest) {
  rest = absl::StripLeadingAsciiWhitespace(rest);
}

// A name between quotation marks. A backslash escapes a quotation mark of this
// kind; otherwise it stands for itself, as on AWS.
absl::StatusOr<std::string> ReadQuoted(absl::string_view& rest) {
  const char quote = rest.front();
  std::string name;
  for (size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == quote) {
      rest.remove_prefix(i + 1);
      return name;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) {
      if (rest[i + 1] != quote) name += rest[i];
      ++i;
    }
    name += rest[i];
  }
  return PathMistake("a quotation mark is missing");
}

// An integer, or nothing if there is none here.
absl::StatusOr<std::optional<int64_t>> ReadIndex(absl::string_view& rest) {
  size_t length = absl::StartsWith(rest, "-") ? 1 : 0;
  while (length < rest.size() && absl::ascii_isdigit(rest[length])) ++length;
  if (length == 0) return std::nullopt;
  int64_t index = 0;
  if (!absl::SimpleAtoi(rest.substr(0, length), &index)) {
    return PathMistake(absl::StrCat("invalid index ", rest.substr(0, length)));
  }
  rest.remove_prefix(length);
  return index;
}

absl::StatusOr<PathStep> ReadNames(absl::string_view& rest) {
  PropertyStep step;
  while (true) {
    SkipPathSpaces(rest);
    if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) {
      return PathMistake("expected a property in quotation marks");
    }
    absl::StatusOr<std::string> name = ReadQuoted(rest);
    if (!name.ok()) return name.status();
    step.names.push_back(*std::move(name));
    SkipPathSpaces(rest);
    if (absl::ConsumePrefix(&rest, "]")) return step;
    if (!absl::ConsumePrefix(&rest, ",")) {
      return PathMistake("expected ',' or ']'");
    }
  }
}

absl::StatusOr<PathStep> ReadNumbers(absl::string_view& rest) {
  absl::StatusOr<std::optional<int64_t>> first = ReadIndex(rest);
  if (!first.ok()) return first.status();
  SkipPathSpaces(rest);
  if (absl::ConsumePrefix(&rest, ":")) {
    SkipPathSpaces(rest);
    const absl::StatusOr<std::optional<int64_t>> to = ReadIndex(rest);
    if (!to.ok()) return to.status();
    SkipPathSpaces(rest);
    if (!absl::ConsumePrefix(&rest, "]")) return PathMistake("expected ']'");
    return SliceStep{*first, *to};
  }
  IndexStep step;
  while (true) {
    if (!first->has_value()) return PathMistake("expected an index");
    step.indexes.push_back(**first);
    SkipPathSpaces(rest);
    if (absl::ConsumePrefix(&rest, "]")) return step;
    if (!absl::ConsumePrefix(&rest, ",")) {
      return PathMistake("expected ',' or ']'");
    }
    SkipPathSpaces(rest);
    first = ReadIndex(rest);
    if (!first.ok()) return first.status();
  }
}

absl::StatusOr<PathStep> ReadBracket(PathReader& reader) {
  absl::string_view& rest = reader.rest;
  SkipPathSpaces(rest);
  if (absl::ConsumePrefix(&rest, "*")) {
    SkipPathSpaces(rest);
    if (!absl::ConsumePrefix(&rest, "]")) return PathMistake("expected ']'");
    return WildcardStep{};
  }
  if (absl::ConsumePrefix(&rest, "?")) {
    SkipPathSpaces(rest);
    if (!absl::ConsumePrefix(&rest, "(")) return PathMistake("expected '('");
    absl::StatusOr<Filter> filter = ReadFilter(reader);
    if (!filter.ok()) return filter.status();
    SkipPathSpaces(rest);
    if (!absl::ConsumePrefix(&rest, "]")) return PathMistake("expected ']'");
    return FilterStep{std::make_shared<const Filter>(*std::move(filter))};
  }
  if (!rest.empty() && (rest.front() == '\'' || rest.front() == '"')) {
    return ReadNames(rest);
  }
  return ReadNumbers(rest);
}

// What ends a name after a dot.
bool EndsName(char c) {
  return c == '.' || c == '[' || c == '(' || c == ')' || c == ',' || c == ']' ||
         c == '\'' || c == '"' || c == '=' || c == '!' || c == '<' ||
         c == '>' || c == '&' || c == '|' || c == '*' || c == '?' || c == '@' ||
         absl::ascii_isspace(c);
}

absl::StatusOr<PathStep> FunctionNamed(absl::string_view name) {
  using Function = FunctionStep::Function;
  static constexpr std::pair<absl::string_view, Function> kFunctions[] = {
      {"length", Function::kLength}, {"size", Function::kLength},
      {"min", Function::kMin},       {"max", Function::kMax},
      {"sum", Function::kSum},       {"avg", Function::kAvg},
      {"stddev", Function::kStddev}, {"first", Function::kFirst},
      {"last", Function::kLast},     {"keys", Function::kKeys},
  };
  for (const auto& [known, function] : kFunctions) {
    if (name == known) return FunctionStep{function};
  }
  return PathMistake(absl::StrCat("unknown function ", name));
}

// What follows a dot.
absl::StatusOr<PathStep> ReadDotted(PathReader& reader) {
  absl::string_view& rest = reader.rest;
  if (absl::ConsumePrefix(&rest, "*")) return WildcardStep{};
  size_t length = 0;
  while (length < rest.size() && !EndsName(rest[length])) ++length;
  if (length == 0) return PathMistake("expected a property after '.'");
  const absl::string_view name = rest.substr(0, length);
  rest.remove_prefix(length);
  if (absl::ConsumePrefix(&rest, "(")) {
    SkipPathSpaces(rest);
    if (!absl::ConsumePrefix(&rest, ")")) {
      return PathMistake("arguments of functions are not supported");
    }
    return FunctionNamed(name);
  }
  return PropertyStep{{std::string(name)}};
}

void AddStep(PathStep step, PathProgram& program) {
  // A function makes one value of whatever comes before it.
  program.definite = std::holds_alternative<FunctionStep>(step) ||
                     (program.definite && IsDefinite(step));
  program.steps.push_back(std::move(step));
}

}  // namespace

bool IsDefinite(const PathStep& step) {
  if (const auto* properties = std::get_if<PropertyStep>(&step)) {
    return properties->names.size() == 1;
  }
  if (const auto* indexes = std::get_if<IndexStep>(&step)) {
    return indexes->indexes.size() == 1;
  }
  return std::holds_alternative<FunctionStep>(step);
}

absl::StatusOr<PathProgram> ReadSteps(PathReader& reader) {
  PathProgram program;
  absl::string_view& rest = reader.rest;
  while (true) {
    absl::StatusOr<PathStep> step = PathMistake("");
    if (absl::ConsumePrefix(&rest, "..")) {
      AddStep(ScanStep{}, program);
      step = absl::ConsumePrefix(&rest, "[") ? ReadBracket(reader)
                                             : ReadDotted(reader);
    } else if (absl::ConsumePrefix(&rest, ".")) {
      // Jayway's library takes $.['a'] and $.[0], too.
      step = absl::ConsumePrefix(&rest, "[") ? ReadBracket(reader)
                                             : ReadDotted(reader);
    } else if (absl::ConsumePrefix(&rest, "[")) {
      step = ReadBracket(reader);
    } else {
      return program;
    }
    if (!step.ok()) return step.status();
    if (program.steps.size() >= kMaxPathSteps) {
      return PathMistake("the path has too many steps");
    }
    if (!program.steps.empty() &&
        std::holds_alternative<FunctionStep>(program.steps.back())) {
      return PathMistake("nothing can follow a function");
    }
    AddStep(*std::move(step), program);
  }
}

}  // namespace byoshin::local::stepfunctions::internal

namespace byoshin::local::stepfunctions {
namespace {

// Letters, digits, underscores, and whatever is not ASCII.
bool IsVariableCharacter(char c) {
  return absl::ascii_isalnum(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

absl::StatusOr<Path> Path::Parse(absl::string_view text) {
  if (text.size() > kMaxPathLength) {
    return absl::InvalidArgumentError("the path is too long");
  }
  Path path;
  path.text_ = std::string(text);
  internal::PathReader reader{text};
  if (!absl::ConsumePrefix(&reader.rest, "$")) {
    return absl::InvalidArgumentError("a path begins with '$'");
  }
  if (absl::ConsumePrefix(&reader.rest, "$")) {
    path.root_ = Root::kContext;
  } else {
    size_t length = 0;
    while (length < reader.rest.size() &&
           IsVariableCharacter(reader.rest[length])) {
      ++length;
    }
    if (length > 0) {
      path.root_ = Root::kVariable;
      path.variable_ = std::string(reader.rest.substr(0, length));
      reader.rest.remove_prefix(length);
    }
  }
  absl::StatusOr<internal::PathProgram> program = internal::ReadSteps(reader);
  if (!program.ok()) return program.status();
  if (!reader.rest.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("unexpected '", reader.rest.substr(0, 1), "'"));
  }
  path.program_ =
      std::make_shared<const internal::PathProgram>(*std::move(program));
  return path;
}

absl::StatusOr<ReferencePath> ReferencePath::Parse(absl::string_view text) {
  const absl::StatusOr<Path> path = Path::Parse(text);
  if (!path.ok()) return path.status();
  internal::PathReader reader{text.substr(1)};
  if (path->root() != Path::Root::kInput) {
    return absl::InvalidArgumentError("a reference path begins with '$'");
  }
  const absl::StatusOr<internal::PathProgram> program =
      internal::ReadSteps(reader);
  if (!program.ok()) return program.status();
  ReferencePath reference;
  reference.text_ = std::string(text);
  for (const internal::PathStep& step : program->steps) {
    const auto* const names = std::get_if<internal::PropertyStep>(&step);
    const auto* const indexes = std::get_if<internal::IndexStep>(&step);
    if (names != nullptr && names->names.size() == 1) {
      reference.steps_.emplace_back(names->names[0]);
    } else if (indexes != nullptr && indexes->indexes.size() == 1 &&
               indexes->indexes[0] >= 0) {
      reference.steps_.emplace_back(static_cast<size_t>(indexes->indexes[0]));
    } else {
      return absl::InvalidArgumentError(
          "a reference path has names and indexes only");
    }
  }
  return reference;
}

}  // namespace byoshin::local::stepfunctions
