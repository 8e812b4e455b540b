// KeyConditionExpression.
//
//   auto expression = KeyConditionExpression::Parse(
//       "id = :id AND created BETWEEN :from AND :to", context);
//   if (!expression.ok()) return expression.status();
//   ... // later, once the table is known:
//   absl::StatusOr<KeyCondition> condition = expression->Bind(
//       {.hash = {"id", AttributeType::kString},
//        .range = KeyAttribute{"created", AttributeType::kNumber}});
//   std::string partition = table_prefix;
//   AppendHashKey(condition->hash, partition);
//   ByteRange range = SelectRange(partition, condition->range);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_KEY_CONDITION_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_KEY_CONDITION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {

struct ConditionNode;

struct KeyAttribute {
  std::string name{};
  AttributeType type = AttributeType::kString;
};

// Of a table or an index.
struct KeySchema {
  KeyAttribute hash{};
  std::optional<KeyAttribute> range{};
};

struct KeyCondition {
  AttributeValue hash{};
  std::optional<RangeCondition> range{};
};

// Immutable, so thread-safe.
class KeyConditionExpression {
 public:
  static absl::StatusOr<KeyConditionExpression> Parse(
      absl::string_view text, ExpressionContext& context);

  // AWS's error if it is a valid condition, but not a key condition. Separate
  // from Parse(), because AWS first reports unused parameters.
  const absl::Status& CheckForm() const { return form_; }

  // The condition for a table or index with this key, or AWS's error if it does
  // not match: another attribute, another type, no equality on the hash key.
  absl::StatusOr<KeyCondition> Bind(const KeySchema& schema) const;

 private:
  struct Term {
    std::string name{};
    RangeCondition condition{};
  };

  KeyConditionExpression() = default;

  // The conditions of a tree of ANDs.
  absl::Status AddTerms(const ConditionNode& node);
  // Null if there is none on this attribute.
  const Term* Find(const KeyAttribute& key) const;
  absl::StatusOr<RangeCondition> BindTerm(const Term& term,
                                          const KeyAttribute& key) const;

  absl::Status form_;
  std::vector<Term> terms_;  // one or two, of different names, if form_ is OK
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_KEY_CONDITION_H_
