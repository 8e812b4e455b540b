// The Sender: once a minute, sends twelve messages to the queue, one for each
// slot of the minute, delayed so that each becomes visible when its slot
// begins.
//
//   scheduler::Sender sender(config, {.queue = queue, .clock = clock,
//                                     .logger = logger});
//   absl::StatusOr<std::string> response = sender.Handle(invocation);
#ifndef BYOSHIN_CORE_SCHEDULER_SENDER_H_
#define BYOSHIN_CORE_SCHEDULER_SENDER_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/aws/sqs/client.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/scheduler/config.h"
#include "core/time/clock.h"

namespace byoshin::scheduler {

// Not thread-safe. Its dependencies must outlive it.
class Sender final : public lambda::Handler {
 public:
  struct Dependencies {
    aws::sqs::Client& queue;
    time::Clock& clock;
    log::Logger& logger;
  };

  Sender(SenderConfig config, const Dependencies& dependencies)
      : config_(std::move(config)), dependencies_(dependencies) {}

  // Sends in batches. Failed messages are retried, a bounded number of times
  // and within the deadline, unless that is pointless: the message is invalid,
  // or the queue does not exist or must not be used. A failed message does not
  // prevent others from being sent.
  //
  // An error, naming the slots, if any message was not sent: Lambda then
  // invokes the function again, and sending a slot twice is harmless.
  // OutOfRange, and nothing is sent, if the minute lies in the future; see
  // kMaxMinutesAhead.
  absl::StatusOr<std::string> Handle(
      const lambda::Invocation& invocation) override;

 private:
  const SenderConfig config_;
  const Dependencies dependencies_;
};

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_SENDER_H_
