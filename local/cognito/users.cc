#include "local/cognito/users.h"

#include <json/json.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/cognito/errors.h"
#include "local/cognito/names.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kSub[] = "sub";
constexpr const char* kAddresses[] = {"email", "phone_number"};

using Alias = std::pair<std::string, std::string>;

bool Contains(const std::vector<std::string>& list, absl::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// The names other than the user name by which the user can be found.
std::set<Alias> AliasesOf(const PoolRules& rules, const kept::User& user) {
  std::set<Alias> aliases = {{kSub, user.sub()}};
  const auto add = [&](const std::string& name) {
    const std::string value = AttributeOf(user, name);
    if (!value.empty()) aliases.emplace(name, rules.KeyOf(value));
  };
  for (const std::string& name : rules.username_attributes) add(name);
  for (const std::string& name : rules.alias_attributes) {
    if (name == "preferred_username" || IsVerified(user, name)) add(name);
  }
  return aliases;
}

absl::Status AliasTaken(const PoolRules& rules, const std::string& kind) {
  if (Contains(rules.username_attributes, kind)) {
    return ApiError(
        "UsernameExistsException",
        absl::StrCat("An account with the given ", kind, " already exists."));
  }
  return ApiError(
      "AliasExistsException",
      absl::StrCat("An account with the ", kind, " already exists."));
}

// Where users sign in with an address, the attribute that `name` is.
absl::StatusOr<std::string> AddressKind(const PoolRules& rules,
                                        absl::string_view name) {
  const bool by_email = Contains(rules.username_attributes, "email");
  const bool by_phone = Contains(rules.username_attributes, "phone_number");
  if (by_email && IsEmail(name)) return std::string("email");
  if (by_phone && IsPhone(name)) return std::string("phone_number");
  return InvalidParameterError(
      by_email && by_phone
          ? "Username should be either an email or a phone number."
      : by_email ? "Username should be an email."
                 : "Username should be a phone number.");
}

absl::Status CheckNewName(const PoolRules& rules, absl::string_view name) {
  if (Contains(rules.alias_attributes, "email") && IsEmail(name)) {
    return InvalidParameterError(
        "Username cannot be of email format, since user pool is configured for "
        "email alias.");
  }
  if (Contains(rules.alias_attributes, "phone_number") && IsPhone(name)) {
    return InvalidParameterError(
        "Username cannot be of phone number format, since user pool is "
        "configured for phone number alias.");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PoolAndRules> GetPoolAndRules(Records& records,
                                             absl::string_view pool_id) {
  absl::StatusOr<kept::Pool> pool = records.GetPool(pool_id);
  if (!pool.ok()) return pool.status();
  PoolRules rules = RulesOf(*pool);
  return PoolAndRules{.pool = *std::move(pool), .rules = std::move(rules)};
}

absl::StatusOr<std::optional<FoundUser>> FindUserByName(
    Records& records, const PoolAndRules& pool, absl::string_view name) {
  const std::string key = pool.rules.KeyOf(name);
  absl::StatusOr<std::optional<kept::User>> user =
      records.FindUser(pool.pool.id(), key);
  if (!user.ok()) return user.status();
  if (user->has_value()) {
    return std::optional<FoundUser>({.key = key, .user = **std::move(user)});
  }
  for (const char* kind :
       {kSub, "email", "phone_number", "preferred_username"}) {
    const absl::StatusOr<std::optional<std::string>> owner = records.FindAlias(
        pool.pool.id(), kind, kind == kSub ? std::string(name) : key);
    if (!owner.ok()) return owner.status();
    if (!owner->has_value()) continue;
    user = records.FindUser(pool.pool.id(), **owner);
    if (!user.ok()) return user.status();
    if (!user->has_value()) continue;
    return std::optional<FoundUser>(
        {.key = **owner, .user = **std::move(user)});
  }
  return std::optional<FoundUser>();
}

absl::StatusOr<FoundUser> GetUserByName(Records& records,
                                        const PoolAndRules& pool,
                                        absl::string_view name) {
  absl::StatusOr<std::optional<FoundUser>> user =
      FindUserByName(records, pool, name);
  if (!user.ok()) return user.status();
  if (!user->has_value()) return NoUserError();
  return **std::move(user);
}

absl::StatusOr<FoundUser> NewUser(Records& records, const PoolAndRules& pool,
                                  absl::string_view name,
                                  const Attributes& attributes,
                                  absl::Time now) {
  if (absl::Status good = CheckNewName(pool.rules, name); !good.ok()) {
    return good;
  }
  FoundUser found;
  kept::User& user = found.user;
  user.set_sub(random::NewUuid());
  user.set_username(std::string(name));
  Attributes given = attributes;
  if (!pool.rules.username_attributes.empty()) {
    const absl::StatusOr<std::string> kind = AddressKind(pool.rules, name);
    if (!kind.ok()) return kind.status();
    given.emplace(*kind, name);
    user.set_username(user.sub());
  }
  if (absl::Status fits = CheckAttributes(pool.rules, given, Change::kCreate);
      !fits.ok()) {
    return fits;
  }
  found.key = pool.rules.KeyOf(user.username());
  const absl::StatusOr<std::optional<kept::User>> existing =
      records.FindUser(pool.pool.id(), found.key);
  if (!existing.ok()) return existing.status();
  if (existing->has_value()) {
    return ApiError("UsernameExistsException", "User already exists");
  }
  user.set_enabled(true);
  user.set_created_us(absl::ToUnixMicros(now));
  user.set_modified_us(absl::ToUnixMicros(now));
  SetAttributes(user, given);
  return found;
}

absl::Status PutUser(Records& records, const PoolAndRules& pool,
                     const kept::User* before, const FoundUser& after,
                     AliasConflict conflict) {
  const std::string& pool_id = pool.pool.id();
  const std::set<Alias> wanted = AliasesOf(pool.rules, after.user);
  for (const auto& [kind, value] : wanted) {
    const absl::StatusOr<std::optional<std::string>> owner =
        records.FindAlias(pool_id, kind, value);
    if (!owner.ok()) return owner.status();
    if (!owner->has_value() || **owner == after.key) continue;
    if (conflict == AliasConflict::kRefuse) {
      return AliasTaken(pool.rules, kind);
    }
    // The other user keeps the address, which is not verified any more.
    absl::StatusOr<std::optional<kept::User>> other =
        records.FindUser(pool_id, **owner);
    if (!other.ok()) return other.status();
    if (!other->has_value()) continue;
    SetAttribute(**other, VerifiedName(kind), "false");
    records.PutUser(pool_id, **owner, **other);
  }
  if (before != nullptr) {
    for (const auto& [kind, value] : AliasesOf(pool.rules, *before)) {
      if (!wanted.contains({kind, value})) {
        records.DeleteAlias(pool_id, kind, value);
      }
    }
  }
  for (const auto& [kind, value] : wanted) {
    records.PutAlias(pool_id, kind, value, after.key);
  }
  records.PutUser(pool_id, after.key, after.user);
  return absl::OkStatus();
}

absl::Status DeleteUser(Records& records, const PoolAndRules& pool,
                        const FoundUser& user) {
  for (const auto& [kind, value] : AliasesOf(pool.rules, user.user)) {
    records.DeleteAlias(pool.pool.id(), kind, value);
  }
  return records.DeleteUser(pool.pool.id(), user.key);
}

Attributes ReadAttributes(JsonFields& fields, const char* name) {
  Attributes attributes;
  for (JsonFields& attribute : fields.Objects(name)) {
    attributes[attribute.Text("Name")] = attribute.Text("Value");
  }
  return attributes;
}

void SetAttributes(kept::User& user, const Attributes& attributes) {
  for (const char* address : kAddresses) {
    const auto changed = attributes.find(address);
    if (changed == attributes.end()) continue;
    if (changed->second != AttributeOf(user, address) &&
        !attributes.contains(VerifiedName(address)) &&
        HasAttribute(user, VerifiedName(address))) {
      SetAttribute(user, VerifiedName(address), "false");
    }
  }
  for (const auto& [name, value] : attributes) {
    SetAttribute(user, name, value);
  }
}

const char* StatusName(kept::Status status) {
  switch (status) {
    case kept::CONFIRMED:
      return "CONFIRMED";
    case kept::RESET_REQUIRED:
      return "RESET_REQUIRED";
    case kept::FORCE_CHANGE_PASSWORD:
      return "FORCE_CHANGE_PASSWORD";
    default:
      return "UNCONFIRMED";
  }
}

Json::Value AttributesJson(
    const kept::User& user,
    const std::function<bool(const std::string&)>& shows) {
  Json::Value list(Json::arrayValue);
  const auto append = [&](const std::string& name, const std::string& value) {
    if (!shows(name)) return;
    Json::Value attribute(Json::objectValue);
    attribute["Name"] = name;
    attribute["Value"] = value;
    list.append(std::move(attribute));
  };
  append(kSub, user.sub());
  for (const kept::Attribute& attribute : user.attributes()) {
    append(attribute.name(), attribute.value());
  }
  return list;
}

Json::Value AttributesJson(const kept::User& user) {
  return AttributesJson(user, [](const std::string&) { return true; });
}

Json::Value UserJson(const kept::User& user) {
  Json::Value json(Json::objectValue);
  json["Username"] = user.username();
  json["Attributes"] = AttributesJson(user);
  json["UserCreateDate"] = TimeJson(user.created_us());
  json["UserLastModifiedDate"] = TimeJson(user.modified_us());
  json["Enabled"] = user.enabled();
  json["UserStatus"] = StatusName(user.status());
  return json;
}

void AddMfaSettings(const kept::User& user, Json::Value& answer) {
  if (!user.software_token_enabled()) return;
  answer["UserMFASettingList"].append(kSoftwareTokenMfa);
  if (user.software_token_preferred()) {
    answer["PreferredMfaSetting"] = kSoftwareTokenMfa;
  }
}

}  // namespace byoshin::local::cognito
