// Encodes keys as bytes that sort in DynamoDB's order.
//
//   // An item's place in its table: partitions in the order of their hash,
//   // inside one the items in the order of their range keys.
//   std::string key = table_prefix;
//   AppendHashKey(id, key);
//   AppendKeyPart(created, key);
//
//   // Query: what a range condition selects of a partition.
//   std::string partition = table_prefix;
//   AppendHashKey(id, partition);
//   ByteRange range = SelectRange(partition, condition);
//
// Every part is self-delimiting: none is a prefix of another, so that parts can
// be concatenated, such as an index key and the table's key.
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_KEY_ENCODING_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_KEY_ENCODING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

inline constexpr size_t kMaxHashKeyBytes = 2048;
inline constexpr size_t kMaxRangeKeyBytes = 1024;
inline constexpr int kMaxTotalSegments = 1'000'000;

// Whether values of this type can be keys: S, N and B.
bool IsKeyType(AttributeType type);

// `value` must be of a key type, in all functions below. All values at one
// place in a key must be of one type.
void AppendKeyPart(const AttributeValue& value, std::string& out);

// The common prefix of the parts of all values that start with `value`, which
// must be S or B.
void AppendKeyPartPrefix(const AttributeValue& value, std::string& out);

// The partition: four bytes of a hash of all values, then their key parts. For
// one value, the hash is HashOf().
void AppendHashKey(absl::Span<const AttributeValue* const> values,
                   std::string& out);
void AppendHashKey(const AttributeValue& value, std::string& out);

// The order of partitions on AWS, as far as it is known: Scan returns items in
// this order. Never changes: it is part of the store's format.
uint32_t HashOf(const AttributeValue& value);

// Keys from `begin`, inclusive, to `end`, exclusive; an empty `end` means no
// limit.
struct ByteRange {
  std::string begin{};
  std::string end{};
};

// The keys that start with `prefix`.
ByteRange RangeOfPrefix(absl::string_view prefix);

// The partitions after `prefix` that belong to segment `segment` (from 0) of
// `total` of a parallel scan.
struct ScanSegment {
  int segment = 0;
  int total = 1;
};
ByteRange RangeOfSegment(absl::string_view prefix, const ScanSegment& segment);

enum class RangeOperator {
  kEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kBetween,     // first and last included
  kBeginsWith,  // S and B only
};

struct RangeCondition {
  RangeOperator op = RangeOperator::kEqual;
  AttributeValue value{};
  // The upper bound; for kBetween only.
  AttributeValue upper{};
};

// The keys that start with `partition` and whose next part satisfies
// `condition`; all of them if there is no condition.
ByteRange SelectRange(absl::string_view partition,
                      const std::optional<RangeCondition>& condition);

// Whether `value` satisfies it.
bool Matches(const RangeCondition& condition, const AttributeValue& value);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_KEY_ENCODING_H_
