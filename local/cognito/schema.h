// The attributes that the users of a pool may have: the standard ones, some of
// which a pool changes, and its own.
// https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html
#ifndef BYOSHIN_LOCAL_COGNITO_SCHEMA_H_
#define BYOSHIN_LOCAL_COGNITO_SCHEMA_H_

#include <json/json.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/pool_settings.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

using Attributes = std::map<std::string, std::string>;

// Reads a SchemaAttributeType and appends it to a pool's settings.
absl::Status AddSchemaAttribute(JsonFields& given, Json::Value& kept);

// All attributes of a pool, from what its settings have.
std::map<std::string, SchemaAttribute> SchemaOf(const Json::Value& kept);
Json::Value SchemaJson(const std::map<std::string, SchemaAttribute>& schema);

enum class Change { kCreate, kUpdate };

// Whether the attributes conform to the schema. A new user must have the
// required ones; an update must not change immutable ones.
absl::Status CheckAttributes(const PoolRules& rules, const Attributes& given,
                             Change change);

// Whether the attributes may be removed from a user.
absl::Status CheckRemoval(const PoolRules& rules,
                          const std::vector<std::string>& names);

// The user's own, without sub; empty if there is none.
std::string AttributeOf(const kept::User& user, absl::string_view name);
bool HasAttribute(const kept::User& user, absl::string_view name);
void SetAttribute(kept::User& user, absl::string_view name,
                  absl::string_view value);
void RemoveAttribute(kept::User& user, absl::string_view name);
bool IsVerified(const kept::User& user, absl::string_view name);
// "email_verified"
std::string VerifiedName(absl::string_view name);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_SCHEMA_H_
