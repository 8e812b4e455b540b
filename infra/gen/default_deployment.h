// The scheduler's template as deployed with default parameters, for tests.
#ifndef BYOSHIN_INFRA_GEN_DEFAULT_DEPLOYMENT_H_
#define BYOSHIN_INFRA_GEN_DEFAULT_DEPLOYMENT_H_

#include "infra/gen/scheduler_stack.h"
#include "infra/gen/testing/deployed_template.h"

namespace byoshin::infra {

inline const testing::DeployedTemplate& Default() {
  static const auto* const kDeployed =
      new testing::DeployedTemplate(SchedulerStack());
  return *kDeployed;
}

}  // namespace byoshin::infra

#endif  // BYOSHIN_INFRA_GEN_DEFAULT_DEPLOYMENT_H_
