// Errors that a service returns to its client, carried in an absl::Status until
// they are written in the form of the protocol.
//
//   return ServiceError({.code = "ResourceNotFoundException",
//                        .message = "Requested resource not found"});
//   ...
//   answer(JsonErrorAnswer(status, kDynamoDbNamespace));
#ifndef BYOSHIN_LOCAL_GATEWAY_ERROR_H_
#define BYOSHIN_LOCAL_GATEWAY_ERROR_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {

struct ErrorAnswer {
  // As the JSON protocol names it, without namespace: "QueueDoesNotExist".
  std::string code{};
  // As the Query protocol names it, if it differs:
  // "AWS.SimpleQueueService.NonExistentQueue".
  std::string query_code{};
  std::string message{};
  int http_status = 400;
  // Further members of the JSON body, as JSON members without braces:
  // R"("Item":{"id":{"S":"1"}})". Empty for most.
  std::string json_members{};
};

absl::Status ServiceError(const ErrorAnswer& error);

// The error inside `status`. Any other status is an internal failure:
// InternalFailure, 500, with a generic message.
ErrorAnswer ErrorAnswerOf(const absl::Status& status);

// {"__type":"<type_prefix><code>","message":...}; type_prefix is, for example,
// "com.amazonaws.dynamodb.v20120810#". Some errors of AWS have a member Message
// instead of message. If the error has a query_code,
// x-amzn-query-error is set, too, for SDKs that expect the codes of the Query
// protocol.
Answer JsonErrorAnswer(const absl::Status& status,
                       absl::string_view type_prefix,
                       absl::string_view message_member = "message");

// <ErrorResponse><Error>...: `xml_namespace` is the service's.
Answer QueryErrorAnswer(const absl::Status& status,
                        absl::string_view request_id,
                        absl::string_view xml_namespace);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_ERROR_H_
