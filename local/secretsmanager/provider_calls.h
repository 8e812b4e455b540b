// What the providers of Secrets Manager's resources have in common.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_PROVIDER_CALLS_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_PROVIDER_CALLS_H_

#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"

namespace byoshin::local::secretsmanager {

// Calls the API for the stack.
absl::StatusOr<Json::Value> CallFor(
    Service& manager, const cloudformation::ResourceRequest& request,
    absl::string_view operation, const Json::Value& body);

// {"SecretId": id}
Json::Value SecretIdBody(const std::string& id);

// The state of a resource that is named by a secret's ARN.
cloudformation::ResourceState StateOf(const std::string& arn);

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_PROVIDER_CALLS_H_
