// Cognito's records in the store.
//
//   Records records(store);
//   absl::StatusOr<kept::Pool> pool = records.GetPool(id);
//
// A user's key is the user name, in lower case if the pool ignores case.
#ifndef BYOSHIN_LOCAL_COGNITO_RECORDS_H_
#define BYOSHIN_LOCAL_COGNITO_RECORDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cognito/kept.pb.h"
#include "local/store/store.h"

namespace byoshin::local::cognito {

// Not thread-safe. Changes take effect with the store's Commit(), which also
// reports their errors. A record that can't be read is DataLoss.
class Records {
 public:
  // Outlives it.
  explicit Records(Store& store) : store_(store) {}

  // ResourceNotFoundException if there is none.
  absl::StatusOr<kept::Pool> GetPool(absl::string_view id);
  absl::StatusOr<std::vector<kept::Pool>> AllPools();
  void PutPool(const kept::Pool& pool);
  // With everything in it.
  absl::Status DeletePool(absl::string_view id);

  absl::StatusOr<kept::Client> GetClient(absl::string_view id);
  absl::StatusOr<std::vector<kept::Client>> ClientsOf(
      absl::string_view pool_id);
  absl::StatusOr<std::vector<kept::Client>> AllClients();
  void PutClient(const kept::Client& client);
  void DeleteClient(const kept::Client& client);

  absl::StatusOr<std::optional<kept::User>> FindUser(absl::string_view pool_id,
                                                     absl::string_view key);
  // In the order of keys that come after `after`, until `visit` returns false.
  absl::Status VisitUsers(
      absl::string_view pool_id, absl::string_view after,
      absl::FunctionRef<bool(const std::string& key, const kept::User&)> visit);
  absl::StatusOr<bool> HasUsers(absl::string_view pool_id);
  void PutUser(absl::string_view pool_id, absl::string_view key,
               const kept::User& user);
  // With memberships, sessions and challenges, but without aliases.
  absl::Status DeleteUser(absl::string_view pool_id, absl::string_view key);

  // Other names of users: `kind` is an attribute.
  absl::StatusOr<std::optional<std::string>> FindAlias(
      absl::string_view pool_id, absl::string_view kind,
      absl::string_view value);
  void PutAlias(absl::string_view pool_id, absl::string_view kind,
                absl::string_view value, absl::string_view user_key);
  void DeleteAlias(absl::string_view pool_id, absl::string_view kind,
                   absl::string_view value);

  absl::StatusOr<std::optional<kept::Group>> FindGroup(
      absl::string_view pool_id, absl::string_view name);
  absl::StatusOr<std::vector<kept::Group>> GroupsOf(absl::string_view pool_id);
  absl::StatusOr<std::vector<std::string>> GroupNamesOfUser(
      absl::string_view pool_id, absl::string_view user_key);
  absl::StatusOr<std::vector<std::string>> UserKeysOfGroup(
      absl::string_view pool_id, absl::string_view group);
  void PutGroup(absl::string_view pool_id, const kept::Group& group);
  absl::Status DeleteGroup(absl::string_view pool_id, absl::string_view name);
  void PutMember(absl::string_view pool_id, absl::string_view user_key,
                 absl::string_view group);
  void DeleteMember(absl::string_view pool_id, absl::string_view user_key,
                    absl::string_view group);

  absl::StatusOr<std::optional<kept::Session>> FindSession(
      absl::string_view pool_id, absl::string_view user_key,
      absl::string_view id);
  absl::StatusOr<std::vector<kept::Session>> SessionsOf(
      absl::string_view pool_id, absl::string_view user_key);
  void PutSession(absl::string_view pool_id, absl::string_view user_key,
                  const kept::Session& session);
  void DeleteSession(absl::string_view pool_id, absl::string_view user_key,
                     absl::string_view id);
  void DeleteSessionsOf(absl::string_view pool_id, absl::string_view user_key);

  absl::StatusOr<std::optional<kept::RefreshToken>> FindRefreshToken(
      absl::string_view pool_id, absl::string_view hash);
  void PutRefreshToken(absl::string_view pool_id, absl::string_view hash,
                       const kept::RefreshToken& token);
  absl::StatusOr<std::optional<kept::Challenge>> FindChallenge(
      absl::string_view pool_id, absl::string_view hash);
  void PutChallenge(absl::string_view pool_id, absl::string_view hash,
                    const kept::Challenge& challenge);
  void DeleteChallenge(absl::string_view pool_id, absl::string_view hash);
  // Removes refresh tokens and challenges that expired before `now_us`.
  absl::Status DeleteExpired(absl::string_view pool_id, std::int64_t now_us);

  // Whether pools or clients have been changed since the last call.
  bool TakeDirectoryChanged();

 private:
  Store& store_;
  bool directory_changed_ = false;
};

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_RECORDS_H_
