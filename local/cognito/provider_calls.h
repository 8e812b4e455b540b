// What the providers of Cognito's resources have in common.
#ifndef BYOSHIN_LOCAL_COGNITO_PROVIDER_CALLS_H_
#define BYOSHIN_LOCAL_COGNITO_PROVIDER_CALLS_H_

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/cognito/cognito.h"

namespace byoshin::local::cognito {

// Calls the API for the stack. The body may have values as templates do, where
// numbers and booleans may be texts.
absl::StatusOr<Json::Value> CallFor(
    Cognito& cognito, const cloudformation::ResourceRequest& request,
    absl::string_view operation, const Json::Value& body);

// What a pool or client is marked with, to be found again if its stack is lost.
std::string OwnerPrefix(const cloudformation::ResourceRequest& request);
std::string OwnerOf(const cloudformation::ResourceRequest& request);
// The suffix of the newest of them.
template <typename Record>
std::optional<std::string> NewestSuffix(
    const cloudformation::ResourceRequest& request,
    const std::vector<Record>& owned) {
  const Record* newest = nullptr;
  for (const Record& one : owned) {
    if (newest == nullptr || one.created_us() > newest->created_us()) {
      newest = &one;
    }
  }
  if (newest == nullptr) return std::nullopt;
  return newest->owner().substr(OwnerPrefix(request).size());
}

// Whether the error says that the resource does not exist.
bool IsMissingResource(const absl::Status& status);

std::unique_ptr<cloudformation::ResourceProvider> NewPoolProvider(
    Cognito& cognito);
std::unique_ptr<cloudformation::ResourceProvider> NewClientProvider(
    Cognito& cognito);
std::unique_ptr<cloudformation::ResourceProvider> NewGroupProvider(
    Cognito& cognito);
std::unique_ptr<cloudformation::ResourceProvider> NewUserProvider(
    Cognito& cognito);
std::unique_ptr<cloudformation::ResourceProvider> NewMembershipProvider(
    Cognito& cognito);
std::unique_ptr<cloudformation::ResourceProvider> NewDomainProvider();

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_PROVIDER_CALLS_H_
