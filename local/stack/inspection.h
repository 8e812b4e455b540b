// The services with which engineers look at a deployed stack, each behind its
// own API: CloudFormation, EventBridge, CloudWatch Logs, API Gateway, IAM, STS.
//
//   for (auto& service : InspectionServices({...})) ... behind the gateway
#ifndef BYOSHIN_LOCAL_STACK_INSPECTION_H_
#define BYOSHIN_LOCAL_STACK_INSPECTION_H_

#include <memory>
#include <string>
#include <vector>

#include "core/time/clock.h"
#include "local/apigateway/registry.h"
#include "local/cloudformation/deployer.h"
#include "local/events/events.h"
#include "local/gateway/service.h"
#include "local/iam/iam.h"
#include "local/lambda/logs.h"
#include "local/logs/log_groups.h"

namespace byoshin::local::stack {

// What they look at; all outlives them.
struct Inspected {
  const cloudformation::Deployer& deployer;
  events::Events& events;
  const logs::LogGroups& log_groups;
  lambda::Logs& logs;
  const apigateway::Registry& apis;
  const iam::Iam& iam;
  time::Clock& clock;
  std::string region;
};

std::vector<std::unique_ptr<Service>> InspectionServices(
    const Inspected& inspected);

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_INSPECTION_H_
