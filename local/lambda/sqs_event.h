// The event of a batch of messages, and the messages that the function's
// response reports as failed.
//
//   std::string payload = SqsEvent(messages, queue_arn);
//   BatchOutcome outcome = ReadBatchResponse(response, messages);
#ifndef BYOSHIN_LOCAL_LAMBDA_SQS_EVENT_H_
#define BYOSHIN_LOCAL_LAMBDA_SQS_EVENT_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/queues/queues.h"

namespace byoshin::local::lambda {

// https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event
std::string SqsEvent(const std::vector<queues::QueueMessage>& messages,
                     const std::string& queue_arn);

// The messages to delete: those that the response does not name as failed. All
// if it is empty or null; none, with a reason, if it is malformed or names a
// message that was not in the batch.
// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
struct BatchOutcome {
  std::vector<std::string> succeeded{};  // receipt handles
  int failed = 0;
  std::string malformed{};  // the reason; empty if the response is valid
};
BatchOutcome ReadBatchResponse(
    absl::string_view response,
    const std::vector<queues::QueueMessage>& messages);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_SQS_EVENT_H_
