// Calls a service within the process, without HTTP and signatures, with JSON in
// and out.
//
//   absl::StatusOr<Json::Value> queue = CallInProcess(
//       sqs, {.operation = "CreateQueue", .region = "us-east-1"}, request);
#ifndef BYOSHIN_LOCAL_GATEWAY_IN_PROCESS_H_
#define BYOSHIN_LOCAL_GATEWAY_IN_PROCESS_H_

#include <json/forwards.h>

#include "absl/status/statusor.h"
#include "local/gateway/service.h"

namespace byoshin::local {

// Sets the body of `call` and blocks until the service has answered. Must not
// be called on the service's own thread. An error of the service is an
// aws::Error: see core/aws/error.h.
absl::StatusOr<Json::Value> CallInProcess(Service& service, Call call,
                                          const Json::Value& request);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_IN_PROCESS_H_
