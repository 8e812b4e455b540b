// Operations on groups.

#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cognito/accounts.h"
#include "local/cognito/answers.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/cognito/limits.h"
#include "local/cognito/operations.h"
#include "local/cognito/pool_settings.h"
#include "local/cognito/records.h"
#include "local/cognito/users.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {
namespace {

constexpr PageNames kGroupPages = {
    .list = "Groups", .limit = "Limit", .token = "NextToken", .max = 60};

Json::Value GroupJson(absl::string_view pool_id, const kept::Group& group) {
  Json::Value json(Json::objectValue);
  json["GroupName"] = group.name();
  json["UserPoolId"] = std::string(pool_id);
  if (!group.description().empty()) json["Description"] = group.description();
  if (!group.role_arn().empty()) json["RoleArn"] = group.role_arn();
  if (group.has_precedence()) json["Precedence"] = group.precedence();
  json["CreationDate"] = TimeJson(group.created_us());
  json["LastModifiedDate"] = TimeJson(group.modified_us());
  return json;
}

Json::Value GroupAnswer(absl::string_view pool_id, const kept::Group& group) {
  Json::Value answer(Json::objectValue);
  answer["Group"] = GroupJson(pool_id, group);
  return answer;
}

// Sets what the request has.
void ReadGroup(JsonFields& fields, kept::Group& group) {
  if (fields.Has("Description")) {
    group.set_description(fields.Text("Description"));
  }
  if (fields.Has("RoleArn")) group.set_role_arn(fields.Text("RoleArn"));
  if (const auto precedence = fields.FindInteger("Precedence")) {
    group.set_precedence(static_cast<std::int32_t>(*precedence));
  }
}

// ResourceNotFoundException if the pool or the group does not exist.
absl::StatusOr<kept::Group> FindGroupOf(Records& records,
                                        const std::string& pool_id,
                                        const std::string& name) {
  if (const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
      !pool.ok()) {
    return pool.status();
  }
  absl::StatusOr<std::optional<kept::Group>> group =
      records.FindGroup(pool_id, name);
  if (!group.ok()) return group.status();
  if (!group->has_value()) return NoGroupError();
  return **std::move(group);
}

// Adds the user of the request to the group of the request, or removes it.
using MemberChange = void (Records::*)(absl::string_view pool_id,
                                       absl::string_view user_key,
                                       absl::string_view group);
absl::StatusOr<Json::Value> ChangeMember(OperationContext& context,
                                         JsonFields& fields,
                                         MemberChange change) {
  const std::string group = fields.Text("GroupName");
  return ChangeUser(context, fields,
                    [&](Records& records, const PoolAndRules& pool,
                        FoundUser& user) -> absl::Status {
                      const absl::StatusOr<kept::Group> found =
                          FindGroupOf(records, pool.pool.id(), group);
                      if (!found.ok()) return found.status();
                      (records.*change)(pool.pool.id(), user.key, group);
                      return absl::OkStatus();
                    });
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateGroup.html
absl::StatusOr<Json::Value> CreateGroup(OperationContext& context,
                                        JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  kept::Group group;
  group.set_name(fields.Text("GroupName"));
  ReadGroup(fields, group);
  group.set_created_us(context.now_us());
  group.set_modified_us(context.now_us());
  absl::Status put = context.database.Do([&](Records& records) -> absl::Status {
    if (const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
        !pool.ok()) {
      return pool.status();
    }
    const absl::StatusOr<std::optional<kept::Group>> existing =
        records.FindGroup(pool_id, group.name());
    if (!existing.ok()) return existing.status();
    if (existing->has_value()) {
      return ApiError("GroupExistsException",
                      "A group with the name already exists.");
    }
    records.PutGroup(pool_id, group);
    return absl::OkStatus();
  });
  if (!put.ok()) return put;
  return GroupAnswer(pool_id, group);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GetGroup.html
absl::StatusOr<Json::Value> GetGroup(OperationContext& context,
                                     JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("GroupName");
  const absl::StatusOr<kept::Group> group = context.database.Do(
      [&](Records& records) { return FindGroupOf(records, pool_id, name); });
  if (!group.ok()) return group.status();
  return GroupAnswer(pool_id, *group);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListGroups.html
absl::StatusOr<Json::Value> ListGroups(OperationContext& context,
                                       JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const absl::StatusOr<std::vector<kept::Group>> groups = context.database.Do(
      [&](Records& records) -> absl::StatusOr<std::vector<kept::Group>> {
        if (const absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
            !pool.ok()) {
          return pool.status();
        }
        return records.GroupsOf(pool_id);
      });
  if (!groups.ok()) return groups.status();
  std::map<std::string, Json::Value> entries;
  for (const kept::Group& group : *groups) {
    entries.emplace(group.name(), GroupJson(pool_id, group));
  }
  return PageJson(kGroupPages, entries, fields);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UpdateGroup.html
absl::StatusOr<Json::Value> UpdateGroup(OperationContext& context,
                                        JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("GroupName");
  const absl::StatusOr<kept::Group> group =
      context.database.Do([&](Records& records) -> absl::StatusOr<kept::Group> {
        absl::StatusOr<kept::Group> found = FindGroupOf(records, pool_id, name);
        if (!found.ok()) return found.status();
        ReadGroup(fields, *found);
        found->set_modified_us(context.now_us());
        records.PutGroup(pool_id, *found);
        return found;
      });
  if (!group.ok()) return group.status();
  return GroupAnswer(pool_id, *group);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DeleteGroup.html
absl::StatusOr<Json::Value> DeleteGroup(OperationContext& context,
                                        JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("GroupName");
  absl::Status deleted =
      context.database.Do([&](Records& records) -> absl::Status {
        if (const absl::StatusOr<kept::Group> group =
                FindGroupOf(records, pool_id, name);
            !group.ok()) {
          return group.status();
        }
        return records.DeleteGroup(pool_id, name);
      });
  if (!deleted.ok()) return deleted;
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminAddUserToGroup.html
absl::StatusOr<Json::Value> AdminAddUserToGroup(OperationContext& context,
                                                JsonFields& fields) {
  return ChangeMember(context, fields, &Records::PutMember);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminRemoveUserFromGroup.html
absl::StatusOr<Json::Value> AdminRemoveUserFromGroup(OperationContext& context,
                                                     JsonFields& fields) {
  return ChangeMember(context, fields, &Records::DeleteMember);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminListGroupsForUser.html
absl::StatusOr<Json::Value> AdminListGroupsForUser(OperationContext& context,
                                                   JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("Username");
  std::map<std::string, Json::Value> entries;
  absl::Status read =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<PoolAndRules> pool =
            GetPoolAndRules(records, pool_id);
        if (!pool.ok()) return pool.status();
        const absl::StatusOr<FoundUser> user =
            GetUserByName(records, *pool, name);
        if (!user.ok()) return user.status();
        const absl::StatusOr<std::vector<std::string>> names =
            records.GroupNamesOfUser(pool_id, user->key);
        if (!names.ok()) return names.status();
        for (const std::string& group_name : *names) {
          const absl::StatusOr<kept::Group> group =
              FindGroupOf(records, pool_id, group_name);
          if (!group.ok()) return group.status();
          entries.emplace(group_name, GroupJson(pool_id, *group));
        }
        return absl::OkStatus();
      });
  if (!read.ok()) return read;
  return PageJson(kGroupPages, entries, fields);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_ListUsersInGroup.html
absl::StatusOr<Json::Value> ListUsersInGroup(OperationContext& context,
                                             JsonFields& fields) {
  const std::string pool_id = fields.Text("UserPoolId");
  const std::string name = fields.Text("GroupName");
  std::map<std::string, Json::Value> entries;
  absl::Status read =
      context.database.Do([&](Records& records) -> absl::Status {
        const absl::StatusOr<kept::Group> group =
            FindGroupOf(records, pool_id, name);
        if (!group.ok()) return group.status();
        const absl::StatusOr<std::vector<std::string>> keys =
            records.UserKeysOfGroup(pool_id, name);
        if (!keys.ok()) return keys.status();
        for (const std::string& key : *keys) {
          const absl::StatusOr<std::optional<kept::User>> user =
              records.FindUser(pool_id, key);
          if (!user.ok()) return user.status();
          if (user->has_value()) entries.emplace(key, UserJson(**user));
        }
        return absl::OkStatus();
      });
  if (!read.ok()) return read;
  return PageJson({.list = "Users",
                   .limit = "Limit",
                   .token = "NextToken",
                   .max = kMaxListedUsers},
                  entries, fields);
}

}  // namespace byoshin::local::cognito
