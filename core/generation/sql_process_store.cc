#include "core/generation/sql_process_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/rdsdata/client.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/generation/process_store.h"
#include "core/generation/request.h"
#include "core/generation/sql.h"
#include "core/json/json.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {
namespace {

using aws::Repetition;
using aws::rdsdata::Field;

// In the order of ReadProcess().
constexpr char kSummaryColumns[] =
    "id, origin_id, user_id, type, status, target_id, progress, error, "
    "retry_count, created_at, updated_at, completed_at, execution_arn";
constexpr char kAllColumns[] =
    "id, origin_id, user_id, type, status, target_id, progress, error, "
    "retry_count, created_at, updated_at, completed_at, execution_arn, "
    "params, result";
constexpr char kIsActive[] = "status IN ('PENDING', 'PROCESSING')";

enum class Columns { kSummary, kAll };

std::string ErrorJson(const ProcessError& error) {
  ProcessErrorData data;
  data.set_code(error.code);
  data.set_message(error.message);
  return json::ToJson(data);
}

std::optional<ProcessError> ReadError(SqlRow& row) {
  const std::string text = row.TextOrEmpty();
  if (text.empty()) return std::nullopt;
  const absl::StatusOr<ProcessErrorData> data =
      json::FromJson<ProcessErrorData>(text);
  if (!data.ok()) {
    row.Refuse("is not an error");
    return std::nullopt;
  }
  return ProcessError{.code = data->code(), .message = data->message()};
}

absl::StatusOr<Process> ReadProcess(const std::vector<Field>& fields,
                                    Columns columns) {
  SqlRow row(fields);
  Process process;
  process.id = row.Text();
  process.origin_id = row.Text();
  process.user_id = row.Text();
  const std::optional<ProcessType> type = ProcessTypeOf(row.Text());
  if (!type.has_value()) row.Refuse("is not a process type");
  process.type = type.value_or(ProcessType::kSubGoals);
  const std::optional<ProcessStatus> status = ProcessStatusOf(row.Text());
  if (!status.has_value()) row.Refuse("is not a status");
  process.status = status.value_or(ProcessStatus::kPending);
  process.target_id = row.TextOrEmpty();
  process.progress = static_cast<int>(row.Int());
  process.error = ReadError(row);
  process.retry_count = static_cast<int>(row.Int());
  process.created_at = row.Time();
  process.updated_at = row.Time();
  process.completed_at = row.OptionalTime();
  process.execution_arn = row.TextOrEmpty();
  if (columns == Columns::kAll) {
    process.params = row.Text();
    process.result = row.TextOrEmpty();
  }
  if (!row.status().ok()) return row.status();
  return process;
}

absl::StatusOr<std::vector<Process>> ReadSummaries(const SqlRows& rows) {
  std::vector<Process> processes;
  for (const std::vector<Field>& fields : rows.records) {
    absl::StatusOr<Process> process = ReadProcess(fields, Columns::kSummary);
    if (!process.ok()) return process.status();
    processes.push_back(*std::move(process));
  }
  return processes;
}

// The condition of a history query, for a statement with `parameters`.
std::string HistoryCondition(absl::string_view user_id,
                             const HistoryQuery& query,
                             SqlParameters& parameters) {
  std::string condition = "user_id = :user_id";
  parameters.push_back(TextParameter("user_id", user_id));
  if (query.type.has_value()) {
    absl::StrAppend(&condition, " AND type = :type");
    parameters.push_back(TextParameter("type", NameOf(*query.type)));
  }
  if (query.status.has_value()) {
    absl::StrAppend(&condition, " AND status = :status");
    parameters.push_back(TextParameter("status", NameOf(*query.status)));
  }
  if (query.start.has_value()) {
    absl::StrAppend(&condition, " AND created_at >= :since");
    parameters.push_back(TimeParameter("since", *query.start));
  }
  if (query.end.has_value()) {
    absl::StrAppend(&condition, " AND created_at < :until");
    parameters.push_back(TimeParameter("until", *query.end));
  }
  return condition;
}

// The integer in the only row.
absl::StatusOr<std::int64_t> ReadOneCount(const absl::StatusOr<SqlRows>& rows) {
  if (!rows.ok()) return rows.status();
  if (rows->records.size() != 1) {
    return absl::DataLossError("the database returned no count");
  }
  SqlRow row(rows->records[0]);
  const std::int64_t count = row.Int();
  if (!row.status().ok()) return row.status();
  return count;
}

absl::StatusOr<bool> HasRow(const absl::StatusOr<SqlRows>& rows) {
  if (!rows.ok()) return rows.status();
  return !rows->records.empty();
}

}  // namespace

SqlParameters ProgressParameters(absl::string_view process_id, int progress,
                                 absl::Time now) {
  return {UuidParameter("process_id", process_id),
          IntParameter("progress", progress), TimeParameter("now", now)};
}

absl::StatusOr<std::optional<Process>> SqlProcessStore::RunForProcess(
    const SqlStatement& statement, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = database_.Run(statement, deadline);
  if (!rows.ok()) return rows.status();
  if (rows->records.empty()) return std::nullopt;
  absl::StatusOr<Process> process =
      ReadProcess(rows->records[0], Columns::kAll);
  if (!process.ok()) return process.status();
  return *std::move(process);
}

// One statement that locks the user's row: requests at the same time can't
// exceed the limit together. If it is sent twice, a request counts twice.
absl::StatusOr<bool> SqlProcessStore::Admit(absl::string_view user_id,
                                            absl::Time now,
                                            absl::Time deadline) {
  return HasRow(database_.Run(
      {.sql = "INSERT INTO users (id, recent_requests, created_at) "
              "VALUES (:user_id, ARRAY[CAST(:now AS timestamp)], :now) "
              "ON CONFLICT (id) DO UPDATE SET recent_requests = array_append("
              "ARRAY(SELECT t FROM unnest(users.recent_requests) AS t "
              "WHERE t > CAST(:since AS timestamp)), "
              "CAST(:now AS timestamp)) "
              "WHERE (SELECT count(*) FROM unnest(users.recent_requests) AS t "
              "WHERE t > CAST(:since AS timestamp)) < :max_requests "
              "RETURNING id",
       .parameters = {TextParameter("user_id", user_id),
                      TimeParameter("now", now),
                      TimeParameter("since", now - kRateWindow),
                      IntParameter("max_requests", kRateLimit)},
       .repetition = Repetition::kHarmless},
      deadline));
}

absl::Status SqlProcessStore::Insert(const Process& process,
                                     absl::Time deadline) {
  return database_
      .Run({.sql = "INSERT INTO processing_states (id, origin_id, user_id, "
                   "type, status, target_id, params, progress, retry_count, "
                   "created_at, updated_at, execution_arn) "
                   "VALUES (:id, :origin_id, :user_id, :type, :status, "
                   ":target_id, :params, 0, :retry_count, :now, :now, "
                   ":execution_arn) ON CONFLICT (id) DO NOTHING",
            .parameters = {UuidParameter("id", process.id),
                           UuidParameter("origin_id", process.origin_id),
                           TextParameter("user_id", process.user_id),
                           TextParameter("type", NameOf(process.type)),
                           TextParameter("status", NameOf(process.status)),
                           UuidParameter("target_id", process.target_id),
                           JsonParameter("params", process.params),
                           IntParameter("retry_count", process.retry_count),
                           TimeParameter("now", process.created_at),
                           TextParameter("execution_arn",
                                         process.execution_arn)},
            .repetition = Repetition::kHarmless},
           deadline)
      .status();
}

// Sent twice, the second would find the first's row and look like a refusal.
absl::StatusOr<std::optional<Process>> SqlProcessStore::InsertRetry(
    const NewRetry& retry, absl::Time deadline) {
  constexpr absl::string_view kHighest =
      "(SELECT max(retry_count) FROM processing_states AS series "
      "WHERE series.origin_id = source.origin_id)";
  return RunForProcess(
      {.sql = absl::StrCat(
           "INSERT INTO processing_states (id, origin_id, user_id, type, "
           "status, target_id, params, progress, retry_count, created_at, "
           "updated_at, execution_arn) "
           "SELECT CAST(:id AS uuid), origin_id, user_id, type, 'PENDING', "
           "target_id, params, 0, ",
           kHighest,
           " + 1, CAST(:now AS timestamp), CAST(:now AS timestamp), "
           ":execution_arn FROM processing_states AS source "
           "WHERE id = :source_id AND user_id = :user_id "
           "AND status IN ('FAILED', 'TIMEOUT') AND ",
           kHighest, " < :max_retries RETURNING ", kAllColumns),
       .parameters = {UuidParameter("id", retry.id),
                      UuidParameter("source_id", retry.source_id),
                      TextParameter("user_id", retry.user_id),
                      TimeParameter("now", retry.now),
                      TextParameter("execution_arn", retry.execution_arn),
                      IntParameter("max_retries", kMaxRetries)}},
      deadline);
}

absl::StatusOr<std::optional<Process>> SqlProcessStore::Find(
    absl::string_view process_id, absl::Time deadline) {
  return RunForProcess(
      {.sql = absl::StrCat("SELECT ", kAllColumns,
                           " FROM processing_states WHERE id = :id"),
       .parameters = {UuidParameter("id", process_id)},
       .repetition = Repetition::kHarmless},
      deadline);
}

absl::StatusOr<std::optional<Process>> SqlProcessStore::Move(
    const Transition& transition, absl::Time deadline) {
  std::string sql =
      "UPDATE processing_states SET status = :status, updated_at = :now";
  SqlParameters parameters = {UuidParameter("id", transition.process_id),
                              TextParameter("status", NameOf(transition.to)),
                              TimeParameter("now", transition.now)};
  if (IsFinal(transition.to)) absl::StrAppend(&sql, ", completed_at = :now");
  if (transition.to == ProcessStatus::kCompleted) {
    absl::StrAppend(&sql, ", progress = ", kCompleteProgress);
  }
  if (transition.error.has_value()) {
    absl::StrAppend(&sql, ", error = :error");
    parameters.push_back(JsonParameter("error", ErrorJson(*transition.error)));
  }
  absl::StrAppend(&sql, " WHERE id = :id AND ",
                  transition.to == ProcessStatus::kProcessing
                      ? "status = 'PENDING'"
                      : kIsActive);
  if (transition.user_id.has_value()) {
    absl::StrAppend(&sql, " AND user_id = :user_id");
    parameters.push_back(TextParameter("user_id", *transition.user_id));
  }
  absl::StrAppend(&sql, " RETURNING ", kAllColumns);
  return RunForProcess({.sql = std::move(sql),
                        .parameters = std::move(parameters),
                        .repetition = Repetition::kHarmless},
                       deadline);
}

absl::StatusOr<bool> SqlProcessStore::Advance(absl::string_view process_id,
                                              int progress, absl::Time now,
                                              absl::Time deadline) {
  return HasRow(database_.Run(
      {.sql = kAdvanceSql,
       .parameters = ProgressParameters(process_id, progress, now),
       .repetition = Repetition::kHarmless},
      deadline));
}

absl::StatusOr<bool> SqlProcessStore::SaveResult(absl::string_view process_id,
                                                 absl::string_view result,
                                                 absl::Time now,
                                                 absl::Time deadline) {
  return HasRow(database_.Run(
      {.sql = absl::StrCat("UPDATE processing_states SET result = :result, "
                           "updated_at = :now WHERE id = :id AND ",
                           kIsActive, " RETURNING id"),
       .parameters = {UuidParameter("id", process_id),
                      JsonParameter("result", result),
                      TimeParameter("now", now)},
       .repetition = Repetition::kHarmless},
      deadline));
}

absl::StatusOr<HistoryPage> SqlProcessStore::List(absl::string_view user_id,
                                                  const HistoryQuery& query,
                                                  absl::Time deadline) {
  SqlParameters parameters;
  const std::string condition = HistoryCondition(user_id, query, parameters);
  const absl::StatusOr<std::int64_t> total = ReadOneCount(database_.Run(
      {.sql = absl::StrCat("SELECT count(*) FROM processing_states WHERE ",
                           condition),
       .parameters = parameters,
       .repetition = Repetition::kHarmless},
      deadline));
  if (!total.ok()) return total.status();

  parameters.push_back(IntParameter("page_size", query.page_size));
  parameters.push_back(
      IntParameter("skipped", std::int64_t{query.page - 1} * query.page_size));
  const absl::StatusOr<SqlRows> rows = database_.Run(
      {.sql = absl::StrCat("SELECT ", kSummaryColumns,
                           " FROM processing_states WHERE ", condition,
                           " ORDER BY created_at DESC, id DESC "
                           "LIMIT :page_size OFFSET :skipped"),
       .parameters = std::move(parameters),
       .repetition = Repetition::kHarmless},
      deadline);
  if (!rows.ok()) return rows.status();
  absl::StatusOr<std::vector<Process>> processes = ReadSummaries(*rows);
  if (!processes.ok()) return processes.status();
  return HistoryPage{.processes = *std::move(processes), .total = *total};
}

absl::StatusOr<std::int64_t> SqlProcessStore::CountPending(
    absl::Time deadline) {
  return ReadOneCount(
      database_.Run({.sql = "SELECT count(*) FROM processing_states "
                            "WHERE status = 'PENDING'",
                     .repetition = Repetition::kHarmless},
                    deadline));
}

absl::StatusOr<std::vector<Process>> SqlProcessStore::ListPending(
    absl::Time before, int limit, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = database_.Run(
      {.sql = absl::StrCat("SELECT ", kSummaryColumns,
                           " FROM processing_states WHERE status = 'PENDING' "
                           "AND created_at < :before ORDER BY created_at, id "
                           "LIMIT :max_processes"),
       .parameters = {TimeParameter("before", before),
                      IntParameter("max_processes", limit)},
       .repetition = Repetition::kHarmless},
      deadline);
  if (!rows.ok()) return rows.status();
  return ReadSummaries(*rows);
}

absl::StatusOr<std::int64_t> SqlProcessStore::RemoveCreatedBefore(
    absl::Time before, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = database_.Run(
      {.sql = "DELETE FROM processing_states WHERE created_at < :before",
       .parameters = {TimeParameter("before", before)},
       .repetition = Repetition::kHarmless},
      deadline);
  if (!rows.ok()) return rows.status();
  return rows->records_updated;
}

absl::StatusOr<std::int64_t> SqlProcessStore::CloseCreatedBefore(
    absl::Time before, const ProcessError& error, absl::Time now,
    absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = database_.Run(
      {.sql = absl::StrCat("UPDATE processing_states SET status = 'TIMEOUT', "
                           "error = :error, updated_at = :now, "
                           "completed_at = :now WHERE created_at < :before "
                           "AND ",
                           kIsActive),
       .parameters = {JsonParameter("error", ErrorJson(error)),
                      TimeParameter("now", now),
                      TimeParameter("before", before)},
       .repetition = Repetition::kHarmless},
      deadline);
  if (!rows.ok()) return rows.status();
  return rows->records_updated;
}

}  // namespace byoshin::generation
