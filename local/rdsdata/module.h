// The Data API as a part of the cloud.
#ifndef BYOSHIN_LOCAL_RDSDATA_MODULE_H_
#define BYOSHIN_LOCAL_RDSDATA_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::rdsdata {

// Uses rds::Clusters and secretsmanager::Secrets. Offers rdsdata::DataApi.
cloud::ModuleSpec RdsDataModule();

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_MODULE_H_
