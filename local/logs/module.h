// CloudWatch Logs as a module of the cloud. Needs Lambda's module before it.
#ifndef BYOSHIN_LOCAL_LOGS_MODULE_H_
#define BYOSHIN_LOCAL_LOGS_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::logs {

cloud::ModuleSpec LogsModule();

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_MODULE_H_
