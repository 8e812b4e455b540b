// The values in DynamoDB items.
//
//   Item item;
//   item.Set("id", AttributeValue::String("42"));
//   item.Set("price", AttributeValue(Number(5)));
//   if (const AttributeValue* price = item.Find("price");
//       price != nullptr && price->type() == AttributeType::kNumber) {
//     Use(price->number());
//   }
//
// json.h reads and writes them as AWS's JSON, binary.h as bytes for the store.
//
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_AttributeValue.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_ATTRIBUTE_VALUE_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_ATTRIBUTE_VALUE_H_

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

// The numbers are part of the store's format.
enum class AttributeType : char {
  kString = 0,
  kNumber = 1,
  kBinary = 2,
  kBool = 3,
  kNull = 4,
  kStringSet = 5,
  kNumberSet = 6,
  kBinarySet = 7,
  kList = 8,
  kMap = 9,
};

// "S", "N", "B", "BOOL", "NULL", "SS", "NS", "BS", "L", "M".
absl::string_view TypeName(AttributeType type);
std::optional<AttributeType> ParseTypeName(absl::string_view name);

// The maximum size of an item, including names.
inline constexpr size_t kMaxItemBytes = 400 * 1024;
// The maximum of an attribute's name, also in a map.
inline constexpr size_t kMaxAttributeNameBytes = 65535;
// An attribute's value is at level 1, the elements of a list or map one level
// below.
inline constexpr int kMaxNestingLevels = 32;

class AttributeValue;
struct Attribute;

// Attributes by name, in the order of the names' bytes: an item, or a map
// inside one. As thread-safe as a std::vector, which it uses: items are small,
// and are read far more often than changed.
class Item {
 public:
  using const_iterator = std::vector<Attribute>::const_iterator;

  Item();
  Item(const Item&);
  Item(Item&&) noexcept;
  Item& operator=(const Item&);
  Item& operator=(Item&&) noexcept;
  ~Item();

  const_iterator begin() const;
  const_iterator end() const;
  bool empty() const;
  size_t size() const;

  // Null if there is none. Valid until the item changes.
  const AttributeValue* Find(absl::string_view name) const;
  AttributeValue* Find(absl::string_view name);
  bool Contains(absl::string_view name) const { return Find(name) != nullptr; }

  // Adds or replaces. Appending in the order of names is fast.
  AttributeValue& Set(absl::string_view name, AttributeValue value);
  // Returns whether it existed.
  bool Erase(absl::string_view name);

 private:
  std::vector<Attribute> attributes_;
};

// As thread-safe as a std::string; cheap to move.
class AttributeValue {
 public:
  using List = std::vector<AttributeValue>;
  // Without duplicates, in the order given: AWS guarantees no order.
  using StringSet = std::vector<std::string>;
  using NumberSet = std::vector<Number>;

  // NULL.
  AttributeValue() = default;
  explicit AttributeValue(Number number) : value_(number) {}
  explicit AttributeValue(List list) : value_(std::move(list)) {}
  explicit AttributeValue(Item map) : value_(std::move(map)) {}

  static AttributeValue String(std::string text);
  static AttributeValue Binary(std::string bytes);
  static AttributeValue Bool(bool value);
  // The sets must not be empty or have duplicates.
  static AttributeValue MakeStringSet(StringSet set);
  static AttributeValue MakeNumberSet(NumberSet set);
  static AttributeValue MakeBinarySet(StringSet set);

  AttributeType type() const;
  bool is(AttributeType t) const { return type() == t; }

  // Each only for its own types.
  const std::string& text() const;   // S
  const std::string& bytes() const;  // S and B
  const Number& number() const;      // N
  bool boolean() const;              // BOOL
  const StringSet& strings() const;  // SS and BS
  const NumberSet& numbers() const;  // NS
  const List& list() const;          // L
  List& list();
  const Item& map() const;  // M
  Item& map();

  // Equality as in DynamoDB: numbers by value, sets regardless of order, lists
  // and maps deeply; values of different types are never equal.
  friend bool operator==(const AttributeValue& a, const AttributeValue& b);

 private:
  struct Bytes {
    std::string bytes;
  };
  struct ByteSet {
    StringSet set;
  };
  // In the order of AttributeType.
  using Variant = std::variant<std::string, Number, Bytes, bool, std::monostate,
                               StringSet, NumberSet, ByteSet, List, Item>;

  Variant value_ = std::monostate();
};

struct Attribute {
  std::string name{};
  AttributeValue value{};
};

// Here, since a vector needs a complete Attribute for these.
inline Item::Item() = default;
inline Item::Item(const Item&) = default;
inline Item::Item(Item&&) noexcept = default;
inline Item& Item::operator=(const Item&) = default;
inline Item& Item::operator=(Item&&) noexcept = default;
inline Item::~Item() = default;

bool operator==(const Item& a, const Item& b);

// What AWS counts:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
// names in UTF-8, text and binary by their bytes, numbers by SizeBytes(), one
// byte for BOOL and NULL, three and one an element for L and M.
size_t SizeBytes(const AttributeValue& value);
size_t SizeBytes(const Item& item);

// The nesting levels of the value: 1 for a scalar.
int NestingLevels(const AttributeValue& value);

// The order for <, BETWEEN and keys: numbers by value, text and binary by their
// bytes. nullopt for different types and for any other type.
std::optional<std::strong_ordering> Compare(const AttributeValue& a,
                                            const AttributeValue& b);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_ATTRIBUTE_VALUE_H_
