#include "local/dynamodb/expressions/testing.h"

#include <json/json.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {
namespace {

template <typename T>
T ValueOrDie(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s\n", value.status().ToString().c_str());
  std::abort();
}

template <typename T>
std::string ErrorOf(const absl::StatusOr<T>& value) {
  return value.ok() ? "" : ErrorMessageOf(value.status());
}

absl::StatusOr<ConditionExpression> ParseCondition(const Request& request,
                                                   absl::string_view text) {
  ExpressionContext context = ValueOrDie(request.Context());
  return ConditionExpression::Parse(ConditionUse::kCondition, text, context);
}

absl::StatusOr<UpdateExpression> ParseUpdate(const Request& request,
                                             absl::string_view text) {
  ExpressionContext context = ValueOrDie(request.Context());
  return UpdateExpression::Parse(text, context);
}

absl::StatusOr<ProjectionExpression> ParseProjection(const Request& request,
                                                     absl::string_view text) {
  ExpressionContext context = ValueOrDie(request.Context());
  return ProjectionExpression::Parse(text, context);
}

absl::StatusOr<KeyConditionExpression> ParseKeyCondition(
    const Request& request, absl::string_view text) {
  ExpressionContext context = ValueOrDie(request.Context());
  return KeyConditionExpression::Parse(text, context);
}

}  // namespace

absl::StatusOr<ExpressionContext> Request::Context() const {
  const Json::Value names_json =
      names.empty() ? Json::Value() : ValueOrDie(json::ParseValue(names));
  const Json::Value values_json =
      values.empty() ? Json::Value() : ValueOrDie(json::ParseValue(values));
  return ExpressionContext::Create(
      {.names = &names_json, .values = &values_json});
}

ConditionExpression Request::Condition(absl::string_view text) const {
  return ValueOrDie(ParseCondition(*this, text));
}
UpdateExpression Request::Update(absl::string_view text) const {
  return ValueOrDie(ParseUpdate(*this, text));
}
ProjectionExpression Request::Projection(absl::string_view text) const {
  return ValueOrDie(ParseProjection(*this, text));
}
KeyConditionExpression Request::KeyCondition(absl::string_view text) const {
  return ValueOrDie(ParseKeyCondition(*this, text));
}

std::string Request::ConditionError(absl::string_view text) const {
  return ErrorOf(ParseCondition(*this, text));
}
std::string Request::UpdateError(absl::string_view text) const {
  return ErrorOf(ParseUpdate(*this, text));
}
std::string Request::ProjectionError(absl::string_view text) const {
  return ErrorOf(ParseProjection(*this, text));
}
std::string Request::KeyConditionError(absl::string_view text) const {
  const absl::StatusOr<KeyConditionExpression> condition =
      ParseKeyCondition(*this, text);
  return ErrorMessageOf(condition.ok() ? condition->CheckForm()
                                       : condition.status());
}

}  // namespace byoshin::local::dynamodb
