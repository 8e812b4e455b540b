// A GraphQL API as its owner has configured it.
#ifndef BYOSHIN_LOCAL_APPSYNC_MODEL_GRAPHQL_API_H_
#define BYOSHIN_LOCAL_APPSYNC_MODEL_GRAPHQL_API_H_

#include <json/json.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/appsync/model/limits.h"

namespace byoshin::local::appsync {

enum class AuthenticationType { kApiKey, kIam, kUserPools, kLambda };

// "API_KEY".
absl::string_view NameOf(AuthenticationType type);

// One way in which callers may prove who they are.
struct AuthenticationProvider {
  AuthenticationType type = AuthenticationType::kApiKey;
  // kUserPools
  std::string user_pool_id{};
  std::string user_pool_region{};
  // A regular expression for the token's client; empty if any will do.
  std::string client_id_pattern{};
  // Whether fields without @aws_auth are open to users; only the default
  // provider decides.
  bool allows_by_default = true;
  // kLambda
  std::string function_arn{};
  absl::Duration ttl = kDefaultAuthorizerTtl;
  // A regular expression for the whole token; empty if any will do.
  std::string token_pattern{};
};

enum class FieldLogLevel { kNone, kError, kInfo, kDebug, kAll };

struct LogConfig {
  FieldLogLevel level = FieldLogLevel::kNone;
  std::string role_arn{};  // empty if the API has no log
  bool exclude_verbose_content = false;
};

// https://docs.aws.amazon.com/appsync/latest/APIReference/API_GraphqlApi.html
struct GraphqlApi {
  std::string id{};
  std::string region{};
  std::string name{};
  // The default one first.
  std::vector<AuthenticationProvider> providers{};
  LogConfig log{};
  bool introspection = true;
  std::int64_t query_depth_limit = 0;     // 0 for no limit
  std::int64_t resolver_count_limit = 0;  // 0 for AppSync's own limit
  std::map<std::string, std::string> tags{};
  std::map<std::string, std::string> environment{};
  // The settings as CreateGraphqlApi and UpdateGraphqlApi take them, and
  // GetGraphqlApi reports them.
  Json::Value settings{};
};

// Reads `settings`, a request of CreateGraphqlApi or UpdateGraphqlApi. The
// caller sets id, region, tags and environment. BadRequestException says what
// is wrong.
absl::StatusOr<GraphqlApi> ReadGraphqlApi(const Json::Value& settings);

// For the store.
std::string ToRecord(const GraphqlApi& api);
// DataLoss if it is damaged.
absl::StatusOr<GraphqlApi> GraphqlApiFromRecord(absl::string_view record);

// InvalidArgument-like BadRequestException if tags or variables break a limit.
absl::Status CheckTags(const std::map<std::string, std::string>& tags);
absl::Status CheckVariables(
    const std::map<std::string, std::string>& variables);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_MODEL_GRAPHQL_API_H_
