#include "local/applications/generation/demo_user.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "core/aws/error.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "local/applications/generation/generation_parts.h"
#include "local/cognito/password.h"
#include "local/files/private_file.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

constexpr char kUserName[] = "demo";
constexpr char kUserAddress[] = "demo@example.com";

absl::StatusOr<Json::Value> CallCognito(const UserWorld& world,
                                        const char* operation,
                                        const Json::Value& body) {
  return CallInProcess(world.cognito,
                       {.operation = operation,
                        .region = world.region,
                        .caller = {.account_id = kLocalAccountId}},
                       body);
}

bool IsExistingUser(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  return error.has_value() && error->code == "UsernameExistsException";
}

// Whether the user is new.
absl::StatusOr<bool> CreateUser(const UserWorld& world,
                                const GenerationParts& parts,
                                const std::string& name) {
  Json::Value body(Json::objectValue);
  body["UserPoolId"] = parts.user_pool_id;
  body["Username"] = name;
  body["MessageAction"] = "SUPPRESS";
  if (parts.users_have_addresses) {
    Json::Value verified(Json::objectValue);
    verified["Name"] = "email_verified";
    verified["Value"] = "true";
    body["UserAttributes"].append(verified);
  }
  const absl::Status created =
      CallCognito(world, "AdminCreateUser", body).status();
  if (created.ok()) return true;
  if (IsExistingUser(created)) return false;
  return created;
}

// Empty if none is kept.
absl::StatusOr<std::string> KeptPassword(const std::string& file) {
  const absl::StatusOr<std::string> text = files::ReadFile(file);
  if (absl::IsNotFound(text.status())) return "";
  if (!text.ok()) return text.status();
  return std::string(absl::StripAsciiWhitespace(*text));
}

}  // namespace

std::string DemoUserName(const GenerationParts& parts) {
  return parts.users_have_addresses ? kUserAddress : kUserName;
}

absl::StatusOr<DemoUser> EnsureDemoUser(const UserWorld& world,
                                        const GenerationParts& parts) {
  DemoUser user{.name = DemoUserName(parts)};
  absl::StatusOr<std::string> kept = KeptPassword(world.file);
  if (!kept.ok()) return kept.status();
  const absl::StatusOr<bool> is_new = CreateUser(world, parts, user.name);
  if (!is_new.ok()) return is_new.status();
  const bool is_known = !kept->empty();
  user.password =
      is_known
          ? *std::move(kept)
          : cognito::NewPassword({.minimum_length = parts.password_length});
  // The file comes last: without it, the password is set at the next start.
  if (*is_new || !is_known) {
    Json::Value body(Json::objectValue);
    body["UserPoolId"] = parts.user_pool_id;
    body["Username"] = user.name;
    body["Password"] = user.password;
    body["Permanent"] = true;
    const absl::Status set =
        CallCognito(world, "AdminSetUserPassword", body).status();
    if (!set.ok()) return set;
    const absl::Status written =
        ReplacePrivateFile(world.file, absl::StrCat(user.password, "\n"));
    if (!written.ok()) return written;
  }
  return user;
}

absl::StatusOr<std::string> IdTokenOf(const UserWorld& world,
                                      const GenerationParts& parts,
                                      const std::string& user) {
  Json::Value body(Json::objectValue);
  body["Username"] = user;
  body["UserPool"] = parts.user_pool_id;
  body["Client"] = parts.client_id;
  const absl::StatusOr<Json::Value> answer =
      CallCognito(world, "ByoshinGiveTokens", body);
  if (!answer.ok()) return answer.status();
  return json::TextMember((*answer)["AuthenticationResult"], "IdToken");
}

}  // namespace byoshin::local::applications
