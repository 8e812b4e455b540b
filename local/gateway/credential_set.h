// Credentials that the local cloud accepts.
//
//   CredentialSet credentials;
//   credentials.Add({.access_key_id = "test",
//                    .secret_access_key = aws::Secret("test")});
//   credentials.Add({.access_key_id = "ASIA...", .secret_access_key = ...,
//                    .session_token = ..., .expires = in_an_hour});
//   ...
//   credentials.Remove("ASIA...");
#ifndef BYOSHIN_LOCAL_GATEWAY_CREDENTIAL_SET_H_
#define BYOSHIN_LOCAL_GATEWAY_CREDENTIAL_SET_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/canonical_request.h"
#include "core/aws/credentials.h"
#include "core/crypto/sha256.h"
#include "core/sync/mutex.h"

namespace byoshin::local {

// The account that owns every resource of the local cloud.
inline constexpr char kLocalAccountId[] = "000000000000";

// Accepted if no others are given.
inline constexpr char kDefaultAccessKeyId[] = "test";
inline constexpr char kDefaultSecretAccessKey[] = "test";

struct LocalCredentials {
  std::string access_key_id{};
  aws::Secret secret_access_key{};
  // For temporary credentials only; otherwise empty.
  aws::Secret session_token{};
  absl::Time expires = absl::InfiniteFuture();
  std::string account_id = kLocalAccountId;
};

// kDefaultAccessKeyId and kDefaultSecretAccessKey.
LocalCredentials DefaultCredentials();

// Credentials, and the signing keys that were derived from them: deriving one
// takes four times as long as checking a signature, and the same few are needed
// all day. Thread-safe.
class KnownKey {
 public:
  explicit KnownKey(LocalCredentials credentials)
      : credentials_(std::move(credentials)) {}

  const LocalCredentials& credentials() const { return credentials_; }
  crypto::Sha256Digest SigningKeyFor(const aws::CredentialScope& scope);

 private:
  const LocalCredentials credentials_;
  sync::Mutex mutex_;
  std::map<std::string, crypto::Sha256Digest> signing_keys_
      ABSL_GUARDED_BY(mutex_);
};

// Thread-safe. Changes apply to requests that are verified afterwards.
class CredentialSet {
 public:
  // Replaces credentials with the same access key.
  void Add(LocalCredentials credentials);
  // Adds all of them, or DefaultCredentials() if the list is empty.
  void AddOrDefault(const std::vector<LocalCredentials>& credentials);
  // Does nothing if there is no such key.
  void Remove(absl::string_view access_key_id);
  // Null if there is none.
  std::shared_ptr<KnownKey> Find(absl::string_view access_key_id) const;

 private:
  mutable sync::Mutex mutex_;
  std::map<std::string, std::shared_ptr<KnownKey>> keys_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_CREDENTIAL_SET_H_
