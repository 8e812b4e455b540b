// The rest of the minute in which a cloud is started.
//
// The rule fires at the next full minute, and whoever has just started the
// cloud would look at nothing until then. So, when the next slot begins, the
// messages that the Sender would have sent at the start of this minute are put
// on its queue, as far as their slots are still to come.
//
//   std::optional<scheduler::SenderConfig> sender = FindSender(stack);
//   FirstMinute first_minute({.clock = clock, .queue = queue,
//                             .on_sent = ..., .on_error = ...},
//                            *sender);
//   ... wait for Ctrl-C ...
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_FIRST_MINUTE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_FIRST_MINUTE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/sqs/client.h"
#include "core/env/environment.h"
#include "core/scheduler/config.h"
#include "core/time/clock.h"
#include "local/cloudformation/stack.h"
#include "local/gateway/credential_set.h"

namespace byoshin::local::applications {

// How the stack's Sender is configured; nothing if there is none.
std::optional<scheduler::SenderConfig> FindSender(
    const cloudformation::Stack& stack);

// For the AWS client that talks to the cloud at `url`, with credentials that
// the cloud accepts. The Sender's queue has
// the address of the cloud that made it, which may have listened elsewhere.
env::Environment ClientEnvironment(const std::string& url,
                                   const LocalCredentials& credentials);

// Thread-safe, as it has nothing but its beginning and its end.
class FirstMinute {
 public:
  // What is referred to outlives it; nobody else uses `queue` meanwhile.
  struct World {
    time::Clock& clock;
    aws::sqs::Client& queue;
    // One of them is called, at most once, on an internal thread: with the
    // first slot whose message was sent, or with what went wrong.
    std::function<void(absl::Time slot)> on_sent;
    std::function<void(const absl::Status&)> on_error;
  };
  FirstMinute(World world, scheduler::SenderConfig sender);
  FirstMinute(const FirstMinute&) = delete;
  FirstMinute& operator=(const FirstMinute&) = delete;
  // What has not been sent will not be.
  ~FirstMinute();

 private:
  absl::Status SendFrom(absl::Time due);

  const World world_;
  const scheduler::SenderConfig sender_;
  const std::unique_ptr<time::Wakeup> wakeup_;
  std::thread thread_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_FIRST_MINUTE_H_
