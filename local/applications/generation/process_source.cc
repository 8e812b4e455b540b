#include "local/applications/generation/process_source.h"

#include <json/json.h>

#include <chrono>
#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "core/turn/turn.h"
#include "local/applications/generation/generation_parts.h"
#include "local/bedrock/call_ledger.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/quantiles.h"
#include "local/gateway/service.h"
#include "local/rdsdata/data_api.h"
#include "local/rdsdata/requests.h"

namespace byoshin::local::applications {
namespace {

// A process as the dashboard's API has it. Times are in UTC in the database.
constexpr char kProcessJson[] =
    "json_build_object("
    "'id', id, 'type', type, 'status', status, 'progress', progress, "
    "'retryCount', retry_count, 'targetId', target_id, "
    "'created', (extract(epoch from created_at) * 1000)::bigint, "
    "'updated', (extract(epoch from updated_at) * 1000)::bigint, "
    "'completed', (extract(epoch from completed_at) * 1000)::bigint, "
    "'error', error)";

constexpr char kTookMillis[] =
    "extract(epoch from completed_at - created_at) * 1000";

std::string SummarySql() {
  return absl::StrCat(
      "SELECT json_build_object("
      "'counts', (SELECT coalesce(json_object_agg(status, n), '{}') FROM "
      "(SELECT status, count(*) AS n FROM processing_states GROUP BY status) "
      "AS c), "
      "'durations', (SELECT coalesce(json_object_agg(type, d), '{}') FROM "
      "(SELECT type, json_build_object('count', count(*), "
      "'p50', percentile_cont(0.5) WITHIN GROUP (ORDER BY ",
      kTookMillis, "), 'max', max(", kTookMillis,
      ")) AS d FROM processing_states WHERE status = 'COMPLETED' GROUP BY "
      "type) AS t), "
      "'failures', (SELECT coalesce(json_agg(f), '[]') FROM "
      "(SELECT status, error->>'code' AS code, error->>'message' AS message, "
      "count(*) AS count, "
      "(extract(epoch from max(completed_at)) * 1000)::bigint AS last "
      "FROM processing_states WHERE status IN ('FAILED', 'TIMEOUT') "
      "GROUP BY 1, 2, 3 ORDER BY last DESC LIMIT 10) AS f), "
      "'recent', (SELECT coalesce(json_agg(p), '[]') FROM (SELECT ",
      kProcessJson, " AS p FROM processing_states ORDER BY created_at DESC ",
      "LIMIT ", kRecentProcesses, ") AS r))::text");
}

std::string ListSql() {
  return absl::StrCat(
      "SELECT coalesce(json_agg(p), '[]')::text FROM (SELECT ", kProcessJson,
      " AS p FROM processing_states WHERE :statuses = '' OR status = "
      "ANY(string_to_array(:statuses, ',')) ORDER BY created_at DESC "
      "LIMIT :limit) AS l");
}

Json::Value TextParameterJson(const char* name, std::string value) {
  Json::Value parameter(Json::objectValue);
  parameter["name"] = name;
  parameter["value"]["stringValue"] = std::move(value);
  return parameter;
}

Json::Value NumberParameterJson(const char* name, std::int64_t value) {
  Json::Value parameter(Json::objectValue);
  parameter["name"] = name;
  parameter["value"]["longValue"] = Json::Int64{value};
  return parameter;
}

absl::StatusOr<rdsdata::StatementRequest> RequestFor(
    const GenerationParts& parts, const std::string& sql,
    const Json::Value& parameters) {
  Json::Value body(Json::objectValue);
  body["resourceArn"] = parts.database.resource_arn;
  body["secretArn"] = parts.database.secret_arn;
  if (!parts.database.name.empty()) body["database"] = parts.database.name;
  body["sql"] = sql;
  if (!parameters.empty()) body["parameters"] = parameters;
  return rdsdata::ReadExecute(Call{.body = json::WriteValue(body)});
}

absl::Status NotDeployed() {
  return absl::FailedPreconditionError(
      "asynchronous generation is not deployed");
}

}  // namespace

bool ProcessSource::Load(const cloudformation::Stack& stack) {
  std::optional<GenerationParts> found = FindGeneration(stack);
  {
    const sync::MutexLock lock(mutex_);
    const bool is_shown =
        parts_.has_value() && parts_->stack_name == stack.name;
    if (!found.has_value() && !is_shown) return true;
    if (parts_.has_value() && !is_shown) return false;
    parts_ = std::move(found);
  }
  ++version_;
  world_.on_change();
  return true;
}

std::optional<GenerationParts> ProcessSource::parts() const {
  const sync::MutexLock lock(mutex_);
  return parts_;
}

void ProcessSource::NoteWrite(absl::string_view cluster_arn) {
  {
    const sync::MutexLock lock(mutex_);
    if (!parts_.has_value() || parts_->database.resource_arn != cluster_arn) {
      return;
    }
  }
  ++version_;
  world_.on_change();
}

absl::StatusOr<Json::Value> ProcessSource::Ask(const std::string& sql,
                                               const Json::Value& parameters) {
  const std::optional<GenerationParts> shown = parts();
  if (!shown.has_value()) return NotDeployed();
  absl::StatusOr<rdsdata::StatementRequest> request =
      RequestFor(*shown, sql, parameters);
  if (!request.ok()) return request.status();
  const turn::Pause pause;
  // Shared, since the answer may come when nobody waits any more.
  auto promise = std::make_shared<std::promise<absl::StatusOr<std::string>>>();
  std::future<absl::StatusOr<std::string>> future = promise->get_future();
  world_.data.ExecuteStatement(*std::move(request),
                               [promise](absl::StatusOr<std::string> answer) {
                                 promise->set_value(std::move(answer));
                               });
  if (future.wait_for(absl::ToChronoMilliseconds(kDatabasePatience)) !=
      std::future_status::ready) {
    return absl::UnavailableError(
        absl::StrCat("the database has not answered within ",
                     absl::FormatDuration(kDatabasePatience)));
  }
  const absl::StatusOr<std::string> answer = future.get();
  if (!answer.ok()) {
    return absl::UnavailableError(absl::StrCat("the database can't be read: ",
                                               answer.status().message()));
  }
  const absl::StatusOr<Json::Value> parsed = json::ParseValue(*answer);
  if (!parsed.ok()) return parsed.status();
  const Json::Value& records = (*parsed)["records"];
  if (!records.isArray() || records.empty() || !records[0].isArray() ||
      records[0].empty()) {
    return Json::Value();
  }
  return json::ParseValue(json::TextMember(records[0][0], "stringValue"));
}

absl::StatusOr<Json::Value> ProcessSource::Summary() {
  // Before the question: a change meanwhile is asked for again.
  const std::uint64_t version = version_;
  {
    const sync::MutexLock lock(mutex_);
    if (summary_version_ == version) return summary_;
  }
  absl::StatusOr<Json::Value> summary = Ask(SummarySql(), {});
  if (!summary.ok()) return summary;
  const sync::MutexLock lock(mutex_);
  summary_ = *summary;
  summary_version_ = version;
  return summary;
}

absl::StatusOr<Json::Value> ProcessSource::Processes(const Query& query) {
  Json::Value parameters(Json::arrayValue);
  parameters.append(
      TextParameterJson("statuses", absl::StrJoin(query.statuses, ",")));
  parameters.append(NumberParameterJson("limit", query.limit));
  return Ask(ListSql(), parameters);
}

absl::StatusOr<std::int64_t> ProcessSource::DeleteAll() {
  if (!parts().has_value()) return std::int64_t{0};
  const absl::StatusOr<Json::Value> count =
      Ask("SELECT count(*)::text FROM processing_states", {});
  if (!count.ok()) return count.status();
  // What users have is deleted with them.
  const absl::Status deleted = Ask("DELETE FROM users", {}).status();
  if (!deleted.ok()) return deleted;
  ++version_;
  world_.on_change();
  return count->isIntegral() ? std::int64_t{count->asInt64()} : 0;
}

ModelUse ProcessSource::GetModelUse() const {
  ModelUse use;
  const std::optional<GenerationParts> shown = parts();
  if (!shown.has_value()) return use;
  for (const auto& [role, totals] : world_.calls.TotalsByRole()) {
    if (!shown->role_arns.contains(role)) continue;
    use.totals.calls += totals.calls;
    use.totals.usage.input_tokens += totals.usage.input_tokens;
    use.totals.usage.output_tokens += totals.usage.output_tokens;
    for (const auto& [code, n] : totals.errors) use.totals.errors[code] += n;
  }
  std::vector<absl::Duration> durations;
  for (const bedrock::ModelCall& call : world_.calls.Latest()) {
    if (call.error.empty() && shown->role_arns.contains(call.role_arn)) {
      durations.push_back(call.duration);
    }
  }
  use.duration = dashboard::QuantilesOf(durations);
  return use;
}

}  // namespace byoshin::local::applications
