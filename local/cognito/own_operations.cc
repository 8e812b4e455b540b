// Operations that users call on themselves, with an access token.

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
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
#include "local/cognito/tokens.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {
namespace {

Json::Value Nothing() { return Json::objectValue; }

// Sends a code to each address that has changed and must be verified.
Json::Value SendCodes(const OperationContext& context, const PoolRules& rules,
                      const kept::User& before, kept::User& user) {
  Json::Value details(Json::arrayValue);
  for (const std::string& name : rules.auto_verified) {
    const std::string address = AttributeOf(user, name);
    if (address.empty() || address == AttributeOf(before, name)) continue;
    SetAttribute(user, VerifiedName(name), "false");
    kept::Code& code = (*user.mutable_verification_codes())[name];
    code = NewCode(context.now, kVerificationCodeLife);
    ShowCode(context, absl::StrCat("code to verify the ", name), user, code);
    details.append(DeliveryJson({.attribute = name, .address = address}));
  }
  return details;
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GetUser.html
absl::StatusOr<Json::Value> GetUser(OperationContext& context,
                                    JsonFields& fields) {
  return AsUser(
      context, fields,
      [](Records&, SignedInUser& caller) -> absl::StatusOr<Json::Value> {
        const ClientRules rules = RulesOf(caller.client);
        Json::Value answer(Json::objectValue);
        answer["Username"] = caller.user.user.username();
        answer["UserAttributes"] =
            AttributesJson(caller.user.user, [&](const std::string& name) {
              return name == "sub" || rules.MayRead(name);
            });
        AddMfaSettings(caller.user.user, answer);
        return answer;
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GlobalSignOut.html
absl::StatusOr<Json::Value> GlobalSignOut(OperationContext& context,
                                          JsonFields& fields) {
  return AsUser(context, fields,
                [](Records& records,
                   SignedInUser& caller) -> absl::StatusOr<Json::Value> {
                  records.DeleteSessionsOf(caller.pool.pool.id(),
                                           caller.user.key);
                  return Nothing();
                });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeleteUser.html
absl::StatusOr<Json::Value> DeleteOwnUser(OperationContext& context,
                                          JsonFields& fields) {
  return AsUser(context, fields,
                [](Records& records,
                   SignedInUser& caller) -> absl::StatusOr<Json::Value> {
                  absl::Status deleted =
                      DeleteUser(records, caller.pool, caller.user);
                  if (!deleted.ok()) return deleted;
                  return Nothing();
                });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserAttributes.html
absl::StatusOr<Json::Value> UpdateOwnAttributes(OperationContext& context,
                                                JsonFields& fields) {
  const Attributes attributes = ReadAttributes(fields, "UserAttributes");
  return AsUser(
      context, fields,
      [&](Records& records,
          SignedInUser& caller) -> absl::StatusOr<Json::Value> {
        absl::Status good = CheckWritable(RulesOf(caller.client), attributes);
        if (good.ok()) {
          good =
              CheckAttributes(caller.pool.rules, attributes, Change::kUpdate);
        }
        if (!good.ok()) return good;
        const kept::User before = caller.user.user;
        SetAttributes(caller.user.user, attributes);
        caller.user.user.set_modified_us(context.now_us());
        Json::Value answer(Json::objectValue);
        answer["CodeDeliveryDetailsList"] =
            SendCodes(context, caller.pool.rules, before, caller.user.user);
        good = PutUser(records, caller.pool, &before, caller.user);
        if (!good.ok()) return good;
        return answer;
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeleteUserAttributes.html
absl::StatusOr<Json::Value> DeleteOwnAttributes(OperationContext& context,
                                                JsonFields& fields) {
  const std::vector<std::string> names = fields.Texts("UserAttributeNames");
  return AsUser(context, fields,
                [&](Records& records,
                    SignedInUser& caller) -> absl::StatusOr<Json::Value> {
                  const ClientRules rules = RulesOf(caller.client);
                  for (const std::string& name : names) {
                    if (rules.MayWrite(name)) continue;
                    return NotAuthorizedError(
                        "A client attempted to write unauthorized attribute");
                  }
                  absl::Status good = CheckRemoval(caller.pool.rules, names);
                  if (!good.ok()) return good;
                  const kept::User before = caller.user.user;
                  for (const std::string& name : names) {
                    RemoveAttribute(caller.user.user, name);
                  }
                  caller.user.user.set_modified_us(context.now_us());
                  good = PutUser(records, caller.pool, &before, caller.user);
                  if (!good.ok()) return good;
                  return Nothing();
                });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ChangePassword.html
absl::StatusOr<Json::Value> ChangePassword(OperationContext& context,
                                           JsonFields& fields) {
  const std::string previous = fields.Text("PreviousPassword");
  const std::string proposed = fields.Text("ProposedPassword");
  SignedInUser seen;
  const absl::StatusOr<Json::Value> found = AsUser(
      context, fields,
      [&](Records&, SignedInUser& caller) -> absl::StatusOr<Json::Value> {
        absl::Status good = CheckNotLocked(caller.user.user, context.now);
        if (good.ok()) {
          good = CheckPassword(proposed, caller.pool.rules.password);
        }
        if (!good.ok()) return good;
        seen = caller;
        return Nothing();
      });
  if (!found.ok()) return found.status();
  const bool right = IsPassword(previous, seen.user.user.password());
  kept::Password kept;
  if (right) {
    kept = NewKeptPassword(context, seen.pool.pool.id(),
                           seen.user.user.username(), proposed);
  }
  bool changed = false;
  absl::StatusOr<Json::Value> done =
      AsUser(context, fields,
             [&](Records& records,
                 SignedInUser& caller) -> absl::StatusOr<Json::Value> {
               kept::User& user = caller.user.user;
               changed = right && user.password().hash() ==
                                      seen.user.user.password().hash();
               if (changed) {
                 *user.mutable_password() = kept;
                 user.set_modified_us(context.now_us());
               } else {
                 CountFailure(user, context.now);
               }
               records.PutUser(caller.pool.pool.id(), caller.user.key, user);
               return Nothing();
             });
  if (done.ok() && !changed) return WrongPasswordError();
  return done;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GetUserAttributeVerificationCode.html
absl::StatusOr<Json::Value> GetUserAttributeVerificationCode(
    OperationContext& context, JsonFields& fields) {
  const std::string name = fields.Text("AttributeName");
  return AsUser(
      context, fields,
      [&](Records& records,
          SignedInUser& caller) -> absl::StatusOr<Json::Value> {
        kept::User& user = caller.user.user;
        const std::string address = AttributeOf(user, name);
        if (address.empty() || (name != "email" && name != "phone_number")) {
          return InvalidParameterError(
              absl::StrCat("User does not have ", name, " attribute"));
        }
        kept::Code& code = (*user.mutable_verification_codes())[name];
        code = NewCode(context.now, kVerificationCodeLife);
        records.PutUser(caller.pool.pool.id(), caller.user.key, user);
        ShowCode(context, absl::StrCat("code to verify the ", name), user,
                 code);
        Json::Value answer(Json::objectValue);
        answer["CodeDeliveryDetails"] =
            DeliveryJson({.attribute = name, .address = address});
        return answer;
      });
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_VerifyUserAttribute.html
absl::StatusOr<Json::Value> VerifyUserAttribute(OperationContext& context,
                                                JsonFields& fields) {
  const std::string name = fields.Text("AttributeName");
  const std::string given = fields.Text("Code");
  absl::Status right;
  absl::StatusOr<Json::Value> done = AsUser(
      context, fields,
      [&](Records& records,
          SignedInUser& caller) -> absl::StatusOr<Json::Value> {
        kept::User& user = caller.user.user;
        const kept::User before = user;
        right = CheckCode((*user.mutable_verification_codes())[name], given,
                          context.now);
        if (right.ok()) {
          user.mutable_verification_codes()->erase(name);
          SetAttribute(user, VerifiedName(name), "true");
          user.set_modified_us(context.now_us());
        }
        absl::Status put = PutUser(records, caller.pool, &before, caller.user);
        if (!put.ok()) return put;
        return Nothing();
      });
  if (!done.ok()) return done;
  if (!right.ok()) return right;
  return done;
}

}  // namespace byoshin::local::cognito
