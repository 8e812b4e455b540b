// Secrets Manager as a module of the cloud. Needs IAM's module before it;
// offers Secrets (local/secretsmanager/secrets.h).
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_MODULE_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_MODULE_H_

#include "local/cloud/module.h"

namespace byoshin::local::secretsmanager {

cloud::ModuleSpec SecretsManagerModule();

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_MODULE_H_
