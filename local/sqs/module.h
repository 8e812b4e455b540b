// SQS as a module of the cloud. Offers sqs::Sqs.
#ifndef BYOSHIN_LOCAL_SQS_MODULE_H_
#define BYOSHIN_LOCAL_SQS_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::sqs {

cloud::ModuleSpec SqsModule();

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_MODULE_H_
