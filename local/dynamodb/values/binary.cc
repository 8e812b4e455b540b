#include "local/dynamodb/values/binary.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

// A value is a byte for its type and then:
//   S, B      length, bytes
//   N         its sortable form
//   BOOL      a byte, 0 or 1
//   NULL      nothing
//   SS, BS    count, (length, bytes) each
//   NS        count, sortable forms
//   L         count, values
//   M         count, (length, name, value) each, names in order
// Lengths and counts are variable: seven bits a byte, the low ones first, the
// high bit set in all but the last. An item is what stands in M.

// Deeper than any request can be nested, and small enough for the stack.
constexpr int kMaxDepth = 2 * kMaxNestingLevels;

constexpr int kBitsPerByte = 7;
constexpr unsigned char kMoreBit = 0x80;

void AppendVarint(size_t value, std::string& out) {
  while (value >= kMoreBit) {
    out.push_back(static_cast<char>((value & (kMoreBit - 1)) | kMoreBit));
    value >>= kBitsPerByte;
  }
  out.push_back(static_cast<char>(value));
}

void AppendBytes(absl::string_view bytes, std::string& out) {
  AppendVarint(bytes.size(), out);
  out.append(bytes.data(), bytes.size());
}

void AppendMap(const Item& map, std::string& out);

void AppendValue(const AttributeValue& value, std::string& out) {
  out.push_back(static_cast<char>(value.type()));
  switch (value.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      AppendBytes(value.bytes(), out);
      return;
    case AttributeType::kNumber:
      value.number().AppendSortable(out);
      return;
    case AttributeType::kBool:
      out.push_back(value.boolean() ? 1 : 0);
      return;
    case AttributeType::kNull:
      return;
    case AttributeType::kStringSet:
    case AttributeType::kBinarySet:
      AppendVarint(value.strings().size(), out);
      for (const std::string& element : value.strings()) {
        AppendBytes(element, out);
      }
      return;
    case AttributeType::kNumberSet:
      AppendVarint(value.numbers().size(), out);
      for (const Number& element : value.numbers()) {
        element.AppendSortable(out);
      }
      return;
    case AttributeType::kList:
      AppendVarint(value.list().size(), out);
      for (const AttributeValue& element : value.list()) {
        AppendValue(element, out);
      }
      return;
    case AttributeType::kMap:
      AppendMap(value.map(), out);
      return;
  }
}

void AppendMap(const Item& map, std::string& out) {
  AppendVarint(map.size(), out);
  for (const Attribute& attribute : map) {
    AppendBytes(attribute.name, out);
    AppendValue(attribute.value, out);
  }
}

// Stops at the first error: after it, nothing is read, and ok() is false.
class BinaryReader {
 public:
  explicit BinaryReader(absl::string_view bytes) : rest_(bytes) {}

  AttributeValue ReadValue(int depth);
  Item ReadMap(int depth);

  // Whether everything was read without error.
  bool Done() const { return ok_ && rest_.empty(); }

 private:
  void Fail() {
    ok_ = false;
    rest_ = absl::string_view();
  }

  unsigned char ReadByte() {
    if (rest_.empty()) {
      Fail();
      return 0;
    }
    const auto byte = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    return byte;
  }

  // The number of elements that take a byte or more each. A number larger than
  // the remaining bytes is an error, so that no memory is reserved for it.
  size_t ReadVarint() {
    uint64_t value = 0;
    for (int shift = 0;; shift += kBitsPerByte) {
      const unsigned char byte = ReadByte();
      value |= uint64_t{byte & (kMoreBit - 1u)} << shift;
      if ((byte & kMoreBit) == 0) {
        // Only one encoding is valid.
        if (byte == 0 && shift > 0) Fail();
        break;
      }
      if (shift + 2 * kBitsPerByte > std::numeric_limits<uint32_t>::digits) {
        Fail();
        return 0;
      }
    }
    if (value > rest_.size()) {
      Fail();
      return 0;
    }
    return static_cast<size_t>(value);
  }

  // A view into the input.
  absl::string_view ReadView() {
    const size_t length = ReadVarint();
    const absl::string_view bytes = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return bytes;
  }
  std::string ReadBytes() { return std::string(ReadView()); }

  Number ReadNumber() {
    absl::StatusOr<Number> number = Number::ConsumeSortable(rest_);
    if (number.ok()) return *number;
    Fail();
    return Number();
  }

  AttributeValue::StringSet ReadStrings() {
    const size_t count = ReadVarint();
    AttributeValue::StringSet set;
    set.reserve(count);
    for (size_t i = 0; i < count && ok_; ++i) set.push_back(ReadBytes());
    if (count == 0) Fail();
    return set;
  }

  AttributeValue ReadNumbers() {
    const size_t count = ReadVarint();
    AttributeValue::NumberSet set;
    set.reserve(count);
    for (size_t i = 0; i < count && ok_; ++i) set.push_back(ReadNumber());
    if (count == 0) Fail();
    return AttributeValue::MakeNumberSet(std::move(set));
  }

  AttributeValue ReadList(int depth) {
    const size_t count = ReadVarint();
    AttributeValue::List list;
    for (size_t i = 0; i < count && ok_; ++i) list.push_back(ReadValue(depth));
    return AttributeValue(std::move(list));
  }

  AttributeValue ReadBool() {
    const unsigned char byte = ReadByte();
    if (byte > 1) Fail();
    return AttributeValue::Bool(byte == 1);
  }

  absl::string_view rest_;
  bool ok_ = true;
};

AttributeValue BinaryReader::ReadValue(int depth) {
  if (depth > kMaxDepth) Fail();
  const auto type = static_cast<AttributeType>(ReadByte());
  if (!ok_) return AttributeValue();
  switch (type) {
    case AttributeType::kString:
      return AttributeValue::String(ReadBytes());
    case AttributeType::kNumber:
      return AttributeValue(ReadNumber());
    case AttributeType::kBinary:
      return AttributeValue::Binary(ReadBytes());
    case AttributeType::kBool:
      return ReadBool();
    case AttributeType::kNull:
      return AttributeValue();
    case AttributeType::kStringSet:
      return AttributeValue::MakeStringSet(ReadStrings());
    case AttributeType::kNumberSet:
      return ReadNumbers();
    case AttributeType::kBinarySet:
      return AttributeValue::MakeBinarySet(ReadStrings());
    case AttributeType::kList:
      return ReadList(depth + 1);
    case AttributeType::kMap:
      return AttributeValue(ReadMap(depth + 1));
  }
  Fail();
  return AttributeValue();
}

Item BinaryReader::ReadMap(int depth) {
  const size_t count = ReadVarint();
  Item map;
  absl::string_view last;
  for (size_t i = 0; i < count && ok_; ++i) {
    const absl::string_view name = ReadView();
    if (i > 0 && name <= last) Fail();
    AttributeValue value = ReadValue(depth);
    if (!ok_) break;
    map.Set(name, std::move(value));
    last = name;
  }
  return map;
}

}  // namespace

std::string Serialize(const Item& item) {
  std::string bytes;
  AppendMap(item, bytes);
  return bytes;
}

std::string Serialize(const AttributeValue& value) {
  std::string bytes;
  AppendValue(value, bytes);
  return bytes;
}

absl::StatusOr<Item> DeserializeItem(absl::string_view bytes) {
  BinaryReader reader(bytes);
  Item item = reader.ReadMap(0);
  if (!reader.Done()) return absl::DataLossError("an item is damaged");
  return item;
}

absl::StatusOr<AttributeValue> DeserializeValue(absl::string_view bytes) {
  BinaryReader reader(bytes);
  AttributeValue value = reader.ReadValue(0);
  if (!reader.Done()) {
    return absl::DataLossError("an attribute value is damaged");
  }
  return value;
}

}  // namespace byoshin::local::dynamodb
