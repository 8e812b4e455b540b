// Delivers events that have fired to their targets.

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/events/events.h"
#include "local/events/events_state.h"
#include "local/events/rule.h"
#include "local/queues/queues.h"
#include "local/store/loop_gate.h"

namespace byoshin::local::events {
namespace {

std::string DeliveryKey(std::uint64_t id) {
  return absl::StrFormat("%s%020d", kDeliveryPrefix, id);
}

// EventBridge's error codes in dead letters.
std::string ErrorCode(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kPermissionDenied:
      return "NO_PERMISSIONS";
    case absl::StatusCode::kNotFound:
      return "NO_RESOURCE";
    case absl::StatusCode::kResourceExhausted:
      return "THROTTLING";
    default:
      return "SDK_CLIENT_ERROR";
  }
}

}  // namespace

// Runs after the current commit.
void Events::Schedule(DeliveryId id) {
  loop_.At(deliveries_.at(id).due, [this, id, epoch = epoch_]() -> AfterCommit {
    if (epoch == epoch_) Attempt(id);
    return nullptr;
  });
}

void Events::Attempt(DeliveryId id) {
  const auto found = deliveries_.find(id);
  if (found == deliveries_.end() || found->second.under_way) return;
  Delivery& delivery = found->second;
  const auto rule = rules_.find(delivery.rule_arn);
  if (rule == rules_.end() || !rule->second->known) return Remove(id);
  const std::vector<Target>& targets = rule->second->rule.targets;
  const auto target =
      std::find_if(targets.begin(), targets.end(),
                   [&](const Target& t) { return t.id == delivery.target_id; });
  if (target == targets.end()) return Remove(id);
  delivery.under_way = true;
  world_.targets.Deliver(
      *target, delivery.rule_arn, delivery.payload,
      [this, id, epoch = epoch_, gate = gate_](const absl::Status& status) {
        gate->Submit([this, id, epoch, status]() -> AfterCommit {
          if (epoch == epoch_) HandleDelivered(id, status);
          return nullptr;
        });
      });
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-retry-policy.html
void Events::HandleDelivered(DeliveryId id, const absl::Status& status) {
  const auto found = deliveries_.find(id);
  if (found == deliveries_.end()) return;
  if (status.ok()) return Remove(id);
  Delivery& delivery = found->second;
  delivery.under_way = false;
  const RuleState& state = *rules_.at(delivery.rule_arn);
  RetryPolicy policy;
  for (const Target& target : state.rule.targets) {
    if (target.id == delivery.target_id) policy = target.retry;
  }
  const absl::Time now = world_.clock.Now();
  ++delivery.attempts;
  const bool final = status.code() == absl::StatusCode::kNotFound ||
                     status.code() == absl::StatusCode::kPermissionDenied;
  const bool may_come = status.code() == absl::StatusCode::kPermissionDenied &&
                        delivery.attempts == 1;
  if (final && !may_come) return GiveUp(id, status, "");
  if (delivery.attempts > policy.max_attempts) {
    return GiveUp(id, status, "MaximumRetryAttempts");
  }
  const absl::Duration pause =
      may_come ? kPermissionPause
               : std::min(kFirstRetryPause * (std::int64_t{1} << std::min(
                                                  delivery.attempts - 1, 20)),
                          kLongestRetryPause);
  if (now + pause - delivery.created > policy.max_age) {
    return GiveUp(id, status, "MaximumEventAgeInSeconds");
  }
  delivery.due = now + pause;
  SaveDelivery(id, delivery);
  Schedule(id);
}

// https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-dlq.html
void Events::GiveUp(DeliveryId id, const absl::Status& status,
                    absl::string_view condition) {
  const Delivery& delivery = deliveries_.at(id);
  Target target;
  for (const Target& candidate : rules_.at(delivery.rule_arn)->rule.targets) {
    if (candidate.id == delivery.target_id) target = candidate;
  }
  if (target.dead_letters.empty()) return Remove(id);
  // If the queue denies access, the event is lost, as on AWS.
  if (world_.authorize &&
      !world_.authorize(delivery.rule_arn, target.dead_letters).ok()) {
    return Remove(id);
  }
  const auto text = [](absl::string_view name, absl::string_view value) {
    return queues::QueueMessageAttribute{.name = std::string(name),
                                         .data_type = "String",
                                         .value = std::string(value)};
  };
  std::vector<queues::QueueMessageAttribute> attributes = {
      text("RULE_ARN", delivery.rule_arn), text("TARGET_ARN", target.arn),
      text("ERROR_CODE", ErrorCode(status)),
      text("ERROR_MESSAGE",
           status.message().empty() ? "unknown" : status.message()),
      text("RETRY_ATTEMPTS", absl::StrCat(delivery.attempts - 1))};
  if (!condition.empty()) {
    attributes.push_back(text("EXHAUSTED_RETRY_CONDITION", condition));
  }
  world_.sink.Send(
      target.dead_letters,
      {.body = delivery.payload, .attributes = std::move(attributes)},
      [this, id, epoch = epoch_, gate = gate_](const absl::Status&) {
        // If this fails, too, the event is lost, as on AWS.
        gate->Submit([this, id, epoch]() -> AfterCommit {
          if (epoch == epoch_) Remove(id);
          return nullptr;
        });
      });
}

void Events::Remove(DeliveryId id) {
  deliveries_.erase(id);
  // Commit() reports a failure.
  world_.store.Delete(DeliveryKey(id)).IgnoreError();
}

void Events::SaveDelivery(DeliveryId id, const Delivery& delivery) {
  Json::Value value(Json::objectValue);
  value["rule"] = delivery.rule_arn;
  value["target"] = delivery.target_id;
  value["payload"] = delivery.payload;
  value["created"] = ToJson(delivery.created);
  value["due"] = ToJson(delivery.due);
  value["attempts"] = delivery.attempts;
  world_.store.Put(DeliveryKey(id), json::WriteValue(value)).IgnoreError();
}

}  // namespace byoshin::local::events
