#include "infra/cloudformation/sns.h"

#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::sns {

ResourceType Topic::Type() {
  return {.name = "AWS::SNS::Topic",
          .attributes = {"TopicArn", "TopicName"},
          .tags = ResourceType::Tags::kList};
}

Properties Topic::ToProperties() const {
  Properties properties;
  properties.Set("DisplayName", display_name);
  return properties;
}

ResourceType EmailSubscription::Type() {
  return {.name = "AWS::SNS::Subscription"};
}

Properties EmailSubscription::ToProperties() const {
  Properties properties;
  properties.Require("TopicArn", topic_arn);
  properties.Set("Protocol", "email");
  properties.Require("Endpoint", address);
  if (!dead_letter_queue.absent()) {
    properties.Set("RedrivePolicy",
                   Object({{"deadLetterTargetArn", dead_letter_queue}}));
  }
  return properties;
}

ResourceType TopicPolicy::Type() { return {.name = "AWS::SNS::TopicPolicy"}; }

Properties TopicPolicy::ToProperties() const {
  Properties properties;
  properties.Require("Topics",
                     topic_arn.absent() ? Value() : List({topic_arn}));
  properties.Require("PolicyDocument", iam::PolicyDocument(statements));
  return properties;
}

}  // namespace byoshin::infra::cloudformation::sns
