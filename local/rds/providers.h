// RDS's resources in templates.
#ifndef BYOSHIN_LOCAL_RDS_PROVIDERS_H_
#define BYOSHIN_LOCAL_RDS_PROVIDERS_H_

#include <memory>
#include <vector>

#include "local/cloudformation/provider.h"
#include "local/rds/rds.h"

namespace byoshin::local::rds {

// AWS::RDS::DBCluster.
std::unique_ptr<cloudformation::ResourceProvider> NewClusterProvider(Rds& rds);

// AWS::RDS::DBInstance, DBSubnetGroup and DBClusterParameterGroup, which hold
// no data.
std::vector<std::unique_ptr<cloudformation::ResourceProvider>>
NewDescriptiveProviders(Rds& rds);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_PROVIDERS_H_
