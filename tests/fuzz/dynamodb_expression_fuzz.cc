// Tries every kind of DynamoDB expression on any text, and what can be parsed
// on an item.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/dynamodb/expressions/condition.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/projection.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

Json::Value ParseJson(absl::string_view text) {
  absl::StatusOr<Json::Value> json = json::ParseValue(text);
  Require(json.ok(), "the target's own JSON is right");
  return *json;
}

const Item& TheItem() {
  static const auto* const item = new Item(*ItemFromJson(ParseJson(R"({
      "a": {"N": "1"}, "b": {"S": "text"}, "c": {"M": {"a": {"N": "2"}}},
      "l": {"L": [{"N": "1"}, {"S": "x"}, {"L": []}]},
      "s": {"SS": ["x", "y"]}, "n": {"NS": ["1", "2"]}})")));
  return *item;
}

ExpressionContext MakeContext() {
  static const auto* const context = [] {
    const Json::Value names = ParseJson(R"({"#a": "a", "#b": "b", "#c": "c"})");
    const Json::Value values = ParseJson(
        R"({":a": {"N": "1"}, ":b": {"S": "x"}, ":l": {"L": [{"N": "1"}]},
            ":s": {"SS": ["x"]}, ":t": {"BOOL": true}})");
    absl::StatusOr<ExpressionContext> made =
        ExpressionContext::Create({.names = &names, .values = &values});
    Require(made.ok(), "the target's own context is right");
    return new ExpressionContext(*made);
  }();
  return *context;
}

void CheckRefused(const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument,
          "the error is the caller's");
  Require(!IsSerializationError(status) && !ErrorMessageOf(status).empty(),
          "the error is a ValidationException that says something");
}

void CheckCondition(absl::string_view text) {
  ExpressionContext context = MakeContext();
  const absl::StatusOr<ConditionExpression> condition =
      ConditionExpression::Parse(ConditionUse::kCondition, text, context);
  if (!condition.ok()) return CheckRefused(condition.status());
  const bool holds = condition->Evaluate(&TheItem());
  condition->Evaluate(nullptr);
  // Unless it becomes too long, or the parentheses redundant.
  const absl::StatusOr<ConditionExpression> negation =
      ConditionExpression::Parse(ConditionUse::kCondition,
                                 absl::StrCat("NOT (", text, ")"), context);
  if (!negation.ok()) return CheckRefused(negation.status());
  Require(negation->Evaluate(&TheItem()) != holds, "NOT is the opposite");
}

void CheckUpdate(absl::string_view text) {
  ExpressionContext context = MakeContext();
  const absl::StatusOr<UpdateExpression> update =
      UpdateExpression::Parse(text, context);
  if (!update.ok()) return CheckRefused(update.status());
  Require(!update->paths().empty(), "an update changes something");
  update->KnownTypeOf("a");
  const absl::StatusOr<Item> changed = update->Apply(TheItem());
  if (!changed.ok()) return CheckRefused(changed.status());
  const absl::StatusOr<Item> again = DeserializeItem(Serialize(*changed));
  Require(again.ok() && *again == *changed, "a changed item can be kept");
  Project(update->paths(), *changed);
}

void CheckProjection(absl::string_view text) {
  ExpressionContext context = MakeContext();
  const absl::StatusOr<ProjectionExpression> projection =
      ProjectionExpression::Parse(text, context);
  if (!projection.ok()) return CheckRefused(projection.status());
  const Item part = projection->Project(TheItem());
  Require(SizeBytes(part) <= SizeBytes(TheItem()), "a part is no larger");
}

void CheckKeyCondition(absl::string_view text) {
  ExpressionContext context = MakeContext();
  const absl::StatusOr<KeyConditionExpression> expression =
      KeyConditionExpression::Parse(text, context);
  if (!expression.ok()) return CheckRefused(expression.status());
  const absl::StatusOr<KeyCondition> condition =
      expression->Bind({.hash = {{"b", AttributeType::kString}},
                        .range = {{"a", AttributeType::kNumber}}});
  if (!condition.ok()) return CheckRefused(condition.status());
  condition->Select("partition");
}

}  // namespace
}  // namespace byoshin::local::dynamodb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  byoshin::local::dynamodb::CheckCondition(text);
  byoshin::local::dynamodb::CheckUpdate(text);
  byoshin::local::dynamodb::CheckProjection(text);
  byoshin::local::dynamodb::CheckKeyCondition(text);
  return 0;
}
