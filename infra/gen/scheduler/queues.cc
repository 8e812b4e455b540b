#include "infra/gen/scheduler/queues.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "core/scheduler/constants.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/sqs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/accepted.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::scheduler;

// Retained when the stack is deleted: they show which slots are missing and
// why.
cfn::Resource AddDeadLetterQueue(
    cfn::Template& stack, const char* id,
    cfn::sqs::Queue::DeadLettersFrom dead_letters_from) {
  return stack.Add(
      id,
      cfn::sqs::Queue{.retention = kDeadLetterRetention,
                      .dead_letters_from = dead_letters_from},
      {.removal = cfn::RemovalPolicy::kRetain,
       .metadata =
           dead_letters_from == cfn::sqs::Queue::DeadLettersFrom::kNoQueue
               ? parts::Accept({parts::QueueOfFailures()})
               : cfn::Value()});
}

void AddPolicy(cfn::Template& stack, const cfn::Resource& queue,
               std::vector<cfn::iam::Statement> statements = {}) {
  statements.insert(statements.begin(),
                    cfn::iam::DenyWithoutTls("sqs:*", queue.Arn()));
  stack.Add(absl::StrCat(queue.id(), "Policy"),
            cfn::sqs::QueuePolicy{.queue_url = queue.Ref(),
                                  .statements = statements});
}

}  // namespace

Queues AddQueues(cfn::Template& stack) {
  using DeadLettersFrom = cfn::sqs::Queue::DeadLettersFrom;
  // It can't name the only queue that may use it: that would be a circular
  // dependency.
  const cfn::Resource dead_letters = AddDeadLetterQueue(
      stack, "SchedulingDeadLetterQueue", DeadLettersFrom::kAnyQueue);
  // Its content can be lost: it can be sent again.
  const cfn::Resource scheduling =
      stack.Add("SchedulingQueue",
                cfn::sqs::Queue{.visibility_timeout = core::kVisibilityTimeout,
                                .retention = kSchedulingRetention,
                                .dead_letter_queue = dead_letters.Arn(),
                                .max_receive_count = core::kMaxReceiveCount},
                {.removal = cfn::RemovalPolicy::kDelete});
  return {.scheduling = scheduling,
          .dead_letters = dead_letters,
          .sender_failures = AddDeadLetterQueue(stack, "SenderFailureQueue",
                                                DeadLettersFrom::kNoQueue),
          .rule_failures = AddDeadLetterQueue(stack, "RuleFailureQueue",
                                              DeadLettersFrom::kNoQueue)};
}

void AddQueuePolicies(cfn::Template& stack, const Queues& queues,
                      const cfn::Resource& rule) {
  AddPolicy(stack, queues.scheduling);
  AddPolicy(stack, queues.dead_letters);
  AddPolicy(stack, queues.sender_failures);
  AddPolicy(
      stack, queues.rule_failures,
      {{.sid = "LetTheRuleSend",
        .principal = cfn::Object({{"Service", "events.amazonaws.com"}}),
        .actions = {"sqs:SendMessage"},
        .resources = {queues.rule_failures.Arn()},
        .condition = cfn::Object(
            {{"ArnEquals", cfn::Object({{"aws:SourceArn", rule.Arn()}})}})}});
}

}  // namespace byoshin::infra::scheduler
