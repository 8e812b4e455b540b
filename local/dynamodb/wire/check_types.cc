// CheckTypes: the errors of AWS's deserializer for JSON of the wrong types.
// They contain Java's class names.
#include <json/json.h>

#include <cmath>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kStructureNotExpected =
    "Start of structure or map found where not expected";
constexpr absl::string_view kParameterizedTypeCast =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot "
    "be cast to class java.lang.Class "
    "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')";

std::string QualifiedName(absl::string_view class_name) {
  if (absl::StrContains(class_name, ".")) return std::string(class_name);
  return absl::StrCat("com.amazonaws.dynamodb.v20120810.", class_name);
}

bool IsWhole(const Json::Value& number) {
  return number.isIntegral() ||
         std::floor(number.asDouble()) == number.asDouble();
}

// "NUMBER_VALUE cannot be converted to String" for a scalar; null if `value` is
// not a boolean or number.
absl::Status ScalarMismatch(const Json::Value& value, absl::string_view type) {
  if (value.isBool()) {
    return SerializationError(
        absl::StrCat(value.asBool() ? "TRUE_VALUE" : "FALSE_VALUE",
                     " cannot be converted to ", type));
  }
  if (value.isNumeric()) {
    return SerializationError(
        absl::StrCat(IsWhole(value) ? "NUMBER_VALUE" : "DECIMAL_VALUE",
                     " cannot be converted to ", type));
  }
  if (value.isString()) {
    return SerializationError(
        absl::StrCat("STRING_VALUE cannot be converted to ", type));
  }
  if (value.isArray()) {
    return SerializationError(
        absl::StrCat("Unrecognized collection type class java.lang.", type));
  }
  return SerializationError(kStructureNotExpected);
}

absl::Status CheckBoolean(Json::Value& value) {
  if (value.isBool()) return absl::OkStatus();
  if (!value.isString()) return ScalarMismatch(value, "Boolean");
  const std::string text = absl::AsciiStrToUpper(value.asString());
  if (text == "TRUE" || text == "1" || text == "YES") {
    value = true;
  } else if (text == "FALSE" || text == "0" || text == "NO") {
    value = false;
  } else {
    return SerializationError("Unexpected token received from parser");
  }
  return absl::OkStatus();
}

absl::Status CheckInteger(const Shape& shape, Json::Value& value) {
  const bool is_long = shape.kind == Shape::Kind::kLong;
  const absl::string_view type = is_long ? "Long" : "Integer";
  if (!value.isNumeric()) return ScalarMismatch(value, type);
  if (!value.isIntegral()) value = Json::Value(std::floor(value.asDouble()));
  if (is_long ? !value.isInt64() : !value.isInt()) {
    return ScalarMismatch(value, type);
  }
  value = Json::Value(static_cast<Json::Int64>(value.asInt64()));
  return absl::OkStatus();
}

absl::Status CheckBlob(const Json::Value& value) {
  if (value.isBool() || value.isNumeric()) {
    return SerializationError(
        "only base-64-encoded strings are convertible to bytes");
  }
  if (value.isArray()) {
    return SerializationError(
        "Unrecognized collection type class java.nio.ByteBuffer");
  }
  if (!value.isString()) return SerializationError(kStructureNotExpected);
  const char* begin = nullptr;
  const char* end = nullptr;
  value.getString(&begin, &end);
  const absl::string_view text(begin, end - begin);
  if (text.size() % 4 != 0) {
    return SerializationError(absl::StrCat(
        "Base64 encoded length is expected a multiple of 4 bytes but found: ",
        text.size()));
  }
  std::string bytes;
  // Encoding it again detects invalid bits in the last character.
  if (!absl::Base64Unescape(text, &bytes) ||
      absl::Base64Escape(bytes) != text) {
    return SerializationError(
        "Invalid last non-pad Base64 character dectected");
  }
  return absl::OkStatus();
}

absl::Status Check(const Shape& shape, Json::Value& value);

absl::Status CheckList(const Shape& shape, Json::Value& value) {
  if (value.isObject()) return SerializationError(kStructureNotExpected);
  if (!value.isArray()) {
    return SerializationError(shape.is_parameterized ? kParameterizedTypeCast
                                                     : "Unexpected field type");
  }
  for (Json::Value& element : value) {
    if (absl::Status status = Check(*shape.element, element); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckMap(const Shape& shape, Json::Value& value) {
  if (value.isArray()) {
    return SerializationError(absl::StrCat(
        "Unrecognized collection type java.util.Map<java.lang.String, ",
        QualifiedName(shape.class_name), ">"));
  }
  if (!value.isObject()) {
    return SerializationError(shape.is_parameterized ? kParameterizedTypeCast
                                                     : "Unexpected field type");
  }
  for (Json::Value& element : value) {
    if (absl::Status status = Check(*shape.element, element); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status CheckIsStruct(const Shape& shape, const Json::Value& value) {
  if (value.isArray()) {
    return SerializationError(
        absl::StrCat("Unrecognized collection type class ",
                     QualifiedName(shape.class_name)));
  }
  if (!value.isObject()) {
    return SerializationError(shape.is_element
                                  ? "Unexpected value type in payload"
                                  : "Unexpected field type");
  }
  return absl::OkStatus();
}

absl::Status CheckStruct(const Shape& shape, Json::Value& value) {
  if (absl::Status status = CheckIsStruct(shape, value); !status.ok()) {
    return status;
  }
  for (const auto& [name, field] : shape.fields) {
    Json::Value* member = const_cast<Json::Value*>(
        value.find(name.data(), name.data() + name.size()));
    if (member == nullptr) continue;
    if (absl::Status status = Check(field, *member); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

// A member of an attribute value, such as {"N": "1"}; unknown ones are ignored.
absl::Status CheckDatatype(absl::string_view name, Json::Value& value) {
  static const auto* list = new Shape(List(AttributeValueShape()));
  static const auto* map = new Shape(AttributeMap());
  static const auto* strings = new Shape(List(String()));
  static const auto* blobs = [] {
    Shape blob;
    blob.kind = Shape::Kind::kBlob;
    return new Shape(List(blob));
  }();
  if (value.isNull()) return absl::OkStatus();
  if (name == "S" || name == "N") {
    return value.isString() ? absl::OkStatus()
                            : ScalarMismatch(value, "String");
  }
  if (name == "B") return CheckBlob(value);
  if (name == "BOOL" || name == "NULL") return CheckBoolean(value);
  if (name == "M") return Check(*map, value);
  if (name == "L") return Check(*list, value);
  if (name == "SS" || name == "NS") return Check(*strings, value);
  if (name == "BS") return Check(*blobs, value);
  return absl::OkStatus();
}

absl::Status CheckAttributeValue(const Shape& shape, Json::Value& value) {
  if (absl::Status status = CheckIsStruct(shape, value); !status.ok()) {
    return status;
  }
  for (auto it = value.begin(); it != value.end(); ++it) {
    const char* end = nullptr;
    const char* begin = it.memberName(&end);
    if (absl::Status status =
            CheckDatatype(absl::string_view(begin, end - begin), *it);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status Check(const Shape& shape, Json::Value& value) {
  if (value.isNull()) return absl::OkStatus();
  switch (shape.kind) {
    case Shape::Kind::kString:
      return value.isString() ? absl::OkStatus()
                              : ScalarMismatch(value, "String");
    case Shape::Kind::kBoolean:
      return CheckBoolean(value);
    case Shape::Kind::kInteger:
    case Shape::Kind::kLong:
      return CheckInteger(shape, value);
    case Shape::Kind::kBlob:
      return CheckBlob(value);
    case Shape::Kind::kList:
      return CheckList(shape, value);
    case Shape::Kind::kMap:
      return CheckMap(shape, value);
    case Shape::Kind::kStruct:
      return CheckStruct(shape, value);
    case Shape::Kind::kAttributeValue:
      return CheckAttributeValue(shape, value);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckTypes(const Shape& shape, Json::Value& request) {
  if (!request.isObject()) {
    return SerializationError("Unexpected value type in payload");
  }
  return Check(shape, request);
}

}  // namespace byoshin::local::dynamodb
