// Amazon SQS: standard queues and their policies.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_SQS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_SQS_H_

#include <optional>
#include <vector>

#include "absl/time/time.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::sqs {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queue.html
struct Queue {
  // Which queues may name this one as their dead-letter queue.
  enum class DeadLettersFrom { kAnyQueue, kNoQueue };

  std::optional<absl::Duration> visibility_timeout{};
  std::optional<absl::Duration> retention{};
  // The ARN of the dead-letter queue.
  Value dead_letter_queue{};
  Value max_receive_count{};
  DeadLettersFrom dead_letters_from = DeadLettersFrom::kAnyQueue;

  static ResourceType Type();
  // Always encrypted with keys that SQS owns: without cost, and without a key
  // policy that could exclude EventBridge or Lambda.
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sqs-queuepolicy.html
struct QueuePolicy {
  Value queue_url{};
  std::vector<iam::Statement> statements{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::sqs

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_SQS_H_
