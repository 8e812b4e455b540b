// Which resource comes before which.
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

// What each resource needs to be there before it.
using Dependencies = std::map<std::string, std::set<std::string>>;

// For the resources that this deployment has: DependsOn, and what the
// properties refer to.
Dependencies DependenciesOf(const Template& t, const Resolver& resolver);

// All keys, each after those that it needs; otherwise by name. Needs that are
// no keys are ignored. InvalidArgument if there is a circle, with its members.
absl::StatusOr<std::vector<std::string>> InOrder(
    const Dependencies& dependencies);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_ORDER_H_
