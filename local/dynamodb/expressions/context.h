// The context that the expressions of a request share: the values of #name and
// :value.
//
//   absl::StatusOr<ExpressionContext> context = ExpressionContext::Create(
//       {.names = &names_json, .values = &values_json});
//   auto condition = ConditionExpression::Parse(ConditionUse::kCondition, text,
//                                               *context);
//   auto projection = ProjectionExpression::Parse(text2, *context);
//   if (absl::Status status = context->CheckAllUsed(); !status.ok()) ...
//
// AWS parses them in this order: update, condition, key condition, filter,
// projection.
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONTEXT_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONTEXT_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"

namespace Json {
class Value;
}

namespace byoshin::local::dynamodb {

// The request's members; null if missing.
struct ExpressionMembers {
  const Json::Value* names = nullptr;   // ExpressionAttributeNames
  const Json::Value* values = nullptr;  // ExpressionAttributeValues
  ValueWording wording = ValueWording::kNewer;
};

// Not thread-safe. Expressions parsed with it may outlive it.
class ExpressionContext {
 public:
  // Without names and values.
  ExpressionContext() = default;

  static absl::StatusOr<ExpressionContext> Create(
      const ExpressionMembers& members);

  // The value of "#name" or ":value"; null if it is not defined. Marks it as
  // used.
  const std::string* FindName(absl::string_view placeholder);
  std::shared_ptr<const AttributeValue> FindValue(
      absl::string_view placeholder);

  // AWS's error if a name or a value is not used by any expression.
  absl::Status CheckAllUsed() const;

 private:
  struct Name {
    std::string name{};
    bool used = false;
  };
  struct Value {
    std::shared_ptr<const AttributeValue> value{};
    bool used = false;
  };

  absl::Status ReadNames(const Json::Value& json);
  absl::Status ReadValues(const Json::Value& json, ValueWording wording);

  std::map<std::string, Name, std::less<>> names_;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_CONTEXT_H_
