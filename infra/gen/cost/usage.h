// The usage of a deployment of the scheduler in a month of 30 days, from its
// constants.
#ifndef BYOSHIN_INFRA_GEN_COST_USAGE_H_
#define BYOSHIN_INFRA_GEN_COST_USAGE_H_

#include <string>
#include <vector>

namespace byoshin::infra::cost {

// Optional parts of a deployment.
struct Deployment {
  enum class MockApi { kDeployed, kNone };
  enum class Tracing { kActive, kPassThrough };

  MockApi mock_api = MockApi::kDeployed;
  Tracing tracing = Tracing::kActive;
};

struct Usage {
  std::string service;  // "Lambda"
  std::string what;     // "requests"
  std::string price;    // its name in the price list
  double quantity = 0;  // in the units of the price
};

// In the order of the services; each price at most once.
std::vector<Usage> MonthlyUsage(const Deployment& deployment);

}  // namespace byoshin::infra::cost

#endif  // BYOSHIN_INFRA_GEN_COST_USAGE_H_
