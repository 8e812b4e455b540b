// Operations on app clients.

#include <json/json.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cognito/answers.h"
#include "local/cognito/client_settings.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/operations.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/records.h"
#include "local/cognito/secrets.h"

namespace byoshin::local::cognito {
namespace {

constexpr std::size_t kClientIdLength = 26;
constexpr std::size_t kClientSecretLength = 52;

Json::Value ClientAnswer(const kept::Client& client) {
  Json::Value answer(Json::objectValue);
  answer["UserPoolClient"] = ClientJson(client);
  return answer;
}

// The client, if it is of this pool.
absl::StatusOr<kept::Client> GetClientOf(Records& records,
                                         absl::string_view pool_id,
                                         absl::string_view client_id) {
  if (const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
      !pool.ok()) {
    return pool.status();
  }
  absl::StatusOr<kept::Client> client = records.GetClient(client_id);
  if (client.ok() && client->pool_id() != pool_id) {
    return NoClientError(client_id);
  }
  return client;
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
absl::StatusOr<Json::Value> CreateUserPoolClient(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("ClientName");
  const bool wants_secret = fields.Flag("GenerateSecret");
  kept::Client client;
  client.set_id(RandomText(kClientIdLength, kLowerCaseAndDigits));
  client.set_pool_id(pool_id);
  client.set_name(name);
  if (wants_secret) {
    client.set_secret(RandomText(kClientSecretLength, kLowerCaseAndDigits));
  }
  client.set_created_us(context.now_us());
  client.set_modified_us(context.now_us());
  client.set_owner(OwnerOf(context.call));
  absl::Status put = context.database.Do([&](Records& records) -> absl::Status {
    const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
    if (!pool.ok()) return pool.status();
    const absl::StatusOr<Json::Value> settings =
        ReadClientSettings(RulesOf(*pool), context.body(), fields);
    if (!settings.ok()) return settings.status();
    client.set_settings(json::WriteValue(*settings));
    records.PutClient(client);
    return absl::OkStatus();
  });
  if (!put.ok()) return put;
  return ClientAnswer(client);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPoolClient.html
absl::StatusOr<Json::Value> DescribeUserPoolClient(OperationContext& context,
                                                   JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string id = fields.Text("ClientId");
  const absl::StatusOr<kept::Client> client = context.database.Do(
      [&](Records& records) { return GetClientOf(records, pool_id, id); });
  if (!client.ok()) return client.status();
  return ClientAnswer(*client);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUserPoolClients.html
absl::StatusOr<Json::Value> ListUserPoolClients(OperationContext& context,
                                                JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const absl::StatusOr<std::vector<kept::Client>> clients = context.database.Do(
      [&](Records& records) -> absl::StatusOr<std::vector<kept::Client>> {
        if (const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
            !pool.ok()) {
          return pool.status();
        }
        return records.ClientsOf(pool_id);
      });
  if (!clients.ok()) return clients.status();
  std::map<std::string, Json::Value> entries;
  for (const kept::Client& client : *clients) {
    Json::Value entry(Json::objectValue);
    entry["ClientId"] = client.id();
    entry["UserPoolId"] = client.pool_id();
    entry["ClientName"] = client.name();
    entries.emplace(client.id(), std::move(entry));
  }
  return PageJson({.list = "UserPoolClients",
                   .limit = "MaxResults",
                   .token = "NextToken",
                   .max = kMaxListedPools},
                  entries, fields);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserPoolClient.html
absl::StatusOr<Json::Value> UpdateUserPoolClient(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string id = fields.Text("ClientId");
  const absl::StatusOr<kept::Client> updated = context.database.Do(
      [&](Records& records) -> absl::StatusOr<kept::Client> {
        absl::StatusOr<kept::Client> client = GetClientOf(records, pool_id, id);
        if (!client.ok()) return client.status();
        const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
        if (!pool.ok()) return pool.status();
        const absl::StatusOr<Json::Value> settings =
            ReadClientSettings(RulesOf(*pool), context.body(), fields);
        if (!settings.ok()) return settings.status();
        if (const std::string name = fields.Text("ClientName"); !name.empty()) {
          client->set_name(name);
        }
        client->set_settings(json::WriteValue(*settings));
        client->set_modified_us(context.now_us());
        records.PutClient(*client);
        return client;
      });
  if (!updated.ok()) return updated.status();
  return ClientAnswer(*updated);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeleteUserPoolClient.html
absl::StatusOr<Json::Value> DeleteUserPoolClient(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string id = fields.Text("ClientId");
  absl::Status deleted =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<kept::Client> client =
            GetClientOf(records, pool_id, id);
        if (!client.ok()) return client.status();
        records.DeleteClient(*client);
        return absl::OkStatus();
      });
  if (!deleted.ok()) return deleted;
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::cognito
