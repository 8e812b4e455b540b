#include "core/generation/database_users.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/generation/sql.h"
#include "core/json/value.h"

namespace byoshin::generation {
namespace {

// ALTER ROLE takes no parameters: the values go through settings that last as
// long as the transaction. If it fails, PostgreSQL would log the statement with
// the password as the context of the error, so the error is raised anew,
// without it.
constexpr char kSetValuesSql[] =
    "SELECT set_config('byoshin.user', :name, true), "
    "set_config('byoshin.password', :password, true)";
constexpr char kAlterRoleSql[] =
    "DO $$ BEGIN EXECUTE format('ALTER ROLE %I PASSWORD %L', "
    "current_setting('byoshin.user'), "
    "current_setting('byoshin.password')); "
    "EXCEPTION WHEN OTHERS OR query_canceled THEN "
    "RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM; END $$";

}  // namespace

absl::Status DatabaseUsers::SetPassword(const DatabaseUser& user,
                                        absl::Time deadline) {
  const absl::StatusOr<std::string> secret =
      secrets_.GetSecretValue(user.secret_arn, deadline);
  if (!secret.ok()) return secret.status();
  const absl::StatusOr<Json::Value> value = json::ParseValue(*secret);
  const std::string name =
      value.ok() ? json::TextMember(*value, "username") : "";
  const std::string password =
      value.ok() ? json::TextMember(*value, "password") : "";
  if (name != user.name || password.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the secret ", user.secret_arn,
                     " must be a JSON object with \"username\": \"", user.name,
                     "\" and a \"password\""));
  }
  return database_
      .InTransaction(
          [&](const std::string& id) -> absl::StatusOr<bool> {
            const absl::StatusOr<SqlRows> set = database_.Run(
                {.sql = kSetValuesSql,
                 .parameters = {TextParameter("name", name),
                                TextParameter("password", password)},
                 .repetition = aws::Repetition::kHarmless,
                 .transaction_id = id},
                deadline);
            if (!set.ok()) return set.status();
            const absl::StatusOr<SqlRows> altered =
                database_.Run({.sql = kAlterRoleSql,
                               .repetition = aws::Repetition::kHarmless,
                               .transaction_id = id},
                              deadline);
            if (!altered.ok()) return altered.status();
            return true;
          },
          deadline)
      .status();
}

absl::Status DatabaseUsers::SetPasswords(absl::Time deadline) {
  for (const DatabaseUser& user : users_) {
    if (absl::Status status = SetPassword(user, deadline); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace byoshin::generation
