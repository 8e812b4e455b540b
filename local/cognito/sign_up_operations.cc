// Operations by which users sign up, and reset passwords that they have
// forgotten.

#include <json/json.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cognito/accounts.h"
#include "local/cognito/auth.h"
#include "local/cognito/client_settings.h"
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

constexpr char kConfirmationCode[] = "confirmation code";
constexpr char kResetCode[] = "code to reset the password";

// Where AWS would send a code: to the phone if it can, else by mail.
enum class Wanted { kAutoVerified, kVerified };
std::optional<CodeAddress> AddressFor(const PoolRules& rules,
                                      const kept::User& user, Wanted wanted) {
  for (const char* attribute : {"phone_number", "email"}) {
    const std::string address = AttributeOf(user, attribute);
    if (address.empty()) continue;
    const bool fits =
        wanted == Wanted::kVerified
            ? IsVerified(user, attribute)
            : std::find(rules.auto_verified.begin(), rules.auto_verified.end(),
                        attribute) != rules.auto_verified.end();
    if (fits) return CodeAddress{.attribute = attribute, .address = address};
  }
  return std::nullopt;
}

// A client and the user name of a request.
struct ClientAndName {
  AuthClient client{};
  std::string username{};
};
absl::StatusOr<ClientAndName> ReadClientAndName(OperationContext& context,
                                                JsonFields& fields) {
  std::string username = fields.Text("Username");
  const std::string hash = fields.Text("SecretHash");
  absl::StatusOr<AuthClient> client =
      GetAuthClient(context, fields, CalledBy::kUser);
  if (!client.ok()) return client.status();
  if (absl::Status secret = CheckSecretHash(client->client, username, hash);
      !secret.ok()) {
    return secret;
  }
  return ClientAndName{.client = *std::move(client),
                       .username = std::move(username)};
}

// What a user who is not there is told by clients that don't hide it.
absl::Status NoNameError() {
  return ApiError("UserNotFoundException",
                  "Username/client id combination not found.");
}

Json::Value DeliveryAnswer(const CodeAddress& address) {
  Json::Value answer(Json::objectValue);
  answer["CodeDeliveryDetails"] = DeliveryJson(address);
  return answer;
}

// Reads the request, finds its user and calls `make_code` in a transaction,
// which then puts the user. The answer is the address that `make_code` returns.
absl::StatusOr<Json::Value> SendCode(
    OperationContext& context, JsonFields& fields,
    absl::FunctionRef<absl::StatusOr<CodeAddress>(const PoolRules&,
                                                  kept::User&)>
        make_code) {
  const absl::StatusOr<ClientAndName> read = ReadClientAndName(context, fields);
  if (!read.ok()) return read.status();
  const PoolAndRules& pool = read->client.pool;
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<Json::Value> {
        absl::StatusOr<std::optional<FoundUser>> user =
            FindUserByName(records, pool, read->username);
        if (!user.ok()) return user.status();
        if (!user->has_value()) {
          if (!read->client.rules.hides_unknown_users) return NoNameError();
          // As if a code had been sent.
          return DeliveryAnswer(
              {.attribute = "email", .address = "user@example.com"});
        }
        const absl::StatusOr<CodeAddress> address =
            make_code(pool.rules, (*user)->user);
        if (!address.ok()) return address.status();
        records.PutUser(pool.pool.id(), (*user)->key, (*user)->user);
        return DeliveryAnswer(*address);
      });
}

// The result of giving a code. A refusal keeps the count of failures.
struct CodeOutcome {
  absl::Status refusal{};
};
absl::StatusOr<Json::Value> EmptyAnswer(
    const absl::StatusOr<CodeOutcome>& outcome) {
  if (!outcome.ok()) return outcome.status();
  if (!outcome->refusal.ok()) return outcome->refusal;
  return Json::Value(Json::objectValue);
}

// Confirms the user, and the address that the code was sent to.
absl::StatusOr<CodeOutcome> Confirm(Records& records,
                                    const OperationContext& context,
                                    const PoolAndRules& pool, FoundUser user,
                                    const std::string& code,
                                    AliasConflict conflict) {
  const kept::User before = user.user;
  if (user.user.status() != kept::UNCONFIRMED) {
    return NotAuthorizedError(
        absl::StrCat("User cannot be confirmed. Current status is ",
                     StatusName(user.user.status())));
  }
  absl::Status right =
      CheckCode(*user.user.mutable_confirmation_code(), code, context.now);
  if (!right.ok()) {
    records.PutUser(pool.pool.id(), user.key, user.user);
    return CodeOutcome{.refusal = std::move(right)};
  }
  user.user.clear_confirmation_code();
  user.user.set_status(kept::CONFIRMED);
  user.user.set_modified_us(context.now_us());
  if (const std::optional<CodeAddress> address =
          AddressFor(pool.rules, user.user, Wanted::kAutoVerified)) {
    SetAttribute(user.user, VerifiedName(address->attribute), "true");
  }
  if (absl::Status put = PutUser(records, pool, &before, user, conflict);
      !put.ok()) {
    return put;
  }
  return CodeOutcome{};
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SignUp.html
absl::StatusOr<Json::Value> SignUp(OperationContext& context,
                                   JsonFields& fields) {
  const std::string password = fields.Text("Password");
  const Attributes attributes = ReadAttributes(fields, "UserAttributes");
  const absl::StatusOr<ClientAndName> read = ReadClientAndName(context, fields);
  if (!read.ok()) return read.status();
  const PoolAndRules& pool = read->client.pool;
  if (pool.rules.only_admins_create_users) {
    return NotAuthorizedError("SignUp is not permitted for this user pool");
  }
  absl::Status good = CheckPassword(password, pool.rules.password);
  if (good.ok()) good = CheckWritable(read->client.rules, attributes);
  if (!good.ok()) return good;
  const auto make = [&](Records& records) {
    return NewUser(records, pool, read->username, attributes, context.now);
  };
  absl::StatusOr<FoundUser> user = context.database.Do(make);
  if (!user.ok()) return user.status();
  *user->user.mutable_password() =
      NewKeptPassword(context, pool.pool.id(), user->user.username(), password);
  const std::optional<CodeAddress> address =
      AddressFor(pool.rules, user->user, Wanted::kAutoVerified);
  if (address.has_value()) {
    *user->user.mutable_confirmation_code() =
        NewCode(context.now, kConfirmationCodeLife);
  }
  absl::Status put = context.database.Do([&](Records& records) -> absl::Status {
    // Another request may have been faster.
    const absl::StatusOr<FoundUser> still = make(records);
    if (!still.ok()) return still.status();
    return PutUser(records, pool, nullptr, *user);
  });
  if (!put.ok()) return put;
  Json::Value answer(Json::objectValue);
  answer["UserConfirmed"] = false;
  answer["UserSub"] = user->user.sub();
  if (address.has_value()) {
    ShowCode(context, kConfirmationCode, user->user,
             user->user.confirmation_code());
    answer["CodeDeliveryDetails"] = DeliveryJson(*address);
  }
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmSignUp.html
absl::StatusOr<Json::Value> ConfirmSignUp(OperationContext& context,
                                          JsonFields& fields) {
  const std::string code = fields.Text("ConfirmationCode");
  const bool takes_over = fields.Flag("ForceAliasCreation");
  const absl::StatusOr<ClientAndName> read = ReadClientAndName(context, fields);
  if (!read.ok()) return read.status();
  const PoolAndRules& pool = read->client.pool;
  return EmptyAnswer(
      context.database.Do([&](Records& records) -> absl::StatusOr<CodeOutcome> {
        absl::StatusOr<std::optional<FoundUser>> user =
            FindUserByName(records, pool, read->username);
        if (!user.ok()) return user.status();
        if (!user->has_value()) {
          return read->client.rules.hides_unknown_users ? ExpiredCodeError()
                                                        : NoNameError();
        }
        return Confirm(
            records, context, pool, **std::move(user), code,
            takes_over ? AliasConflict::kTakeOver : AliasConflict::kRefuse);
      }));
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ResendConfirmationCode.html
absl::StatusOr<Json::Value> ResendConfirmationCode(OperationContext& context,
                                                   JsonFields& fields) {
  return SendCode(
      context, fields,
      [&](const PoolRules& rules,
          kept::User& user) -> absl::StatusOr<CodeAddress> {
        if (user.status() != kept::UNCONFIRMED) {
          return InvalidParameterError("User is already confirmed.");
        }
        std::optional<CodeAddress> address =
            AddressFor(rules, user, Wanted::kAutoVerified);
        if (!address.has_value()) {
          return InvalidParameterError("Auto verification not turned on.");
        }
        *user.mutable_confirmation_code() =
            NewCode(context.now, kConfirmationCodeLife);
        ShowCode(context, kConfirmationCode, user, user.confirmation_code());
        return *std::move(address);
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ForgotPassword.html
absl::StatusOr<Json::Value> ForgotPassword(OperationContext& context,
                                           JsonFields& fields) {
  return SendCode(
      context, fields,
      [&](const PoolRules& rules,
          kept::User& user) -> absl::StatusOr<CodeAddress> {
        if (!user.enabled()) return NotAuthorizedError("User is disabled.");
        if (user.status() == kept::FORCE_CHANGE_PASSWORD) {
          return NotAuthorizedError(
              "User password cannot be reset in the current state.");
        }
        std::optional<CodeAddress> address =
            AddressFor(rules, user, Wanted::kVerified);
        if (!address.has_value()) {
          return InvalidParameterError(
              "Cannot reset password for the user as there is no "
              "registered/verified email or phone_number");
        }
        *user.mutable_reset_code() = NewCode(context.now, kResetCodeLife);
        ShowCode(context, kResetCode, user, user.reset_code());
        return *std::move(address);
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ConfirmForgotPassword.html
absl::StatusOr<Json::Value> ConfirmForgotPassword(OperationContext& context,
                                                  JsonFields& fields) {
  const std::string code = fields.Text("ConfirmationCode");
  const std::string password = fields.Text("Password");
  const absl::StatusOr<ClientAndName> read = ReadClientAndName(context, fields);
  if (!read.ok()) return read.status();
  const PoolAndRules& pool = read->client.pool;
  if (absl::Status good = CheckPassword(password, pool.rules.password);
      !good.ok()) {
    return good;
  }
  const absl::StatusOr<std::optional<FoundUser>> user =
      context.database.Do([&](Records& records) {
        return FindUserByName(records, pool, read->username);
      });
  if (!user.ok()) return user.status();
  if (!user->has_value()) {
    return read->client.rules.hides_unknown_users ? WrongCodeError()
                                                  : NoNameError();
  }
  const kept::Password kept = NewKeptPassword(
      context, pool.pool.id(), (*user)->user.username(), password);
  return EmptyAnswer(
      context.database.Do([&](Records& records) -> absl::StatusOr<CodeOutcome> {
        absl::StatusOr<std::optional<kept::User>> still =
            records.FindUser(pool.pool.id(), (*user)->key);
        if (!still.ok()) return still.status();
        if (!still->has_value()) return NoNameError();
        kept::User& changed = **still;
        absl::Status right =
            CheckCode(*changed.mutable_reset_code(), code, context.now);
        if (right.ok()) {
          changed.clear_reset_code();
          *changed.mutable_password() = kept;
          if (changed.status() == kept::RESET_REQUIRED) {
            changed.set_status(kept::CONFIRMED);
          }
          changed.set_failed_sign_ins(0);
          changed.set_modified_us(context.now_us());
        }
        records.PutUser(pool.pool.id(), (*user)->key, changed);
        return CodeOutcome{.refusal = std::move(right)};
      }));
}

}  // namespace byoshin::local::cognito
