// The scheduler's part of the cloud: watches its records as they are stored,
// and shows them. After DynamoDB, EventBridge and CloudFormation in the list of
// modules. Offers SlotSource.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_MODULE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_MODULE_H_

#include <functional>

#include "local/applications/scheduler/series.h"
#include "local/cloud/module.h"

namespace byoshin::local::applications {

struct SchedulerModuleOptions {
  // Called with each record that is stored, as soon as it is durable, on an
  // internal thread; must not block. May be null.
  std::function<void(const SlotRecord&)> on_record = nullptr;
};

cloud::ModuleSpec SchedulerModule(SchedulerModuleOptions options);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_MODULE_H_
