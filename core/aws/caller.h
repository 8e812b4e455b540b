// A signed call of an AWS service that answers with a JSON object: endpoint,
// signature, retries, timeouts and errors, which all protocols share.
//
//   aws::Caller caller(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::StatusOr<Json::Value> output =
//       caller.Send({.service = {.name = "rds-data"},
//                    .operation = "RDS Data BeginTransaction",
//                    .path = "BeginTransaction",
//                    .headers = {{"Content-Type", "application/json"}},
//                    .body = "{}"},
//                   deadline);
//
// JsonProtocol (json_protocol.h) and RestJsonProtocol (rest_json_protocol.h)
// stand on it.
#ifndef BYOSHIN_CORE_AWS_CALLER_H_
#define BYOSHIN_CORE_AWS_CALLER_H_

#include <json/json.h>

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/endpoint.h"
#include "core/aws/retry.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/log/logger.h"
#include "core/time/clock.h"

namespace byoshin::aws {

// The timeout of one attempt. A connection that was lost while a function was
// frozen is only noticed when no answer comes, and then there must be time for
// a retry.
inline constexpr absl::Duration kConnectTimeout = absl::Seconds(2);
inline constexpr absl::Duration kAttemptTimeout = absl::Seconds(5);

// The dependencies of every client of a service. They must outlive the client.
struct ClientDependencies {
  http::Client& http;
  time::Clock& clock;
  // The source of credentials, region and endpoint, read for each call.
  env::Environment environment;
  // If set, receives the failed attempts that are followed by another.
  log::Logger* logger = nullptr;
  RetryPolicy retry{};
  Random random = SystemRandom();
};

// What happens if a call is executed twice, as it is when an answer is lost and
// the call is sent again.
enum class Repetition {
  // Nothing more: the call is retried whenever that may help.
  kHarmless,
  // The effect is doubled, or the second call fails because of the first: the
  // call is only retried if the first certainly had no effect.
  kHarmful,
};

// How calls are attempted, for operations that need other values.
struct CallLimits {
  absl::Duration attempt_timeout = kAttemptTimeout;
  std::size_t max_response_bytes = std::size_t{1} << 20;
  Repetition repetition = Repetition::kHarmless;
};

// Not thread-safe.
class Caller {
 public:
  explicit Caller(ClientDependencies dependencies);

  struct Call {
    Service service{};
    std::string operation{};  // for errors and logs: "SQS SendMessageBatch"
    std::string method = "POST";
    // The URL to use instead of AWS's endpoint for the region; a configured
    // endpoint takes precedence. May be empty.
    std::string url{};
    // Appended to the endpoint's path and "/"; encoded already.
    std::string path{};
    std::vector<http::Header> headers{};
    std::string body{};
    CallLimits limits{};
  };

  // The operation's output, a JSON object. An error response from AWS is
  // converted by ToStatus() of error.h. Other errors are those of http::Client,
  // FailedPrecondition or InvalidArgument for missing or invalid configuration,
  // and DataLoss for an answer that violates the protocol or fails its
  // checksum. See IsRetryable() of retry.h for those that are retried.
  absl::StatusOr<Json::Value> Send(const Call& call, absl::Time deadline);

 private:
  struct Prepared;

  absl::StatusOr<Prepared> Prepare(const Call& call) const;
  // One exchange, signed as of now.
  absl::StatusOr<Json::Value> Attempt(const Call& call,
                                      const Prepared& prepared,
                                      absl::Time deadline);
  void LogFailure(const Call& call, const FailedAttempt& failed);

  const ClientDependencies dependencies_;
  Retrier retrier_;
};

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_CALLER_H_
