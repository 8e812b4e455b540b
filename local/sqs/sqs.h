// Amazon SQS as a service of the local cloud, and as the rest of the local
// cloud uses it.
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
};

// Thread-safe.
class Sqs final : public Service {
 public:
  // Both outlive the service, and the store is its alone from now on. DataLoss
  // if the store holds what can't be understood.
  static absl::StatusOr<std::unique_ptr<Sqs>> Open(Store& store,
                                                   time::Clock& clock,
                                                   SqsOptions options);
  // Finishes what was asked for before; long polls end without an answer, so
  // EndLongPolls() and the gateway's draining come first.
  ~Sqs() override;

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

  // Answers all who wait for messages, as when their time is up.
  void EndLongPolls() override;

  // Below: queues by ARN, for the rest of the local cloud. Callbacks are called
  // once, on the service's thread or one that is in Handle(), after the commit;
  // they must not block, and may call the service again. Errors are those of
  // the AWS operation.

  using SendCallback =
      std::function<void(const absl::StatusOr<SendMessageResult>& result)>;
  void Send(absl::string_view queue_arn, const NewMessage& message,
            SendCallback done);

  struct ReceiveOptions {
    int max_messages = 1;
    // The queue's own where there is none.
    std::optional<absl::Duration> visibility_timeout{};
    // How long to wait for a message if there is none; there is no limit.
    absl::Duration wait = absl::ZeroDuration();
  };
  void Receive(absl::string_view queue_arn, const ReceiveOptions& options,
               ReceiveCallback done);

  // `done` gets the first error, after all have been tried.
  using StatusCallback = std::function<void(const absl::Status& status)>;
  void Delete(absl::string_view queue_arn,
              std::vector<std::string> receipt_handles, StatusCallback done);
  void ChangeVisibility(absl::string_view queue_arn,
                        std::vector<VisibilityChange> changes,
                        StatusCallback done);

  using DepthCallback =
      std::function<void(const absl::StatusOr<QueueDepth>& depth)>;
  void Depth(absl::string_view queue_arn, DepthCallback done);

  // Up to `limit` messages in the order they were sent, wherever they stand,
  // without receiving them.
  using PeekCallback = std::function<void(
      const absl::StatusOr<std::vector<PeekedMessage>>& messages)>;
  void Peek(absl::string_view queue_arn, std::size_t limit, PeekCallback done);

  // Deletes all messages, wherever they stand. Unlike PurgeQueue, as often as
  // is wanted.
  void Empty(absl::string_view queue_arn, StatusCallback done);

  // Calls `available` whenever messages have become available on the queue that
  // nobody was waiting for, and at first if there are any. It does not say how
  // many: receive until there are none. The queue need not exist yet. The
  // result is for Unsubscribe(); 0 if `queue_arn` is not that of a queue here.
  uint64_t Subscribe(absl::string_view queue_arn,
                     std::function<void()> available);
  // Once `done` is called, `available` is not called any more.
  void Unsubscribe(uint64_t subscription, std::function<void()> done);

 private:
  Sqs(Store& store, time::Clock& clock, SqsOptions options);

  // Runs `work` with the engine, and what it asked for once it is committed.
  void Submit(std::function<void(Engine& engine)> work);
  AfterCommit FinishWork();
  void ArmTimer();
  void LoadAgain();

  // As Submit(), with the queue; `fail` hears of an ARN that is none.
  void WithQueue(
      absl::string_view queue_arn,
      std::function<void(Engine& engine, const QueueAddress& queue)> work,
      StatusCallback fail);

  time::Clock& clock_;
  const SqsOptions options_;
  std::atomic<uint64_t> next_subscription_{1};

  // Whoever runs the loop's work owns these.
  Engine engine_;
  WorkLoop::TimerId timer_ = 0;
  absl::Time timer_time_ = absl::InfiniteFuture();
  // Why nothing can be served any more, if loading again has failed.
  absl::Status broken_;

  // Last, so that its thread ends before the rest does.
  std::unique_ptr<WorkLoop> loop_;
};

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_SQS_H_
