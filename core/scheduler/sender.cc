#include "core/scheduler/sender.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/sqs/client.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/message.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/scheduled_event.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"

namespace byoshin::scheduler {
namespace {

using aws::sqs::SendMessageBatchRequest;
using aws::sqs::SendMessageBatchResult;

// Whether a retry could succeed. Errors about the queue or the permission to
// use it are final and concern every message.
bool IsWorthRetrying(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kUnimplemented:
      return false;
    default:
      return true;
  }
}

// A message to be sent.
struct Item {
  PlannedMessage message;
  enum class State { kPending, kSent, kGivenUp } state = State::kPending;
  absl::Status error;  // of the last attempt
};

// Sends the plan of one minute, for one invocation.
class Delivery {
 public:
  Delivery(absl::string_view queue_url, absl::Time limit, const Plan& plan,
           const Sender::Dependencies& dependencies)
      : queue_url_(queue_url), limit_(limit), to_(dependencies) {
    for (const PlannedMessage& message : plan) {
      items_.emplace_back().message = message;
    }
  }

  void Run() {
    absl::Duration pause = kSendRetryPause;
    for (int attempt = 1;; ++attempt, pause *= 2) {
      SendPending();
      if (Count(Item::State::kPending) == 0 || attempt == kSendAttempts) break;
      const absl::Time resume = to_.clock.Now() + pause;
      if (resume >= limit_) break;
      to_.clock.SleepUntil(resume);
    }
    for (Item& item : items_) {
      if (item.state == Item::State::kPending) GiveUp(item);
    }
  }

  int sent() const { return Count(Item::State::kSent); }

  // OK if every message was sent.
  absl::Status Result() const {
    std::vector<std::string> slots;
    absl::Status first;
    for (const Item& item : items_) {
      if (item.state == Item::State::kSent) continue;
      slots.push_back(absl::StrCat(item.message.slot));
      first.Update(item.error);
    }
    if (slots.empty()) return absl::OkStatus();
    return absl::Status(
        first.code(),
        absl::StrCat(slots.size(), " of ", items_.size(),
                     " messages were not sent, those of slots ",
                     absl::StrJoin(slots, ", "),
                     " of the minute; the first: ", first.message()));
  }

 private:
  int Count(Item::State state) const {
    return static_cast<int>(
        std::count_if(items_.begin(), items_.end(),
                      [&](const Item& item) { return item.state == state; }));
  }

  // Tries every pending message once.
  void SendPending() {
    std::vector<Item*> batch;
    for (Item& item : items_) {
      if (item.state != Item::State::kPending) continue;
      batch.push_back(&item);
      if (batch.size() < aws::sqs::kMaxBatchEntries) continue;
      if (!SendBatch(batch)) return;
      batch.clear();
    }
    if (!batch.empty()) SendBatch(batch);
  }

  // False if further attempts are pointless.
  bool SendBatch(const std::vector<Item*>& batch) {
    const absl::Time now = to_.clock.Now();
    if (now >= limit_) {
      for (Item* item : batch) {
        Fail(*item, absl::DeadlineExceededError(
                        "no time was left before the function's deadline"));
      }
      return true;
    }
    SendMessageBatchRequest request{.queue_url = queue_url_, .entries = {}};
    for (const Item* item : batch) {
      request.entries.push_back({.id = IdOf(*item),
                                 .body = WriteMessage(item->message.window),
                                 .delay = item->message.delay});
    }
    const absl::StatusOr<SendMessageBatchResult> result =
        to_.queue.SendMessageBatch(request,
                                   std::min(limit_, now + kSendTimeout));
    if (result.ok()) {
      Record(batch, *result);
      return true;
    }
    for (Item* item : batch) Fail(*item, result.status());
    if (IsWorthRetrying(result.status())) return true;
    GiveUpAll(result.status());
    return false;
  }

  void Record(const std::vector<Item*>& batch,
              const SendMessageBatchResult& result) {
    for (Item* item : batch) {
      const std::string id = IdOf(*item);
      if (const auto* sent = FindById(result.sent, id)) {
        Succeed(*item, sent->message_id);
      } else if (const auto* failed = FindById(result.failed, id)) {
        const std::string what =
            absl::StrCat(failed->code, ": ", failed->message);
        Fail(*item, failed->sender_fault ? absl::InvalidArgumentError(what)
                                         : absl::UnavailableError(what));
        if (failed->sender_fault) GiveUp(*item);
      } else {
        Fail(*item, absl::InternalError("SQS answered without saying whether "
                                        "it took the message"));
      }
    }
  }

  static std::string IdOf(const Item& item) {
    return absl::StrCat(item.message.slot);
  }

  template <typename Entry>
  static const Entry* FindById(const std::vector<Entry>& entries,
                               const std::string& id) {
    for (const Entry& entry : entries) {
      if (entry.id == id) return &entry;
    }
    return nullptr;
  }

  void Succeed(Item& item, absl::string_view message_id) {
    item.state = Item::State::kSent;
    to_.logger.Info("message sent",
                    {{"slot", item.message.slot},
                     {"from", time::FormatIso8601(item.message.window.from)},
                     {"to", time::FormatIso8601(item.message.window.to)},
                     {"delaySeconds", absl::ToInt64Seconds(item.message.delay)},
                     {"messageId", message_id}});
  }

  // Records a failed attempt, which may be followed by another.
  void Fail(Item& item, const absl::Status& error) {
    item.error = error;
    LogFailure(log::Level::kWarning, "attempt to send failed", item);
  }

  void GiveUp(Item& item) {
    item.state = Item::State::kGivenUp;
    LogFailure(log::Level::kError, "message not sent", item);
  }

  void GiveUpAll(const absl::Status& error) {
    for (Item& item : items_) {
      if (item.state != Item::State::kPending) continue;
      item.error = error;
      GiveUp(item);
    }
  }

  void LogFailure(log::Level level, absl::string_view what, const Item& item) {
    to_.logger.Log(level, what,
                   {{"slot", item.message.slot},
                    {"from", time::FormatIso8601(item.message.window.from)},
                    {"to", time::FormatIso8601(item.message.window.to)},
                    {"code", absl::StatusCodeToString(item.error.code())},
                    {"error", absl::string_view(item.error.message())}});
  }

  const std::string queue_url_;
  const absl::Time limit_;
  const Sender::Dependencies& to_;
  std::vector<Item> items_;
};

absl::Status CheckNotAhead(absl::Time base, absl::Time now) {
  if (base <= FloorToMinute(now) + kMaxMinutesAhead) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(
      "nothing was sent: the event's time, ", time::FormatIso8601(base),
      ", is more than a minute ahead of the present one, ",
      time::FormatIso8601(now), "; send the event again with the right time"));
}

}  // namespace

absl::StatusOr<std::string> Sender::Handle(
    const lambda::Invocation& invocation) {
  log::Logger& logger = dependencies_.logger;
  const absl::StatusOr<absl::Time> base = ParseBaseTime(invocation.payload);
  if (!base.ok()) return base.status();
  if (absl::Status present = CheckNotAhead(
          *base, std::max(dependencies_.clock.Now(), invocation.requested));
      !present.ok()) {
    return present;
  }
  const absl::StatusOr<Plan> plan = PlanMinute(*base, config_.window_lag);
  if (!plan.ok()) return plan.status();

  Delivery delivery(config_.queue_url, invocation.deadline - kDeadlineMargin,
                    *plan, dependencies_);
  delivery.Run();

  const std::string base_time = time::FormatIso8601(*base);
  const int failed = static_cast<int>(plan->size()) - delivery.sent();
  logger.EmitMetrics(kMetricsNamespace, {{kFunctionDimension, kSenderFunction}},
                     {{kSentMetric, log::Metric::Unit::kCount,
                       static_cast<double>(delivery.sent())},
                      {kSendFailedMetric, log::Metric::Unit::kCount,
                       static_cast<double>(failed)}},
                     {{"baseTime", base_time}});
  if (absl::Status result = delivery.Result(); !result.ok()) return result;

  Json::Value response(Json::objectValue);
  response["baseTime"] = base_time;
  response["sent"] = delivery.sent();
  return json::WriteValue(response);
}

}  // namespace byoshin::scheduler
