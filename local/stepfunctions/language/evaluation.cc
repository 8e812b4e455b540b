#include "local/stepfunctions/language/evaluation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/iso8601.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/definition.h"
#include "local/stepfunctions/language/evaluated.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/scope.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions {
namespace {

// Waits and time-outs are limited to this, about three years.
constexpr int64_t kMaxSeconds = 99'999'999;

// Timestamps farther ahead than AWS counts seconds, about 68 years, are
// refused.
constexpr absl::Duration kMaxWait =
    absl::Seconds(std::numeric_limits<int32_t>::max());

// As Java's asText(): text without quotation marks.
std::string AsText(const Data& value) {
  return value.is_string() ? std::string(value.string()) : value.ToJson();
}

EvaluationError RuntimeError(std::string cause, const Template& field) {
  return {kErrorRuntime, std::move(cause), field.field()};
}

// An error of the field's query language.
EvaluationError FieldError(std::string cause, const Template& field) {
  return {field.expression() || !field.query() ? kErrorQueryEvaluation
                                               : kErrorRuntime,
          std::move(cause), field.field()};
}

// An integer, also one that is written as text or as 1.0.
std::optional<int64_t> IntegerOf(const Data& value) {
  if (value.is_integer()) return value.integer();
  int64_t integer = 0;
  if (value.is_string() && absl::SimpleAtoi(value.string(), &integer)) {
    return integer;
  }
  if (!value.is_number()) return std::nullopt;
  // What a double holds exactly.
  constexpr double kLimit = 9007199254740992.0;
  const double number = value.number();
  if (std::trunc(number) != number || std::abs(number) > kLimit) {
    return std::nullopt;
  }
  return static_cast<int64_t>(number);
}

bool IsJsonata(const Template& field) { return field.expression(); }

// A number of seconds, of a field that is constant, a path or an expression.
Evaluated<int64_t> SecondsOf(const Template& field, const Scope& scope) {
  const Evaluated<Data> value = field.Evaluate(scope);
  if (!value.ok()) {
    if (IsJsonata(field) || !field.query()) return value.error();
    return RuntimeError(
        absl::StrCat("The ", field.field(),
                     " parameter does not reference an input value: ",
                     field.query_text()),
        field);
  }
  if (IsJsonata(field) && !value->is_number()) {
    return UnexpectedType(field, "number", *value);
  }
  const std::optional<int64_t> seconds = IntegerOf(*value);
  if (!seconds) {
    if (IsJsonata(field)) return UnexpectedType(field, "integer", *value);
    return RuntimeError(
        absl::StrCat("The ", field.field(),
                     " parameter cannot be parsed as a long value: ",
                     field.query_text(), " == ", AsText(*value)),
        field);
  }
  return *seconds;
}

// An integer of a Map's field; absent: `otherwise`.
Evaluated<std::optional<int64_t>> MapInteger(
    const std::optional<Template>& field, absl::string_view name,
    const Scope& scope) {
  if (!field) return std::optional<int64_t>();
  const Evaluated<Data> value = field->Evaluate(scope);
  if (!value.ok()) return value.error();
  const std::optional<int64_t> integer = IntegerOf(*value);
  if (!integer) {
    if (IsJsonata(*field)) return UnexpectedType(*field, "integer", *value);
    return RuntimeError(
        absl::StrCat("The ", field->field(), " field refers to value \"",
                     AsText(*value),
                     "\" which is not a valid integer: ", field->query_text()),
        *field);
  }
  if (*integer < 0) {
    return FieldError(absl::StrCat(name, " cannot be negative."), *field);
  }
  return integer;
}

Evaluated<std::optional<double>> MapPercentage(
    const std::optional<Template>& field, const Scope& scope) {
  if (!field) return std::optional<double>();
  const Evaluated<Data> value = field->Evaluate(scope);
  if (!value.ok()) return value.error();
  double percentage = 0;
  if (value->is_number()) {
    percentage = value->number();
  } else if (!value->is_string() ||
             !absl::SimpleAtod(value->string(), &percentage)) {
    if (IsJsonata(*field)) return UnexpectedType(*field, "number", *value);
    return RuntimeError(
        absl::StrCat("The ", field->field(), " field refers to value \"",
                     AsText(*value),
                     "\" which is not a valid float: ", field->query_text()),
        *field);
  }
  if (!(percentage >= 0 && percentage <= 100)) {
    return FieldError("ToleratedFailurePercentage must be between 0 and 100.",
                      *field);
  }
  return std::optional<double>(percentage);
}

Evaluated<absl::Time> WaitUntilTimestamp(const Template& field,
                                         const Scope& scope) {
  const Evaluated<Data> value = field.Evaluate(scope);
  if (!value.ok()) {
    if (IsJsonata(field) || !field.query()) return value.error();
    return RuntimeError(
        absl::StrCat("The ", field.field(),
                     " parameter does not reference an input value: ",
                     field.query_text()),
        field);
  }
  if (IsJsonata(field) && !value->is_string()) {
    return UnexpectedType(field, "string", *value);
  }
  const std::optional<absl::Time> time =
      value->is_string() ? ParseTimestamp(value->string()) : std::nullopt;
  if (time) return *time;
  if (IsJsonata(field)) {
    return EvaluationError{
        kErrorQueryEvaluation,
        absl::StrCat("The Timestamp field cannot be parsed as an ISO-8601 "
                     "extended offset date-time format string: ",
                     AsText(*value)),
        field.field()};
  }
  return RuntimeError(
      absl::StrCat("The ", field.field(),
                   " parameter does not reference a valid ISO-8601 extended "
                   "offset date-time format string: ",
                   field.query_text(), " == ", AsText(*value)),
      field);
}

}  // namespace

EvaluationError UnexpectedType(const Template& field, absl::string_view wanted,
                               const Data& value) {
  return {kErrorQueryEvaluation,
          absl::StrCat("The JSONata expression '", field.query_text(),
                       "' specified for the field '", field.field(),
                       "' returned an unexpected result type. Expected '",
                       wanted, "', but was '", DescribeType(value),
                       "' for value: ", value.ToJson()),
          field.field()};
}

Evaluated<Data> SelectPath(const PathField<Path>& field, const Scope& scope) {
  using Kind = PathField<Path>::Kind;
  if (field.kind == Kind::kAbsent) return scope.input;
  if (field.kind == Kind::kNull) return Data::EmptyObject();
  PathResult result = field.path->Select(scope);
  if (auto* value = std::get_if<Data>(&result)) return std::move(*value);
  return EvaluationError{
      kErrorRuntime,
      absl::StrCat("Invalid path '", field.path->text(),
                   "' : ", std::get<PathNotFound>(result).message),
      ""};
}

Evaluated<Data> EvaluateArguments(const State& state, const Scope& scope) {
  if (!state.arguments) return scope.input;
  return state.arguments->Evaluate(scope);
}

Evaluated<Data> SelectResult(const State& state, const Scope& scope) {
  if (!state.result_selector) return scope.input;
  return state.result_selector->Evaluate(scope);
}

Evaluated<Data> PutResult(const PathField<ReferencePath>& result_path,
                          const Data& input, const Data& result) {
  using Kind = PathField<ReferencePath>::Kind;
  if (result_path.kind == Kind::kAbsent) return result;
  if (result_path.kind == Kind::kNull) return input;
  return result_path.path->Put(input, result);
}

Evaluated<Data> EvaluateAssign(const std::optional<Template>& assign,
                               const Scope& scope) {
  if (!assign) return Data::EmptyObject();
  return assign->Evaluate(scope);
}

Evaluated<Data> EvaluateOutput(const std::optional<Template>& output,
                               const Data& otherwise, const Scope& scope) {
  if (!output) return otherwise;
  return output->Evaluate(scope);
}

Evaluated<std::optional<size_t>> FindChoice(const State& state,
                                            const Scope& scope) {
  for (size_t i = 0; i < state.choices.size(); ++i) {
    const Evaluated<bool> holds = Holds(state.choices[i], scope);
    if (!holds.ok()) return holds.error();
    if (*holds) return std::optional<size_t>(i);
  }
  return std::optional<size_t>();
}

Evaluated<absl::Time> WaitUntil(const State& state, const Scope& scope,
                                absl::Time now) {
  if (state.wait_timestamp) {
    const Evaluated<absl::Time> time =
        WaitUntilTimestamp(*state.wait_timestamp, scope);
    if (!time.ok()) return time.error();
    if (*time - now > kMaxWait) {
      return RuntimeError("Wait state delay is too long.",
                          *state.wait_timestamp);
    }
    return std::max(*time, now);
  }
  if (!state.wait_seconds) return now;
  const Template& field = *state.wait_seconds;
  const Evaluated<int64_t> seconds = SecondsOf(field, scope);
  if (!seconds.ok()) return seconds.error();
  if (*seconds < 0) {
    return FieldError(absl::StrCat("The ", field.field(),
                                   " parameter references a negative value: ",
                                   field.query_text(), " == ", *seconds),
                      field);
  }
  return now + absl::Seconds(std::min(*seconds, kMaxSeconds));
}

Evaluated<std::optional<std::string>> EvaluateText(
    const std::optional<Template>& field, const Scope& scope) {
  if (!field) return std::optional<std::string>();
  const Evaluated<Data> value = field->Evaluate(scope);
  if (!value.ok()) return value.error();
  if (value->is_string()) {
    return std::optional<std::string>(std::string(value->string()));
  }
  if (IsJsonata(*field)) return UnexpectedType(*field, "string", *value);
  return RuntimeError(absl::StrCat("The ", field->field(),
                                   " parameter does not reference a string: ",
                                   field->query_text(), " == ", AsText(*value)),
                      *field);
}

Evaluated<std::optional<absl::Duration>> EvaluateSeconds(
    const std::optional<Template>& field, const Scope& scope) {
  if (!field) return std::optional<absl::Duration>();
  const Evaluated<int64_t> seconds = SecondsOf(*field, scope);
  if (!seconds.ok()) return seconds.error();
  if (*seconds < 1 || *seconds > kMaxSeconds) {
    return FieldError(absl::StrCat("The ", field->field(),
                                   " field must be a positive integer not "
                                   "greater than ",
                                   kMaxSeconds, " but was: ", *seconds),
                      *field);
  }
  return std::optional<absl::Duration>(absl::Seconds(*seconds));
}

Evaluated<TaskTimes> EvaluateTaskTimes(const State& state, const Scope& scope) {
  const Evaluated<std::optional<absl::Duration>> timeout =
      EvaluateSeconds(state.timeout_seconds, scope);
  if (!timeout.ok()) return timeout.error();
  const Evaluated<std::optional<absl::Duration>> heartbeat =
      EvaluateSeconds(state.heartbeat_seconds, scope);
  if (!heartbeat.ok()) return heartbeat.error();
  if (*timeout && *heartbeat && **heartbeat >= **timeout) {
    return FieldError(kHeartbeatTooLong, *state.heartbeat_seconds);
  }
  return TaskTimes{.timeout = *timeout, .heartbeat = *heartbeat};
}

Evaluated<std::optional<std::string>> EvaluateRole(const State& state,
                                                   const Scope& scope) {
  if (!state.credentials) return std::optional<std::string>();
  const Evaluated<Data> credentials = state.credentials->Evaluate(scope);
  if (!credentials.ok()) return credentials.error();
  const Data* const role = credentials->Find("RoleArn");
  if (role == nullptr || !role->is_string()) {
    return FieldError("The Credentials field has no RoleArn.",
                      *state.credentials);
  }
  return std::optional<std::string>(std::string(role->string()));
}

Evaluated<Data> EvaluateItems(const State& state, const Scope& scope) {
  const bool jsonata = state.query_language == QueryLanguage::kJsonata;
  const std::optional<Template>& items = state.map->items;
  if (!items) {
    if (scope.input.is_array()) return scope.input;
    if (jsonata) {
      return EvaluationError{
          kErrorQueryEvaluation,
          absl::StrCat("Map state input must be an array but was: ",
                       scope.input.ToJson()),
          ""};
    }
    return EvaluationError{kErrorRuntime,
                           "Reference path \"$\" must point to array.", ""};
  }
  Evaluated<Data> value = items->Evaluate(scope);
  if (!value.ok()) {
    // AWS treats ItemsPath as a reference path.
    const absl::StatusOr<ReferencePath> reference =
        ReferencePath::Parse(items->query_text());
    if (!jsonata && reference.ok()) {
      Evaluated<Data> conflict = reference->Get(scope.input);
      if (!conflict.ok()) return conflict;
    }
    return value;
  }
  const bool distributed = state.map->mode == MapFields::Mode::kDistributed;
  if (value->is_array() || (distributed && value->is_object())) return value;
  if (jsonata) return UnexpectedType(*items, "array", *value);
  // AWS names a path of the context object without its first $.
  absl::string_view path = items->query_text();
  if (absl::StartsWith(path, "$$")) path.remove_prefix(1);
  return EvaluationError{
      kErrorRuntime,
      absl::StrCat("Reference path \"", path, "\" must point to array."), ""};
}

Evaluated<Data> EvaluateItem(const State& state, const Data& item,
                             const Scope& scope) {
  if (!state.map->item_selector) return item;
  return state.map->item_selector->Evaluate(scope);
}

Evaluated<int64_t> EvaluateMaxConcurrency(const State& state,
                                          const Scope& scope) {
  const Evaluated<std::optional<int64_t>> value =
      MapInteger(state.map->max_concurrency, "MaxConcurrency", scope);
  if (!value.ok()) return value.error();
  return value->value_or(0);
}

Evaluated<ToleratedFailure> EvaluateToleratedFailure(const State& state,
                                                     const Scope& scope) {
  const Evaluated<std::optional<int64_t>> count = MapInteger(
      state.map->tolerated_failure_count, "ToleratedFailureCount", scope);
  if (!count.ok()) return count.error();
  const Evaluated<std::optional<double>> percentage =
      MapPercentage(state.map->tolerated_failure_percentage, scope);
  if (!percentage.ok()) return percentage.error();
  return ToleratedFailure{*count, *percentage};
}

Evaluated<std::optional<int64_t>> EvaluateCount(
    const std::optional<Template>& field, const Scope& scope) {
  return MapInteger(field, field ? field->field() : "", scope);
}

std::optional<absl::Time> ParseTimestamp(absl::string_view text) {
  const absl::StatusOr<absl::Time> time = time::ParseIso8601(text);
  if (!time.ok()) return std::nullopt;
  return *time;
}

}  // namespace byoshin::local::stepfunctions
