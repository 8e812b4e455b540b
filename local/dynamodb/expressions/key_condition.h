// KeyConditionExpression.
//
//   auto expression = KeyConditionExpression::Parse(
//       "id = :id AND created BETWEEN :from AND :to", context);
//   if (!expression.ok()) return expression.status();
//   ... // later, once the table is known:
//   absl::StatusOr<KeyCondition> condition = expression->Bind(
//       {.hash = {{"id", AttributeType::kString}},
//        .range = {{"created", AttributeType::kNumber}}});
//   ByteRange range = condition->Select(table_prefix);
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_KEY_CONDITION_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_KEY_CONDITION_H_

#include <cstddef>
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

enum class KeyRole { kHash, kRange };

// The maximum for each role, in a global index.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html
inline constexpr size_t kMaxKeyAttributes = 4;

// Of a table or an index. A table and a local index have one hash attribute and
// at most one range attribute; a global index has up to kMaxKeyAttributes of
// each.
struct KeySchema {
  std::vector<KeyAttribute> hash{};
  std::vector<KeyAttribute> range{};

  size_t size() const { return hash.size() + range.size(); }
  bool Contains(absl::string_view name) const;
};

struct KeyCondition {
  // For each hash attribute.
  std::vector<AttributeValue> hash{};
  // For the first range attributes, if there is a condition on a later one.
  std::vector<AttributeValue> equal{};
  // For the next one.
  std::optional<RangeCondition> range{};

  // The keys that start with `prefix` and satisfy the condition.
  ByteRange Select(absl::string_view prefix) const;
};

// Immutable, so thread-safe.
class KeyConditionExpression {
 public:
  static absl::StatusOr<KeyConditionExpression> Parse(
      absl::string_view text, ExpressionContext& context);

  // A condition on one attribute. Null if it can't select a range of keys.
  struct Term {
    std::string name{};
    std::optional<RangeCondition> condition{};
  };
  // From conditions that were not written as an expression; their names are
  // different.
  static KeyConditionExpression FromTerms(std::vector<Term> terms);

  // AWS's error if it is a valid condition, but not a key condition. Separate
  // from Parse(), because AWS first reports unused parameters.
  const absl::Status& CheckForm() const { return form_; }

  // The condition for a table or index with this key, or AWS's error if it does
  // not match: another attribute, another type, no equality on a hash
  // attribute.
  absl::StatusOr<KeyCondition> Bind(const KeySchema& schema) const;

 private:
  KeyConditionExpression() = default;

  // The conditions of a tree of ANDs.
  absl::Status AddTerms(const ConditionNode& node);
  // Null if there is none on this attribute.
  const Term* Find(const KeyAttribute& key) const;
  absl::StatusOr<RangeCondition> BindTerm(const Term& term,
                                          const KeyAttribute& key) const;
  absl::Status CheckTermCount(const KeySchema& schema) const;
  absl::Status BindHash(const KeySchema& schema, KeyCondition& condition) const;
  absl::Status BindRange(const KeySchema& schema,
                         KeyCondition& condition) const;

  // Whether it was written as an expression: AWS words some errors differently.
  bool is_text_ = false;
  absl::Status form_;
  std::vector<Term> terms_;  // of different names
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_KEY_CONDITION_H_
