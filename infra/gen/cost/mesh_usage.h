// The usage of a deployment of Mesh v2 in a month of 30 days, for a number of
// lessons.
#ifndef BYOSHIN_INFRA_GEN_COST_MESH_USAGE_H_
#define BYOSHIN_INFRA_GEN_COST_MESH_USAGE_H_

#include <vector>

#include "infra/gen/cost/usage.h"

namespace byoshin::infra::cost {

// In the order of the services; each price at most once.
std::vector<Usage> MeshUsage(double lessons);

}  // namespace byoshin::infra::cost

#endif  // BYOSHIN_INFRA_GEN_COST_MESH_USAGE_H_
