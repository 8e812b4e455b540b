#include "local/applications/scheduler/first_minute.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/message.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/slot.h"
#include "local/gateway/credential_set.h"

namespace byoshin::local::applications {

env::Environment ClientEnvironment(const std::string& url,
                                   const LocalCredentials& credentials) {
  return env::FromMap(
      {{"AWS_ENDPOINT_URL", url},
       {"AWS_ACCESS_KEY_ID", credentials.access_key_id},
       {"AWS_SECRET_ACCESS_KEY", credentials.secret_access_key.Reveal()}});
}

FirstMinute::FirstMinute(World world, scheduler::SenderConfig sender)
    : world_(std::move(world)),
      sender_(std::move(sender)),
      wakeup_(world_.clock.NewWakeup()) {
  const absl::Time now = world_.clock.Now();
  const absl::Time next_slot =
      scheduler::FloorToSlot(now) + scheduler::kSlotInterval;
  if (scheduler::FloorToMinute(next_slot) != scheduler::FloorToMinute(now)) {
    // The rule is just about to fire.
    wakeup_->Cancel();
    return;
  }
  thread_ = std::thread([this, next_slot] {
    if (wakeup_->WaitUntil(next_slot) == time::WaitResult::kCancelled) return;
    const absl::Status sent = SendFrom(next_slot);
    if (sent.ok()) {
      world_.on_sent(next_slot - sender_.window_lag);
    } else {
      world_.on_error(sent);
    }
    wakeup_->Cancel();
  });
}

FirstMinute::~FirstMinute() {
  wakeup_->Cancel();
  if (thread_.joinable()) thread_.join();
}

// What is due then, and later in the minute.
absl::Status FirstMinute::SendFrom(absl::Time due) {
  const absl::StatusOr<scheduler::Plan> plan =
      scheduler::PlanMinute(due, sender_.window_lag);
  if (!plan.ok()) return plan.status();
  const absl::Duration passed = due - scheduler::FloorToMinute(due);
  aws::sqs::SendMessageBatchRequest request{.queue_url = sender_.queue_url};
  const auto send = [&]() -> absl::Status {
    const absl::StatusOr<aws::sqs::SendMessageBatchResult> result =
        world_.queue.SendMessageBatch(
            request, world_.clock.Now() + scheduler::kSendTimeout);
    request.entries.clear();
    if (!result.ok()) return result.status();
    if (result->failed.empty()) return absl::OkStatus();
    return absl::UnavailableError(result->failed.front().message);
  };
  for (const scheduler::PlannedMessage& message : *plan) {
    if (message.delay < passed) continue;
    request.entries.push_back({.id = absl::StrCat(message.slot),
                               .body = scheduler::WriteMessage(message.window),
                               .delay = message.delay - passed});
    if (request.entries.size() < aws::sqs::kMaxBatchEntries) continue;
    if (absl::Status sent = send(); !sent.ok()) return sent;
  }
  return request.entries.empty() ? absl::OkStatus() : send();
}

}  // namespace byoshin::local::applications
