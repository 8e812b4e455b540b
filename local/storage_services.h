// The services of the local cloud that keep data.
//
//   Cloud::Start(options, StorageServices(), clock);
#ifndef BYOSHIN_LOCAL_STORAGE_SERVICES_H_
#define BYOSHIN_LOCAL_STORAGE_SERVICES_H_

#include <vector>

#include "local/cloud.h"

namespace byoshin::local {

// SQS and DynamoDB.
std::vector<ServiceFactory> StorageServices();

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORAGE_SERVICES_H_
