// AWS's JSON 1.0 protocol, which SQS and DynamoDB speak: an operation is a POST
// with its name in a header, JSON in and JSON out.
//
//   aws::JsonProtocol protocol(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::StatusOr<Json::Value> output =
//       protocol.Send({.service = "dynamodb",
//                      .target = "DynamoDB_20120810.ListTables",
//                      .operation = "DynamoDB ListTables"},
//                     deadline);
//
// https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
#ifndef BYOSHIN_CORE_AWS_JSON_PROTOCOL_H_
#define BYOSHIN_CORE_AWS_JSON_PROTOCOL_H_

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
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

// Not thread-safe.
class JsonProtocol {
 public:
  explicit JsonProtocol(ClientDependencies dependencies);

  struct Call {
    std::string service{};    // as in endpoints and signatures: "sqs"
    std::string target{};     // "AmazonSQS.SendMessageBatch"
    std::string operation{};  // for errors and logs: "SQS SendMessageBatch"
    Json::Value input{Json::objectValue};
    // The URL to use instead of AWS's endpoint for the region; a configured
    // endpoint takes precedence. May be empty.
    std::string url{};
    // In addition to those of every call.
    std::vector<http::Header> headers{};
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

#endif  // BYOSHIN_CORE_AWS_JSON_PROTOCOL_H_
