// The settings of a user pool: read from requests, kept as JSON, and used as
// rules.
#ifndef BYOSHIN_LOCAL_COGNITO_POOL_SETTINGS_H_
#define BYOSHIN_LOCAL_COGNITO_POOL_SETTINGS_H_

#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/password.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

// An attribute that users may have.
struct SchemaAttribute {
  enum class Type { kText, kNumber, kBoolean, kTime };

  std::string name{};
  Type type = Type::kText;
  bool is_mutable = true;
  bool required = false;
  bool developer_only = false;
  // Of a text's length, or of a number.
  std::optional<std::int64_t> min{};
  std::optional<std::int64_t> max{};
};

// Whether users need a second factor. There is one: software tokens.
enum class Mfa { kOff, kOptional, kOn };
// The name of this factor, and of the challenge that asks for it.
inline constexpr char kSoftwareTokenMfa[] = "SOFTWARE_TOKEN_MFA";

// The settings that matter to operations on users.
struct PoolRules {
  PasswordPolicy password{};
  absl::Duration temporary_password_life{};
  // Users sign in with these instead of a name of their own.
  std::vector<std::string> username_attributes{};
  // Users sign in with these, too, once they are verified.
  std::vector<std::string> alias_attributes{};
  std::vector<std::string> auto_verified{};
  bool ignores_case = false;
  bool only_admins_create_users = false;
  bool is_protected = false;
  Mfa mfa = Mfa::kOff;
  std::map<std::string, SchemaAttribute> schema{};

  // The key of a user with this name; see records.h.
  std::string KeyOf(absl::string_view username) const;
};

// The settings in CreateUserPool or UpdateUserPool, complete with defaults.
// `body` is the request that `fields` read. For an update, `previous` are the
// settings of before, some of which can't be changed.
absl::StatusOr<Json::Value> ReadPoolSettings(const Json::Value& body,
                                             JsonFields& fields,
                                             const Json::Value* previous);

// Changes the settings as SetUserPoolMfaConfig says.
absl::Status SetMfaConfig(const Json::Value& body, JsonFields& fields,
                          Json::Value& settings);
// The answer of GetUserPoolMfaConfig and SetUserPoolMfaConfig.
Json::Value MfaConfigJson(const Json::Value& settings);

// Adds attributes, given as in AddCustomAttributes, to the settings.
absl::Status AddCustomAttributes(JsonFields& fields, Json::Value& settings);

PoolRules RulesOf(const kept::Pool& pool);

std::string ArnOf(const kept::Pool& pool);
// "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_a1B2c3D4e"
std::string IssuerOf(const kept::Pool& pool);

// UserPoolType.
Json::Value PoolJson(const kept::Pool& pool);

// Seconds since 1970, with fractions, as AWS JSON has times.
Json::Value TimeJson(std::int64_t microseconds);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_POOL_SETTINGS_H_
