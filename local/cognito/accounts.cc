#include "local/cognito/accounts.h"

#include <json/json.h>

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/errors.h"
#include "local/cognito/limits.h"
#include "local/cognito/names.h"
#include "local/cognito/password.h"
#include "local/cognito/secrets.h"
#include "local/cognito/srp.h"

namespace byoshin::local::cognito {

kept::Password NewKeptPassword(const OperationContext& context,
                               absl::string_view pool_id,
                               absl::string_view username,
                               absl::string_view password) {
  kept::Password kept = HashPassword(password, context.options.password_cost);
  const SrpVerifier srp = NewSrpVerifier(
      {.pool_id = pool_id, .user_id = username, .password = password});
  kept.set_srp_salt(srp.salt);
  kept.set_srp_verifier(srp.verifier);
  return kept;
}

absl::StatusOr<Json::Value> AsUser(
    OperationContext& context, JsonFields& fields,
    absl::FunctionRef<absl::StatusOr<Json::Value>(Records&, SignedInUser&)>
        work) {
  const std::string token = fields.Text("AccessToken");
  const absl::StatusOr<Json::Value> claims =
      CheckAccessToken(context.directory, token, context.now);
  if (!claims.ok()) return claims.status();
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<Json::Value> {
        absl::StatusOr<SignedInUser> caller = GetSignedInUser(records, *claims);
        if (!caller.ok()) return caller.status();
        return work(records, *caller);
      });
}

absl::StatusOr<Json::Value> ChangeUser(
    OperationContext& context, JsonFields& fields,
    absl::FunctionRef<absl::Status(Records&, const PoolAndRules&, FoundUser&)>
        change) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("Username");
  absl::Status changed =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<PoolAndRules> pool =
            GetPoolAndRules(records, pool_id);
        if (!pool.ok()) return pool.status();
        absl::StatusOr<FoundUser> user = GetUserByName(records, *pool, name);
        if (!user.ok()) return user.status();
        const kept::User before = user->user;
        if (absl::Status done = change(records, *pool, *user); !done.ok()) {
          return done;
        }
        user->user.set_modified_us(context.now_us());
        return PutUser(records, *pool, &before, *user);
      });
  if (!changed.ok()) return changed;
  return Json::Value(Json::objectValue);
}

kept::Code NewCode(absl::Time now, absl::Duration life) {
  kept::Code code;
  code.set_text(RandomText(kCodeLength, kDigits));
  code.set_expires_us(absl::ToUnixMicros(now + life));
  return code;
}

absl::Status CheckCode(kept::Code& code, absl::string_view given,
                       absl::Time now) {
  if (code.text().empty() || absl::FromUnixMicros(code.expires_us()) <= now) {
    return ExpiredCodeError();
  }
  if (code.failures() >= kMaxCodeFailures) {
    return ApiError("LimitExceededException",
                    "Attempt limit exceeded, please try after some time.");
  }
  if (!AreEqualSecrets(code.text(), given)) {
    code.set_failures(code.failures() + 1);
    return WrongCodeError();
  }
  return absl::OkStatus();
}

Json::Value DeliveryJson(const CodeAddress& address) {
  Json::Value json(Json::objectValue);
  json["AttributeName"] = address.attribute;
  json["DeliveryMedium"] = address.attribute == "email" ? "EMAIL" : "SMS";
  json["Destination"] = MaskedAddress(address.address);
  return json;
}

void ShowCode(const OperationContext& context, absl::string_view what,
              const kept::User& user, const kept::Code& code) {
  if (!context.options.on_note) return;
  context.options.on_note(absl::StrCat("Cognito: the ", what, " of the user ",
                                       user.username(), " is ", code.text()));
}

}  // namespace byoshin::local::cognito
