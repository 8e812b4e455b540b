// AWS's REST-JSON protocol, which the RDS Data API and Bedrock speak: an
// operation is a path, with parts of its input in it; JSON in and JSON out.
//
//   aws::RestJsonProtocol protocol(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::StatusOr<Json::Value> output =
//       protocol.Send({.service = {.name = "bedrock-runtime",
//                                  .signing_name = "bedrock"},
//                      .path = {"model", "amazon.nova-lite-v1:0", "converse"},
//                      .operation = "Bedrock Converse",
//                      .input = input},
//                     deadline);  // POST
//                     /model/amazon.nova-lite-v1%3A0/converse
//
// https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html
#ifndef BYOSHIN_CORE_AWS_REST_JSON_PROTOCOL_H_
#define BYOSHIN_CORE_AWS_REST_JSON_PROTOCOL_H_

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/endpoint.h"

namespace byoshin::aws {

// Not thread-safe.
class RestJsonProtocol {
 public:
  explicit RestJsonProtocol(ClientDependencies dependencies);

  struct Call {
    Service service{};
    std::string method = "POST";
    // The segments of the path, not encoded yet: a "/" within one is encoded,
    // too, as in the ARN of a model.
    std::vector<std::string> path{};
    std::string operation{};  // for errors and logs: "Bedrock Converse"
    Json::Value input{Json::objectValue};
    CallLimits limits{};
  };

  // As Caller::Send(). InvalidArgument before anything is sent if a segment of
  // the path is empty, "." or "..": it would become another path.
  absl::StatusOr<Json::Value> Send(const Call& call, absl::Time deadline);

 private:
  Caller caller_;
};

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_REST_JSON_PROTOCOL_H_
