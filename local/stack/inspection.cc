#include "local/stack/inspection.h"

#include <memory>
#include <vector>

#include "local/apigateway/service.h"
#include "local/cloudformation/service.h"
#include "local/events/service.h"
#include "local/gateway/credential_set.h"
#include "local/iam/service.h"
#include "local/logs/service.h"

namespace byoshin::local::stack {

std::vector<std::unique_ptr<Service>> InspectionServices(
    const Inspected& inspected) {
  std::vector<std::unique_ptr<Service>> services;
  services.push_back(std::make_unique<cloudformation::CloudFormationService>(
      inspected.deployer));
  services.push_back(std::make_unique<events::EventsService>(inspected.events));
  services.push_back(std::make_unique<logs::LogsService>(
      inspected.log_groups, inspected.logs, inspected.clock,
      logs::LogsService::Options{.account_id = kLocalAccountId,
                                 .region = inspected.region}));
  services.push_back(std::make_unique<apigateway::ApiGatewayService>(
      inspected.apis,
      apigateway::ApiGatewayService::Options{.account_id = kLocalAccountId,
                                             .region = inspected.region}));
  services.push_back(std::make_unique<iam::IamService>(inspected.iam));
  services.push_back(std::make_unique<iam::StsService>(inspected.iam));
  return services;
}

}  // namespace byoshin::local::stack
