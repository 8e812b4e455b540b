// The rest of the minute in which a cloud is started.
//
// The rule fires at the next full minute, and nothing would be stored until
// then. So, when the next slot begins, the messages for the remaining slots of
// the minute are put on the Sender's queue, as the Sender would have sent them
// at its start.
//
//   FirstMinute first_minute({.clock = clock, .queue = queue,
//                             .on_sent = ..., .on_error = ...},
//                            parts.sender);
//   ... wait for Ctrl-C ...
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_FIRST_MINUTE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_FIRST_MINUTE_H_

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/sqs/client.h"
#include "core/env/environment.h"
#include "core/scheduler/config.h"
#include "core/time/clock.h"
#include "local/gateway/credential_set.h"

namespace byoshin::local::applications {

// For an AWS client of the cloud at `url`, with credentials that it accepts.
// The URL of the Sender's queue may have another address, from an earlier run.
env::Environment ClientEnvironment(const std::string& url,
                                   const LocalCredentials& credentials);

// Thread-safe.
class FirstMinute {
 public:
  // What is referred to outlives it, and nothing else uses `queue`.
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
