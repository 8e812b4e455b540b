#include "local/sqs/request.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/query.h"
#include "local/gateway/service.h"
#include "local/sqs/error.h"

namespace byoshin::local::sqs {
namespace {

constexpr FieldErrors kFieldErrors = {.invalid_code = "InvalidParameterValue",
                                      .malformed = MalformedRequest};

enum class Form {
  kText,
  kInteger,
  kTexts,
  kTextMap,
  kObjects,
  kObjectMap,
  kIgnored,
};

// The Query protocol names lists and maps in the singular and numbers their
// elements.
struct Parameter {
  absl::string_view query_name{};
  absl::string_view name{};
  Form form = Form::kText;
  QueryParameters::PairNames pair_names{};
};

constexpr Parameter kParameters[] = {
    {"Action", "Action", Form::kIgnored},
    {"Version", "Version", Form::kIgnored},
    {"Attribute", "Attributes", Form::kTextMap},
    {"MessageAttribute", "MessageAttributes", Form::kObjectMap},
    {"MessageSystemAttribute", "MessageSystemAttributes", Form::kObjectMap},
    {"Tag", "Tags", Form::kTextMap, {"Key", "Value"}},
    {"TagKey", "TagKeys", Form::kTexts},
    {"AWSAccountId", "AWSAccountIds", Form::kTexts},
    {"ActionName", "Actions", Form::kTexts},
    {"AttributeName", "AttributeNames", Form::kTexts},
    {"MessageAttributeName", "MessageAttributeNames", Form::kTexts},
    {"MessageSystemAttributeName", "MessageSystemAttributeNames", Form::kTexts},
    {"StringListValue", "StringListValues", Form::kTexts},
    {"BinaryListValue", "BinaryListValues", Form::kTexts},
    {"Entries", "Entries", Form::kObjects},
    {"DelaySeconds", "DelaySeconds", Form::kInteger},
    {"MaxNumberOfMessages", "MaxNumberOfMessages", Form::kInteger},
    {"MaxNumberOfMessagesPerSecond", "MaxNumberOfMessagesPerSecond",
     Form::kInteger},
    {"MaxResults", "MaxResults", Form::kInteger},
    {"VisibilityTimeout", "VisibilityTimeout", Form::kInteger},
    {"WaitTimeSeconds", "WaitTimeSeconds", Form::kInteger},
};

Parameter ParameterOf(absl::string_view query_name) {
  for (const Parameter& parameter : kParameters) {
    if (parameter.query_name == query_name) return parameter;
    // boto3 writes an empty list as "Entries=".
    if (parameter.name == query_name) {
      return {query_name, query_name, parameter.form, parameter.pair_names};
    }
  }
  // Such as SendMessageBatchRequestEntry.1.Id.
  if (absl::EndsWith(query_name, "BatchRequestEntry")) {
    return {query_name, "Entries", Form::kObjects};
  }
  return {query_name, query_name};
}

absl::StatusOr<Json::Value> ObjectOf(const QueryParameters& parameters);

absl::StatusOr<Json::Value> IntegerOf(absl::string_view name,
                                      absl::string_view text) {
  std::int64_t number = 0;
  if (absl::SimpleAtoi(text, &number)) {
    return Json::Value(static_cast<Json::Int64>(number));
  }
  return InvalidParameter(name, text, "Must be an integer.");
}

absl::StatusOr<Json::Value> TextsOf(const QueryParameters& parameters,
                                    const Parameter& parameter) {
  absl::StatusOr<std::vector<std::string>> texts =
      parameters.Values(parameter.query_name);
  if (!texts.ok()) return texts.status();
  Json::Value list(Json::arrayValue);
  for (std::string& text : *texts) list.append(std::move(text));
  return list;
}

absl::StatusOr<Json::Value> TextMapOf(const QueryParameters& parameters,
                                      const Parameter& parameter) {
  Json::Value map(Json::objectValue);
  // A single pair may come without a number.
  const QueryParameters single = parameters.Member(parameter.query_name);
  if (const auto key = single.Find(parameter.pair_names.key)) {
    map[std::string(*key)] =
        std::string(single.Find(parameter.pair_names.value).value_or(""));
    return map;
  }
  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> pairs =
      parameters.Map(parameter.query_name, parameter.pair_names);
  if (!pairs.ok()) return pairs.status();
  for (auto& [key, value] : *pairs) map[key] = std::move(value);
  return map;
}

// A list of objects, or a map of them.
absl::StatusOr<Json::Value> ObjectsOf(const QueryParameters& parameters,
                                      const Parameter& parameter) {
  const absl::StatusOr<std::vector<QueryParameters>> members =
      parameters.List(parameter.query_name);
  if (!members.ok()) return members.status();
  const bool is_map = parameter.form == Form::kObjectMap;
  Json::Value objects(is_map ? Json::objectValue : Json::arrayValue);
  for (const QueryParameters& member : *members) {
    absl::StatusOr<Json::Value> object =
        ObjectOf(is_map ? member.Member(parameter.pair_names.value) : member);
    if (!object.ok()) return object.status();
    if (!is_map) {
      objects.append(*std::move(object));
      continue;
    }
    const std::string key(member.Find(parameter.pair_names.key).value_or(""));
    if (objects.isMember(key)) {
      return InvalidParameterValue(
          absl::StrCat("Message attribute name '", key, "' already exists."));
    }
    objects[key] = *std::move(object);
  }
  return objects;
}

absl::StatusOr<Json::Value> ValueOf(const QueryParameters& parameters,
                                    const Parameter& parameter) {
  switch (parameter.form) {
    case Form::kTexts:
      return TextsOf(parameters, parameter);
    case Form::kTextMap:
      return TextMapOf(parameters, parameter);
    case Form::kObjects:
    case Form::kObjectMap:
      return ObjectsOf(parameters, parameter);
    case Form::kText:
    case Form::kInteger:
      break;
    case Form::kIgnored:
      return Json::Value();
  }
  const std::optional<absl::string_view> text =
      parameters.Find(parameter.query_name);
  if (!text.has_value()) return Json::Value();
  if (parameter.form == Form::kInteger) return IntegerOf(parameter.name, *text);
  return Json::Value(text->data(), text->data() + text->size());
}

absl::StatusOr<Json::Value> ObjectOf(const QueryParameters& parameters) {
  Json::Value object(Json::objectValue);
  for (const absl::string_view query_name : parameters.Names()) {
    const Parameter parameter = ParameterOf(query_name);
    absl::StatusOr<Json::Value> value = ValueOf(parameters, parameter);
    if (!value.ok()) return value.status();
    if (value->empty()) continue;
    const absl::string_view name = parameter.name;
    *object.demand(name.data(), name.data() + name.size()) = *std::move(value);
  }
  return object;
}

}  // namespace

absl::StatusOr<JsonFields> FieldsOf(const Call& call) {
  if (call.protocol != WireProtocol::kQuery) {
    JsonFields fields(call, kFieldErrors);
    if (!fields.status().ok()) return fields.status();
    return fields;
  }
  const absl::StatusOr<QueryParameters> parameters =
      QueryParameters::Parse(call.body);
  if (!parameters.ok()) return parameters.status();
  absl::StatusOr<Json::Value> request = ObjectOf(*parameters);
  if (!request.ok()) return request.status();
  return JsonFields(*std::move(request), kFieldErrors);
}

}  // namespace byoshin::local::sqs
