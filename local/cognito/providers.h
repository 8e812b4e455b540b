// Cognito's resources in templates: user pools, their clients, groups and
// users.
#ifndef BYOSHIN_LOCAL_COGNITO_PROVIDERS_H_
#define BYOSHIN_LOCAL_COGNITO_PROVIDERS_H_

#include "local/cloudformation/registry.h"
#include "local/cognito/cognito.h"

namespace byoshin::local::cognito {

// `cognito` outlives the registry.
void AddCognitoProviders(Cognito& cognito,
                         cloudformation::ProviderRegistry& registry);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_PROVIDERS_H_
