// Operations on user pools.

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cognito/answers.h"
#include "local/cognito/directory.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/operations.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/records.h"
#include "local/cognito/secrets.h"
#include "local/jwt/rsa_key.h"

namespace byoshin::local::cognito {
namespace {

constexpr std::size_t kPoolIdLength = 9;

Json::Value WithMember(const char* name, Json::Value value) {
  Json::Value json(Json::objectValue);
  json[name] = std::move(value);
  return json;
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPool.html
absl::StatusOr<Json::Value> CreateUserPool(OperationContext& context,
                                           JsonFields& fields) {
  const std::string name = fields.Text("PoolName");
  const absl::StatusOr<Json::Value> settings =
      ReadPoolSettings(context.body(), fields, /*previous=*/nullptr);
  if (!settings.ok()) return settings.status();
  const absl::StatusOr<jwt::RsaKey> key = context.options.new_key();
  if (!key.ok()) return key.status();
  const absl::StatusOr<std::string> pem = key->ToPem();
  if (!pem.ok()) return pem.status();
  kept::Pool pool;
  pool.set_id(absl::StrCat(context.call.region, "_",
                           RandomText(kPoolIdLength, kLettersAndDigits)));
  pool.set_name(name);
  pool.set_region(context.call.region);
  pool.set_account_id(context.call.caller.account_id);
  pool.set_created_us(context.now_us());
  pool.set_modified_us(context.now_us());
  pool.set_settings(json::WriteValue(*settings));
  pool.set_private_key_pem(*pem);
  pool.set_key_id(KeyIdOf(*key));
  pool.set_owner(OwnerOf(context.call));
  absl::Status put = context.database.Do([&](Records& records) -> absl::Status {
    records.PutPool(pool);
    return absl::OkStatus();
  });
  if (!put.ok()) return put;
  return WithMember("UserPool", PoolJson(pool));
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPool.html
absl::StatusOr<Json::Value> DescribeUserPool(OperationContext& context,
                                             JsonFields& fields) {
  const std::string id = fields.Text("UserPoolId");
  std::int64_t users = 0;
  const absl::StatusOr<kept::Pool> pool =
      context.database.Do([&](Records& records) -> absl::StatusOr<kept::Pool> {
        absl::Status counted = records.VisitUsers(
            id, "", [&](const std::string&, const kept::User&) {
              ++users;
              return true;
            });
        if (!counted.ok()) return counted;
        return records.GetPool(id);
      });
  if (!pool.ok()) return pool.status();
  Json::Value answer = WithMember("UserPool", PoolJson(*pool));
  answer["UserPool"]["EstimatedNumberOfUsers"] = Json::Int64(users);
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUserPools.html
absl::StatusOr<Json::Value> ListUserPools(OperationContext& context,
                                          JsonFields& fields) {
  const absl::StatusOr<std::vector<kept::Pool>> pools =
      context.database.Do([](Records& records) { return records.AllPools(); });
  if (!pools.ok()) return pools.status();
  std::map<std::string, Json::Value> entries;
  for (const kept::Pool& pool : *pools) {
    if (pool.region() != context.call.region ||
        pool.account_id() != context.call.caller.account_id) {
      continue;
    }
    Json::Value entry(Json::objectValue);
    entry["Id"] = pool.id();
    entry["Name"] = pool.name();
    entry["LambdaConfig"] = Json::objectValue;
    entry["CreationDate"] = TimeJson(pool.created_us());
    entry["LastModifiedDate"] = TimeJson(pool.modified_us());
    entries.emplace(pool.id(), std::move(entry));
  }
  return PageJson({.list = "UserPools",
                   .limit = "MaxResults",
                   .token = "NextToken",
                   .max = kMaxListedPools},
                  entries, fields);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateUserPool.html
absl::StatusOr<Json::Value> UpdateUserPool(OperationContext& context,
                                           JsonFields& fields) {
  const std::string id = fields.Text("UserPoolId");
  absl::Status updated =
      context.database.Do([&](Records& records) -> absl::Status {
        absl::StatusOr<kept::Pool> pool = records.GetPool(id);
        if (!pool.ok()) return pool.status();
        const Json::Value before =
            json::ParseValue(pool->settings()).value_or(Json::objectValue);
        const absl::StatusOr<Json::Value> settings =
            ReadPoolSettings(context.body(), fields, &before);
        if (!settings.ok()) return settings.status();
        if (const std::string name = fields.Text("PoolName"); !name.empty()) {
          pool->set_name(name);
        }
        pool->set_settings(json::WriteValue(*settings));
        pool->set_modified_us(context.now_us());
        records.PutPool(*pool);
        return absl::OkStatus();
      });
  if (!updated.ok()) return updated;
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AddCustomAttributes.html
absl::StatusOr<Json::Value> AddCustomAttributesTo(OperationContext& context,
                                                  JsonFields& fields) {
  const std::string id = fields.Text("UserPoolId");
  absl::Status added =
      context.database.Do([&](Records& records) -> absl::Status {
        absl::StatusOr<kept::Pool> pool = records.GetPool(id);
        if (!pool.ok()) return pool.status();
        Json::Value settings =
            json::ParseValue(pool->settings()).value_or(Json::objectValue);
        if (absl::Status read = AddCustomAttributes(fields, settings);
            !read.ok()) {
          return read;
        }
        pool->set_settings(json::WriteValue(settings));
        pool->set_modified_us(context.now_us());
        records.PutPool(*pool);
        return absl::OkStatus();
      });
  if (!added.ok()) return added;
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeleteUserPool.html
absl::StatusOr<Json::Value> DeleteUserPool(OperationContext& context,
                                           JsonFields& fields) {
  const std::string id = fields.Text("UserPoolId");
  absl::Status deleted =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<kept::Pool> pool = records.GetPool(id);
        if (!pool.ok()) return pool.status();
        if (RulesOf(*pool).is_protected) {
          return InvalidParameterError(
              "The user pool cannot be deleted because deletion protection is "
              "activated. Deletion protection must be inactivated first.");
        }
        return records.DeletePool(id);
      });
  if (!deleted.ok()) return deleted;
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GetUserPoolMfaConfig.html
absl::StatusOr<Json::Value> GetUserPoolMfaConfig(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string id = fields.Text("UserPoolId");
  const absl::StatusOr<kept::Pool> pool = context.database.Do(
      [&](Records& records) { return records.GetPool(id); });
  if (!pool.ok()) return pool.status();
  return MfaConfigJson(
      json::ParseValue(pool->settings()).value_or(Json::objectValue));
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SetUserPoolMfaConfig.html
absl::StatusOr<Json::Value> SetUserPoolMfaConfig(OperationContext& context,
                                                 JsonFields& fields) {
  const std::string id = fields.Text("UserPoolId");
  return context.database.Do(
      [&](Records& records) -> absl::StatusOr<Json::Value> {
        absl::StatusOr<kept::Pool> pool = records.GetPool(id);
        if (!pool.ok()) return pool.status();
        Json::Value settings =
            json::ParseValue(pool->settings()).value_or(Json::objectValue);
        if (absl::Status set = SetMfaConfig(context.body(), fields, settings);
            !set.ok()) {
          return set;
        }
        pool->set_settings(json::WriteValue(settings));
        pool->set_modified_us(context.now_us());
        records.PutPool(*pool);
        return MfaConfigJson(settings);
      });
}

}  // namespace byoshin::local::cognito
