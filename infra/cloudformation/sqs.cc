#include "infra/cloudformation/sqs.h"

#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::sqs {

ResourceType Queue::Type() {
  return {.name = "AWS::SQS::Queue",
          .attributes = {"Arn", "QueueName", "QueueUrl"},
          .tags = ResourceType::Tags::kList};
}

Properties Queue::ToProperties() const {
  Properties properties;
  properties.Set("VisibilityTimeout", visibility_timeout);
  properties.Set("MessageRetentionPeriod", retention);
  properties.Set("SqsManagedSseEnabled", true);
  if (!dead_letter_queue.absent()) {
    properties.Set("RedrivePolicy",
                   Object({{"deadLetterTargetArn", dead_letter_queue},
                           {"maxReceiveCount", max_receive_count}}));
  }
  if (dead_letters_from == DeadLettersFrom::kNoQueue) {
    properties.Set("RedriveAllowPolicy",
                   Object({{"redrivePermission", "denyAll"}}));
  }
  return properties;
}

ResourceType QueuePolicy::Type() { return {.name = "AWS::SQS::QueuePolicy"}; }

Properties QueuePolicy::ToProperties() const {
  Properties properties;
  properties.Require("Queues",
                     queue_url.absent() ? Value() : List({queue_url}));
  properties.Require("PolicyDocument", iam::PolicyDocument(statements));
  return properties;
}

}  // namespace byoshin::infra::cloudformation::sqs
