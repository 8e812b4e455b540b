#include "local/cognito/schema.h"

#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cognito/errors.h"
#include "local/cognito/limits.h"
#include "local/cognito/names.h"

namespace byoshin::local::cognito {
namespace {

using Type = SchemaAttribute::Type;

constexpr char kCustom[] = "custom:";
constexpr char kDeveloper[] = "dev:";
constexpr std::int64_t kBirthdateLength = 10;

struct StandardAttribute {
  const char* name;
  Type type = Type::kText;
};
constexpr StandardAttribute kStandard[] = {
    {"address"},
    {"birthdate"},
    {"email"},
    {"email_verified", Type::kBoolean},
    {"family_name"},
    {"gender"},
    {"given_name"},
    {"locale"},
    {"middle_name"},
    {"name"},
    {"nickname"},
    {"phone_number"},
    {"phone_number_verified", Type::kBoolean},
    {"picture"},
    {"preferred_username"},
    {"profile"},
    {"sub"},
    {"updated_at", Type::kNumber},
    {"website"},
    {"zoneinfo"}};

std::map<std::string, SchemaAttribute> StandardSchema() {
  std::map<std::string, SchemaAttribute> schema;
  for (const StandardAttribute& standard : kStandard) {
    SchemaAttribute attribute{.name = standard.name, .type = standard.type};
    if (standard.type == Type::kText) {
      attribute.min = 0;
      attribute.max = kMaxAttributeLength;
    } else if (standard.type == Type::kNumber) {
      attribute.min = 0;
    }
    schema.emplace(standard.name, attribute);
  }
  schema["birthdate"].min = kBirthdateLength;
  schema["birthdate"].max = kBirthdateLength;
  SchemaAttribute& sub = schema["sub"];
  sub.min = 1;
  sub.is_mutable = false;
  sub.required = true;
  return schema;
}

const std::pair<Type, const char*> kTypeNames[] = {{Type::kText, "String"},
                                                   {Type::kNumber, "Number"},
                                                   {Type::kBoolean, "Boolean"},
                                                   {Type::kTime, "DateTime"}};

const char* NameOf(Type type) {
  for (const auto& [known, name] : kTypeNames) {
    if (known == type) return name;
  }
  return "";
}

Type TypeOf(const std::string& name) {
  for (const auto& [type, known] : kTypeNames) {
    if (known == name) return type;
  }
  return Type::kText;
}

// The limits are texts in the API.
std::optional<std::int64_t> LimitIn(const Json::Value& constraints,
                                    const char* name) {
  std::int64_t limit = 0;
  const Json::Value& text = constraints[name];
  if (!text.isString() || !absl::SimpleAtoi(text.asString(), &limit)) {
    return std::nullopt;
  }
  return limit;
}

void ReadLimits(JsonFields& given, Json::Value& attribute) {
  constexpr struct {
    const char* group;
    const char* min;
    const char* max;
  } kLimits[] = {{"StringAttributeConstraints", "MinLength", "MaxLength"},
                 {"NumberAttributeConstraints", "MinValue", "MaxValue"}};
  for (const auto& [group, min, max] : kLimits) {
    std::optional<JsonFields> constraints = given.Object(group);
    if (!constraints.has_value()) continue;
    for (const char* limit : {min, max}) {
      const std::string text = constraints->Text(limit);
      if (!text.empty()) attribute[group][limit] = text;
    }
  }
}

absl::Status DoesNotFit(absl::string_view why) {
  return InvalidParameterError(
      absl::StrCat("Attributes did not conform to the schema: ", why));
}

absl::Status CheckNumber(const SchemaAttribute& attribute,
                         const std::string& value) {
  std::int64_t number = 0;
  if (!absl::SimpleAtoi(value, &number)) {
    return DoesNotFit(
        absl::StrCat(attribute.name, ": Attribute must be of type number\n"));
  }
  if ((attribute.min.has_value() && number < *attribute.min) ||
      (attribute.max.has_value() && number > *attribute.max)) {
    return DoesNotFit(absl::StrCat(attribute.name, ": Number out of range.\n"));
  }
  return absl::OkStatus();
}

absl::Status CheckText(const SchemaAttribute& attribute,
                       const std::string& value) {
  const auto length = static_cast<std::int64_t>(value.size());
  if (attribute.max.has_value() && length > *attribute.max) {
    return DoesNotFit(absl::StrCat(attribute.name,
                                   ": String must be no longer than ",
                                   *attribute.max, " characters\n"));
  }
  if (attribute.min.has_value() && length < *attribute.min) {
    return DoesNotFit(absl::StrCat(attribute.name,
                                   ": String must be no shorter than ",
                                   *attribute.min, " characters\n"));
  }
  if (attribute.name == "email" && !value.empty() && !IsEmail(value)) {
    return InvalidParameterError("Invalid email address format.");
  }
  if (attribute.name == "phone_number" && !value.empty() && !IsPhone(value)) {
    return InvalidParameterError("Invalid phone number format.");
  }
  return absl::OkStatus();
}

absl::Status CheckAttributeValue(const SchemaAttribute& attribute,
                                 const std::string& value) {
  switch (attribute.type) {
    case Type::kNumber:
      return CheckNumber(attribute, value);
    case Type::kBoolean:
      if (value == "true" || value == "false" || value == "True" ||
          value == "False") {
        return absl::OkStatus();
      }
      return DoesNotFit(absl::StrCat(attribute.name,
                                     ": Attribute must be of type boolean\n"));
    default:
      return CheckText(attribute, value);
  }
}

}  // namespace

absl::Status AddSchemaAttribute(JsonFields& given, Json::Value& kept) {
  const std::string name = given.Text("Name");
  const std::string type = given.Text("AttributeDataType");
  const bool standard = StandardSchema().contains(name);
  if (!standard && absl::StrContains(name, "custom:")) {
    return InvalidParameterError(
        absl::StrCat("Invalid name of a custom attribute: ", name));
  }
  if (kept.size() >= kMaxCustomAttributes + StandardSchema().size()) {
    return ApiError("LimitExceededException",
                    absl::StrCat("A user pool has at most ",
                                 kMaxCustomAttributes, " custom attributes."));
  }
  Json::Value attribute(Json::objectValue);
  const bool developer_only = given.Flag("DeveloperOnlyAttribute");
  attribute["Name"] =
      standard ? name
               : absl::StrCat(developer_only ? kDeveloper : "", kCustom, name);
  for (const Json::Value& other : kept) {
    if (other["Name"] == attribute["Name"]) {
      return InvalidParameterError(
          absl::StrCat(attribute["Name"].asString(),
                       ": Existing attribute already has name ",
                       attribute["Name"].asString(), "."));
    }
  }
  attribute["AttributeDataType"] = type.empty() ? "String" : type;
  attribute["DeveloperOnlyAttribute"] = developer_only;
  attribute["Mutable"] = !given.Has("Mutable") || given.Flag("Mutable");
  attribute["Required"] = given.Flag("Required");
  if (!standard && attribute["Required"].asBool()) {
    return InvalidParameterError(
        "Required custom attributes are not supported currently.");
  }
  ReadLimits(given, attribute);
  kept.append(std::move(attribute));
  return absl::OkStatus();
}

std::map<std::string, SchemaAttribute> SchemaOf(const Json::Value& kept) {
  std::map<std::string, SchemaAttribute> schema = StandardSchema();
  for (const Json::Value& one : kept) {
    SchemaAttribute attribute{
        .name = one["Name"].asString(),
        .type = TypeOf(one["AttributeDataType"].asString()),
        .is_mutable = one["Mutable"].asBool(),
        .required = one["Required"].asBool(),
        .developer_only = one["DeveloperOnlyAttribute"].asBool()};
    const bool text = attribute.type == Type::kText;
    const Json::Value& constraints =
        one[text ? "StringAttributeConstraints" : "NumberAttributeConstraints"];
    attribute.min = LimitIn(constraints, text ? "MinLength" : "MinValue");
    attribute.max = LimitIn(constraints, text ? "MaxLength" : "MaxValue");
    if (text && !attribute.max.has_value()) attribute.max = kMaxAttributeLength;
    schema[attribute.name] = attribute;
  }
  return schema;
}

Json::Value SchemaJson(const std::map<std::string, SchemaAttribute>& schema) {
  Json::Value list(Json::arrayValue);
  for (const auto& [name, attribute] : schema) {
    Json::Value one(Json::objectValue);
    one["Name"] = name;
    one["AttributeDataType"] = NameOf(attribute.type);
    one["DeveloperOnlyAttribute"] = attribute.developer_only;
    one["Mutable"] = attribute.is_mutable;
    one["Required"] = attribute.required;
    const bool text = attribute.type == Type::kText;
    if (text || attribute.type == Type::kNumber) {
      Json::Value& constraints = one[text ? "StringAttributeConstraints"
                                          : "NumberAttributeConstraints"];
      constraints = Json::objectValue;
      if (attribute.min.has_value()) {
        constraints[text ? "MinLength" : "MinValue"] =
            absl::StrCat(*attribute.min);
      }
      if (attribute.max.has_value()) {
        constraints[text ? "MaxLength" : "MaxValue"] =
            absl::StrCat(*attribute.max);
      }
    }
    list.append(std::move(one));
  }
  return list;
}

absl::Status CheckAttributes(const PoolRules& rules, const Attributes& given,
                             Change change) {
  for (const auto& [name, value] : given) {
    const auto attribute = rules.schema.find(name);
    if (attribute == rules.schema.end()) {
      return DoesNotFit(absl::StrCat("Type for attribute {", name,
                                     "} could not be determined"));
    }
    if (name == "sub" ||
        (change == Change::kUpdate && !attribute->second.is_mutable)) {
      return InvalidParameterError(
          absl::StrCat("user.", name, ": Attribute cannot be updated.\n"));
    }
    absl::Status fits = CheckAttributeValue(attribute->second, value);
    if (!fits.ok()) return fits;
  }
  for (const auto& [name, attribute] : rules.schema) {
    if (!attribute.required || name == "sub") continue;
    const auto found = given.find(name);
    const bool missing = change == Change::kCreate
                             ? found == given.end() || found->second.empty()
                             : found != given.end() && found->second.empty();
    if (missing) {
      return DoesNotFit(absl::StrCat(name, ": The attribute is required\n"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckRemoval(const PoolRules& rules,
                          const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto attribute = rules.schema.find(name);
    if (attribute == rules.schema.end() || attribute->second.required ||
        !attribute->second.is_mutable) {
      return InvalidParameterError(
          absl::StrCat("user.", name, ": Attribute cannot be deleted.\n"));
    }
  }
  return absl::OkStatus();
}

std::string AttributeOf(const kept::User& user, absl::string_view name) {
  for (const kept::Attribute& attribute : user.attributes()) {
    if (attribute.name() == name) return attribute.value();
  }
  return "";
}

bool HasAttribute(const kept::User& user, absl::string_view name) {
  for (const kept::Attribute& attribute : user.attributes()) {
    if (attribute.name() == name) return true;
  }
  return false;
}

void SetAttribute(kept::User& user, absl::string_view name,
                  absl::string_view value) {
  for (kept::Attribute& attribute : *user.mutable_attributes()) {
    if (attribute.name() != name) continue;
    attribute.set_value(std::string(value));
    return;
  }
  kept::Attribute& added = *user.add_attributes();
  added.set_name(std::string(name));
  added.set_value(std::string(value));
}

void RemoveAttribute(kept::User& user, absl::string_view name) {
  for (int i = 0; i < user.attributes_size(); ++i) {
    if (user.attributes(i).name() != name) continue;
    user.mutable_attributes()->DeleteSubrange(i, 1);
    return;
  }
}

std::string VerifiedName(absl::string_view name) {
  return absl::StrCat(name, "_verified");
}

bool IsVerified(const kept::User& user, absl::string_view name) {
  return absl::EqualsIgnoreCase(AttributeOf(user, VerifiedName(name)), "true");
}

}  // namespace byoshin::local::cognito
