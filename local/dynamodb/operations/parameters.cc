#include "local/dynamodb/operations/parameters.h"

#include <json/json.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"

namespace byoshin::local::dynamodb {
namespace {

std::vector<const char*> Present(const Json::Value& request,
                                 const std::vector<const char*>& names) {
  std::vector<const char*> present;
  for (const char* name : names) {
    if (Has(request, name)) present.push_back(name);
  }
  return present;
}

absl::Status CheckValuesHaveExpression(const Json::Value& request,
                                       const ExpressionParameters& parameters) {
  if (!Has(request, "ExpressionAttributeValues")) return absl::OkStatus();
  std::vector<const char*> with_values;
  for (const char* name : parameters.expressions) {
    if (strcmp(name, "ProjectionExpression") != 0) with_values.push_back(name);
  }
  if (with_values.empty() || !Present(request, with_values).empty()) {
    return absl::OkStatus();
  }
  constexpr absl::string_view kMessage =
      "ExpressionAttributeValues can only be specified when using expressions";
  if (!parameters.names_missing_expressions) return ValidationError(kMessage);
  return ValidationError(
      absl::StrCat(kMessage, ": ", absl::StrJoin(with_values, " and "),
                   with_values.size() > 1 ? " are" : " is", " null"));
}

// The expressions of a request that its operation accepts. AWS ignores others,
// and their types have not been checked.
struct TakenExpressions {
  const Json::Value& request;
  const std::vector<const char*>& names;

  // Null if it is not accepted or missing.
  const Json::Value& Text(const char* name) const {
    for (const char* taken : names) {
      if (strcmp(taken, name) == 0) return request[name];
    }
    return Json::Value::nullSingleton();
  }

  // Whether there is an expression that can contain values.
  bool TakeValues() const {
    for (const char* name : {"ConditionExpression", "FilterExpression",
                             "KeyConditionExpression", "UpdateExpression"}) {
      if (!Text(name).isNull()) return true;
    }
    return false;
  }
};

// Parses the expression `name`, if it is present.
template <typename T, typename Parse>
absl::Status ParseIfPresent(const TakenExpressions& expressions,
                            const char* name, Parse parse,
                            std::optional<T>& out) {
  const Json::Value& text = expressions.Text(name);
  if (text.isNull()) return absl::OkStatus();
  absl::StatusOr<T> expression = parse(text.asString());
  if (!expression.ok()) return expression.status();
  out = *std::move(expression);
  return absl::OkStatus();
}

absl::Status ParseAll(const TakenExpressions& expressions,
                      ExpressionContext& context, Expressions& out) {
  absl::Status status = ParseIfPresent(
      expressions, "UpdateExpression",
      [&](const std::string& text) {
        return UpdateExpression::Parse(text, context);
      },
      out.update);
  if (!status.ok()) return status;
  status = ParseIfPresent(
      expressions, "ConditionExpression",
      [&](const std::string& text) {
        return ConditionExpression::Parse(ConditionUse::kCondition, text,
                                          context);
      },
      out.condition);
  if (!status.ok()) return status;
  status = ParseIfPresent(
      expressions, "KeyConditionExpression",
      [&](const std::string& text) {
        return KeyConditionExpression::Parse(text, context);
      },
      out.key_condition);
  if (!status.ok()) return status;
  status = ParseIfPresent(
      expressions, "FilterExpression",
      [&](const std::string& text) {
        return ConditionExpression::Parse(ConditionUse::kFilter, text, context);
      },
      out.filter);
  if (!status.ok()) return status;
  return ParseIfPresent(
      expressions, "ProjectionExpression",
      [&](const std::string& text) {
        return ProjectionExpression::Parse(text, context);
      },
      out.projection);
}

}  // namespace

bool Has(const Json::Value& request, const char* name) {
  return !request[name].isNull();
}

absl::Status CheckExpressionParameters(const Json::Value& request,
                                       const ExpressionParameters& parameters) {
  const std::vector<const char*> expressions =
      Present(request, parameters.expressions);
  std::vector<const char*> legacy = Present(request, parameters.legacy);
  // KeyConditions may stand beside other expressions.
  if (!Has(request, "KeyConditionExpression")) {
    std::erase_if(legacy, [](const char* name) {
      return strcmp(name, "KeyConditions") == 0;
    });
  }
  if (!legacy.empty() && !expressions.empty()) {
    return ValidationError(absl::StrCat(
        "Can not use both expression and non-expression parameters in the same "
        "request: Non-expression parameters: {",
        absl::StrJoin(legacy, ", "), "} Expression parameters: {",
        absl::StrJoin(expressions, ", "), "}"));
  }
  if (Has(request, "ExpressionAttributeNames") && expressions.empty()) {
    return ValidationError(
        "ExpressionAttributeNames can only be specified when using "
        "expressions");
  }
  return CheckValuesHaveExpression(request, parameters);
}

absl::StatusOr<Expressions> ParseExpressions(
    const Json::Value& request, const ExpressionParameters& parameters) {
  const TakenExpressions taken{request, parameters.expressions};
  const Json::Value& names = request["ExpressionAttributeNames"];
  // Operations without such an expression do not have the parameter: AWS
  // ignores it.
  const Json::Value& values = taken.TakeValues()
                                  ? request["ExpressionAttributeValues"]
                                  : Json::Value::nullSingleton();
  absl::StatusOr<ExpressionContext> context =
      ExpressionContext::Create({.names = names.isNull() ? nullptr : &names,
                                 .values = values.isNull() ? nullptr : &values,
                                 .wording = parameters.value_wording});
  if (!context.ok()) return context.status();
  Expressions expressions;
  absl::Status status = ParseAll(taken, *context, expressions);
  if (status.ok()) status = context->CheckAllUsed();
  if (status.ok() && expressions.key_condition) {
    status = expressions.key_condition->CheckForm();
  }
  if (!status.ok()) return status;
  return expressions;
}

absl::StatusOr<Item> ReadNewItem(const Json::Value& json) {
  absl::StatusOr<Item> item = ItemFromJson(json, ValueWording::kOlder);
  if (item.ok() && SizeBytes(*item) > kMaxItemBytes) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  return item;
}

}  // namespace byoshin::local::dynamodb
