// Cognito as a module of the cloud. Offers cognito::TokenVerifier.
#ifndef BYOSHIN_LOCAL_COGNITO_MODULE_H_
#define BYOSHIN_LOCAL_COGNITO_MODULE_H_

#include "local/cloud/module.h"
#include "local/cognito/password.h"

namespace byoshin::local::cognito {

struct CognitoModuleOptions {
  PasswordCost password_cost = kPasswordCost;
};
cloud::ModuleSpec CognitoModule(const CognitoModuleOptions& options = {});

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_MODULE_H_
