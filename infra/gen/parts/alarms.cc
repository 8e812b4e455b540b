#include "infra/gen/parts/alarms.h"

#include <string>

#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/sns.h"
#include "infra/cloudformation/sqs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/accepted.h"
#include "infra/gen/parts/parameters.h"

namespace byoshin::infra::parts {

namespace cfn = cloudformation;

namespace {

// Keeps what the topic could not send.
cfn::Value AddFailureQueue(cfn::Template& stack, const cfn::Resource& topic,
                           cfn::ResourceOptions options) {
  options.removal = cfn::RemovalPolicy::kDelete;
  options.metadata = Accept({QueueOfFailures()});
  const cfn::Resource queue =
      stack.Add("AlarmFailureQueue",
                cfn::sqs::Queue{.retention = kDeadLetterRetention,
                                .dead_letters_from =
                                    cfn::sqs::Queue::DeadLettersFrom::kNoQueue},
                options);
  stack.Add(
      "AlarmFailureQueuePolicy",
      cfn::sqs::QueuePolicy{
          .queue_url = queue.Ref(),
          .statements = {cfn::iam::DenyWithoutTls("sqs:*", queue.Arn()),
                         {.sid = "LetTheTopicSend",
                          .principal =
                              cfn::Object({{"Service", "sns.amazonaws.com"}}),
                          .actions = {"sqs:SendMessage"},
                          .resources = {queue.Arn()},
                          .condition = cfn::Object(
                              {{"ArnEquals", cfn::Object({{"aws:SourceArn",
                                                           topic.Ref()}})}})}}},
      {.condition = options.condition});
  return queue.Arn();
}

}  // namespace

// Only this account's alarms may publish to it. It is not encrypted: CloudWatch
// can't use the account's key for SNS, and an alarm contains no data.
cfn::Value AddAlarmTopic(cfn::Template& stack,
                         const ObservationInputs& inputs) {
  const cfn::ResourceOptions options = {.condition = inputs.has_alarm_email};
  const cfn::Resource topic = stack.Add(
      "AlarmTopic", cfn::sns::Topic{.display_name = "Byoshin alarms"}, options);
  stack.Add("AlarmSubscription",
            cfn::sns::EmailSubscription{
                .topic_arn = topic.Ref(),
                .address = inputs.alarm_email,
                .dead_letter_queue = AddFailureQueue(stack, topic, options)},
            options);
  stack.Add("AlarmTopicPolicy",
            cfn::sns::TopicPolicy{
                .topic_arn = topic.Ref(),
                .statements =
                    {cfn::iam::DenyWithoutTls("sns:Publish", topic.Ref()),
                     {.sid = "LetAlarmsPublish",
                      .principal = cfn::Object(
                          {{"Service", "cloudwatch.amazonaws.com"}}),
                      .actions = {"sns:Publish"},
                      .resources = {topic.Ref()},
                      .condition = cfn::Object(
                          {{"StringEquals",
                            cfn::Object({{"aws:SourceAccount",
                                          cfn::Ref("AWS::AccountId")}})}})}}},
            options);
  stack.AddOutput("AlarmTopicArn", {.description = "Topic of the alarms",
                                    .value = topic.Ref(),
                                    .condition = inputs.has_alarm_email});
  return cfn::If(inputs.has_alarm_email, cfn::List({topic.Ref()}),
                 cfn::NoValue());
}

void AlarmAdder::Add(const std::string& id, cfn::cloudwatch::Alarm alarm,
                     const std::string& condition) {
  alarm.actions = actions_;
  stack_.Add(id, alarm, {.condition = condition});
  if (condition.empty()) ids_.push_back(id);
}

}  // namespace byoshin::infra::parts
