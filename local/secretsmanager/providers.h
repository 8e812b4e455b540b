// AWS::SecretsManager::Secret, ResourcePolicy and SecretTargetAttachment, and
// "{{resolve:secretsmanager:…}}" in templates.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_PROVIDERS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_PROVIDERS_H_

#include "local/cloudformation/registry.h"
#include "local/secretsmanager/secretsmanager.h"
#include "local/secretsmanager/target_attachment.h"

namespace byoshin::local::secretsmanager {

// `manager` must outlive the registry.
void AddSecretsManagerProviders(SecretsManager& manager, ClusterLookup clusters,
                                cloudformation::ProviderRegistry& registry);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_PROVIDERS_H_
