#include "local/dynamodb/values/attribute_value.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

// In the order of AttributeType.
constexpr std::array<absl::string_view, 10> kTypeNames = {
    "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M"};

constexpr size_t kUsualAttributes = 8;

// The bytes that AWS adds for a list or a map, and for each of its elements.
constexpr size_t kContainerBytes = 3;
constexpr size_t kElementBytes = 1;

bool NameLess(const Attribute& attribute, absl::string_view name) {
  return absl::string_view(attribute.name) < name;
}

template <typename T>
bool EqualSets(std::vector<T> a, std::vector<T> b) {
  if (a.size() != b.size()) return false;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

std::strong_ordering CompareBytes(const std::string& a, const std::string& b) {
  return a.compare(b) <=> 0;
}

}  // namespace

absl::string_view TypeName(AttributeType type) {
  return kTypeNames[static_cast<size_t>(type)];
}

std::optional<AttributeType> ParseTypeName(absl::string_view name) {
  const auto* const found =
      std::find(kTypeNames.begin(), kTypeNames.end(), name);
  if (found == kTypeNames.end()) return std::nullopt;
  return static_cast<AttributeType>(found - kTypeNames.begin());
}

Item::const_iterator Item::begin() const { return attributes_.begin(); }
Item::const_iterator Item::end() const { return attributes_.end(); }
bool Item::empty() const { return attributes_.empty(); }
size_t Item::size() const { return attributes_.size(); }

const AttributeValue* Item::Find(absl::string_view name) const {
  const auto found =
      std::lower_bound(attributes_.begin(), attributes_.end(), name, NameLess);
  if (found == attributes_.end() || found->name != name) return nullptr;
  return &found->value;
}

AttributeValue* Item::Find(absl::string_view name) {
  return const_cast<AttributeValue*>(std::as_const(*this).Find(name));
}

AttributeValue& Item::Set(absl::string_view name, AttributeValue value) {
  // Most items have a few attributes, and one allocation is enough for them.
  if (attributes_.capacity() == 0) attributes_.reserve(kUsualAttributes);
  if (attributes_.empty() || NameLess(attributes_.back(), name)) {
    attributes_.push_back({std::string(name), std::move(value)});
    return attributes_.back().value;
  }
  auto place =
      std::lower_bound(attributes_.begin(), attributes_.end(), name, NameLess);
  if (place->name == name) {
    place->value = std::move(value);
  } else {
    place = attributes_.insert(place, {std::string(name), std::move(value)});
  }
  return place->value;
}

bool Item::Erase(absl::string_view name) {
  const auto found =
      std::lower_bound(attributes_.begin(), attributes_.end(), name, NameLess);
  if (found == attributes_.end() || found->name != name) return false;
  attributes_.erase(found);
  return true;
}

AttributeValue AttributeValue::String(std::string text) {
  AttributeValue value;
  value.value_ = std::move(text);
  return value;
}

AttributeValue AttributeValue::Binary(std::string bytes) {
  AttributeValue value;
  value.value_ = Bytes{std::move(bytes)};
  return value;
}

AttributeValue AttributeValue::Bool(bool boolean) {
  AttributeValue value;
  value.value_ = boolean;
  return value;
}

AttributeValue AttributeValue::MakeStringSet(StringSet set) {
  AttributeValue value;
  value.value_ = std::move(set);
  return value;
}

AttributeValue AttributeValue::MakeNumberSet(NumberSet set) {
  AttributeValue value;
  value.value_ = std::move(set);
  return value;
}

AttributeValue AttributeValue::MakeBinarySet(StringSet set) {
  AttributeValue value;
  value.value_ = ByteSet{std::move(set)};
  return value;
}

AttributeType AttributeValue::type() const {
  return static_cast<AttributeType>(value_.index());
}

const std::string& AttributeValue::text() const {
  return std::get<std::string>(value_);
}

const std::string& AttributeValue::bytes() const {
  const auto* const text = std::get_if<std::string>(&value_);
  return text != nullptr ? *text : std::get<Bytes>(value_).bytes;
}

const Number& AttributeValue::number() const {
  return std::get<Number>(value_);
}

bool AttributeValue::boolean() const { return std::get<bool>(value_); }

const AttributeValue::StringSet& AttributeValue::strings() const {
  const auto* const set = std::get_if<StringSet>(&value_);
  return set != nullptr ? *set : std::get<ByteSet>(value_).set;
}

const AttributeValue::NumberSet& AttributeValue::numbers() const {
  return std::get<NumberSet>(value_);
}

const AttributeValue::List& AttributeValue::list() const {
  return std::get<List>(value_);
}
AttributeValue::List& AttributeValue::list() { return std::get<List>(value_); }

const Item& AttributeValue::map() const { return std::get<Item>(value_); }
Item& AttributeValue::map() { return std::get<Item>(value_); }

bool operator==(const AttributeValue& a, const AttributeValue& b) {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      return a.bytes() == b.bytes();
    case AttributeType::kNumber:
      return a.number() == b.number();
    case AttributeType::kBool:
      return a.boolean() == b.boolean();
    case AttributeType::kNull:
      return true;
    case AttributeType::kStringSet:
    case AttributeType::kBinarySet:
      return EqualSets(a.strings(), b.strings());
    case AttributeType::kNumberSet:
      return EqualSets(a.numbers(), b.numbers());
    case AttributeType::kList:
      return a.list() == b.list();
    case AttributeType::kMap:
      return a.map() == b.map();
  }
  return false;
}

bool operator==(const Item& a, const Item& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Attribute& x, const Attribute& y) {
                      return x.name == y.name && x.value == y.value;
                    });
}

size_t SizeBytes(const AttributeValue& value) {
  size_t size = 0;
  switch (value.type()) {
    case AttributeType::kString:
    case AttributeType::kBinary:
      return value.bytes().size();
    case AttributeType::kNumber:
      return value.number().SizeBytes();
    case AttributeType::kBool:
    case AttributeType::kNull:
      return 1;
    case AttributeType::kStringSet:
    case AttributeType::kBinarySet:
      for (const std::string& element : value.strings()) size += element.size();
      return size;
    case AttributeType::kNumberSet:
      for (const Number& element : value.numbers()) size += element.SizeBytes();
      return size;
    case AttributeType::kList:
      for (const AttributeValue& element : value.list()) {
        size += kElementBytes + SizeBytes(element);
      }
      return kContainerBytes + size;
    case AttributeType::kMap:
      return kContainerBytes + kElementBytes * value.map().size() +
             SizeBytes(value.map());
  }
  return size;
}

size_t SizeBytes(const Item& item) {
  size_t size = 0;
  for (const Attribute& attribute : item) {
    size += attribute.name.size() + SizeBytes(attribute.value);
  }
  return size;
}

int NestingLevels(const AttributeValue& value) {
  int deepest = 0;
  if (value.is(AttributeType::kList)) {
    for (const AttributeValue& element : value.list()) {
      deepest = std::max(deepest, NestingLevels(element));
    }
  } else if (value.is(AttributeType::kMap)) {
    for (const Attribute& attribute : value.map()) {
      deepest = std::max(deepest, NestingLevels(attribute.value));
    }
  }
  return deepest + 1;
}

std::optional<std::strong_ordering> Compare(const AttributeValue& a,
                                            const AttributeValue& b) {
  if (a.type() != b.type()) return std::nullopt;
  switch (a.type()) {
    case AttributeType::kNumber:
      return a.number() <=> b.number();
    case AttributeType::kString:
    case AttributeType::kBinary:
      return CompareBytes(a.bytes(), b.bytes());
    default:
      return std::nullopt;
  }
}

}  // namespace byoshin::local::dynamodb
