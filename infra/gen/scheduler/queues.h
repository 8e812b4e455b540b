// The scheduling queue, and the three queues for failures.
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_QUEUES_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_QUEUES_H_

#include "infra/cloudformation/template.h"

namespace byoshin::infra::scheduler {

struct Queues {
  // One message a slot, delayed until the slot begins.
  cloudformation::Resource scheduling;
  // Messages that the Collector repeatedly failed to process.
  cloudformation::Resource dead_letters;
  // Invocations of the Sender that repeatedly failed.
  cloudformation::Resource sender_failures;
  // Events that EventBridge could not deliver to the Sender.
  cloudformation::Resource rule_failures;
};

// Without the policies, which refer to the senders.
Queues AddQueues(cloudformation::Template& stack);

// All queues accept messages over TLS only; `rule` may send to its own.
void AddQueuePolicies(cloudformation::Template& stack, const Queues& queues,
                      const cloudformation::Resource& rule);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_QUEUES_H_
