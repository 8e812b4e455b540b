#include "local/rdsdata/parameters.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/rdsdata/column_type.h"
#include "local/rdsdata/errors.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::Parameter;

struct Hint {
  const char* name;
  Oid type;
};

constexpr Hint kHints[] = {{"DATE", kDate},           {"DECIMAL", kNumeric},
                           {"JSON", kJson},           {"TIME", kTime},
                           {"TIMESTAMP", kTimestamp}, {"UUID", kUuid}};

// 0 if there is no hint.
absl::StatusOr<Oid> HintedType(const Json::Value& hint) {
  if (hint.isNull()) return Oid{0};
  for (const Hint& known : kHints) {
    if (hint.isString() && hint.asString() == known.name) return known.type;
  }
  return Validation(
      "The value of typeHint must be one of DATE, DECIMAL, JSON, TIME, "
      "TIMESTAMP, UUID");
}

absl::Status WrongType(const std::string& name, absl::string_view field) {
  return Validation(absl::StrCat("Parameter \"", name, "\": the value of ",
                                 field, " has the wrong type"));
}

// As the server would say, which never sees it: its texts end at such a
// character.
absl::Status CheckText(absl::string_view text) {
  if (!absl::StrContains(text, absl::string_view("\0", 1))) {
    return absl::OkStatus();
  }
  return DatabaseError(
      "ERROR: invalid byte sequence for encoding \"UTF8\": 0x00; "
      "SQLState: 22021");
}

absl::StatusOr<Parameter> TextParameter(const std::string& name,
                                        const Json::Value& value, Oid hinted) {
  if (!value.isString()) return WrongType(name, "stringValue");
  std::string text = value.asString();
  if (absl::Status status = CheckText(text); !status.ok()) return status;
  return Parameter{.value = std::move(text),
                   .type = hinted == 0 ? kText : hinted};
}

absl::StatusOr<Parameter> BlobParameter(const std::string& name,
                                        const Json::Value& value) {
  std::string bytes;
  if (!value.isString() || !absl::Base64Unescape(value.asString(), &bytes)) {
    return WrongType(name, "blobValue");
  }
  return Parameter{.value = std::move(bytes),
                   .type = kBytea,
                   .format = Parameter::Format::kBinary};
}

absl::StatusOr<Parameter> LongParameter(const std::string& name,
                                        const Json::Value& value) {
  if (!value.isInt64()) return WrongType(name, "longValue");
  return Parameter{.value = absl::StrCat(value.asInt64()), .type = kInt8};
}

absl::StatusOr<Parameter> DoubleParameter(const std::string& name,
                                          const Json::Value& value) {
  // REST-JSON has no other form for these.
  const bool special =
      value.isString() &&
      (value == "NaN" || value == "Infinity" || value == "-Infinity");
  if (!value.isNumeric() && !special) return WrongType(name, "doubleValue");
  if (special) return Parameter{.value = value.asString(), .type = kFloat8};
  std::string text;
  json::AppendNumber(value.asDouble(), text);
  return Parameter{.value = std::move(text), .type = kFloat8};
}

// A Field: one member says what it is.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_Field.html
absl::StatusOr<Parameter> ReadField(const std::string& name,
                                    const Json::Value& field, Oid hinted) {
  if (!field.isObject() && !field.isNull()) return WrongType(name, "value");
  std::vector<std::string> members;
  for (const std::string& member : field.getMemberNames()) {
    if (!field[member].isNull()) members.push_back(member);
  }
  if (members.size() != 1) {
    return BadRequest(
        absl::StrCat("Parameter \"", name, "\" has value with ",
                     members.empty() ? "no field set" : "several fields set"));
  }
  const std::string& member = members.front();
  const Json::Value& value = field[member];
  if (member == "isNull") {
    if (!value.isBool() || !value.asBool()) return WrongType(name, member);
    return Parameter{.type = hinted};
  }
  if (member == "booleanValue") {
    if (!value.isBool()) return WrongType(name, member);
    return Parameter{.value = value.asBool() ? "true" : "false", .type = kBool};
  }
  if (member == "longValue") return LongParameter(name, value);
  if (member == "doubleValue") return DoubleParameter(name, value);
  if (member == "stringValue") return TextParameter(name, value, hinted);
  if (member == "blobValue") return BlobParameter(name, value);
  if (member == "arrayValue") {
    return BadRequest("Array parameters are not supported.");
  }
  return BadRequest(
      absl::StrCat("Parameter \"", name, "\" has value with no field set"));
}

}  // namespace

absl::StatusOr<ParameterSet> ReadParameters(const Json::Value& list) {
  ParameterSet parameters;
  if (!list.isArray() && !list.isNull()) {
    return Validation("parameters must be a list");
  }
  for (const Json::Value& item : list) {
    if (!item.isObject()) return Validation("a parameter must be an object");
    const Json::Value& name = item["name"];
    if (!name.isString()) return Validation("a parameter has no name");
    const absl::StatusOr<Oid> hinted = HintedType(item["typeHint"]);
    if (!hinted.ok()) return hinted.status();
    absl::StatusOr<Parameter> parameter =
        ReadField(name.asString(), item["value"], *hinted);
    if (!parameter.ok()) return parameter.status();
    if (!parameters.try_emplace(name.asString(), *std::move(parameter))
             .second) {
      return BadRequest(absl::StrCat("Parameter \"", name.asString(),
                                     "\" is given more than once"));
    }
  }
  return parameters;
}

absl::StatusOr<std::vector<Parameter>> InOrder(
    const std::vector<std::string>& names, const ParameterSet& parameters) {
  std::vector<Parameter> values;
  values.reserve(names.size());
  for (const std::string& name : names) {
    const auto found = parameters.find(name);
    if (found == parameters.end()) {
      return BadRequest(absl::StrCat("Cannot find parameter: ", name));
    }
    values.push_back(found->second);
  }
  return values;
}

}  // namespace byoshin::local::rdsdata
