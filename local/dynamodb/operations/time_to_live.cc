// UpdateTimeToLive and DescribeTimeToLive
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTimeToLive.html
#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/json/text.h"
#include "local/dynamodb/engine/expiry.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

const Shape& UpdateTimeToLiveShape() {
  static const auto* shape = new Shape(
      Struct("UpdateTimeToLiveInput",
             {{"TableName", ControlTableName()},
              {"TimeToLiveSpecification",
               Struct("TimeToLiveSpecification",
                      {{"Enabled", Boolean().Required()},
                       {"AttributeName", String().Required().Length(1, 255)}})
                   .Required()}}));
  return *shape;
}

const Shape& DescribeTimeToLiveShape() {
  static const auto* shape = new Shape(
      Struct("DescribeTimeToLiveInput", {{"TableName", ControlTableName()}}));
  return *shape;
}

absl::Status CheckChange(const TimeToLive& now, const TimeToLive& wanted) {
  if (wanted.enabled && now.enabled) {
    return ValidationError(now.attribute == wanted.attribute
                               ? "TimeToLive is already enabled"
                               : "TimeToLive is active on a different "
                                 "AttributeName: current AttributeName is " +
                                     now.attribute);
  }
  if (!wanted.enabled && !now.enabled) {
    return ValidationError("TimeToLive is already disabled");
  }
  if (!wanted.enabled && now.attribute != wanted.attribute) {
    return ValidationError(
        "TimeToLive is active on a different AttributeName: current "
        "AttributeName is " +
        now.attribute);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> RunUpdate(Database& database,
                                      const std::string& region,
                                      const std::string& name,
                                      const TimeToLive& wanted) {
  Table* table = database.FindTable(region, name);
  if (table == nullptr) return TableNotFound(name);
  absl::Status status = CheckChange(table->time_to_live, wanted);
  if (!status.ok()) return status;
  const TimeToLive before = table->time_to_live;
  table->time_to_live = wanted;
  status = RebuildExpiry(database, *table);
  if (!status.ok()) {
    table->time_to_live = before;
    return status;
  }
  database.SaveTable(*table);
  std::string answer = "{\"TimeToLiveSpecification\":{\"Enabled\":";
  answer += wanted.enabled ? "true" : "false";
  answer += ",\"AttributeName\":";
  json::AppendQuoted(wanted.attribute, answer);
  answer += "}}";
  return answer;
}

absl::StatusOr<std::string> RunDescribe(Database& database,
                                        const std::string& region,
                                        const std::string& name) {
  const Table* table = database.FindTable(region, name);
  if (table == nullptr) return TableNotFound(name);
  if (!table->time_to_live.enabled) {
    return R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})";
  }
  std::string answer =
      R"({"TimeToLiveDescription":{"TimeToLiveStatus":"ENABLED",)"
      R"("AttributeName":)";
  json::AppendQuoted(table->time_to_live.attribute, answer);
  answer += "}}";
  return answer;
}

absl::StatusOr<Work> PrepareUpdateTimeToLive(const Json::Value& json,
                                             const RequestContext& context) {
  const Json::Value& specification = json["TimeToLiveSpecification"];
  const TimeToLive wanted{
      .enabled = specification["Enabled"].asBool(),
      .attribute = specification["AttributeName"].asString()};
  return [region = context.region, name = json["TableName"].asString(),
          wanted](Database& database) {
    return RunUpdate(database, region, name, wanted);
  };
}

absl::StatusOr<Work> PrepareDescribeTimeToLive(const Json::Value& json,
                                               const RequestContext& context) {
  return [region = context.region,
          name = json["TableName"].asString()](Database& database) {
    return RunDescribe(database, region, name);
  };
}

}  // namespace

const Operation kUpdateTimeToLive = {"UpdateTimeToLive", UpdateTimeToLiveShape,
                                     PrepareUpdateTimeToLive};
const Operation kDescribeTimeToLive = {
    "DescribeTimeToLive", DescribeTimeToLiveShape, PrepareDescribeTimeToLive};

}  // namespace byoshin::local::dynamodb
