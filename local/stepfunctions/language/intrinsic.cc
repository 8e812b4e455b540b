#include "local/stepfunctions/language/intrinsic.h"

#include <cstddef>
#include <memory>
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
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/intrinsic_call.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/scope.h"

namespace byoshin::local::stepfunctions {
namespace internal {
namespace {

constexpr absl::string_view kFormat = "States.Format";

using CallPointer = std::shared_ptr<const IntrinsicCall>;

void SkipCallSpaces(absl::string_view& rest) {
  rest = absl::StripLeadingAsciiWhitespace(rest);
}

absl::StatusOr<CallPointer> ReadCall(absl::string_view& rest, int depth);

// Text between apostrophes. Braces stay escaped in a template of States.Format.
absl::StatusOr<Data> ReadText(absl::string_view& rest, bool of_format) {
  std::string text;
  for (size_t i = 1; i < rest.size(); ++i) {
    const char c = rest[i];
    if (c == '\'') {
      rest.remove_prefix(i + 1);
      return Data::String(text);
    }
    if (c == '\\' && i + 1 < rest.size()) {
      const char next = rest[i + 1];
      if (next == '\'' || next == '\\' || next == '{' || next == '}') {
        if (of_format && next != '\'') text += c;
        text += next;
        ++i;
        continue;
      }
    }
    text += c;
  }
  return absl::InvalidArgumentError("an apostrophe is missing");
}

// Where the path at the beginning of `rest` ends.
size_t PathLengthIn(absl::string_view rest) {
  int brackets = 0;
  int parentheses = 0;
  char quote = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (quote != 0) {
      if (c == '\\') {
        ++i;
      } else if (c == quote) {
        quote = 0;
      }
    } else if (brackets > 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '[') {
      ++brackets;
    } else if (c == ']') {
      --brackets;
    } else if (c == '(') {
      ++parentheses;
    } else if (c == ')' && parentheses > 0) {
      --parentheses;
    } else if (brackets <= 0 &&
               (c == ',' || c == ')' || absl::ascii_isspace(c))) {
      return i;
    }
  }
  return rest.size();
}

absl::StatusOr<IntrinsicArgument> ReadPathArgument(absl::string_view& rest) {
  const size_t length = PathLengthIn(rest);
  absl::StatusOr<Path> path = Path::Parse(rest.substr(0, length));
  if (!path.ok()) return path.status();
  rest.remove_prefix(length);
  return *std::move(path);
}

// A number, true, false or null.
absl::StatusOr<IntrinsicArgument> ReadConstant(absl::string_view& rest) {
  size_t length = 0;
  while (length < rest.size() && rest[length] != ',' && rest[length] != ')' &&
         !absl::ascii_isspace(rest[length])) {
    ++length;
  }
  absl::StatusOr<Data> value = Data::Parse(rest.substr(0, length));
  if (!value.ok() || value->is_string() || value->depth() > 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("invalid argument ", rest.substr(0, length)));
  }
  rest.remove_prefix(length);
  return *std::move(value);
}

absl::StatusOr<IntrinsicArgument> ReadArgument(absl::string_view& rest,
                                               bool of_format, int depth) {
  if (absl::StartsWith(rest, "'")) {
    absl::StatusOr<Data> text = ReadText(rest, of_format);
    if (!text.ok()) return text.status();
    return *std::move(text);
  }
  if (absl::StartsWith(rest, "$")) return ReadPathArgument(rest);
  if (absl::StartsWith(rest, "States.")) {
    absl::StatusOr<CallPointer> call = ReadCall(rest, depth + 1);
    if (!call.ok()) return call.status();
    return *std::move(call);
  }
  return ReadConstant(rest);
}

absl::Status ReadArguments(absl::string_view& rest, int depth,
                           IntrinsicCall& call) {
  SkipCallSpaces(rest);
  if (absl::ConsumePrefix(&rest, ")")) return absl::OkStatus();
  while (true) {
    SkipCallSpaces(rest);
    const bool of_format =
        call.signature->name == kFormat && call.arguments.empty();
    absl::StatusOr<IntrinsicArgument> argument =
        ReadArgument(rest, of_format, depth);
    if (!argument.ok()) return argument.status();
    call.arguments.push_back(*std::move(argument));
    SkipCallSpaces(rest);
    if (absl::ConsumePrefix(&rest, ")")) return absl::OkStatus();
    if (!absl::ConsumePrefix(&rest, ",")) {
      return absl::InvalidArgumentError("expected ',' or ')'");
    }
  }
}

absl::StatusOr<CallPointer> ReadCall(absl::string_view& rest, int depth) {
  if (depth > kMaxIntrinsicDepth) {
    return absl::InvalidArgumentError(
        absl::StrCat("intrinsic functions are nested more than ",
                     kMaxIntrinsicDepth, " deep"));
  }
  const absl::string_view whole = rest;
  const size_t open = rest.find('(');
  if (open == absl::string_view::npos) {
    return absl::InvalidArgumentError("expected '('");
  }
  IntrinsicCall call;
  call.signature =
      FindIntrinsic(absl::StripAsciiWhitespace(rest.substr(0, open)));
  if (call.signature == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown function ", rest.substr(0, open)));
  }
  rest.remove_prefix(open + 1);
  if (absl::Status read = ReadArguments(rest, depth, call); !read.ok()) {
    return read;
  }
  const size_t count = call.arguments.size();
  if (count < call.signature->min_arguments ||
      count > call.signature->max_arguments) {
    return absl::InvalidArgumentError(
        absl::StrCat("wrong number of arguments for ", call.signature->name));
  }
  call.text = std::string(whole.substr(0, whole.size() - rest.size()));
  return std::make_shared<const IntrinsicCall>(std::move(call));
}

EvaluationError FailedCall(const IntrinsicCall& call, absl::string_view what) {
  return {kErrorRuntime,
          absl::StrCat("The function '", call.text,
                       "' had the following error: ", what),
          ""};
}

Evaluated<Data> RunCall(const IntrinsicCall& call, const Scope& scope);

Evaluated<Data> ArgumentOf(const IntrinsicCall& call,
                           const IntrinsicArgument& argument,
                           const Scope& scope) {
  if (const auto* constant = std::get_if<Data>(&argument)) return *constant;
  if (const auto* nested = std::get_if<CallPointer>(&argument)) {
    return RunCall(**nested, scope);
  }
  const Path& path = std::get<Path>(argument);
  PathResult result = path.Select(scope);
  if (auto* value = std::get_if<Data>(&result)) return std::move(*value);
  return FailedCall(
      call, absl::StrCat("The JsonPath argument for the field '", path.text(),
                         "' could not be found in the input '",
                         scope.input.ToJson(), "'"));
}

Evaluated<Data> RunCall(const IntrinsicCall& call, const Scope& scope) {
  std::vector<Data> arguments;
  arguments.reserve(call.arguments.size());
  for (const IntrinsicArgument& argument : call.arguments) {
    Evaluated<Data> value = ArgumentOf(call, argument, scope);
    if (!value.ok()) return value;
    arguments.push_back(*std::move(value));
  }
  // Without an execution, nothing has to be repeatable.
  Random unseeded(uint64_t{0});
  CallResult result = call.signature->function(
      arguments, scope.random != nullptr ? *scope.random : unseeded);
  if (auto* value = std::get_if<Data>(&result)) {
    if (value->depth() <= kMaxDataDepth) return std::move(*value);
    result = InvalidArguments{"the result is nested too deep"};
  }
  const std::string& detail = std::get<InvalidArguments>(result).detail;
  return FailedCall(call,
                    absl::StrCat("Invalid arguments in ", call.signature->name,
                                 detail.empty() ? "" : ": ", detail));
}

}  // namespace
}  // namespace internal

bool Intrinsic::LooksLikeOne(absl::string_view text) {
  return absl::StartsWith(text, "States.");
}

absl::StatusOr<Intrinsic> Intrinsic::Parse(absl::string_view text) {
  Intrinsic intrinsic;
  intrinsic.text_ = std::string(text);
  absl::string_view rest = intrinsic.text_;
  absl::StatusOr<internal::CallPointer> call = internal::ReadCall(rest, 1);
  if (!call.ok()) return call.status();
  if (!absl::StripAsciiWhitespace(rest).empty()) {
    return absl::InvalidArgumentError("unexpected text after ')'");
  }
  intrinsic.call_ = *std::move(call);
  return intrinsic;
}

Evaluated<Data> Intrinsic::Evaluate(const Scope& scope) const {
  return internal::RunCall(*call_, scope);
}

}  // namespace byoshin::local::stepfunctions
