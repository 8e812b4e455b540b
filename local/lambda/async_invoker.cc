#include "local/lambda/async_invoker.h"

#include <json/json.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/lambda/environment.h"
#include "local/lambda/log_streams.h"
#include "local/lambda/report.h"
#include "local/store/json_record.h"

namespace byoshin::local::lambda {
namespace {

constexpr char kPrefix[] = "async/";
constexpr char kRetriesExhausted[] = "RetriesExhausted";
constexpr char kEventAgeExceeded[] = "EventAgeExceeded";

std::string KeyOf(std::uint64_t id) {
  return absl::StrFormat("%s%020d", kPrefix, id);
}

// A destination's message contains JSON values; a payload that is not JSON
// becomes a string.
Json::Value ToValue(const std::string& text) {
  absl::StatusOr<Json::Value> value = json::ParseValue(text);
  return value.ok() ? *std::move(value) : Json::Value(text);
}

}  // namespace

absl::Status AsyncInvoker::Load() {
  ++epoch_;
  events_.clear();
  absl::Status corrupt;
  const absl::Status scanned = world_.store.Scan(
      PrefixRange(kPrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view text) {
        EventId id = 0;
        JsonRecord record(text);
        Event event{.arn = record.Text("arn"),
                    .request = {.payload = record.Text("payload"),
                                .request_id = record.Text("requestId"),
                                .client_context = record.Text("clientContext")},
                    .accepted = record.Time("accepted"),
                    .due = record.Time("due"),
                    .failures = record.Int("failures")};
        if (!absl::SimpleAtoi(key.substr(sizeof(kPrefix) - 1), &id) ||
            !record.ok()) {
          corrupt = absl::DataLossError(
              absl::StrCat("the invocation under ", key, " cannot be read"));
          return Store::Visit::kStop;
        }
        events_[id] = std::move(event);
        last_event_ = std::max(last_event_, id);
        return Store::Visit::kContinue;
      });
  if (!scanned.ok()) return scanned;
  if (!corrupt.ok()) return corrupt;
  for (const auto& [id, event] : events_) Schedule(id);
  return absl::OkStatus();
}

void AsyncInvoker::Begin() {
  if (begun_) return;
  begun_ = true;
  for (const auto& [id, event] : events_) Schedule(id);
}

void AsyncInvoker::SetConfig(const std::string& arn, EventInvokeConfig config) {
  configs_[arn] = std::move(config);
}

void AsyncInvoker::RemoveConfig(const std::string& arn) { configs_.erase(arn); }

EventInvokeConfig AsyncInvoker::ConfigOf(const std::string& arn) const {
  return FindConfig(arn).value_or(EventInvokeConfig{});
}

std::optional<EventInvokeConfig> AsyncInvoker::FindConfig(
    const std::string& arn) const {
  const auto found = configs_.find(arn);
  if (found == configs_.end()) return std::nullopt;
  return found->second;
}

std::string AsyncInvoker::Accept(const std::string& arn,
                                 InvokeRequest request) {
  const absl::Time now = world_.clock.Now();
  if (request.request_id.empty()) request.request_id = random::NewUuid();
  const std::string request_id = request.request_id;
  const EventId id = ++last_event_;
  Event& event = events_[id];
  event = {
      .arn = arn, .request = std::move(request), .accepted = now, .due = now};
  Save(id, event);
  // Not in this batch: it must be durable before it is executed.
  Schedule(id);
  return request_id;
}

void AsyncInvoker::Schedule(EventId id) {
  if (!begun_) return;
  Event& event = events_.at(id);
  event.timer =
      world_.loop.At(event.due, [this, id, epoch = epoch_]() -> AfterCommit {
        if (epoch == epoch_) Attempt(id);
        return nullptr;
      });
}

void AsyncInvoker::FunctionAdded(const std::string& arn) {
  for (auto& [id, event] : events_) {
    if (event.arn != arn || event.timer == 0 || event.throttles == 0 ||
        IsTooOld(event)) {
      continue;
    }
    world_.loop.Cancel(event.timer);
    event.due = world_.clock.Now();
    Schedule(id);
  }
}

void AsyncInvoker::FunctionRemoved(const std::string& arn) {
  std::vector<EventId> ids;
  for (const auto& [id, event] : events_) {
    if (event.arn == arn) ids.push_back(id);
  }
  for (EventId id : ids) {
    world_.loop.Cancel(events_.at(id).timer);
    Remove(id);
  }
}

bool AsyncInvoker::IsTooOld(const Event& event) const {
  return world_.executor.Find(event.arn) != nullptr &&
         world_.clock.Now() >= event.accepted + ConfigOf(event.arn).max_age;
}

void AsyncInvoker::Attempt(EventId id) {
  const auto found = events_.find(id);
  if (found == events_.end()) return;
  Event& event = found->second;
  event.timer = 0;
  if (paused_) return;
  if (IsTooOld(event)) return GiveUp(id, kEventAgeExceeded, nullptr);
  world_.executor.Invoke(
      event.arn, event.request,
      [this, id, epoch = epoch_](const absl::StatusOr<InvokeResult>& result) {
        if (epoch == epoch_) HandleResult(id, result);
      });
}

void AsyncInvoker::HandleResult(EventId id,
                                const absl::StatusOr<InvokeResult>& result) {
  const auto found = events_.find(id);
  if (found == events_.end()) return;
  Event& event = found->second;
  if (!result.ok()) {
    // Throttled, or the function is being replaced: this does not count as an
    // attempt, and is retried until the event is too old.
    const absl::Duration pause =
        std::min(kFirstThrottlePause * (std::int64_t{1} << event.throttles),
                 kLongestThrottlePause);
    event.throttles = std::min(event.throttles + 1, 20);
    return Retry(id, pause);
  }
  event.throttles = 0;
  if (result->function_error.empty()) return Remove(id);
  ++event.failures;
  if (event.failures > ConfigOf(event.arn).max_retries) {
    return GiveUp(id, kRetriesExhausted, &*result);
  }
  Retry(id, event.failures == 1 ? kFirstRetryPause : kSecondRetryPause);
}

void AsyncInvoker::Retry(EventId id, absl::Duration pause) {
  Event& event = events_.at(id);
  event.due = world_.clock.Now() + pause;
  if (world_.executor.Find(event.arn) != nullptr) {
    // An event that would be too old by then is given up when it is too old.
    event.due =
        std::min(event.due, event.accepted + ConfigOf(event.arn).max_age);
  }
  Save(id, event);
  Schedule(id);
}

// https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-retain-records.html
void AsyncInvoker::GiveUp(EventId id, absl::string_view condition,
                          const InvokeResult* result) {
  const Event& event = events_.at(id);
  const std::string queue = ConfigOf(event.arn).on_failure;
  Log(event.arn, absl::StrCat("ASYNC RequestId: ", event.request.request_id,
                              " given up: ", condition, "; ",
                              queue.empty() ? "there is no destination"
                                            : "sent to " + queue));
  if (queue.empty()) return Remove(id);
  Json::Value record(Json::objectValue);
  record["version"] = "1.0";
  record["timestamp"] =
      absl::FormatTime(kTimeFormat, world_.clock.Now(), absl::UTCTimeZone());
  Json::Value& context = record["requestContext"];
  context["requestId"] = event.request.request_id;
  context["functionArn"] = absl::StrCat(event.arn, ":", kLatestVersion);
  context["condition"] = std::string(condition);
  context["approximateInvokeCount"] = event.failures;
  record["requestPayload"] = ToValue(event.request.payload);
  if (result != nullptr) {
    record["responseContext"]["statusCode"] = 200;
    record["responseContext"]["executedVersion"] = kLatestVersion;
    record["responseContext"]["functionError"] = result->function_error;
    record["responsePayload"] = ToValue(result->payload);
  }
  world_.queues.Send(
      queue, {.body = json::WriteValue(record)},
      [this, id, epoch = epoch_, gate = world_.gate](absl::Status status) {
        gate->Submit([this, id, epoch, status]() -> AfterCommit {
          if (epoch != epoch_ || !events_.contains(id)) return nullptr;
          if (!status.ok()) {
            Log(events_.at(id).arn,
                absl::StrCat(
                    "ASYNC RequestId: ", events_.at(id).request.request_id,
                    " lost: the destination does not accept it: ",
                    status.message()));
          }
          Remove(id);
          return nullptr;
        });
      });
}

void AsyncInvoker::Remove(EventId id) {
  events_.erase(id);
  // Commit() reports a failure.
  world_.store.Delete(KeyOf(id)).IgnoreError();
}

void AsyncInvoker::Save(EventId id, const Event& event) {
  Json::Value value(Json::objectValue);
  value["arn"] = event.arn;
  value["payload"] = event.request.payload;
  value["requestId"] = event.request.request_id;
  value["clientContext"] = event.request.client_context;
  value["accepted"] = Json::Int64(absl::ToUnixMillis(event.accepted));
  value["due"] = Json::Int64(absl::ToUnixMillis(event.due));
  value["failures"] = event.failures;
  world_.store.Put(KeyOf(id), json::WriteValue(value)).IgnoreError();
}

void AsyncInvoker::Log(const std::string& arn, absl::string_view text) {
  const FunctionConfig* function = world_.executor.Find(arn);
  if (function == nullptr) return;
  world_.logs.Write({.time = {},
                     .group = LogGroupOf(*function),
                     .stream = kAsyncStream,
                     .text = std::string(text)});
}

}  // namespace byoshin::local::lambda
