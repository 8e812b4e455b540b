// AWS's JSON 1.0 protocol, which SQS, DynamoDB and Step Functions speak: an
// operation is a POST with its name in a header, JSON in and JSON out.
//
//   aws::JsonProtocol protocol(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::StatusOr<Json::Value> output =
//       protocol.Send({.service = {.name = "dynamodb"},
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
#include "core/aws/caller.h"
#include "core/aws/endpoint.h"
#include "core/http/client.h"

namespace byoshin::aws {

// Not thread-safe.
class JsonProtocol {
 public:
  explicit JsonProtocol(ClientDependencies dependencies);

  struct Call {
    Service service{};
    std::string target{};     // "AmazonSQS.SendMessageBatch"
    std::string operation{};  // for errors and logs: "SQS SendMessageBatch"
    Json::Value input{Json::objectValue};
    // As in Caller::Call.
    std::string url{};
    // In addition to those of every call.
    std::vector<http::Header> headers{};
    CallLimits limits{};
  };

  // As Caller::Send().
  absl::StatusOr<Json::Value> Send(const Call& call, absl::Time deadline);

 private:
  Caller caller_;
};

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_JSON_PROTOCOL_H_
