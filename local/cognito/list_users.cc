#include <json/json.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/cognito/answers.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/operations.h"
#include "local/cognito/records.h"
#include "local/cognito/user_filter.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsers.html
absl::StatusOr<Json::Value> ListUsers(OperationContext& context,
                                      JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::vector<std::string> shown = fields.Texts("AttributesToGet");
  const std::string filter_text = fields.Text("Filter");
  const absl::StatusOr<UserFilter> filter = ParseUserFilter(filter_text);
  if (!filter.ok()) return filter.status();
  std::map<std::string, Json::Value> entries;
  absl::Status read =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<PoolAndRules> pool =
            GetPoolAndRules(records, pool_id);
        if (!pool.ok()) return pool.status();
        for (const std::string& name : shown) {
          if (pool->rules.schema.contains(name)) continue;
          return InvalidParameterError(
              "One or more requested attributes do not exist.");
        }
        return records.VisitUsers(
            pool_id, "", [&](const std::string& key, const kept::User& user) {
              if (!Matches(*filter, user)) return true;
              Json::Value& entry = entries[key];
              entry = UserJson(user);
              if (!shown.empty()) {
                entry["Attributes"] =
                    AttributesJson(user, [&](const std::string& name) {
                      return std::find(shown.begin(), shown.end(), name) !=
                             shown.end();
                    });
              }
              return true;
            });
      });
  if (!read.ok()) return read;
  return PageJson({.list = "Users",
                   .limit = "Limit",
                   .token = "PaginationToken",
                   .max = kMaxListedUsers},
                  entries, fields);
}

}  // namespace byoshin::local::cognito
