// What operations on users have in common: passwords, codes and addresses.
#ifndef BYOSHIN_LOCAL_COGNITO_ACCOUNTS_H_
#define BYOSHIN_LOCAL_COGNITO_ACCOUNTS_H_

#include <json/json.h>

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/operations.h"
#include "local/cognito/records.h"
#include "local/cognito/tokens.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {

// A password of the user with this name, in the form in which it is kept. Takes
// long.
kept::Password NewKeptPassword(const OperationContext& context,
                               absl::string_view pool_id,
                               absl::string_view username,
                               absl::string_view password);

// Reads AccessToken and calls `work` in a transaction with the user.
absl::StatusOr<Json::Value> AsUser(
    OperationContext& context, JsonFields& fields,
    absl::FunctionRef<absl::StatusOr<Json::Value>(Records&, SignedInUser&)>
        work);

// Reads UserPoolId and Username and calls `change` with the user in a
// transaction, which then puts the user. The answer has no members.
absl::StatusOr<Json::Value> ChangeUser(
    OperationContext& context, JsonFields& fields,
    absl::FunctionRef<absl::Status(Records&, const PoolAndRules&, FoundUser&)>
        change);

// A code that is new, and valid for so long.
kept::Code NewCode(absl::Time now, absl::Duration life);
// OK if it is the code. Counts a failure otherwise: keep the code then, too.
absl::Status CheckCode(kept::Code& code, absl::string_view given,
                       absl::Time now);

// Where a code is sent: an attribute of the user and its value.
struct CodeAddress {
  std::string attribute{};
  std::string address{};
};
// CodeDeliveryDetailsType.
Json::Value DeliveryJson(const CodeAddress& address);
// Shows the code, which AWS would send, to the developer.
void ShowCode(const OperationContext& context, absl::string_view what,
              const kept::User& user, const kept::Code& code);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_ACCOUNTS_H_
