#include "local/gateway/json_fields.h"

#include <json/json.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/gateway/constraints.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/wire/check.h"
#include "local/wire/model.h"

namespace byoshin::local {
namespace {

const Json::Value& NoMembers() {
  static const auto* const none = new Json::Value(Json::objectValue);
  return *none;
}

}  // namespace

JsonFields::JsonFields(const Call& call, const FieldErrors& errors)
    : shared_(std::make_shared<Shared>(Shared{.errors = errors})),
      object_(&NoMembers()) {
  if (!call.body.empty()) {
    call.JsonBody();
    shared_->body = call.parsed_body;
    ReadBody();
  }
  if (status().ok()) CheckBody(call.operation);
}

JsonFields::JsonFields(absl::StatusOr<Json::Value> request,
                       const FieldErrors& errors)
    : shared_(std::make_shared<Shared>(
          Shared{.errors = errors,
                 .body = std::make_shared<absl::StatusOr<Json::Value>>(
                     std::move(request))})),
      object_(&NoMembers()) {
  ReadBody();
}

void JsonFields::ReadBody() {
  const absl::StatusOr<Json::Value>& body = *shared_->body;
  if (!body.ok()) {
    FailMalformed(absl::StrCat("The request is not valid JSON: ",
                               body.status().message()));
  } else if (!body->isObject()) {
    FailMalformed("The request is not a JSON object.");
  } else {
    object_ = &*body;
  }
}

void JsonFields::CheckBody(absl::string_view operation) {
  if (shared_->errors.model == nullptr) return;
  const std::optional<wire::Shape> input =
      shared_->errors.model->InputOf(operation);
  if (!input.has_value()) return;
  wire::RequestFaults faults =
      wire::CheckRequest(*input, *object_, shared_->errors.exempt);
  if (!faults.malformed.empty()) return FailMalformed(faults.malformed);
  shared_->constraints = std::move(faults.constraints);
  FailConstraints();
}

const Json::Value* JsonFields::Find(absl::string_view name) const {
  const Json::Value* value =
      object_->find(name.data(), name.data() + name.size());
  return value == nullptr || value->isNull() ? nullptr : value;
}

const Json::Value* JsonFields::Find(absl::string_view name,
                                    bool (Json::Value::*fits)() const,
                                    absl::string_view expected) {
  const Json::Value* value = Find(name);
  if (value == nullptr || (value->*fits)()) return value;
  FailMalformed(absl::StrCat(name, " must be ", expected, ", not ",
                             json::Describe(*value), "."));
  return nullptr;
}

std::string JsonFields::Text(absl::string_view name) {
  return FindText(name).value_or("");
}

std::optional<std::string> JsonFields::FindText(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isString, "a string");
  if (value == nullptr) return std::nullopt;
  return value->asString();
}

std::string JsonFields::Required(absl::string_view name) {
  std::string text = Text(name);
  if (!text.empty()) return text;
  shared_->constraints.Add(MemberPath(path_, name), Json::Value(),
                           kMustNotBeNull);
  FailConstraints();
  return text;
}

std::string JsonFields::OneOf(absl::string_view name,
                              const std::vector<std::string>& values) {
  const std::optional<std::string> text = FindText(name);
  if (!text.has_value()) return "";
  shared_->constraints.CheckOneOf(MemberPath(path_, name), *text, values);
  FailConstraints();
  return *text;
}

std::optional<std::string> JsonFields::Bytes(absl::string_view name) {
  const std::optional<std::string> text = FindText(name);
  if (!text.has_value()) return std::nullopt;
  std::string bytes;
  if (absl::Base64Unescape(*text, &bytes)) return bytes;
  FailMalformed(absl::StrCat(name, " is not valid Base64."));
  return std::nullopt;
}

std::vector<std::string> JsonFields::Texts(absl::string_view name) {
  std::vector<std::string> texts;
  const Json::Value* list = Find(name, &Json::Value::isArray, "a list");
  if (list == nullptr) return texts;
  for (const Json::Value& element : *list) {
    if (element.isString()) {
      texts.push_back(element.asString());
    } else {
      FailMalformed(absl::StrCat(name, " must be a list of strings."));
    }
  }
  return texts;
}

std::map<std::string, std::string> JsonFields::TextMap(absl::string_view name) {
  std::map<std::string, std::string> texts;
  const Json::Value* map = Find(name, &Json::Value::isObject, "a map");
  if (map == nullptr) return texts;
  for (auto member = map->begin(); member != map->end(); ++member) {
    if (member->isString()) {
      texts[member.name()] = member->asString();
    } else {
      FailMalformed(absl::StrCat(name, " must be a map of strings."));
    }
  }
  return texts;
}

bool JsonFields::Flag(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isBool, "a boolean");
  return value != nullptr && value->asBool();
}

std::int64_t JsonFields::Integer(absl::string_view name, const Range& range) {
  const std::optional<std::int64_t> number = FindInteger(name);
  if (!number.has_value()) return range.otherwise;
  if (*number >= range.min && *number <= range.max) return *number;
  shared_->constraints.CheckValue(MemberPath(path_, name),
                                  static_cast<Json::Int64>(*number),
                                  {.min = range.min, .max = range.max});
  FailConstraints();
  return range.otherwise;
}

std::optional<std::int64_t> JsonFields::FindInteger(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isInt64, "an integer");
  if (value == nullptr) return std::nullopt;
  return value->asInt64();
}

std::optional<double> JsonFields::FindNumber(absl::string_view name) {
  const Json::Value* value = Find(name, &Json::Value::isNumeric, "a number");
  if (value == nullptr) return std::nullopt;
  return value->asDouble();
}

std::optional<JsonFields> JsonFields::Object(absl::string_view name) {
  const Json::Value* object = Find(name, &Json::Value::isObject, "an object");
  if (object == nullptr) return std::nullopt;
  return JsonFields(shared_, *object, MemberPath(path_, name));
}

std::vector<JsonFields> JsonFields::Objects(absl::string_view name) {
  std::vector<JsonFields> objects;
  const Json::Value* list = Find(name, &Json::Value::isArray, "a list");
  if (list == nullptr) return objects;
  const std::string path = MemberPath(path_, name);
  for (const Json::Value& element : *list) {
    if (!element.isObject()) {
      FailMalformed(absl::StrCat(name, " must be a list of objects."));
      return {};
    }
    objects.push_back(
        JsonFields(shared_, element,
                   absl::StrCat(path, ".", objects.size() + 1, ".member")));
  }
  return objects;
}

std::vector<std::pair<std::string, JsonFields>> JsonFields::ObjectMap(
    absl::string_view name) {
  std::vector<std::pair<std::string, JsonFields>> objects;
  const Json::Value* map = Find(name, &Json::Value::isObject, "a map");
  if (map == nullptr) return objects;
  const std::string path = MemberPath(path_, name);
  for (auto member = map->begin(); member != map->end(); ++member) {
    if (!member->isObject()) {
      FailMalformed(absl::StrCat(name, " must be a map of objects."));
      return {};
    }
    objects.emplace_back(
        member.name(),
        JsonFields(shared_, *member,
                   absl::StrCat(path, ".", member.name(), ".member")));
  }
  return objects;
}

void JsonFields::Fail(absl::string_view message) {
  if (!status().ok()) return;
  shared_->status =
      ServiceError({.code = std::string(shared_->errors.invalid_code),
                    .message = std::string(message)});
}

void JsonFields::FailMalformed(absl::string_view message) {
  if (shared_->malformed) return;
  shared_->malformed = true;
  shared_->status = shared_->errors.malformed != nullptr
                        ? shared_->errors.malformed(message)
                        : ServiceError({.code = "SerializationException",
                                        .message = std::string(message)});
}

void JsonFields::FailConstraints() {
  if (shared_->malformed || shared_->constraints.empty()) return;
  shared_->status =
      ServiceError({.code = std::string(shared_->errors.invalid_code),
                    .message = shared_->constraints.Message()});
}

}  // namespace byoshin::local
