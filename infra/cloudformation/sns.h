// Amazon SNS: topics, their policies and subscriptions.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_SNS_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_SNS_H_

#include <string>
#include <vector>

#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::sns {

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topic.html
struct Topic {
  std::string display_name{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-subscription.html
struct EmailSubscription {
  Value topic_arn{};
  Value address{};
  // The ARN of a queue for what could not be sent.
  Value dead_letter_queue{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-sns-topicpolicy.html
struct TopicPolicy {
  Value topic_arn{};
  std::vector<iam::Statement> statements{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::sns

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_SNS_H_
