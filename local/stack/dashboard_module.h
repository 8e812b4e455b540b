// The dashboard as a part of the cloud: PanelsModule(), which comes first, lets
// other modules add panels, and DashboardModule(), which comes last, serves the
// page. Offers dashboard::Panels, stack::Deployments and stack::CloudSource.
#ifndef BYOSHIN_LOCAL_STACK_DASHBOARD_MODULE_H_
#define BYOSHIN_LOCAL_STACK_DASHBOARD_MODULE_H_

#include <functional>

#include "local/cloud/module.h"
#include "local/stack/outcomes.h"

namespace byoshin::local::stack {

// As those of StackCloudOptions.
struct DashboardModuleOptions {
  std::function<void(const FunctionOutcome&)> on_outcome = nullptr;
};

cloud::ModuleSpec PanelsModule();
cloud::ModuleSpec DashboardModule(DashboardModuleOptions options);

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_DASHBOARD_MODULE_H_
