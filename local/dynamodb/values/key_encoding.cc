#include "local/dynamodb/values/key_encoding.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/crypto/md5.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

// A zero byte inside text or binary becomes two, which sort after the two that
// end it: so "a" sorts before "a\0", and both before "b".
constexpr char kZero = '\x00';
constexpr char kZeroInside = '\xFF';
constexpr char kZeroEnd = '\x01';

// The prefix that AWS hashes before a key, as found by dynalite.
constexpr absl::string_view kHashSalt = "Outliers";

// Segments divide the first twelve bits of the hash, so that for usual totals
// the segments of a scan are those of AWS.
constexpr int kSegmentBits = 12;

void AppendEscaped(absl::string_view bytes, std::string& out) {
  size_t done = 0;
  for (size_t zero = bytes.find(kZero); zero != absl::string_view::npos;
       zero = bytes.find(kZero, done)) {
    absl::StrAppend(&out, bytes.substr(done, zero + 1 - done));
    out.push_back(kZeroInside);
    done = zero + 1;
  }
  absl::StrAppend(&out, bytes.substr(done));
}

void AppendBigEndian(uint32_t value, std::string& out) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>(value >> shift & 0xFF));
  }
}

// The first string after all that begin with `prefix`; empty if there is none.
std::string After(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

// The first hash of a segment, or of the one after the last.
uint64_t SegmentStart(int64_t segment, int64_t total) {
  constexpr int64_t kBuckets = int64_t{1} << kSegmentBits;
  if (total <= kBuckets) {
    const auto bucket =
        static_cast<uint64_t>((kBuckets * segment + total - 1) / total);
    return bucket << (32 - kSegmentBits);
  }
  constexpr int64_t kHashes = int64_t{1} << 32;
  return static_cast<uint64_t>((kHashes * segment + total - 1) / total);
}

uint32_t HashOfAll(absl::Span<const AttributeValue* const> values) {
  std::string hashed(kHashSalt);
  for (const AttributeValue* value : values) {
    if (value->is(AttributeType::kNumber)) {
      value->number().AppendHashBytes(hashed);
    } else {
      hashed.append(value->bytes());
    }
  }
  const crypto::Md5Digest digest = crypto::Md5(hashed);
  return uint32_t{digest[0]} << 24 | uint32_t{digest[1]} << 16 |
         uint32_t{digest[2]} << 8 | uint32_t{digest[3]};
}

std::string KeyPart(absl::string_view before, const AttributeValue& value) {
  std::string key(before);
  AppendKeyPart(value, key);
  return key;
}

}  // namespace

bool IsKeyType(AttributeType type) {
  return type == AttributeType::kString || type == AttributeType::kNumber ||
         type == AttributeType::kBinary;
}

void AppendKeyPart(const AttributeValue& value, std::string& out) {
  if (value.is(AttributeType::kNumber)) {
    value.number().AppendSortable(out);
    return;
  }
  AppendEscaped(value.bytes(), out);
  out.push_back(kZero);
  out.push_back(kZeroEnd);
}

void AppendKeyPartPrefix(const AttributeValue& value, std::string& out) {
  AppendEscaped(value.bytes(), out);
}

void AppendHashKey(absl::Span<const AttributeValue* const> values,
                   std::string& out) {
  AppendBigEndian(HashOfAll(values), out);
  for (const AttributeValue* value : values) AppendKeyPart(*value, out);
}

void AppendHashKey(const AttributeValue& value, std::string& out) {
  AppendHashKey({&value}, out);
}

uint32_t HashOf(const AttributeValue& value) { return HashOfAll({&value}); }

ByteRange RangeOfPrefix(absl::string_view prefix) {
  return {.begin = std::string(prefix), .end = After(std::string(prefix))};
}

ByteRange RangeOfSegment(absl::string_view prefix, const ScanSegment& segment) {
  ByteRange range = RangeOfPrefix(prefix);
  if (segment.segment > 0) {
    AppendBigEndian(
        static_cast<uint32_t>(SegmentStart(segment.segment, segment.total)),
        range.begin);
  }
  if (segment.segment + 1 < segment.total) {
    range.end = std::string(prefix);
    AppendBigEndian(
        static_cast<uint32_t>(SegmentStart(segment.segment + 1, segment.total)),
        range.end);
  }
  return range;
}

ByteRange SelectRange(absl::string_view partition,
                      const std::optional<RangeCondition>& condition) {
  ByteRange range = RangeOfPrefix(partition);
  if (!condition.has_value()) return range;
  const AttributeValue& value = condition->value;
  switch (condition->op) {
    case RangeOperator::kEqual:
      return RangeOfPrefix(KeyPart(partition, value));
    case RangeOperator::kLess:
      range.end = KeyPart(partition, value);
      break;
    case RangeOperator::kLessOrEqual:
      range.end = After(KeyPart(partition, value));
      break;
    case RangeOperator::kGreater:
      range.begin = After(KeyPart(partition, value));
      break;
    case RangeOperator::kGreaterOrEqual:
      range.begin = KeyPart(partition, value);
      break;
    case RangeOperator::kBetween:
      range.begin = KeyPart(partition, value);
      range.end = After(KeyPart(partition, condition->upper));
      break;
    case RangeOperator::kBeginsWith: {
      std::string prefix(partition);
      AppendKeyPartPrefix(value, prefix);
      return RangeOfPrefix(prefix);
    }
  }
  return range;
}

bool Matches(const RangeCondition& condition, const AttributeValue& value) {
  if (condition.op == RangeOperator::kBeginsWith) {
    return value.type() == condition.value.type() &&
           !value.is(AttributeType::kNumber) &&
           value.bytes().compare(0, condition.value.bytes().size(),
                                 condition.value.bytes()) == 0;
  }
  const auto order = Compare(value, condition.value);
  if (!order.has_value()) return false;
  switch (condition.op) {
    case RangeOperator::kEqual:
      return *order == 0;
    case RangeOperator::kLess:
      return *order < 0;
    case RangeOperator::kLessOrEqual:
      return *order <= 0;
    case RangeOperator::kGreater:
      return *order > 0;
    case RangeOperator::kGreaterOrEqual:
      return *order >= 0;
    case RangeOperator::kBetween: {
      const auto upper = Compare(value, condition.upper);
      return *order >= 0 && upper.has_value() && *upper <= 0;
    }
    case RangeOperator::kBeginsWith:
      break;
  }
  return false;
}

}  // namespace byoshin::local::dynamodb
