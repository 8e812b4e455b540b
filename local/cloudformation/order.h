// The order of resources by their dependencies.
//
//   Dependencies needs = DependenciesOf(t, resolver);
//   absl::StatusOr<std::vector<std::string>> order = InOrder(needs);
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_ORDER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_ORDER_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

// The dependencies of each resource.
using Dependencies = std::map<std::string, std::set<std::string>>;

// For the resources of this deployment: DependsOn, and what the properties
// refer to.
Dependencies DependenciesOf(const Template& t, const Resolver& resolver);

// All keys, each after those that it depends on; otherwise by name.
// Dependencies that are not keys are ignored. InvalidArgument, with its
// members, if there is a cycle.
absl::StatusOr<std::vector<std::string>> InOrder(
    const Dependencies& dependencies);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_ORDER_H_
