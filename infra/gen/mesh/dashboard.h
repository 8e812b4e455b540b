// The CloudWatch dashboard: requests, connections, deliveries, groups and
// events, the functions and the table.
#ifndef BYOSHIN_INFRA_GEN_MESH_DASHBOARD_H_
#define BYOSHIN_INFRA_GEN_MESH_DASHBOARD_H_

#include <string>
#include <vector>

#include "infra/cloudformation/template.h"
#include "infra/gen/mesh/api.h"
#include "infra/gen/mesh/functions.h"
#include "infra/gen/parts/function.h"

namespace byoshin::infra::mesh {

// Everything that can fail.
struct Watched {
  cloudformation::Resource table;
  Functions functions;
  Api api;
};

struct NamedFunction {
  std::string name;
  // As its metrics have it.
  std::string field;
  const parts::FunctionResources* resources;
};
// `watched` must outlive the result.
std::vector<NamedFunction> AllFunctions(const Watched& watched);

void AddDashboard(cloudformation::Template& stack, const Watched& watched,
                  const std::vector<std::string>& alarm_ids);

}  // namespace byoshin::infra::mesh

#endif  // BYOSHIN_INFRA_GEN_MESH_DASHBOARD_H_
