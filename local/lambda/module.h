// Lambda as a module of the cloud. Needs sqs::Sqs and iam::Authority before it.
// Offers lambda::Lambda, lambda::ZipFolder, queues::QueueSink,
// lambda::CountingQueues and time::RealTimer.
#ifndef BYOSHIN_LOCAL_LAMBDA_MODULE_H_
#define BYOSHIN_LOCAL_LAMBDA_MODULE_H_

#include <functional>

#include "local/cloud/module.h"

namespace byoshin::local::lambda {

struct LambdaModuleOptions {
  // Called for each execution of a function; if true, its process is killed in
  // the middle. For simulated faults. May be null.
  std::function<bool()> crash = nullptr;
};

cloud::ModuleSpec LambdaModule(LambdaModuleOptions options);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_MODULE_H_
