// Operations that administrators call on users.

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/cognito/accounts.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/operations.h"
#include "local/cognito/password.h"
#include "local/cognito/records.h"
#include "local/cognito/schema.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {
namespace {

// A new temporary password for a user who has not used the last one.
absl::StatusOr<FoundUser> Reinvite(Records& records, const PoolAndRules& pool,
                                   const std::string& name) {
  absl::StatusOr<FoundUser> user = GetUserByName(records, pool, name);
  if (user.ok() && user->user.status() != kept::FORCE_CHANGE_PASSWORD) {
    return ApiError(
        "UnsupportedUserStateException",
        absl::StrCat("Resend not possible. ", StatusName(user->user.status()),
                     " is not a valid state."));
  }
  return user;
}

absl::StatusOr<PoolAndRules> PoolOf(OperationContext& context,
                                    const std::string& pool_id) {
  return context.database.Do(
      [&](Records& records) { return GetPoolAndRules(records, pool_id); });
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html
absl::StatusOr<Json::Value> AdminCreateUser(OperationContext& context,
                                            JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("Username");
  const Attributes attributes = ReadAttributes(fields, "UserAttributes");
  const bool resends = fields.Text("MessageAction") == "RESEND";
  const bool takes_over = fields.Flag("ForceAliasCreation");
  std::string password = fields.Text("TemporaryPassword");
  const absl::StatusOr<PoolAndRules> pool = PoolOf(context, pool_id);
  if (!pool.ok()) return pool.status();
  if (password.empty()) {
    password = NewPassword(pool->rules.password);
  } else if (absl::Status good = CheckPassword(password, pool->rules.password);
             !good.ok()) {
    return good;
  }
  // The name that the password is hashed with must be known first.
  const auto find = [&](Records& records) -> absl::StatusOr<FoundUser> {
    if (resends) return Reinvite(records, *pool, name);
    absl::StatusOr<FoundUser> user =
        NewUser(records, *pool, name, attributes, context.now);
    // AWS has another text here than in SignUp.
    if (!user.ok() && user.status() == ApiError("UsernameExistsException",
                                                "User already exists")) {
      return ApiError("UsernameExistsException", "User account already exists");
    }
    return user;
  };
  absl::StatusOr<FoundUser> user = context.database.Do(find);
  if (!user.ok()) return user.status();
  user->user.set_status(kept::FORCE_CHANGE_PASSWORD);
  user->user.set_temporary_since_us(context.now_us());
  *user->user.mutable_password() =
      NewKeptPassword(context, pool_id, user->user.username(), password);
  absl::Status put = context.database.Do([&](Records& records) -> absl::Status {
    // Another request may have been faster.
    const absl::StatusOr<FoundUser> still = find(records);
    if (!still.ok()) return still.status();
    return PutUser(
        records, *pool, resends ? &still->user : nullptr, *user,
        takes_over ? AliasConflict::kTakeOver : AliasConflict::kRefuse);
  });
  if (!put.ok()) return put;
  Json::Value answer(Json::objectValue);
  answer["User"] = UserJson(user->user);
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminSetUserPassword.html
absl::StatusOr<Json::Value> AdminSetUserPassword(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("Username");
  const std::string password = fields.Text("Password");
  const bool permanent = fields.Flag("Permanent");
  const absl::StatusOr<PoolAndRules> pool = PoolOf(context, pool_id);
  if (!pool.ok()) return pool.status();
  const absl::StatusOr<FoundUser> user = context.database.Do(
      [&](Records& records) { return GetUserByName(records, *pool, name); });
  if (!user.ok()) return user.status();
  if (absl::Status good = CheckPassword(password, pool->rules.password);
      !good.ok()) {
    return good;
  }
  const kept::Password kept =
      NewKeptPassword(context, pool_id, user->user.username(), password);
  return ChangeUser(
      context, fields,
      [&](Records&, const PoolAndRules&, FoundUser& changed) -> absl::Status {
        *changed.user.mutable_password() = kept;
        changed.user.set_status(permanent ? kept::CONFIRMED
                                          : kept::FORCE_CHANGE_PASSWORD);
        changed.user.set_temporary_since_us(permanent ? 0 : context.now_us());
        changed.user.set_failed_sign_ins(0);
        return absl::OkStatus();
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminGetUser.html
absl::StatusOr<Json::Value> AdminGetUser(OperationContext& context,
                                         JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("Username");
  const absl::StatusOr<FoundUser> user =
      context.database.Do([&](Records& records) -> absl::StatusOr<FoundUser> {
        const absl::StatusOr<PoolAndRules> pool =
            GetPoolAndRules(records, pool_id);
        if (!pool.ok()) return pool.status();
        return GetUserByName(records, *pool, name);
      });
  if (!user.ok()) return user.status();
  Json::Value answer = UserJson(user->user);
  answer["UserAttributes"] = answer["Attributes"];
  answer.removeMember("Attributes");
  AddMfaSettings(user->user, answer);
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminDeleteUser.html
absl::StatusOr<Json::Value> AdminDeleteUser(OperationContext& context,
                                            JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("Username");
  absl::Status deleted =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<PoolAndRules> pool =
            GetPoolAndRules(records, pool_id);
        if (!pool.ok()) return pool.status();
        const absl::StatusOr<FoundUser> user =
            GetUserByName(records, *pool, name);
        if (!user.ok()) return user.status();
        return DeleteUser(records, *pool, *user);
      });
  if (!deleted.ok()) return deleted;
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminDisableUser.html
absl::StatusOr<Json::Value> AdminDisableUser(OperationContext& context,
                                             JsonFields& fields) {
  return ChangeUser(context, fields,
                    [](Records& records, const PoolAndRules& pool,
                       FoundUser& user) -> absl::Status {
                      user.user.set_enabled(false);
                      records.DeleteSessionsOf(pool.pool.id(), user.key);
                      return absl::OkStatus();
                    });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminEnableUser.html
absl::StatusOr<Json::Value> AdminEnableUser(OperationContext& context,
                                            JsonFields& fields) {
  return ChangeUser(
      context, fields,
      [](Records&, const PoolAndRules&, FoundUser& user) -> absl::Status {
        user.user.set_enabled(true);
        return absl::OkStatus();
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminConfirmSignUp.html
absl::StatusOr<Json::Value> AdminConfirmSignUp(OperationContext& context,
                                               JsonFields& fields) {
  return ChangeUser(
      context, fields,
      [](Records&, const PoolAndRules&, FoundUser& user) -> absl::Status {
        if (user.user.status() != kept::UNCONFIRMED) {
          return NotAuthorizedError(
              absl::StrCat("User cannot be confirmed. Current status is ",
                           StatusName(user.user.status())));
        }
        user.user.set_status(kept::CONFIRMED);
        user.user.clear_confirmation_code();
        return absl::OkStatus();
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminResetUserPassword.html
absl::StatusOr<Json::Value> AdminResetUserPassword(OperationContext& context,
                                                   JsonFields& fields) {
  return ChangeUser(
      context, fields,
      [&](Records&, const PoolAndRules&, FoundUser& user) -> absl::Status {
        if (user.user.status() == kept::FORCE_CHANGE_PASSWORD) {
          return NotAuthorizedError(
              "User password cannot be reset in the current state.");
        }
        user.user.set_status(kept::RESET_REQUIRED);
        *user.user.mutable_reset_code() = NewCode(context.now, kResetCodeLife);
        ShowCode(context, "code to reset the password", user.user,
                 user.user.reset_code());
        return absl::OkStatus();
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminUpdateUserAttributes.html
absl::StatusOr<Json::Value> AdminUpdateUserAttributes(OperationContext& context,
                                                      JsonFields& fields) {
  const Attributes attributes = ReadAttributes(fields, "UserAttributes");
  return ChangeUser(
      context, fields,
      [&](Records&, const PoolAndRules& pool, FoundUser& user) -> absl::Status {
        if (absl::Status fits =
                CheckAttributes(pool.rules, attributes, Change::kUpdate);
            !fits.ok()) {
          return fits;
        }
        SetAttributes(user.user, attributes);
        return absl::OkStatus();
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminDeleteUserAttributes.html
absl::StatusOr<Json::Value> AdminDeleteUserAttributes(OperationContext& context,
                                                      JsonFields& fields) {
  const std::vector<std::string> names = fields.Texts("UserAttributeNames");
  return ChangeUser(
      context, fields,
      [&](Records&, const PoolAndRules& pool, FoundUser& user) -> absl::Status {
        if (absl::Status good = CheckRemoval(pool.rules, names); !good.ok()) {
          return good;
        }
        for (const std::string& name : names) RemoveAttribute(user.user, name);
        return absl::OkStatus();
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminUserGlobalSignOut.html
absl::StatusOr<Json::Value> AdminUserGlobalSignOut(OperationContext& context,
                                                   JsonFields& fields) {
  return ChangeUser(context, fields,
                    [](Records& records, const PoolAndRules& pool,
                       FoundUser& user) -> absl::Status {
                      records.DeleteSessionsOf(pool.pool.id(), user.key);
                      return absl::OkStatus();
                    });
}

}  // namespace byoshin::local::cognito
