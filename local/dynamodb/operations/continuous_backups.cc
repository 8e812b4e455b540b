// UpdateContinuousBackups and DescribeContinuousBackups. The setting is stored
// and described; there are no backups.
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateContinuousBackups.html
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeContinuousBackups.html
#include <json/json.h>

#include <algorithm>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/dynamodb/engine/table_json.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int kMaxRecoveryPeriodDays = 35;
// AWS can restore to times up to five minutes ago.
constexpr absl::Duration kLatestRestorableAge = absl::Minutes(5);

const Shape& UpdateBackupsShape() {
  static const auto* shape = new Shape(
      Struct("UpdateContinuousBackupsInput",
             {{"TableName", ControlTableName()},
              {"PointInTimeRecoverySpecification",
               Struct("PointInTimeRecoverySpecification",
                      {{"PointInTimeRecoveryEnabled", Boolean().Required()},
                       {"RecoveryPeriodInDays",
                        Integer().Range(1, kMaxRecoveryPeriodDays)}})
                   .Required()}}));
  return *shape;
}

const Shape& DescribeBackupsShape() {
  static const auto* shape = new Shape(Struct(
      "DescribeContinuousBackupsInput", {{"TableName", ControlTableName()}}));
  return *shape;
}

absl::Status NotFound(const std::string& name) {
  return ServiceError({.code = "TableNotFoundException",
                       .message = absl::StrCat("Table not found: ", name)});
}

std::string Describe(const Database& database, const Table& table) {
  std::string answer =
      "{\"ContinuousBackupsDescription\":{\"ContinuousBackupsStatus\":"
      "\"ENABLED\",\"PointInTimeRecoveryDescription\":{";
  if (table.point_in_time_since) {
    const absl::Time earliest =
        std::max(*table.point_in_time_since,
                 database.Now() - absl::Hours(24) * table.recovery_period_days);
    absl::StrAppend(&answer,
                    "\"PointInTimeRecoveryStatus\":\"ENABLED\","
                    "\"RecoveryPeriodInDays\":",
                    table.recovery_period_days,
                    ",\"EarliestRestorableDateTime\":");
    AppendTime(earliest, answer);
    answer += ",\"LatestRestorableDateTime\":";
    AppendTime(std::max(earliest, database.Now() - kLatestRestorableAge),
               answer);
  } else {
    answer += "\"PointInTimeRecoveryStatus\":\"DISABLED\"";
  }
  answer += "}}}";
  return answer;
}

// The requested state in UpdateContinuousBackups.
struct Wanted {
  bool enabled = false;
  int period_days = kMaxRecoveryPeriodDays;
};

absl::StatusOr<std::string> RunUpdate(Database& database,
                                      const std::string& region,
                                      const std::string& name,
                                      const Wanted& wanted) {
  Table* table = database.FindTable(region, name);
  if (table == nullptr) return NotFound(name);
  if (!wanted.enabled) {
    table->point_in_time_since.reset();
  } else if (!table->point_in_time_since) {
    table->point_in_time_since = database.Now();
  }
  table->recovery_period_days = wanted.period_days;
  database.SaveTable(*table);
  return Describe(database, *table);
}

absl::StatusOr<Work> PrepareUpdateBackups(const Json::Value& json,
                                          const RequestContext& context) {
  const Json::Value& specification = json["PointInTimeRecoverySpecification"];
  Wanted wanted;
  wanted.enabled = specification["PointInTimeRecoveryEnabled"].asBool();
  if (Has(specification, "RecoveryPeriodInDays")) {
    wanted.period_days = specification["RecoveryPeriodInDays"].asInt();
  }
  return [region = context.region, name = json["TableName"].asString(),
          wanted](Database& database) {
    return RunUpdate(database, region, name, wanted);
  };
}

absl::StatusOr<Work> PrepareDescribeBackups(const Json::Value& json,
                                            const RequestContext& context) {
  return [region = context.region, name = json["TableName"].asString()](
             Database& database) -> absl::StatusOr<std::string> {
    const Table* table = database.FindTable(region, name);
    if (table == nullptr) return NotFound(name);
    return Describe(database, *table);
  };
}

}  // namespace

const Operation kUpdateContinuousBackups = {
    "UpdateContinuousBackups", UpdateBackupsShape, PrepareUpdateBackups};
const Operation kDescribeContinuousBackups = {
    "DescribeContinuousBackups", DescribeBackupsShape, PrepareDescribeBackups};

}  // namespace byoshin::local::dynamodb
