#include "local/rdsdata/requests.h"

#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/postgres_client/connection.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/limits.h"
#include "local/rdsdata/parameters.h"
#include "local/rdsdata/sql_parameters.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::Parameter;

constexpr char kInvalidCode[] = "ValidationException";

// Null if there is none.
const Json::Value& MemberOf(const Call& call, const char* name) {
  return call.body.empty() ? Json::Value::nullSingleton()
                           : (*call.JsonBody())[name];
}

absl::Status TooLong(absl::string_view name, std::size_t max) {
  return Validation(absl::StrCat(
      "1 validation error detected: Value at '", name,
      "' failed to satisfy constraint: Member must have length less than or "
      "equal to ",
      max));
}

absl::Status CheckLengths(const Target& target) {
  if (target.database.size() > kMaxNameBytes) {
    return TooLong("database", kMaxNameBytes);
  }
  if (target.transaction_id.size() > kMaxTransactionIdBytes) {
    return TooLong("transactionId", kMaxTransactionIdBytes);
  }
  // libpq would end the name there.
  if (absl::StrContains(target.database, absl::string_view("\0", 1))) {
    return Validation("The value of database has an invalid character");
  }
  return absl::OkStatus();
}

Target ReadTarget(JsonFields& fields) {
  return {.resource_arn = fields.Required("resourceArn"),
          .secret_arn = fields.Required("secretArn"),
          .database = fields.Text("database"),
          .transaction_id = fields.Text("transactionId")};
}

absl::Status CheckSql(absl::string_view sql, absl::string_view schema) {
  if (sql.size() > kMaxSqlBytes) return TooLong("sql", kMaxSqlBytes);
  if (!schema.empty()) return Validation("Schema parameter isn't supported");
  if (absl::StrContains(sql, absl::string_view("\0", 1))) {
    return DatabaseError(
        "ERROR: invalid byte sequence for encoding \"UTF8\": 0x00; "
        "SQLState: 22021");
  }
  return absl::OkStatus();
}

absl::Status Number(const std::string& sql,
                    const std::vector<ParameterSet>& sets,
                    postgres_client::Statement& statement) {
  NumberedSql numbered = NumberParameters(sql, [&sets](absl::string_view name) {
    return !sets.empty() && sets.front().contains(name);
  });
  if (!numbered.own_number.empty()) {
    // As the server would say if it were not for our own numbers.
    return DatabaseError(absl::StrCat("ERROR: there is no parameter ",
                                      numbered.own_number,
                                      "; SQLState: 42P02"));
  }
  statement.sql = std::move(numbered.sql);
  statement.max_received_bytes = kMaxReceivedBytes;
  statement.sets.clear();
  for (const ParameterSet& set : sets) {
    absl::StatusOr<std::vector<Parameter>> values =
        InOrder(numbered.names, set);
    if (!values.ok()) return values.status();
    statement.sets.push_back(*std::move(values));
  }
  return absl::OkStatus();
}

// What both operations have; `sets` is read already.
absl::StatusOr<StatementRequest> ReadStatement(
    JsonFields& fields, const std::vector<ParameterSet>& sets) {
  StatementRequest request{.target = ReadTarget(fields)};
  const std::string sql = fields.Required("sql");
  const std::string schema = fields.Text("schema");
  if (!fields.status().ok()) return fields.status();
  if (absl::Status status = CheckLengths(request.target); !status.ok()) {
    return status;
  }
  if (absl::Status status = CheckSql(sql, schema); !status.ok()) return status;
  if (absl::Status status = Number(sql, sets, request.statement);
      !status.ok()) {
    return status;
  }
  return request;
}

}  // namespace

absl::StatusOr<StatementRequest> ReadExecute(const Call& call) {
  JsonFields fields(call, kInvalidCode);
  if (!fields.status().ok()) return fields.status();
  const absl::StatusOr<ParameterSet> parameters =
      ReadParameters(MemberOf(call, "parameters"));
  if (!parameters.ok()) return parameters.status();
  absl::StatusOr<StatementRequest> request =
      ReadStatement(fields, {*parameters});
  if (!request.ok()) return request.status();
  request->include_metadata = fields.Flag("includeResultMetadata");
  request->continue_after_timeout = fields.Flag("continueAfterTimeout");
  if (fields.OneOf("formatRecordsAs", {"NONE", "JSON"}) == "JSON") {
    request->format = StatementRequest::Format::kJson;
  }
  if (std::optional<JsonFields> options = fields.Object("resultSetOptions")) {
    if (options->OneOf("decimalReturnType", {"STRING", "DOUBLE_OR_LONG"}) ==
        "DOUBLE_OR_LONG") {
      request->records.decimal = RecordOptions::Decimal::kDoubleOrLong;
    }
    if (options->OneOf("longReturnType", {"LONG", "STRING"}) == "STRING") {
      request->records.integer = RecordOptions::Long::kString;
    }
  }
  if (!fields.status().ok()) return fields.status();
  if (request->continue_after_timeout &&
      !request->target.transaction_id.empty()) {
    return BadRequest(
        "continueAfterTimeout can't be used with a transactionId");
  }
  return request;
}

absl::StatusOr<StatementRequest> ReadBatch(const Call& call) {
  JsonFields fields(call, kInvalidCode);
  if (!fields.status().ok()) return fields.status();
  const Json::Value& list = MemberOf(call, "parameterSets");
  if (!list.isNull() && !list.isArray()) {
    return Validation("parameterSets must be a list");
  }
  std::vector<ParameterSet> sets;
  for (const Json::Value& item : list) {
    absl::StatusOr<ParameterSet> set = ReadParameters(item);
    if (!set.ok()) return set.status();
    sets.push_back(*std::move(set));
  }
  return ReadStatement(fields, sets);
}

absl::StatusOr<Target> ReadBegin(const Call& call) {
  JsonFields fields(call, kInvalidCode);
  Target target = ReadTarget(fields);
  const std::string schema = fields.Text("schema");
  if (!fields.status().ok()) return fields.status();
  if (!schema.empty()) return Validation("Schema parameter isn't supported");
  target.transaction_id.clear();
  if (absl::Status status = CheckLengths(target); !status.ok()) return status;
  return target;
}

absl::StatusOr<Target> ReadEnd(const Call& call) {
  JsonFields fields(call, kInvalidCode);
  Target target = ReadTarget(fields);
  target.transaction_id = fields.Required("transactionId");
  if (!fields.status().ok()) return fields.status();
  // Only Begin has one.
  target.database.clear();
  if (absl::Status status = CheckLengths(target); !status.ok()) return status;
  return target;
}

}  // namespace byoshin::local::rdsdata
