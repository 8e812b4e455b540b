#include "local/cognito/records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cognito/errors.h"
#include "local/cognito/kept.pb.h"
#include "local/store/store.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kPoolKeys[] = "pool/";
constexpr char kClientKeys[] = "client/";
// Between names, none of which contains it.
const absl::string_view kEnd("\0", 1);

// Everything that belongs to a pool, or all of one kind of it.
std::string KeysIn(absl::string_view pool_id, absl::string_view kind = "") {
  return absl::StrCat("in/", pool_id, "/", kind);
}
std::string UserKeys(absl::string_view pool_id) {
  return KeysIn(pool_id, "user/");
}
std::string PoolClientKeys(absl::string_view pool_id) {
  return KeysIn(pool_id, "client/");
}
std::string GroupKeys(absl::string_view pool_id) {
  return KeysIn(pool_id, "group/");
}
std::string RefreshKeys(absl::string_view pool_id) {
  return KeysIn(pool_id, "refresh/");
}
std::string ChallengeKeys(absl::string_view pool_id) {
  return KeysIn(pool_id, "challenge/");
}
std::string AliasKey(absl::string_view pool_id, absl::string_view kind,
                     absl::string_view value) {
  return absl::StrCat(KeysIn(pool_id, "alias/"), kind, kEnd, value);
}
std::string GroupsOfUserKeys(absl::string_view pool_id,
                             absl::string_view user_key) {
  return absl::StrCat(KeysIn(pool_id, "groups/"), user_key, kEnd);
}
std::string UsersOfGroupKeys(absl::string_view pool_id,
                             absl::string_view group) {
  return absl::StrCat(KeysIn(pool_id, "members/"), group, kEnd);
}
std::string SessionKeys(absl::string_view pool_id, absl::string_view user_key) {
  return absl::StrCat(KeysIn(pool_id, "session/"), user_key, kEnd);
}

template <typename Record>
absl::StatusOr<Record> Parse(absl::string_view key, absl::string_view bytes) {
  Record record;
  if (!record.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::DataLossError(
        absl::StrCat("Cognito's record \"", key, "\" is damaged"));
  }
  return record;
}

template <typename Record>
absl::StatusOr<std::optional<Record>> Find(Store& store,
                                           const std::string& key) {
  const absl::StatusOr<std::optional<std::string>> bytes = store.Get(key);
  if (!bytes.ok()) return bytes.status();
  if (!bytes->has_value()) return std::optional<Record>();
  absl::StatusOr<Record> record = Parse<Record>(key, **bytes);
  if (!record.ok()) return record.status();
  return std::optional<Record>(*std::move(record));
}

template <typename Record>
absl::StatusOr<std::vector<Record>> All(Store& store,
                                        absl::string_view prefix) {
  std::vector<Record> records;
  absl::Status parsed;
  absl::Status scanned =
      store.Scan(PrefixRange(prefix), Store::Direction::kForward,
                 [&](absl::string_view key, absl::string_view bytes) {
                   absl::StatusOr<Record> record = Parse<Record>(key, bytes);
                   parsed = record.status();
                   if (!parsed.ok()) return Store::Visit::kStop;
                   records.push_back(*std::move(record));
                   return Store::Visit::kContinue;
                 });
  scanned.Update(parsed);
  if (!scanned.ok()) return scanned;
  return records;
}

// What follows the prefix in each key.
absl::StatusOr<std::vector<std::string>> Names(Store& store,
                                               absl::string_view prefix) {
  std::vector<std::string> names;
  absl::Status scanned =
      store.Scan(PrefixRange(prefix), Store::Direction::kForward,
                 [&](absl::string_view key, absl::string_view) {
                   names.emplace_back(key.substr(prefix.size()));
                   return Store::Visit::kContinue;
                 });
  if (!scanned.ok()) return scanned;
  return names;
}

// A store remembers the first error of its changes: Commit() returns it.
template <typename Record>
void Put(Store& store, const std::string& key, const Record& record) {
  store.Put(key, record.SerializeAsString()).IgnoreError();
}
void Remove(Store& store, const std::string& key) {
  store.Delete(key).IgnoreError();
}
void RemoveAll(Store& store, absl::string_view prefix) {
  store.DeleteRange(PrefixRange(prefix)).IgnoreError();
}

// Removes the records for which `condition` is true, and those that can't be
// read.
template <typename Record>
absl::Status RemoveIf(Store& store, const std::string& prefix,
                      absl::FunctionRef<bool(const Record&)> condition) {
  std::vector<std::string> found;
  absl::Status scanned = store.Scan(
      PrefixRange(prefix), Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view bytes) {
        const absl::StatusOr<Record> record = Parse<Record>(key, bytes);
        if (!record.ok() || condition(*record)) found.emplace_back(key);
        return Store::Visit::kContinue;
      });
  if (!scanned.ok()) return scanned;
  for (const std::string& key : found) Remove(store, key);
  return scanned;
}

template <typename Record>
absl::Status RemoveExpired(Store& store, const std::string& prefix,
                           std::int64_t now_us) {
  return RemoveIf<Record>(store, prefix, [&](const Record& record) {
    return record.expires_us() <= now_us;
  });
}

}  // namespace

absl::StatusOr<kept::Pool> Records::GetPool(absl::string_view id) {
  absl::StatusOr<std::optional<kept::Pool>> pool =
      Find<kept::Pool>(store_, absl::StrCat(kPoolKeys, id));
  if (!pool.ok()) return pool.status();
  if (!pool->has_value()) return NoPoolError(id);
  return **std::move(pool);
}

absl::StatusOr<std::vector<kept::Pool>> Records::AllPools() {
  return All<kept::Pool>(store_, kPoolKeys);
}

void Records::PutPool(const kept::Pool& pool) {
  directory_changed_ = true;
  Put(store_, absl::StrCat(kPoolKeys, pool.id()), pool);
}

absl::Status Records::DeletePool(absl::string_view id) {
  const absl::StatusOr<std::vector<kept::Client>> clients = ClientsOf(id);
  if (!clients.ok()) return clients.status();
  for (const kept::Client& client : *clients) DeleteClient(client);
  directory_changed_ = true;
  RemoveAll(store_, KeysIn(id));
  Remove(store_, absl::StrCat(kPoolKeys, id));
  return absl::OkStatus();
}

absl::StatusOr<kept::Client> Records::GetClient(absl::string_view id) {
  absl::StatusOr<std::optional<kept::Client>> client =
      Find<kept::Client>(store_, absl::StrCat(kClientKeys, id));
  if (!client.ok()) return client.status();
  if (!client->has_value()) return NoClientError(id);
  return **std::move(client);
}

absl::StatusOr<std::vector<kept::Client>> Records::ClientsOf(
    absl::string_view pool_id) {
  const absl::StatusOr<std::vector<std::string>> ids =
      Names(store_, PoolClientKeys(pool_id));
  if (!ids.ok()) return ids.status();
  std::vector<kept::Client> clients;
  for (const std::string& id : *ids) {
    absl::StatusOr<kept::Client> client = GetClient(id);
    if (!client.ok()) return client.status();
    clients.push_back(*std::move(client));
  }
  return clients;
}

absl::StatusOr<std::vector<kept::Client>> Records::AllClients() {
  return All<kept::Client>(store_, kClientKeys);
}

void Records::PutClient(const kept::Client& client) {
  directory_changed_ = true;
  Put(store_, absl::StrCat(kClientKeys, client.id()), client);
  store_.Put(absl::StrCat(PoolClientKeys(client.pool_id()), client.id()), "")
      .IgnoreError();
}

void Records::DeleteClient(const kept::Client& client) {
  directory_changed_ = true;
  Remove(store_, absl::StrCat(kClientKeys, client.id()));
  Remove(store_, absl::StrCat(PoolClientKeys(client.pool_id()), client.id()));
}

absl::StatusOr<std::optional<kept::User>> Records::FindUser(
    absl::string_view pool_id, absl::string_view key) {
  return Find<kept::User>(store_, absl::StrCat(UserKeys(pool_id), key));
}

absl::Status Records::VisitUsers(
    absl::string_view pool_id, absl::string_view after,
    absl::FunctionRef<bool(const std::string& key, const kept::User&)> visit) {
  const std::string prefix = UserKeys(pool_id);
  KeyRange range = PrefixRange(prefix);
  if (!after.empty()) range.begin = absl::StrCat(prefix, after, kEnd);
  absl::Status parsed;
  absl::Status scanned = store_.Scan(
      range, Store::Direction::kForward,
      [&](absl::string_view key, absl::string_view bytes) {
        const absl::StatusOr<kept::User> user = Parse<kept::User>(key, bytes);
        parsed = user.status();
        if (!parsed.ok()) return Store::Visit::kStop;
        return visit(std::string(key.substr(prefix.size())), *user)
                   ? Store::Visit::kContinue
                   : Store::Visit::kStop;
      });
  scanned.Update(parsed);
  return scanned;
}

absl::StatusOr<bool> Records::HasUsers(absl::string_view pool_id) {
  bool found = false;
  absl::Status scanned =
      VisitUsers(pool_id, "", [&](const std::string&, const kept::User&) {
        found = true;
        return false;
      });
  if (!scanned.ok()) return scanned;
  return found;
}

void Records::PutUser(absl::string_view pool_id, absl::string_view key,
                      const kept::User& user) {
  Put(store_, absl::StrCat(UserKeys(pool_id), key), user);
}

absl::Status Records::DeleteUser(absl::string_view pool_id,
                                 absl::string_view key) {
  const absl::StatusOr<std::vector<std::string>> groups =
      GroupNamesOfUser(pool_id, key);
  if (!groups.ok()) return groups.status();
  // Another user of this name must not be signed in with them.
  absl::Status removed = RemoveIf<kept::Challenge>(
      store_, ChallengeKeys(pool_id), [&](const kept::Challenge& challenge) {
        return challenge.user_key() == key;
      });
  if (!removed.ok()) return removed;
  for (const std::string& group : *groups) DeleteMember(pool_id, key, group);
  DeleteSessionsOf(pool_id, key);
  Remove(store_, absl::StrCat(UserKeys(pool_id), key));
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string>> Records::FindAlias(
    absl::string_view pool_id, absl::string_view kind,
    absl::string_view value) {
  return store_.Get(AliasKey(pool_id, kind, value));
}

void Records::PutAlias(absl::string_view pool_id, absl::string_view kind,
                       absl::string_view value, absl::string_view user_key) {
  store_.Put(AliasKey(pool_id, kind, value), user_key).IgnoreError();
}

void Records::DeleteAlias(absl::string_view pool_id, absl::string_view kind,
                          absl::string_view value) {
  Remove(store_, AliasKey(pool_id, kind, value));
}

absl::StatusOr<std::optional<kept::Group>> Records::FindGroup(
    absl::string_view pool_id, absl::string_view name) {
  return Find<kept::Group>(store_, absl::StrCat(GroupKeys(pool_id), name));
}

absl::StatusOr<std::vector<kept::Group>> Records::GroupsOf(
    absl::string_view pool_id) {
  return All<kept::Group>(store_, GroupKeys(pool_id));
}

absl::StatusOr<std::vector<std::string>> Records::GroupNamesOfUser(
    absl::string_view pool_id, absl::string_view user_key) {
  return Names(store_, GroupsOfUserKeys(pool_id, user_key));
}

absl::StatusOr<std::vector<std::string>> Records::UserKeysOfGroup(
    absl::string_view pool_id, absl::string_view group) {
  return Names(store_, UsersOfGroupKeys(pool_id, group));
}

void Records::PutGroup(absl::string_view pool_id, const kept::Group& group) {
  Put(store_, absl::StrCat(GroupKeys(pool_id), group.name()), group);
}

absl::Status Records::DeleteGroup(absl::string_view pool_id,
                                  absl::string_view name) {
  const absl::StatusOr<std::vector<std::string>> users =
      UserKeysOfGroup(pool_id, name);
  if (!users.ok()) return users.status();
  for (const std::string& user : *users) DeleteMember(pool_id, user, name);
  Remove(store_, absl::StrCat(GroupKeys(pool_id), name));
  return absl::OkStatus();
}

void Records::PutMember(absl::string_view pool_id, absl::string_view user_key,
                        absl::string_view group) {
  store_.Put(absl::StrCat(GroupsOfUserKeys(pool_id, user_key), group), "")
      .IgnoreError();
  store_.Put(absl::StrCat(UsersOfGroupKeys(pool_id, group), user_key), "")
      .IgnoreError();
}

void Records::DeleteMember(absl::string_view pool_id,
                           absl::string_view user_key,
                           absl::string_view group) {
  Remove(store_, absl::StrCat(GroupsOfUserKeys(pool_id, user_key), group));
  Remove(store_, absl::StrCat(UsersOfGroupKeys(pool_id, group), user_key));
}

absl::StatusOr<std::optional<kept::Session>> Records::FindSession(
    absl::string_view pool_id, absl::string_view user_key,
    absl::string_view id) {
  return Find<kept::Session>(store_,
                             absl::StrCat(SessionKeys(pool_id, user_key), id));
}

absl::StatusOr<std::vector<kept::Session>> Records::SessionsOf(
    absl::string_view pool_id, absl::string_view user_key) {
  return All<kept::Session>(store_, SessionKeys(pool_id, user_key));
}

void Records::PutSession(absl::string_view pool_id, absl::string_view user_key,
                         const kept::Session& session) {
  Put(store_, absl::StrCat(SessionKeys(pool_id, user_key), session.id()),
      session);
}

void Records::DeleteSession(absl::string_view pool_id,
                            absl::string_view user_key, absl::string_view id) {
  Remove(store_, absl::StrCat(SessionKeys(pool_id, user_key), id));
}

void Records::DeleteSessionsOf(absl::string_view pool_id,
                               absl::string_view user_key) {
  RemoveAll(store_, SessionKeys(pool_id, user_key));
}

absl::StatusOr<std::optional<kept::RefreshToken>> Records::FindRefreshToken(
    absl::string_view pool_id, absl::string_view hash) {
  return Find<kept::RefreshToken>(store_,
                                  absl::StrCat(RefreshKeys(pool_id), hash));
}

void Records::PutRefreshToken(absl::string_view pool_id, absl::string_view hash,
                              const kept::RefreshToken& token) {
  Put(store_, absl::StrCat(RefreshKeys(pool_id), hash), token);
}

absl::StatusOr<std::optional<kept::Challenge>> Records::FindChallenge(
    absl::string_view pool_id, absl::string_view hash) {
  return Find<kept::Challenge>(store_,
                               absl::StrCat(ChallengeKeys(pool_id), hash));
}

void Records::PutChallenge(absl::string_view pool_id, absl::string_view hash,
                           const kept::Challenge& challenge) {
  Put(store_, absl::StrCat(ChallengeKeys(pool_id), hash), challenge);
}

void Records::DeleteChallenge(absl::string_view pool_id,
                              absl::string_view hash) {
  Remove(store_, absl::StrCat(ChallengeKeys(pool_id), hash));
}

absl::Status Records::DeleteExpired(absl::string_view pool_id,
                                    std::int64_t now_us) {
  absl::Status removed =
      RemoveExpired<kept::Challenge>(store_, ChallengeKeys(pool_id), now_us);
  removed.Update(
      RemoveExpired<kept::RefreshToken>(store_, RefreshKeys(pool_id), now_us));
  return removed;
}

bool Records::TakeDirectoryChanged() {
  return std::exchange(directory_changed_, false);
}

}  // namespace byoshin::local::cognito
