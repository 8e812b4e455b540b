// For the local cloud itself: the depth and content of queues, notification of
// visible messages, and emptying queues.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/error.h"
#include "local/sqs/keys.h"
#include "local/sqs/message.h"
#include "local/sqs/queue.h"
#include "local/sqs/record.h"
#include "local/store/store.h"

namespace byoshin::local::sqs {

absl::StatusOr<QueueDepth> Engine::Depth(const QueueAddress& address) {
  const Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  return QueueDepth{.visible = queue->visible(),
                    .delayed = queue->delayed(),
                    .in_flight = queue->in_flight()};
}

absl::Status Engine::Empty(const QueueAddress& address) {
  Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  DeleteMessages(*queue);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<PeekedMessage>> Engine::Peek(
    const QueueAddress& address, std::size_t limit) {
  Queue* queue = Find(address);
  if (queue == nullptr) return QueueDoesNotExist();
  std::vector<PeekedMessage> peeked;
  const std::string prefix = Key(kMessagePrefix, queue->id());
  absl::Status damage;
  absl::Status scanned = store_.Scan(
      PrefixRange(prefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view value) {
        if (peeked.size() >= limit) return Store::Visit::kStop;
        const Message* message =
            queue->Find(RecordReader(key.substr(prefix.size())).Number());
        absl::StatusOr<StoredMessage> stored =
            DecodeMessage(value, queue->kind());
        if (message == nullptr || !stored.ok()) {
          damage = absl::DataLossError("a message in the store is damaged");
          return Store::Visit::kStop;
        }
        peeked.push_back({.message = *std::move(stored),
                          .place = message->place,
                          .available_at = message->state.available_at,
                          .receives = message->state.receives});
        return Store::Visit::kContinue;
      });
  if (!scanned.ok()) return scanned;
  if (!damage.ok()) return damage;
  return peeked;
}

void Engine::Subscribe(uint64_t subscription, const QueueAddress& address,
                       std::function<void()> available) {
  subscriptions_[subscription] = {.queue = address,
                                  .available = std::move(available)};
  if (const Queue* queue = Find(address);
      queue != nullptr && CanReceive(*queue)) {
    available_.insert(queue->id());
  }
}

void Engine::Unsubscribe(uint64_t subscription) {
  subscriptions_.erase(subscription);
}

void Engine::EndAllWaits() {
  while (!waiters_.empty()) {
    EndWait(waiters_.begin()->first, std::vector<ReceivedMessage>());
  }
}

}  // namespace byoshin::local::sqs
