// Tokens for trying, without a password: `byoshin token`.

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/cognito/accounts.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/names.h"
#include "local/cognito/operations.h"
#include "local/cognito/password.h"
#include "local/cognito/records.h"
#include "local/cognito/tokens.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {
namespace {

// The one that is named by ID or name, or the only one.
template <typename Record>
absl::StatusOr<Record> Choose(absl::string_view what, absl::string_view wanted,
                              const std::vector<Record>& all) {
  std::vector<const Record*> fitting;
  for (const Record& one : all) {
    if (wanted.empty() || one.id() == wanted || one.name() == wanted) {
      fitting.push_back(&one);
    }
  }
  if (fitting.size() == 1) return *fitting.front();
  if (all.empty()) {
    return ResourceNotFoundError(absl::StrCat("there is no ", what));
  }
  const std::string names =
      absl::StrJoin(all, ", ", [](std::string* out, const Record& one) {
        absl::StrAppend(out, one.name(), " (", one.id(), ")");
      });
  return ResourceNotFoundError(
      fitting.empty()
          ? absl::StrCat("there is no ", what, " \"", wanted,
                         "\"; there are: ", names)
          : absl::StrCat("there is more than one ", what, ": ", names));
}

// Whom the tokens are for.
struct Recipient {
  PoolAndRules pool{};
  kept::Client client{};
  FoundUser user{};
  bool is_new = false;
};

struct RecipientNames {
  std::string pool{};
  std::string client{};
  std::string user{};
};

absl::StatusOr<Recipient> FindRecipient(Records& records,
                                        const RecipientNames& names,
                                        absl::Time now) {
  const absl::StatusOr<std::vector<kept::Pool>> pools = records.AllPools();
  if (!pools.ok()) return pools.status();
  const absl::StatusOr<kept::Pool> chosen =
      Choose("user pool", names.pool, *pools);
  if (!chosen.ok()) return chosen.status();
  const absl::StatusOr<std::vector<kept::Client>> clients =
      records.ClientsOf(chosen->id());
  if (!clients.ok()) return clients.status();
  absl::StatusOr<kept::Client> client =
      Choose("client of the user pool", names.client, *clients);
  if (!client.ok()) return client.status();
  absl::StatusOr<PoolAndRules> pool = GetPoolAndRules(records, chosen->id());
  if (!pool.ok()) return pool.status();
  Recipient recipient{.pool = *std::move(pool), .client = *std::move(client)};
  absl::StatusOr<std::optional<FoundUser>> user =
      FindUserByName(records, recipient.pool, names.user);
  if (!user.ok()) return user.status();
  recipient.is_new = !user->has_value();
  if (user->has_value()) {
    recipient.user = **std::move(user);
    return recipient;
  }
  absl::StatusOr<FoundUser> made =
      NewUser(records, recipient.pool, names.user, {}, now);
  if (!made.ok()) return made.status();
  recipient.user = *std::move(made);
  return recipient;
}

}  // namespace

absl::StatusOr<Json::Value> GiveTokens(OperationContext& context,
                                       JsonFields& fields) {
  const RecipientNames names{.pool = fields.Text("UserPool"),
                             .client = fields.Text("Client"),
                             .user = fields.Required("Username")};
  if (!fields.status().ok()) return fields.status();
  if (!IsUserName(names.user)) {
    return InvalidParameterError("The name of the user is invalid.");
  }
  absl::StatusOr<Recipient> recipient =
      context.database.Do([&](Records& records) {
        return FindRecipient(records, names, context.now);
      });
  if (!recipient.ok()) return recipient.status();
  const std::string& pool_id = recipient->pool.pool.id();
  kept::User& user = recipient->user.user;
  if (!user.enabled()) return NotAuthorizedError("User is disabled.");
  if (recipient->is_new) {
    user.set_status(kept::CONFIRMED);
    *user.mutable_password() =
        NewKeptPassword(context, pool_id, user.username(),
                        NewPassword(recipient->pool.rules.password));
  }
  const absl::StatusOr<NewTokens> tokens =
      context.database.Do([&](Records& records) -> absl::StatusOr<NewTokens> {
        if (recipient->is_new) {
          absl::Status put =
              PutUser(records, recipient->pool, nullptr, recipient->user);
          if (!put.ok()) return put;
        }
        return SignIn(records,
                      {.pool = recipient->pool,
                       .client = recipient->client,
                       .user = recipient->user},
                      context.now);
      });
  if (!tokens.ok()) return tokens.status();
  absl::StatusOr<Json::Value> result =
      SignTokens(context.directory, pool_id, *tokens);
  if (!result.ok()) return result.status();
  Json::Value answer(Json::objectValue);
  answer["UserPoolId"] = pool_id;
  answer["ClientId"] = recipient->client.id();
  answer["UserCreated"] = recipient->is_new;
  answer["AuthenticationResult"] = *std::move(result);
  return answer;
}

}  // namespace byoshin::local::cognito
