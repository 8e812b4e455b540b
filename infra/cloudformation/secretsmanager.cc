#include "infra/cloudformation/secretsmanager.h"

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"

namespace byoshin::infra::cloudformation::secretsmanager {
namespace {

constexpr int kPasswordLength = 40;

}  // namespace

ResourceType UserSecret::Type() {
  return {.name = "AWS::SecretsManager::Secret",
          .attributes = {"Id"},
          .tags = ResourceType::Tags::kList};
}

Properties UserSecret::ToProperties() const {
  Properties properties;
  properties.Set("Description", description);
  properties.Set("GenerateSecretString",
                 Object({{"SecretStringTemplate",
                          ToCompactJson(Object({{"username", user}}))},
                         {"GenerateStringKey", "password"},
                         {"PasswordLength", kPasswordLength},
                         {"ExcludePunctuation", true}}));
  return properties;
}

}  // namespace byoshin::infra::cloudformation::secretsmanager
