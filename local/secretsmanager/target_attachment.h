// AWS::SecretsManager::SecretTargetAttachment, which adds where a database is
// to the secret with its credentials.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_TARGET_ATTACHMENT_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_TARGET_ATTACHMENT_H_

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"

namespace byoshin::local::secretsmanager {

// What is added to a secret for the cluster of this identifier: engine, host,
// port and so on. NotFound if there is none. May block.
using ClusterLookup = std::function<absl::StatusOr<Json::Value>(
    const cloudformation::StackContext& stack, const std::string& identifier)>;

// `manager` must outlive it; `clusters` is never null.
std::unique_ptr<cloudformation::ResourceProvider> NewTargetAttachmentProvider(
    Service& manager, ClusterLookup clusters);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_TARGET_ATTACHMENT_H_
