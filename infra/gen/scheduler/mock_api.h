// The mock of the polled API: a REST API on API Gateway with a function behind
// it. Everything here is omitted if access is "none".
#ifndef BYOSHIN_INFRA_GEN_SCHEDULER_MOCK_API_H_
#define BYOSHIN_INFRA_GEN_SCHEDULER_MOCK_API_H_

#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/scheduler/functions.h"
#include "infra/gen/scheduler/parameters.h"

namespace byoshin::infra::scheduler {

struct MockApi {
  FunctionResources function;
  // Its URL, without a trailing slash.
  cloudformation::Value url;
};

MockApi AddMockApi(cloudformation::Template& stack, const Inputs& inputs);

}  // namespace byoshin::infra::scheduler

#endif  // BYOSHIN_INFRA_GEN_SCHEDULER_MOCK_API_H_
