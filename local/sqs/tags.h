// The rules for a queue's tags.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-queue-tags.html
#ifndef BYOSHIN_LOCAL_SQS_TAGS_H_
#define BYOSHIN_LOCAL_SQS_TAGS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {

// Whether the queue may have these tags, all of them together.
absl::Status CheckTags(const StringMap& tags, absl::string_view queue_name);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_TAGS_H_
