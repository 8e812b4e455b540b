#include "core/aws/rdsdata/json_client.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/error.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rdsdata/fields.h"
#include "core/aws/rdsdata/sql_state.h"
#include "core/json/value.h"

namespace byoshin::aws::rdsdata {
namespace {

constexpr char kExecute[] = "RDS Data ExecuteStatement";
constexpr char kBatchExecute[] = "RDS Data BatchExecuteStatement";
constexpr char kBegin[] = "RDS Data BeginTransaction";
constexpr char kCommit[] = "RDS Data CommitTransaction";
constexpr char kRollback[] = "RDS Data RollbackTransaction";

absl::Status Damaged(absl::string_view operation, absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat(operation, ": in the answer, ", what));
}

void SetUnlessEmpty(const char* name, const std::string& value,
                    Json::Value& input) {
  if (!value.empty()) input[name] = value;
}

Json::Value InputFor(const Database& database) {
  Json::Value input(Json::objectValue);
  input["resourceArn"] = database.resource_arn;
  input["secretArn"] = database.secret_arn;
  SetUnlessEmpty("database", database.name, input);
  SetUnlessEmpty("schema", database.schema, input);
  return input;
}

Json::Value InputFor(const EndTransactionRequest& request) {
  Json::Value input(Json::objectValue);
  input["resourceArn"] = request.resource_arn;
  input["secretArn"] = request.secret_arn;
  input["transactionId"] = request.transaction_id;
  return input;
}

absl::Status InvalidParameter(absl::string_view operation,
                              const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(operation, ": ", status.message()));
}

absl::StatusOr<Json::Value> InputFor(const ExecuteStatementRequest& request) {
  Json::Value input = InputFor(request.database);
  input["sql"] = request.sql;
  SetUnlessEmpty("transactionId", request.transaction_id, input);
  if (!request.parameters.empty()) {
    absl::StatusOr<Json::Value> parameters =
        WriteParameters(request.parameters);
    if (!parameters.ok()) {
      return InvalidParameter(kExecute, parameters.status());
    }
    input["parameters"] = *std::move(parameters);
  }
  if (request.include_result_metadata) input["includeResultMetadata"] = true;
  if (request.continue_after_timeout) input["continueAfterTimeout"] = true;
  if (request.format == ResultFormat::kJson) input["formatRecordsAs"] = "JSON";
  return input;
}

absl::StatusOr<Json::Value> InputFor(
    const BatchExecuteStatementRequest& request) {
  Json::Value input = InputFor(request.database);
  input["sql"] = request.sql;
  SetUnlessEmpty("transactionId", request.transaction_id, input);
  Json::Value sets(Json::arrayValue);
  for (const std::vector<Parameter>& set : request.parameter_sets) {
    absl::StatusOr<Json::Value> parameters = WriteParameters(set);
    if (!parameters.ok()) {
      return InvalidParameter(kBatchExecute, parameters.status());
    }
    sets.append(*std::move(parameters));
  }
  if (!sets.empty()) input["parameterSets"] = std::move(sets);
  return input;
}

absl::Status ReadRecords(const Json::Value& output,
                         ExecuteStatementResult& result) {
  const Json::Value& records = output["records"];
  if (records.isNull()) return absl::OkStatus();
  if (!records.isArray()) return Damaged(kExecute, "records is not a list");
  result.records.reserve(records.size());
  for (const Json::Value& record : records) {
    if (!record.isArray()) return Damaged(kExecute, "a record is not a list");
    std::vector<Field> fields;
    fields.reserve(record.size());
    for (const Json::Value& json : record) {
      absl::StatusOr<Field> field = ReadField(json);
      if (!field.ok()) return Damaged(kExecute, field.status().message());
      fields.push_back(*std::move(field));
    }
    result.records.push_back(std::move(fields));
  }
  return absl::OkStatus();
}

absl::Status ReadColumns(const Json::Value& output,
                         ExecuteStatementResult& result) {
  // JDBC's columnNoNulls.
  constexpr int kNotNullable = 0;
  const Json::Value& columns = output["columnMetadata"];
  if (columns.isNull()) return absl::OkStatus();
  if (!columns.isArray()) {
    return Damaged(kExecute, "columnMetadata is not a list");
  }
  for (const Json::Value& column : columns) {
    if (!column.isObject()) {
      return Damaged(kExecute, "the metadata of a column are not an object");
    }
    const Json::Value& nullable = column["nullable"];
    result.columns.push_back(
        {.name = json::TextMember(column, "name"),
         .label = json::TextMember(column, "label"),
         .type_name = json::TextMember(column, "typeName"),
         .nullable = !nullable.isInt() || nullable.asInt() != kNotNullable});
  }
  return absl::OkStatus();
}

absl::StatusOr<ExecuteStatementResult> ResultOf(const Json::Value& output) {
  ExecuteStatementResult result;
  if (absl::Status status = ReadRecords(output, result); !status.ok()) {
    return status;
  }
  if (absl::Status status = ReadColumns(output, result); !status.ok()) {
    return status;
  }
  const Json::Value& updated = output["numberOfRecordsUpdated"];
  if (!updated.isNull() && !updated.isInt64()) {
    return Damaged(kExecute, "numberOfRecordsUpdated is not an integer");
  }
  if (updated.isInt64()) result.records_updated = updated.asInt64();
  result.formatted_records = json::TextMember(output, "formattedRecords");
  return result;
}

}  // namespace

JsonClient::JsonClient(ClientDependencies dependencies)
    : protocol_(std::move(dependencies)) {}

absl::StatusOr<Json::Value> JsonClient::Send(const Operation& operation,
                                             Json::Value input,
                                             absl::Time deadline) {
  absl::StatusOr<Json::Value> output =
      protocol_.Send({.service = {.name = "rds-data"},
                      .path = {operation.path},
                      .operation = operation.name,
                      .input = std::move(input),
                      .limits = {.attempt_timeout = kStatementAttemptTimeout,
                                 .max_response_bytes = kMaxResultBytes,
                                 .repetition = operation.repetition}},
                     deadline);
  if (output.ok()) return output;
  return WithCodeOfSqlState(output.status());
}

absl::StatusOr<ExecuteStatementResult> JsonClient::ExecuteStatement(
    const ExecuteStatementRequest& request, absl::Time deadline) {
  absl::StatusOr<Json::Value> input = InputFor(request);
  if (!input.ok()) return input.status();
  const absl::StatusOr<Json::Value> output = Send(
      {kExecute, "Execute", request.repetition}, *std::move(input), deadline);
  if (!output.ok()) return output.status();
  return ResultOf(*output);
}

absl::Status JsonClient::BatchExecuteStatement(
    const BatchExecuteStatementRequest& request, absl::Time deadline) {
  absl::StatusOr<Json::Value> input = InputFor(request);
  if (!input.ok()) return input.status();
  return Send({kBatchExecute, "BatchExecute", request.repetition},
              *std::move(input), deadline)
      .status();
}

absl::StatusOr<std::string> JsonClient::BeginTransaction(
    const Database& database, absl::Time deadline) {
  // If an answer is lost, its transaction ends by itself.
  const absl::StatusOr<Json::Value> output =
      Send({kBegin, "BeginTransaction", Repetition::kHarmless},
           InputFor(database), deadline);
  if (!output.ok()) return output.status();
  std::string id = json::TextMember(*output, "transactionId");
  if (id.empty()) return Damaged(kBegin, "there is no transactionId");
  return id;
}

absl::Status JsonClient::CommitTransaction(const EndTransactionRequest& request,
                                           absl::Time deadline) {
  return Send({kCommit, "CommitTransaction"}, InputFor(request), deadline)
      .status();
}

absl::Status JsonClient::RollbackTransaction(
    const EndTransactionRequest& request, absl::Time deadline) {
  return Send({kRollback, "RollbackTransaction", Repetition::kHarmless},
              InputFor(request), deadline)
      .status();
}

}  // namespace byoshin::aws::rdsdata
