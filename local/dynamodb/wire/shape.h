// The shape of a request: the types and limits of its parameters, declared once
// for each operation and checked as DynamoDB does, with its messages and in its
// order.
//
//   const Shape& RequestShape() {
//     static const auto* shape = new Shape(Struct("ListTables", {
//         {"Limit", Integer().Range(1, 100)},
//         {"ExclusiveStartTableName", String().Name().Length(3, 255)},
//     }));
//     return *shape;
//   }
//   if (absl::Status status = CheckTypes(RequestShape(), request); ...
//   if (absl::Status status = CheckConstraints(RequestShape(), request); ...
//
// After that, a parameter is null (absent) or of its type, so that reading it
// needs no further checks.
#ifndef BYOSHIN_LOCAL_DYNAMODB_WIRE_SHAPE_H_
#define BYOSHIN_LOCAL_DYNAMODB_WIRE_SHAPE_H_

#include <json/forwards.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace byoshin::local::dynamodb {

struct Shape;
using Fields = std::vector<std::pair<std::string, Shape>>;

// Immutable once built, by the functions below and its own methods.
struct Shape {
  enum class Kind {
    kString,
    kBoolean,
    kInteger,
    kLong,
    kBlob,
    kList,
    kMap,
    kStruct,
    kAttributeValue,
  };

  // How AWS words that a parameter breaks its length, range or enumeration.
  enum class Wording {
    // With the value: "Value 'x' at 'tableName' failed to satisfy ...".
    kFull,
    // Without it, since 2026 and in some operations: "Value at 'TableName'
    // failed to satisfy ...". A request that lacks a required parameter gets
    // the full words for all of its errors.
    kBrief,
    // Likewise, and no other error is listed.
    kBriefAndAlone,
  };

  Kind kind = Kind::kString;
  // AWS's name of the class in type errors: "KeysAndAttributes".
  std::string class_name{};
  // A struct in a list or map, not in another struct: AWS words its type errors
  // differently.
  bool is_element = false;
  // A list or map in a map or list: likewise.
  bool is_parameterized = false;
  Fields fields{};                       // of a struct
  std::shared_ptr<const Shape> element;  // of a list or map

  bool required = false;
  // "The parameter 'TableName' is required but ...": the wording of operations
  // on tables, checked before everything else.
  bool is_table_parameter = false;
  // A table's or index's name: [a-zA-Z0-9_.-]+, or for a table its ARN.
  bool is_name = false;
  std::vector<std::string> one_of{};
  // What a brief error lists in place of `one_of`.
  std::vector<std::string> brief_one_of{};
  std::optional<int64_t> min_length{};
  std::optional<int64_t> max_length{};
  std::optional<int64_t> min{};
  std::optional<int64_t> max{};
  bool keys_are_names = false;                // of a map
  std::optional<int64_t> max_value_length{};  // of a map of lists, from 1
  Wording wording = Wording::kFull;

  Shape Required() const;
  Shape Name() const;
  Shape TableParameter() const;
  Shape OneOf(std::vector<std::string> values) const;
  Shape Length(std::optional<int64_t> min, std::optional<int64_t> max) const;
  Shape Range(std::optional<int64_t> min, std::optional<int64_t> max) const;
  Shape KeysAreNames() const;
  Shape ValueLength(int64_t max) const;
  Shape Worded(Wording words) const;
};

Shape String();
Shape Boolean();
Shape Integer();
Shape Long();
Shape List(Shape element);
Shape Map(std::string class_name, Shape element);
Shape Struct(std::string class_name, Fields fields);
// {"S": ...}; its content is checked when it is read.
Shape AttributeValueShape();
// {"name": {"S": ...}, ...}
Shape AttributeMap();
// The parameters of many operations.
// Of operations on items. Those that AWS has reworded have ItemTableName().
Shape TableName();
Shape ItemTableName();
Shape ControlTableName();  // of operations on tables
Shape IndexName();
Shape ReturnConsumedCapacity();
Shape ReturnItemCollectionMetrics();
Shape ReturnValues(Shape::Wording wording);
Shape ReturnValuesOnConditionCheckFailure();
Shape AttributeNames();  // ExpressionAttributeNames

// SerializationException if a parameter is not of its type. Converts values in
// `request` as AWS does: "true" to true, 1.5 to 1.
absl::Status CheckTypes(const Shape& shape, Json::Value& request);

// ValidationException if parameters exceed their limits; lists up to ten.
absl::Status CheckConstraints(const Shape& shape, const Json::Value& request);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_WIRE_SHAPE_H_
