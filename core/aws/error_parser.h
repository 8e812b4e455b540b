// Parses AWS's error responses.
//
//   if (response->status != 200) {
//     return aws::ToStatus(aws::ParseError(*response), "SQS SendMessageBatch");
//   }
//
// https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html#operation-error-serialization
// https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization
#ifndef BYOSHIN_CORE_AWS_ERROR_PARSER_H_
#define BYOSHIN_CORE_AWS_ERROR_PARSER_H_

#include "core/aws/error.h"
#include "core/http/client.h"

namespace byoshin::aws {

// The code of an answer without one, for example a proxy's page.
inline constexpr char kUnknownError[] = "UnknownError";

// Comes before the five characters of the SQLSTATE in messages of the Data API.
inline constexpr char kSqlStatePrefix[] = "; SQLState: ";

// Returns an error with a code for any response.
//
// The code is the first of: `__type` in a JSON body, the header
// x-amzn-errortype, `code` in a JSON body, the header x-amzn-query-error,
// <Code> in an XML body; without its namespace and anything after a colon,
// comma or semicolon. So a queue that does not exist is "QueueDoesNotExist",
// though SQS says "AWS.SimpleQueueService.NonExistentQueue" as well.
//
// The message is one line of bounded length. What follows the first line is
// omitted: there, AWS repeats what was signed, including the session token, and
// databases quote values. The SQLSTATE that ends a message of the Data API is
// kept.
Error ParseError(const http::Response& response);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_ERROR_PARSER_H_
