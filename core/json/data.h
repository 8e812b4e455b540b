// An immutable JSON value, for data that flows through interpreters: the input
// of a state machine, the result of a resolver.
//
// Cheap to copy: a copy shares the tree, and a member of a tree is shared, too.
// Members keep their order. An integer stays an integer, and 1.0 stays 1.0, as
// in the services of AWS, which are written in Java.
//
//   absl::StatusOr<Data> input = Data::Parse(R"({"a": [1, 2.0]})");
//   if (!input.ok()) return input.status();
//   if (const Data* a = input->Find("a")) UseArray(*a);
//   std::string text = input->ToJson();  // {"a":[1,2.0]}
//
//   ObjectBuilder builder;
//   builder.Set("status", Data::Integer(200));
//   Data answer = std::move(builder).Build();
#ifndef BYOSHIN_CORE_JSON_DATA_H_
#define BYOSHIN_CORE_JSON_DATA_H_

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace byoshin::json {

// Parsed text is nested at most this deep. Data that is built can be deeper;
// whoever accepts it checks depth().
inline constexpr size_t kMaxDataDepth = 1000;

namespace internal {
struct DataNode;
}  // namespace internal

// Thread-safe as an int is: several threads may read one value, and each may
// hold its own copies of the same tree.
class Data {
 public:
  enum class Type { kNull, kBoolean, kNumber, kString, kArray, kObject };
  struct Member;

  // null
  Data() = default;
  Data(const Data& other);
  Data(Data&& other) noexcept : kind_(other.kind_), scalar_(other.scalar_) {
    other.kind_ = Kind::kNull;
  }
  Data& operator=(const Data& other);
  Data& operator=(Data&& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(scalar_, other.scalar_);
    return *this;
  }
  ~Data() {
    if (has_node()) Release();
  }

  static Data Boolean(bool value);
  static Data Integer(int64_t value);
  // Printed with a fraction or an exponent. `value` must be finite; otherwise,
  // the result is null.
  static Data Double(double value);
  // As JavaScript prints it: an integral value is printed without a fraction.
  static Data JavaScriptNumber(double value);
  // `value` must be UTF-8.
  static Data String(absl::string_view value);
  static Data Array(std::vector<Data> elements);
  static const Data& EmptyObject();

  // Parses what RFC 8259 allows. Of several members with one name, the last one
  // counts. Errors are InvalidArgument and name the line and the column.
  static absl::StatusOr<Data> Parse(absl::string_view text);

  // On one line, without spaces.
  std::string ToJson() const;
  void AppendJson(std::string& out) const;
  // The length of ToJson() in bytes. Takes constant time.
  size_t JsonSize() const;

  Type type() const;
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_boolean() const {
    return kind_ == Kind::kFalse || kind_ == Kind::kTrue;
  }
  bool is_number() const {
    return kind_ == Kind::kInteger || kind_ == Kind::kDouble ||
           kind_ == Kind::kBigNumber;
  }
  // True for numbers that were written as an integer and fit in an int64_t.
  bool is_integer() const { return kind_ == Kind::kInteger; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_array() const { return kind_ == Kind::kArray; }
  bool is_object() const { return kind_ == Kind::kObject; }

  // Each requires the type that it is for.
  bool boolean() const { return kind_ == Kind::kTrue; }
  int64_t integer() const { return scalar_.integer; }
  double number() const;
  absl::string_view string() const;

  // The number of elements or members; 0 for anything else.
  size_t size() const;
  // Empty unless it is an array.
  absl::Span<const Data> elements() const;
  // Empty unless it is an object.
  absl::Span<const Member> members() const;
  // The member of this name; null if there is none or this is not an object.
  const Data* Find(absl::string_view name) const;

  // 0 for a scalar, 1 for an array or object of scalars. Constant time.
  size_t depth() const;

  // Numbers are equal if their values are (1 and 1.0); the order of members
  // does not count.
  friend bool operator==(const Data& a, const Data& b);
  friend bool operator!=(const Data& a, const Data& b) { return !(a == b); }

 private:
  friend class ObjectBuilder;
  friend class DataParser;
  friend struct internal::DataNode;

  // Those from kBigNumber on have a node.
  enum class Kind : uint8_t {
    kNull,
    kFalse,
    kTrue,
    kInteger,
    kDouble,
    // An integer that does not fit, kept as text.
    kBigNumber,
    kString,
    kArray,
    kObject,
  };
  union Scalar {
    int64_t integer;
    double number;
    internal::DataNode* node;
  };

  Data(Kind kind, internal::DataNode* node);
  bool has_node() const { return kind_ >= Kind::kBigNumber; }
  static Data BigNumber(absl::string_view text);
  // Gives up the node.
  void Release();

  Kind kind_ = Kind::kNull;
  Scalar scalar_ = {0};
};

struct Data::Member {
  Data key;  // a string
  Data value;

  absl::string_view name() const { return key.string(); }
};

// Builds an object. Setting a name again replaces its value.
class ObjectBuilder {
 public:
  ObjectBuilder() = default;
  // Starts with the members of `object`.
  explicit ObjectBuilder(const Data& object);

  void Set(absl::string_view name, Data value);
  // With a name that exists as Data, which is then shared.
  void Set(const Data& key, Data value);
  void Remove(absl::string_view name);
  Data Build() &&;

 private:
  size_t IndexOf(absl::string_view name) const;

  std::vector<Data::Member> members_;
  // Used from a number of members on.
  absl::flat_hash_map<std::string, size_t> index_;
};

// `text` with U+FFFD for what is not UTF-8.
std::string ValidUtf8(absl::string_view text);

// "null", "boolean", "number", "string", "array" or "object".
absl::string_view DescribeType(const Data& data);

// `object` with the members of `changes` replaced or added.
Data Merged(const Data& object, const Data& changes);

// Between Data and the rest of the repository. A value that is nested deeper
// than kMaxDataDepth is refused.
absl::StatusOr<Json::Value> ToJsonValue(const Data& data);
Data FromJsonValue(const Json::Value& value);

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_DATA_H_
