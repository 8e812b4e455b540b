// "{{resolve:secretsmanager:ID:SecretString:KEY:STAGE:VERSION}}" in templates.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references-secretsmanager.html
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_DYNAMIC_REFERENCE_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_DYNAMIC_REFERENCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/secretsmanager/secretsmanager.h"

namespace byoshin::local::secretsmanager {

// The value that a reference in a template of this region stands for.
// `reference` is what follows "secretsmanager:".
absl::StatusOr<std::string> ResolveReference(const SecretsManager& manager,
                                             const std::string& region,
                                             absl::string_view reference);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_DYNAMIC_REFERENCE_H_
