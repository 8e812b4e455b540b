// The dashboard as a module of the cloud, with what it knows of the scheduler's
// records. After all services in the list. Offers stack::CloudSource.
#ifndef BYOSHIN_LOCAL_STACK_DASHBOARD_MODULE_H_
#define BYOSHIN_LOCAL_STACK_DASHBOARD_MODULE_H_

#include <functional>

#include "local/cloud/module.h"
#include "local/dashboard/series.h"
#include "local/stack/outcomes.h"

namespace byoshin::local::stack {

// As those of StackCloudOptions.
struct DashboardModuleOptions {
  std::function<void(const dashboard::SlotRecord&)> on_record = nullptr;
  std::function<void(const FunctionOutcome&)> on_outcome = nullptr;
};

cloud::ModuleSpec DashboardModule(DashboardModuleOptions options);

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_DASHBOARD_MODULE_H_
