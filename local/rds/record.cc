#include "local/rds/record.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::rds {

std::string Record::Text(absl::string_view path,
                         absl::string_view otherwise) const {
  std::string text =
      cloudformation::TextProperty(properties, path).value_or("");
  return text.empty() ? std::string(otherwise) : text;
}

bool Record::Flag(absl::string_view path) const {
  return cloudformation::BoolProperty(properties, path, false).value_or(false);
}

std::string WriteRecord(const Record& record) {
  Json::Value value(Json::objectValue);
  value["kind"] = record.kind;
  value["identifier"] = record.identifier;
  value["arn"] = record.arn;
  value["resourceId"] = record.resource_id;
  value["created"] = Json::Int64{absl::ToUnixMillis(record.created)};
  value["properties"] = record.properties;
  value["secretArn"] = record.secret_arn;
  value["stopped"] = record.stopped;
  return json::WriteValue(value);
}

absl::StatusOr<Record> ReadRecord(absl::string_view text) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(text);
  const bool ok =
      value.ok() && value->isObject() && (*value)["created"].isIntegral() &&
      (*value)["properties"].isObject() && (*value)["stopped"].isBool() &&
      !json::TextMember(*value, "identifier").empty();
  if (!ok) {
    return absl::DataLossError(
        absl::StrCat("the database of rds is damaged: ", text.substr(0, 100)));
  }
  return Record{.kind = json::TextMember(*value, "kind"),
                .identifier = json::TextMember(*value, "identifier"),
                .arn = json::TextMember(*value, "arn"),
                .resource_id = json::TextMember(*value, "resourceId"),
                .created = absl::FromUnixMillis((*value)["created"].asInt64()),
                .properties = (*value)["properties"],
                .secret_arn = json::TextMember(*value, "secretArn"),
                .stopped = (*value)["stopped"].asBool()};
}

}  // namespace byoshin::local::rds
