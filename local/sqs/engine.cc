// Loading, and what happens as time passes.
#include "local/sqs/engine.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "core/time/clock.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/keys.h"
#include "local/sqs/limits.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/record.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {
namespace {

// A message that is due later than any delay or timeout was stored before the
// clock was set back. It must not stay invisible for so long.
absl::Time Sane(absl::Time available_at, absl::Duration longest,
                absl::Time now) {
  return std::min(available_at, now + longest);
}

}  // namespace

Engine::Engine(Store& store, const time::Clock& clock, EngineOptions options)
    : store_(store), clock_(clock), options_(std::move(options)) {}

absl::Status Engine::Load() {
  queues_.clear();
  queues_by_id_.clear();
  due_.clear();
  scheduled_.clear();
  tasks_.clear();
  touched_.clear();
  ready_.clear();
  available_.clear();
  committed_.clear();
  if (absl::Status status = LoadQueues(); !status.ok()) return status;
  if (absl::Status status = LoadMessages(); !status.ok()) return status;
  if (absl::Status status = LoadFifo(); !status.ok()) return status;
  if (absl::Status status = LoadMoveTasks(); !status.ok()) return status;
  for (const auto& [address, queue] : queues_) {
    Schedule(*queue);
    // Serves waiting receivers with what is visible.
    if (CanReceive(*queue)) ready_.insert(queue->id());
  }
  return absl::OkStatus();
}

absl::Status Engine::LoadQueues() {
  const absl::StatusOr<std::optional<std::string>> next =
      store_.Get(kNextQueueKey);
  if (!next.ok()) return next.status();
  if (next->has_value()) next_queue_ = RecordReader(**next).Number();

  absl::Status damage;
  absl::Status scanned = store_.Scan(
      PrefixRange(kQueuePrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        const uint64_t id =
            RecordReader(key.substr(kQueuePrefix.size())).Number();
        absl::StatusOr<QueueRecord> record = DecodeQueue(value);
        if (!record.ok()) {
          damage = record.status();
          return Store::Visit::kStop;
        }
        const QueueAddress address = record->address;
        auto queue = std::make_unique<Queue>(id, *std::move(record));
        queues_by_id_[id] = queue.get();
        const std::string& policy = queue->settings().policy;
        if (options_.on_policy && !policy.empty()) {
          options_.on_policy(ArnOf(address, options_.account_id), policy);
        }
        queues_[address] = std::move(queue);
        next_queue_ = std::max(next_queue_, id + 1);
        return Store::Visit::kContinue;
      });
  return damage.ok() ? scanned : damage;
}

absl::Status Engine::LoadMessages() {
  absl::Status damage;
  absl::flat_hash_map<uint64_t, MessageState> states;
  absl::Status scanned =
      store_.Scan(PrefixRange(kStatePrefix), Store::Direction::kForward,
                  [&](absl::string_view key, absl::string_view value) {
                    RecordReader reader(key.substr(kStatePrefix.size()));
                    reader.Number();  // the queue
                    absl::StatusOr<MessageState> state = DecodeState(value);
                    if (!state.ok()) {
                      damage = state.status();
                      return Store::Visit::kStop;
                    }
                    states[reader.Number()] = *state;
                    return Store::Visit::kContinue;
                  });
  if (!scanned.ok() || !damage.ok()) return damage.ok() ? scanned : damage;

  const absl::Time now = clock_.Now();
  scanned = store_.Scan(
      PrefixRange(kMessagePrefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        RecordReader reader(key.substr(kMessagePrefix.size()));
        const auto queue = queues_by_id_.find(reader.Number());
        const uint64_t number = reader.Number();
        if (queue == queues_by_id_.end()) {
          damage = absl::DataLossError("a message in the store has no queue");
          return Store::Visit::kStop;
        }
        absl::string_view content;
        const absl::StatusOr<MessageHeader> header =
            DecodeHeader(value, queue->second->kind(), &content);
        if (!header.ok()) {
          damage = header.status();
          return Store::Visit::kStop;
        }
        Message message{.sent_at = header->sent_at};
        const auto state = states.find(number);
        if (state != states.end()) message.state = state->second;
        message.state.available_at =
            state != states.end()
                ? Sane(message.state.available_at, kMaxVisibilityTimeout, now)
                : Sane(header->available_at, kMaxDelay, now);
        queue->second->Add(number, std::move(message), GroupOf(content), now);
        next_message_ = std::max(next_message_, number + 1);
        return Store::Visit::kContinue;
      });
  return damage.ok() ? scanned : damage;
}

Queue* Engine::Find(const QueueAddress& address) {
  const auto found = queues_.find(address);
  if (found == queues_.end()) return nullptr;
  Queue* queue = found->second.get();
  touched_.push_back(queue);
  CatchUp(*queue);
  return queue;
}

Queue* Engine::FindByArn(absl::string_view arn) {
  const std::optional<QueueAddress> address =
      QueueOfArn(arn, options_.account_id);
  return address.has_value() ? Find(*address) : nullptr;
}

void Engine::CatchUp(Queue& queue) {
  const absl::Time now = clock_.Now();
  if (queue.NextDue() > now) return;
  if (queue.MakeDueVisible(now)) ready_.insert(queue.id());
  // The rest can't be received: Take() checks.
  if (IsPaused()) return;
  for (const uint64_t number : queue.Expired(now)) Drop(queue, number);
  if (queue.fifo() != nullptr) ForgetOld(queue);
}

void Engine::Drop(Queue& queue, uint64_t number) {
  store_.Delete(Key(kMessagePrefix, queue.id(), number)).IgnoreError();
  if (queue.Find(number)->state.receives > 0) {
    store_.Delete(Key(kStatePrefix, queue.id(), number)).IgnoreError();
  }
  queue.Remove(number);
  // It may have held back the rest of its group.
  if (queue.fifo() != nullptr && CanReceive(queue)) ready_.insert(queue.id());
}

void Engine::Schedule(Queue& queue) {
  const absl::Time due = queue.NextDue();
  const auto scheduled = scheduled_.find(queue.id());
  if (scheduled == scheduled_.end()) {
    if (due == absl::InfiniteFuture()) return;
    scheduled_[queue.id()] = due;
  } else {
    if (scheduled->second <= due) return;
    due_.erase({scheduled->second, queue.id()});
    scheduled->second = due;
  }
  due_.emplace(due, queue.id());
}

absl::Time Engine::NextDue() const {
  absl::Time next = absl::InfiniteFuture();
  if (!due_.empty()) next = due_.begin()->first;
  for (const auto& [number, running] : tasks_) {
    next = std::min(next, running.next_step);
  }
  // After Load() there may be waiters that can be served; after Finish() there
  // are none.
  if (!ready_.empty()) next = absl::InfinitePast();
  next = std::max(next, paused_until_);
  if (wait_deadlines_.empty()) return next;
  return std::min(next, wait_deadlines_.begin()->first);
}

void Engine::RunDue() {
  const absl::Time now = clock_.Now();
  while (!IsPaused() && !due_.empty() && due_.begin()->first <= now) {
    const uint64_t id = due_.begin()->second;
    due_.erase(due_.begin());
    scheduled_.erase(id);
    Queue& queue = *queues_by_id_.at(id);
    CatchUp(queue);
    Schedule(queue);
  }
  // A message that becomes visible exactly when a wait ends is still delivered.
  ServeReady();
  while (!wait_deadlines_.empty() && wait_deadlines_.begin()->first <= now) {
    EndWait(wait_deadlines_.begin()->second, std::vector<ReceivedMessage>());
  }
  if (!IsPaused()) RunMoveTasks();
}

std::function<void(const absl::Status&)> Engine::Finish() {
  ServeReady();
  for (Queue* queue : touched_) Schedule(*queue);
  touched_.clear();
  if (!available_.empty()) Notify();
  if (committed_.empty()) return [](const absl::Status&) {};
  return [all = std::exchange(committed_, {})](const absl::Status& committed) {
    for (const Committed& one : all) one(committed);
  };
}

void Engine::Notify() {
  for (const auto& [number, subscription] : subscriptions_) {
    const auto queue = queues_.find(subscription.queue);
    if (queue == queues_.end() || available_.count(queue->second->id()) == 0) {
      continue;
    }
    committed_.push_back(
        [available = subscription.available](const absl::Status& committed) {
          // After a failure nothing is lost: loading again notifies of all
          // visible messages.
          if (committed.ok()) available();
        });
  }
  available_.clear();
}

uint64_t Engine::Random() {
  uint64_t number = 0;
  while (number == 0) number = random::Bits();
  return number;
}

}  // namespace byoshin::local::sqs
