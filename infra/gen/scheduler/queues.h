// The queue that the schedule runs through, and the three that keep what went
// wrong.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_QUEUES_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_QUEUES_H_

#include "infra/cloudformation/template.h"

namespace byoshin::infra::scheduler {

struct Queues {
  // One message a slot, delayed until the slot begins.
  cloudformation::Resource scheduling;
  // Messages that the Collector failed on again and again.
  cloudformation::Resource dead_letters;
  // Invocations of the Sender that failed again and again.
  cloudformation::Resource sender_failures;
  // Events that EventBridge could not hand to the Sender.
  cloudformation::Resource rule_failures;
};

// Without the policies, which refer to what sends to the queues.
Queues AddQueues(cloudformation::Template& stack);

// All queues take messages over TLS only; `rule` may send to its own.
void AddQueuePolicies(cloudformation::Template& stack, const Queues& queues,
                      const cloudformation::Resource& rule);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_QUEUES_H_
