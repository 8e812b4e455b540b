#include "local/dynamodb/values/json.h"

#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kInvalidParameter =
    "One or more parameter values were invalid: ";

// AWS's names of JSON scalars in type errors.
absl::string_view TokenName(const Json::Value& json) {
  if (json.isBool()) return json.asBool() ? "TRUE_VALUE" : "FALSE_VALUE";
  if (json.type() == Json::realValue) {
    const double value = json.asDouble();
    return std::trunc(value) == value ? "NUMBER_VALUE" : "DECIMAL_VALUE";
  }
  return "NUMBER_VALUE";
}

absl::Status WrongContainer(const Json::Value& json,
                            absl::string_view java_class) {
  if (json.isArray()) {
    return SerializationError(
        absl::StrCat("Unrecognized collection type class ", java_class));
  }
  return SerializationError(
      "Start of structure or map found where not expected");
}

absl::StatusOr<std::string> ReadString(const Json::Value& json) {
  if (json.isString()) return json.asString();
  if (json.isArray() || json.isObject()) {
    return WrongContainer(json, "java.lang.String");
  }
  return SerializationError(
      absl::StrCat(TokenName(json), " cannot be converted to String"));
}

absl::StatusOr<std::string> ReadBlob(const Json::Value& json) {
  if (json.isArray() || json.isObject()) {
    return WrongContainer(json, "java.nio.ByteBuffer");
  }
  if (!json.isString()) {
    return SerializationError(
        "only base-64-encoded strings are convertible to bytes");
  }
  const std::string text = json.asString();
  if (text.size() % 4 != 0) {
    return SerializationError(absl::StrCat(
        "Base64 encoded length is expected a multiple of 4 bytes but found: ",
        text.size()));
  }
  // Only the canonical form: no spaces, no other alphabet, no extra bits.
  std::string bytes;
  std::string again;
  if (!absl::Base64Unescape(text, &bytes) ||
      (AppendBase64(bytes, again), again != text)) {
    return SerializationError(
        "Invalid last non-pad Base64 character dectected");
  }
  return bytes;
}

absl::StatusOr<bool> ReadBool(const Json::Value& json) {
  if (json.isBool()) return json.asBool();
  if (json.isArray() || json.isObject()) {
    return WrongContainer(json, "java.lang.Boolean");
  }
  if (json.isString()) {
    const std::string text = absl::AsciiStrToLower(json.asString());
    if (text == "true" || text == "1" || text == "yes") return true;
    if (text == "false" || text == "0" || text == "no") return false;
    return SerializationError("Unexpected token received from parser");
  }
  return SerializationError(
      absl::StrCat(TokenName(json), " cannot be converted to Boolean"));
}

absl::Status CheckIsList(const Json::Value& json) {
  if (json.isArray()) return absl::OkStatus();
  if (json.isObject()) {
    return SerializationError(
        "Start of structure or map found where not expected");
  }
  return SerializationError("Unexpected field type");
}

absl::Status CheckIsMap(const Json::Value& json) {
  if (json.isObject()) return absl::OkStatus();
  if (json.isArray()) {
    return SerializationError(
        "Unrecognized collection type java.util.Map<java.lang.String, "
        "com.amazonaws.dynamodb.v20120810.AttributeValue>");
  }
  return SerializationError("Unexpected field type");
}

template <typename T>
bool HasDuplicates(std::vector<T> set) {
  std::sort(set.begin(), set.end());
  return std::adjacent_find(set.begin(), set.end()) != set.end();
}

// A set with a duplicate in the order in which AWS's newer words list it:
// sorted up to the duplicate, which follows, and the others as they were sent.
AttributeValue::StringSet InListedOrder(AttributeValue::StringSet set) {
  std::set<std::string> seen;
  const auto duplicate = std::find_if(
      set.begin(), set.end(),
      [&](const std::string& member) { return !seen.insert(member).second; });
  std::sort(set.begin(), duplicate);
  return set;
}

void AppendQuotedBase64(absl::string_view bytes, std::string& out) {
  out.push_back('"');
  AppendBase64(bytes, out);
  out.push_back('"');
}

// Reads values, and continues after an invalid value of the right shape: AWS
// first reports a wrong shape anywhere.
class JsonReader {
 public:
  explicit JsonReader(ValueWording wording)
      : is_newer_(wording == ValueWording::kNewer) {}

  absl::StatusOr<AttributeValue> ReadRoot(const Json::Value& json) {
    absl::StatusOr<AttributeValue> value = ReadValue(json, 1);
    if (value.ok() && !invalid_.ok()) return invalid_;
    return value;
  }

  absl::StatusOr<Item> ReadRootMap(const Json::Value& json) {
    absl::StatusOr<Item> map = ReadMap(json, 0);
    if (map.ok() && !invalid_.ok()) return invalid_;
    return map;
  }

 private:
  void Refuse(absl::string_view message) {
    if (invalid_.ok()) invalid_ = ValidationError(message);
  }

  absl::StatusOr<AttributeValue> ReadValue(const Json::Value& json, int level) {
    if (json.isArray()) {
      return SerializationError(
          "Unrecognized collection type class "
          "com.amazonaws.dynamodb.v20120810.AttributeValue");
    }
    if (!json.isObject() && !json.isNull()) {
      return SerializationError("Unexpected value type in payload");
    }
    if (level > kMaxNestingLevels) {
      Refuse(
          "Nesting Levels have exceeded supported limits: Attributes in the "
          "item have nested levels beyond supported limit");
    }
    AttributeValue value;
    int types = 0;
    if (json.isObject()) {
      for (auto member = json.begin(); member != json.end(); ++member) {
        const std::optional<AttributeType> type = ParseTypeName(member.name());
        if (!type.has_value() || member->isNull()) continue;
        ++types;
        absl::StatusOr<AttributeValue> read = ReadAs(*type, *member, level);
        if (!read.ok()) return read.status();
        value = *std::move(read);
      }
    }
    if (types == 0) {
      Refuse(
          "Supplied AttributeValue is empty, must contain exactly one of the "
          "supported datatypes");
    } else if (types > 1) {
      Refuse(
          "Supplied AttributeValue has more than one datatypes set, must "
          "contain exactly one of the supported datatypes");
    }
    return value;
  }

  absl::StatusOr<AttributeValue> ReadAs(AttributeType type,
                                        const Json::Value& json, int level) {
    switch (type) {
      case AttributeType::kString: {
        absl::StatusOr<std::string> text = ReadString(json);
        if (!text.ok()) return text.status();
        return AttributeValue::String(*std::move(text));
      }
      case AttributeType::kNumber: {
        absl::StatusOr<Number> number = ReadNumber(json);
        if (!number.ok()) return number.status();
        return AttributeValue(*number);
      }
      case AttributeType::kBinary: {
        absl::StatusOr<std::string> bytes = ReadBlob(json);
        if (!bytes.ok()) return bytes.status();
        return AttributeValue::Binary(*std::move(bytes));
      }
      case AttributeType::kBool: {
        absl::StatusOr<bool> boolean = ReadBool(json);
        if (!boolean.ok()) return boolean.status();
        return AttributeValue::Bool(*boolean);
      }
      case AttributeType::kNull:
        return ReadNull(json);
      case AttributeType::kStringSet:
        return ReadStringSet(json);
      case AttributeType::kNumberSet:
        return ReadNumberSet(json);
      case AttributeType::kBinarySet:
        return ReadBinarySet(json);
      case AttributeType::kList:
        return ReadList(json, level);
      case AttributeType::kMap: {
        absl::StatusOr<Item> map = ReadMap(json, level);
        if (!map.ok()) return map.status();
        return AttributeValue(*std::move(map));
      }
    }
    return AttributeValue();
  }

  absl::StatusOr<Number> ReadNumber(const Json::Value& json) {
    absl::StatusOr<std::string> text = ReadString(json);
    if (!text.ok()) return text.status();
    absl::StatusOr<Number> number = Number::Parse(*text);
    if (number.ok()) return number;
    std::string message = ErrorMessageOf(number.status());
    if (is_newer_ && text->empty()) message += ": ";
    Refuse(message);
    return Number();
  }

  absl::StatusOr<AttributeValue> ReadNull(const Json::Value& json) {
    absl::StatusOr<bool> boolean = ReadBool(json);
    if (!boolean.ok()) return boolean.status();
    if (!*boolean) {
      Refuse(absl::StrCat(
          kInvalidParameter,
          "Null attribute value types must have the value of true"));
    }
    return AttributeValue();
  }

  absl::StatusOr<AttributeValue> ReadStringSet(const Json::Value& json) {
    if (absl::Status status = CheckIsList(json); !status.ok()) return status;
    AttributeValue::StringSet set;
    set.reserve(json.size());
    for (const Json::Value& element : json) {
      if (element.isNull()) {
        Refuse(absl::StrCat(kInvalidParameter,
                            "An string set may not have a null string as a "
                            "member"));
        continue;
      }
      absl::StatusOr<std::string> text = ReadString(element);
      if (!text.ok()) return text.status();
      set.push_back(*std::move(text));
    }
    if (json.empty()) {
      Refuse(
          absl::StrCat(kInvalidParameter, "An string set  may not be empty"));
    }
    if (HasDuplicates(set)) {
      const auto append = [](std::string* out, const std::string& text) {
        json::AppendQuoted(text, *out);
      };
      Refuse(absl::StrCat(kInvalidParameter, "Input collection [",
                          is_newer_
                              ? absl::StrJoin(InListedOrder(set), ", ", append)
                              : absl::StrJoin(set, ", "),
                          "] contains duplicates."));
    }
    return AttributeValue::MakeStringSet(std::move(set));
  }

  absl::StatusOr<AttributeValue> ReadNumberSet(const Json::Value& json) {
    if (absl::Status status = CheckIsList(json); !status.ok()) return status;
    AttributeValue::NumberSet set;
    set.reserve(json.size());
    for (const Json::Value& element : json) {
      const Json::Value empty("");
      absl::StatusOr<Number> number =
          ReadNumber(element.isNull() ? empty : element);
      if (!number.ok()) return number.status();
      set.push_back(*number);
    }
    if (json.empty()) {
      Refuse(
          absl::StrCat(kInvalidParameter, "An number set  may not be empty"));
    }
    if (HasDuplicates(set)) {
      constexpr absl::string_view kDuplicates =
          "Input collection contains duplicates";
      Refuse(is_newer_ ? absl::StrCat(kInvalidParameter, kDuplicates, ".")
                       : std::string(kDuplicates));
    }
    return AttributeValue::MakeNumberSet(std::move(set));
  }

  absl::StatusOr<AttributeValue> ReadBinarySet(const Json::Value& json) {
    if (absl::Status status = CheckIsList(json); !status.ok()) return status;
    AttributeValue::StringSet set;
    set.reserve(json.size());
    for (const Json::Value& element : json) {
      if (element.isNull()) {
        Refuse(absl::StrCat(kInvalidParameter,
                            "Binary sets may not contain null values"));
        continue;
      }
      absl::StatusOr<std::string> bytes = ReadBlob(element);
      if (!bytes.ok()) return bytes.status();
      set.push_back(*std::move(bytes));
    }
    if (json.empty()) {
      Refuse(
          absl::StrCat(kInvalidParameter, "Binary sets should not be empty"));
    }
    if (HasDuplicates(set)) {
      const auto append = [](std::string* out, const std::string& bytes) {
        AppendBase64(bytes, *out);
      };
      const auto append_quoted = [](std::string* out,
                                    const std::string& bytes) {
        AppendQuotedBase64(bytes, *out);
      };
      // The newer words have no spaces, unlike for text.
      Refuse(absl::StrCat(
          kInvalidParameter, "Input collection [",
          is_newer_ ? absl::StrJoin(InListedOrder(set), ",", append_quoted)
                    : absl::StrJoin(set, ", ", append),
          "]of type BS contains duplicates."));
    }
    return AttributeValue::MakeBinarySet(std::move(set));
  }

  absl::StatusOr<AttributeValue> ReadList(const Json::Value& json, int level) {
    if (absl::Status status = CheckIsList(json); !status.ok()) return status;
    AttributeValue::List list;
    list.reserve(json.size());
    for (const Json::Value& element : json) {
      absl::StatusOr<AttributeValue> value = ReadValue(element, level + 1);
      if (!value.ok()) return value.status();
      list.push_back(*std::move(value));
    }
    return AttributeValue(std::move(list));
  }

  absl::StatusOr<Item> ReadMap(const Json::Value& json, int level) {
    if (absl::Status status = CheckIsMap(json); !status.ok()) return status;
    Item map;
    for (auto member = json.begin(); member != json.end(); ++member) {
      const std::string name = member.name();
      if (absl::Status status = CheckAttributeName(name); !status.ok()) {
        Refuse(ErrorMessageOf(status));
      }
      absl::StatusOr<AttributeValue> value = ReadValue(*member, level + 1);
      if (!value.ok()) return value.status();
      map.Set(name, *std::move(value));
    }
    return map;
  }

  const bool is_newer_;
  absl::Status invalid_;  // the first
};

template <typename Container, typename Append>
void AppendJoined(const Container& elements, std::string& out, Append append) {
  out.push_back('[');
  bool first = true;
  for (const auto& element : elements) {
    if (!first) out.push_back(',');
    first = false;
    append(element);
  }
  out.push_back(']');
}

void AppendQuotedNumber(const Number& number, std::string& out) {
  out.push_back('"');
  number.AppendTo(out);
  out.push_back('"');
}

}  // namespace

absl::Status CheckAttributeName(absl::string_view name) {
  if (name.empty()) return ValidationError("Empty attribute name");
  if (name.size() <= kMaxAttributeNameBytes) return absl::OkStatus();
  return ValidationError(
      absl::StrCat("Attribute name is too large, must be less than ",
                   kMaxAttributeNameBytes + 1, " bytes"));
}

absl::StatusOr<AttributeValue> AttributeValueFromJson(const Json::Value& json,
                                                      ValueWording wording) {
  return JsonReader(wording).ReadRoot(json);
}

absl::StatusOr<Item> ItemFromJson(const Json::Value& json,
                                  ValueWording wording) {
  return JsonReader(wording).ReadRootMap(json);
}

void AppendJson(const AttributeValue& value, std::string& out) {
  out.append("{\"");
  absl::StrAppend(&out, TypeName(value.type()));
  out.append("\":");
  switch (value.type()) {
    case AttributeType::kString:
      json::AppendQuoted(value.text(), out);
      break;
    case AttributeType::kNumber:
      AppendQuotedNumber(value.number(), out);
      break;
    case AttributeType::kBinary:
      AppendQuotedBase64(value.bytes(), out);
      break;
    case AttributeType::kBool:
      out.append(value.boolean() ? "true" : "false");
      break;
    case AttributeType::kNull:
      out.append("true");
      break;
    case AttributeType::kStringSet:
      AppendJoined(value.strings(), out, [&](const std::string& element) {
        json::AppendQuoted(element, out);
      });
      break;
    case AttributeType::kNumberSet:
      AppendJoined(value.numbers(), out, [&](const Number& element) {
        AppendQuotedNumber(element, out);
      });
      break;
    case AttributeType::kBinarySet:
      AppendJoined(value.strings(), out, [&](const std::string& element) {
        AppendQuotedBase64(element, out);
      });
      break;
    case AttributeType::kList:
      AppendJoined(value.list(), out, [&](const AttributeValue& element) {
        AppendJson(element, out);
      });
      break;
    case AttributeType::kMap:
      AppendJson(value.map(), out);
      break;
  }
  out.push_back('}');
}

void AppendJson(const Item& item, std::string& out) {
  out.push_back('{');
  bool first = true;
  for (const Attribute& attribute : item) {
    if (!first) out.push_back(',');
    first = false;
    json::AppendQuoted(attribute.name, out);
    out.push_back(':');
    AppendJson(attribute.value, out);
  }
  out.push_back('}');
}

void AppendBase64(absl::string_view bytes, std::string& out) {
  absl::StrAppend(&out, absl::Base64Escape(bytes));
}

}  // namespace byoshin::local::dynamodb
