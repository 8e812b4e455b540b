// Users of a pool: how they are found, shown and changed.
#ifndef BYOSHIN_LOCAL_COGNITO_USERS_H_
#define BYOSHIN_LOCAL_COGNITO_USERS_H_

#include <json/json.h>

#include <functional>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/records.h"
#include "local/cognito/schema.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

struct PoolAndRules {
  kept::Pool pool{};
  PoolRules rules{};
};
absl::StatusOr<PoolAndRules> GetPoolAndRules(Records& records,
                                             absl::string_view pool_id);

struct FoundUser {
  // See records.h.
  std::string key{};
  kept::User user{};
};
// By user name, alias or sub.
absl::StatusOr<std::optional<FoundUser>> FindUserByName(
    Records& records, const PoolAndRules& pool, absl::string_view name);
// UserNotFoundException if there is none.
absl::StatusOr<FoundUser> GetUserByName(Records& records,
                                        const PoolAndRules& pool,
                                        absl::string_view name);

// A new user of this name, which is an address where users sign in with one.
// UsernameExistsException if there is one already.
absl::StatusOr<FoundUser> NewUser(Records& records, const PoolAndRules& pool,
                                  absl::string_view name,
                                  const Attributes& attributes, absl::Time now);

// What happens to the same alias of another user.
enum class AliasConflict { kRefuse, kTakeOver };

// Puts the user with its aliases, where `before` was there, if anything was.
absl::Status PutUser(Records& records, const PoolAndRules& pool,
                     const kept::User* before, const FoundUser& after,
                     AliasConflict conflict = AliasConflict::kRefuse);
absl::Status DeleteUser(Records& records, const PoolAndRules& pool,
                        const FoundUser& user);

// Reads [{"Name": …, "Value": …}].
Attributes ReadAttributes(JsonFields& fields, const char* name);

// Sets attributes that were checked. A changed address is not verified, unless
// they say so.
void SetAttributes(kept::User& user, const Attributes& attributes);

const char* StatusName(kept::Status status);
// [{"Name": "sub", "Value": …}, …], of those that `shows` accepts.
Json::Value AttributesJson(
    const kept::User& user,
    const std::function<bool(const std::string&)>& shows);
Json::Value AttributesJson(const kept::User& user);
// UserType.
Json::Value UserJson(const kept::User& user);

// Adds UserMFASettingList and PreferredMfaSetting to the answer of GetUser or
// AdminGetUser.
void AddMfaSettings(const kept::User& user, Json::Value& answer);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_USERS_H_
