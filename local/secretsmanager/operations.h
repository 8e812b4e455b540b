// The operations of Secrets Manager's API. Each reads its request, checks all
// of it, and only then changes something.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_OPERATIONS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_OPERATIONS_H_

#include <json/json.h>

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/secretsmanager/secret.h"
#include "local/secretsmanager/vault.h"

namespace byoshin::local::secretsmanager {

// A resource policy that an operation has put; empty if it was deleted.
struct PolicyChange {
  std::string arn{};
  std::string policy{};
};

struct OperationContext {
  Vault& vault;
  const Call& call;
  absl::Time now;
  // Has the secret deleted at its time. Never null.
  const std::function<void(const Secret&)>& schedule_deletion;
  // Whether a resource policy is valid. May be null.
  const std::function<absl::Status(const Json::Value& policy)>& check_policy;
  std::optional<PolicyChange> policy_change{};
};

using Operation = absl::StatusOr<Json::Value> (*)(OperationContext& context,
                                                  JsonFields& fields);

// Null if there is no such operation.
Operation FindOperation(absl::string_view name);

// secret_operations.cc
absl::StatusOr<Json::Value> CreateSecret(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteSecret(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DescribeSecret(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> RestoreSecret(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateSecret(OperationContext&, JsonFields&);

// value_operations.cc
absl::StatusOr<Json::Value> BatchGetSecretValue(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> GetSecretValue(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListSecretVersionIds(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> PutSecretValue(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateSecretVersionStage(OperationContext&,
                                                     JsonFields&);

// other_operations.cc
absl::StatusOr<Json::Value> CancelRotateSecret(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteResourcePolicy(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> GetRandomPassword(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> GetResourcePolicy(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListSecrets(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> PutResourcePolicy(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> RotateSecret(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> TagResource(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UntagResource(OperationContext&, JsonFields&);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_OPERATIONS_H_
