#include "core/scheduler/collector.h"

#include <algorithm>
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
#include "core/aws/dynamodb/client.h"
#include "core/aws/error.h"
#include "core/json/json.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/lateness.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "proto/sqs.pb.h"

namespace byoshin::scheduler {
namespace {

bool IsDuplicate(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  return error.has_value() &&
         error->code == aws::dynamodb::kConditionalCheckFailed;
}

}  // namespace

// The outcome of a record, for its log line and its metrics.
struct Collector::Outcome {
  enum class Result { kStored, kDuplicate, kFailed } result = Result::kFailed;
  absl::string_view step;  // where it failed: "message", "api", "table"
  absl::Status error;
  absl::Time started;
  absl::Time stored;  // if it was
  std::optional<absl::Duration> api_latency;
  int64_t count = 0;  // if the API answered
};

Collector::Collector(CollectorConfig config, const Dependencies& dependencies)
    : config_(std::move(config)),
      dependencies_(dependencies),
      api_(dependencies.http_client, config_.api_base_url) {}

absl::StatusOr<std::string> Collector::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<std::vector<QueueRecord>> records =
      ParseQueueEvent(invocation.payload);
  if (!records.ok()) return records.status();

  const absl::Time limit = invocation.deadline - kDeadlineMargin;
  events::SqsBatchResponse response;
  absl::Status unreportable;
  for (int i = 0; i < static_cast<int>(records->size()); ++i) {
    const QueueRecord& record = (*records)[i];
    const Outcome outcome = Process(record, limit);
    Report(record, outcome);
    if (outcome.result != Outcome::Result::kFailed) continue;
    if (record.message_id.empty()) {
      unreportable.Update(
          absl::Status(outcome.error.code(),
                       absl::StrCat("Records[", i,
                                    "] failed and has no messageId to report "
                                    "it by: ",
                                    outcome.error.message())));
    } else {
      response.add_batch_item_failures()->set_item_identifier(
          record.message_id);
    }
  }
  if (!unreportable.ok()) return unreportable;
  return json::ToJson(response);
}

Collector::Outcome Collector::Process(const QueueRecord& record,
                                      absl::Time limit) {
  const time::Clock& clock = dependencies_.clock;
  Outcome outcome;
  outcome.started = clock.Now();
  outcome.step = "message";
  outcome.error = record.window.status();
  if (!outcome.error.ok()) return outcome;
  if (outcome.started >= limit) {
    outcome.error = absl::DeadlineExceededError(
        "not started: no time was left before the function's deadline");
    return outcome;
  }

  outcome.step = "api";
  const absl::StatusOr<int64_t> count = api_.FetchCount(
      *record.window, std::min(kApiTimeout, limit - outcome.started));
  outcome.api_latency = clock.Now() - outcome.started;
  outcome.error = count.status();
  if (!outcome.error.ok()) return outcome;
  outcome.count = *count;

  outcome.step = "table";
  outcome.error = Store(*record.window, *count, limit);
  if (outcome.error.ok()) {
    outcome.result = Outcome::Result::kStored;
    outcome.stored = clock.Now();
  } else if (IsDuplicate(outcome.error)) {
    outcome.result = Outcome::Result::kDuplicate;
  }
  return outcome;
}

absl::Status Collector::Store(const Window& window, int64_t count,
                              absl::Time limit) {
  return dependencies_.table.PutItem(
      {.table_name = config_.table_name,
       .item = {{kMetricNameKey, kMetricName},
                {kSlotTimeKey, CalculateSlotTime(window.from)},
                {kCountAttribute, count}},
       .condition_expression = kPutCondition},
      limit);
}

void Collector::Report(const QueueRecord& record, const Outcome& outcome) {
  std::vector<log::Field> fields = {{"messageId", record.message_id},
                                    {"receiveCount", record.receive_count}};
  if (record.window.ok()) {
    fields.push_back({"from", time::FormatIso8601(record.window->from)});
    fields.push_back({"to", time::FormatIso8601(record.window->to)});
  }
  dependencies_.logger.EmitMetrics(kMetricsNamespace,
                                   {{kFunctionDimension, kCollectorFunction}},
                                   MetricsOf(record, outcome), fields);

  if (outcome.result == Outcome::Result::kFailed) {
    fields.push_back({"step", outcome.step});
    fields.push_back({"code", absl::StatusCodeToString(outcome.error.code())});
    fields.push_back({"error", absl::string_view(outcome.error.message())});
    dependencies_.logger.Log(log::Level::kError, "record failed", fields);
    return;
  }
  fields.push_back({"count", outcome.count});
  dependencies_.logger.Log(log::Level::kInfo,
                           outcome.result == Outcome::Result::kStored
                               ? "count stored"
                               : "slot was stored before",
                           fields);
}

std::vector<log::Metric> Collector::MetricsOf(const QueueRecord& record,
                                              const Outcome& outcome) const {
  using Result = Outcome::Result;
  using Unit = log::Metric::Unit;
  const auto is = [&](Result result) {
    return outcome.result == result ? 1.0 : 0.0;
  };
  std::vector<log::Metric> metrics = {
      {kStoredMetric, Unit::kCount, is(Result::kStored)},
      {kDuplicateMetric, Unit::kCount, is(Result::kDuplicate)},
      {kFailedMetric, Unit::kCount, is(Result::kFailed)}};
  if (outcome.api_latency.has_value()) {
    metrics.push_back({kApiLatencyMetric, Unit::kMilliseconds,
                       absl::ToDoubleMilliseconds(*outcome.api_latency)});
  }
  if (outcome.result == Result::kStored) {
    const LaggedSlot slot{.slot = record.window->from,
                          .window_lag = config_.window_lag};
    metrics.push_back(
        {kSlotLatenessMetric, Unit::kMilliseconds,
         absl::ToDoubleMilliseconds(Lateness(slot, outcome.stored))});
  }
  return metrics;
}

}  // namespace byoshin::scheduler
