#include "local/dynamodb/wire/shape.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace byoshin::local::dynamodb {
namespace {

Shape OfKind(Shape::Kind kind) {
  Shape shape;
  shape.kind = kind;
  return shape;
}

std::shared_ptr<const Shape> AsElement(Shape element) {
  element.is_element = true;
  element.is_parameterized =
      element.kind == Shape::Kind::kList || element.kind == Shape::Kind::kMap;
  return std::make_shared<const Shape>(std::move(element));
}

}  // namespace

Shape Shape::Required() const {
  Shape shape = *this;
  shape.required = true;
  return shape;
}

Shape Shape::Name() const {
  Shape shape = *this;
  shape.is_name = true;
  return shape;
}

Shape Shape::TableParameter() const {
  Shape shape = *this;
  shape.is_table_parameter = true;
  return shape;
}

Shape Shape::OneOf(std::vector<std::string> values) const {
  Shape shape = *this;
  shape.one_of = std::move(values);
  return shape;
}

Shape Shape::Length(std::optional<int64_t> min,
                    std::optional<int64_t> max) const {
  Shape shape = *this;
  shape.min_length = min;
  shape.max_length = max;
  return shape;
}

Shape Shape::Range(std::optional<int64_t> min,
                   std::optional<int64_t> max) const {
  Shape shape = *this;
  shape.min = min;
  shape.max = max;
  return shape;
}

Shape Shape::KeysAreNames() const {
  Shape shape = *this;
  shape.keys_are_names = true;
  return shape;
}

Shape Shape::ValueLength(int64_t max) const {
  Shape shape = *this;
  shape.max_value_length = max;
  return shape;
}

Shape Shape::Worded(Wording words) const {
  Shape shape = *this;
  shape.wording = words;
  return shape;
}

Shape String() { return OfKind(Shape::Kind::kString); }
Shape Boolean() { return OfKind(Shape::Kind::kBoolean); }
Shape Integer() { return OfKind(Shape::Kind::kInteger); }
Shape Long() { return OfKind(Shape::Kind::kLong); }

Shape List(Shape element) {
  Shape shape = OfKind(Shape::Kind::kList);
  shape.element = AsElement(std::move(element));
  return shape;
}

Shape Map(std::string class_name, Shape element) {
  Shape shape = OfKind(Shape::Kind::kMap);
  shape.class_name = std::move(class_name);
  shape.element = AsElement(std::move(element));
  return shape;
}

Shape Struct(std::string class_name, Fields fields) {
  Shape shape = OfKind(Shape::Kind::kStruct);
  shape.class_name = std::move(class_name);
  shape.fields = std::move(fields);
  return shape;
}

Shape AttributeValueShape() {
  Shape shape = OfKind(Shape::Kind::kAttributeValue);
  shape.class_name = "AttributeValue";
  return shape;
}

Shape AttributeMap() { return Map("AttributeValue", AttributeValueShape()); }

Shape TableName() { return String().Required().Name().Length(1, 255); }
Shape ItemTableName() {
  return TableName().Worded(Shape::Wording::kBriefAndAlone);
}
Shape ControlTableName() {
  return String().Name().TableParameter().Length(3, 255);
}
Shape IndexName() { return String().Name().Length(3, 255); }

Shape ReturnConsumedCapacity() {
  return String().OneOf({"INDEXES", "TOTAL", "NONE"});
}

Shape ReturnItemCollectionMetrics() { return String().OneOf({"SIZE", "NONE"}); }

Shape ReturnValues(Shape::Wording wording) {
  Shape shape =
      String()
          .OneOf({"ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW"})
          .Worded(wording);
  // AWS's list has UPDATED_NEW misspelt.
  shape.brief_one_of = {"ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATE_NEW",
                        "NONE"};
  return shape;
}

Shape ReturnValuesOnConditionCheckFailure() {
  return String().OneOf({"ALL_OLD", "NONE"});
}

Shape AttributeNames() { return Map("java.lang.String", String()); }

}  // namespace byoshin::local::dynamodb
