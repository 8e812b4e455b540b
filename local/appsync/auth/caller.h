// Who sends a request to a GraphQL API.
#ifndef BYOSHIN_LOCAL_APPSYNC_AUTH_CALLER_H_
#define BYOSHIN_LOCAL_APPSYNC_AUTH_CALLER_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/json/data.h"
#include "local/appsync/model/graphql_api.h"
#include "local/iam/evaluation.h"

namespace byoshin::local::appsync {

struct ApiCaller {
  AuthenticationType type = AuthenticationType::kApiKey;
  // ctx.identity, without sourceIp; null for an API key.
  json::Data identity{};
  // kUserPools
  std::vector<std::string> groups{};
  // Whether the API's default provider has authenticated the caller.
  bool by_default_provider = true;
  // kUserPools: of the provider.
  bool allowed_by_default = true;
  // kLambda: "Mutation.createEvent", or the ARN of a field.
  std::vector<std::string> denied_fields{};
  // kIam
  iam::Principal principal{};
};

// Why a request is refused.
struct AuthRefusal {
  int status = 401;
  std::string error_type = "UnauthorizedException";
  std::string message = "You are not authorized to make this call.";
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_AUTH_CALLER_H_
