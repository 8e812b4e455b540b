// Amazon SQS as a service of the local cloud, with an interface for other parts
// of the cloud.
//
//   absl::StatusOr<std::unique_ptr<Sqs>> sqs = Sqs::Open(store, clock, {});
//   if (!sqs.ok()) return sqs.status();
//   gateway.Add(**sqs);
//
// In process, without polling:
//
//   (*sqs)->Subscribe(arn, [&] {
//     (*sqs)->Receive(arn, {.max_messages = 10}, [&](const ReceiveResult& r) {
//       for (const ReceivedMessage& message : *r) ...
//     });
//   });
#ifndef BYOSHIN_LOCAL_SQS_SQS_H_
#define BYOSHIN_LOCAL_SQS_SQS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/sqs/address.h"
#include "local/sqs/api.h"
#include "local/sqs/engine.h"
#include "local/sqs/message.h"
#include "local/sqs/operation.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::sqs {

struct SqsOptions {
  std::string account_id = "000000000000";
  // As EngineOptions::on_policy. Must not block.
  std::function<void(const std::string& queue_arn, const std::string& policy)>
      on_policy = nullptr;
};

// Thread-safe.
class Sqs final : public Service {
 public:
  // Both must outlive the service, which is the only user of the store.
  // DataLoss if the store is damaged.
  static absl::StatusOr<std::unique_ptr<Sqs>> Open(Store& store,
                                                   time::Clock& clock,
                                                   SqsOptions options);
  // Finishes the calls in progress. Long polls end without an answer, so call
  // EndLongPolls() and drain the gateway first.
  ~Sqs() override;

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

  // Answers all waiting receivers, as if their time were up.
  void EndLongPolls() override;

  // For other parts of the local cloud: queues by ARN. Callbacks are called
  // once, on the service's thread or one that is in Handle(), after the commit.
  // They must not block, and may call the service again. Errors are those of
  // the AWS operation.

  using SendCallback =
      std::function<void(const absl::StatusOr<SendMessageResult>& result)>;
  void Send(absl::string_view queue_arn, const NewMessage& message,
            SendCallback done);

  struct ReceiveOptions {
    int max_messages = 1;
    // The queue's own if not set.
    std::optional<absl::Duration> visibility_timeout{};
    // How long to wait for a message; without limit.
    absl::Duration wait = absl::ZeroDuration();
  };
  void Receive(absl::string_view queue_arn, const ReceiveOptions& options,
               ReceiveCallback done);

  // Tries all of them; `done` gets the first error.
  using StatusCallback = std::function<void(const absl::Status& status)>;
  void Delete(absl::string_view queue_arn,
              std::vector<std::string> receipt_handles, StatusCallback done);
  void ChangeVisibility(absl::string_view queue_arn,
                        std::vector<VisibilityChange> changes,
                        StatusCallback done);

  using DepthCallback =
      std::function<void(const absl::StatusOr<QueueDepth>& depth)>;
  void Depth(absl::string_view queue_arn, DepthCallback done);

  // Up to `limit` messages, visible or not, in the order they were sent,
  // without receiving them.
  using PeekCallback = std::function<void(
      const absl::StatusOr<std::vector<PeekedMessage>>& messages)>;
  void Peek(absl::string_view queue_arn, std::size_t limit, PeekCallback done);

  // Deletes all messages, without PurgeQueue's limit of once a minute.
  void Empty(absl::string_view queue_arn, StatusCallback done);

  // Calls `available` whenever messages have become visible in the queue that
  // no receiver was waiting for, and first if there are any. Receive until
  // there are none. The queue need not exist yet. The result is for
  // Unsubscribe(); 0 if `queue_arn` is not that of a local queue.
  uint64_t Subscribe(absl::string_view queue_arn,
                     std::function<void()> available);
  // Once `done` is called, `available` is no longer called.
  void Unsubscribe(uint64_t subscription, std::function<void()> done);

 private:
  Sqs(Store& store, time::Clock& clock, SqsOptions options);

  // Runs `work` with the engine, and its callbacks once it is committed.
  void Submit(std::function<void(Engine& engine)> work);
  AfterCommit FinishWork();
  void ArmTimer();
  void LoadAgain();

  // As Submit(), with the queue; calls `fail` if the ARN is invalid.
  void WithQueue(
      absl::string_view queue_arn,
      std::function<void(Engine& engine, const QueueAddress& queue)> work,
      StatusCallback fail);

  time::Clock& clock_;
  const SqsOptions options_;
  std::atomic<uint64_t> next_subscription_{1};

  // Owned by the thread that runs the loop's work.
  Engine engine_;
  WorkLoop::TimerId timer_ = 0;
  absl::Time timer_time_ = absl::InfiniteFuture();
  // Why requests can't be served, if loading again has failed.
  absl::Status broken_;

  // Last, so that its thread ends before the rest does.
  std::unique_ptr<WorkLoop> loop_;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_SQS_H_
