// RDS as a module of the cloud. Needs secretsmanager::Secrets before it for
// ManageMasterUserPassword. Offers rds::Clusters (local/rds/clusters.h).
#ifndef BYOSHIN_LOCAL_RDS_MODULE_H_
#define BYOSHIN_LOCAL_RDS_MODULE_H_

#include <string>

#include "local/cloud/module.h"

namespace byoshin::local::rds {

struct RdsModuleOptions {
  // A PostgreSQL server that is there already: postgresql://USER@HOST:5432.
  // If empty, each cluster has a server of its own, in the data folder.
  std::string postgres_url{};
};

cloud::ModuleSpec RdsModule(RdsModuleOptions options = {});

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_MODULE_H_
