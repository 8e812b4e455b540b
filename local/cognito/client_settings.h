// The settings of an app client: read from requests, kept as JSON, and used as
// rules.
#ifndef BYOSHIN_LOCAL_COGNITO_CLIENT_SETTINGS_H_
#define BYOSHIN_LOCAL_COGNITO_CLIENT_SETTINGS_H_

#include <json/json.h>

#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/schema.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

struct ClientRules {
  // "ALLOW_USER_PASSWORD_AUTH"
  std::set<std::string> flows{};
  absl::Duration access_token_life{};
  absl::Duration id_token_life{};
  absl::Duration refresh_token_life{};
  absl::Duration session_life{};
  // Whether unknown users are answered like wrong passwords.
  bool hides_unknown_users = false;
  bool can_revoke_tokens = true;
  bool rotates_refresh_tokens = false;
  absl::Duration refresh_grace{};
  // Empty: all attributes.
  std::set<std::string> readable{};
  std::set<std::string> writable{};

  bool MayRead(const std::string& attribute) const;
  bool MayWrite(const std::string& attribute) const;
};

// The settings in CreateUserPoolClient or UpdateUserPoolClient, complete with
// defaults. `body` is the request that `fields` read.
absl::StatusOr<Json::Value> ReadClientSettings(const PoolRules& pool,
                                               const Json::Value& body,
                                               JsonFields& fields);

ClientRules RulesOf(const kept::Client& client);

// UserPoolClientType.
Json::Value ClientJson(const kept::Client& client);

// NotAuthorizedException if the client may not write one of the attributes for
// a user.
absl::Status CheckWritable(const ClientRules& rules,
                           const Attributes& attributes);

// Checks the SECRET_HASH that came with this user name. Empty if none came.
absl::Status CheckSecretHash(const kept::Client& client,
                             absl::string_view username,
                             absl::string_view secret_hash);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_CLIENT_SETTINGS_H_
