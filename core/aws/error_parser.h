// Reads AWS's errors, in the shapes in which they come over the wire.
//
//   if (response->status != 200) {
//     return aws::ToStatus(aws::ParseError(*response), "SQS SendMessageBatch");
//   }
//
// https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html#operation-error-serialization
#ifndef BYOSHIN_CORE_AWS_ERROR_PARSER_H_
#define BYOSHIN_CORE_AWS_ERROR_PARSER_H_

#include "core/aws/error.h"
#include "core/http/client.h"

namespace byoshin::aws {

// The code of an answer that names none: a proxy's page, say.
inline constexpr char kUnknownError[] = "UnknownError";

// Always gives an error with a code, whatever the response holds.
//
// The code is the first of: `__type` and `code` in a JSON body, the headers
// x-amzn-errortype and x-amzn-query-error, <Code> in an XML body; without its
// namespace and what is behind a colon, comma or semicolon. So a queue that
// does not exist is "QueueDoesNotExist", though SQS says
// "AWS.SimpleQueueService.NonExistentQueue" as well.
//
// The message is one line of bounded length. Where AWS repeats what was signed,
// session token included, that is behind its first line and left out.
Error ParseError(const http::Response& response);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_ERROR_PARSER_H_
