#include "local/gateway/credential_set.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/aws/canonical_request.h"
#include "core/aws/credentials.h"
#include "core/crypto/sha256.h"
#include "core/sync/mutex.h"

namespace byoshin::local {
namespace {

// Only a few are in use at any time: regions times services. The limit bounds
// the memory that a client can use up.
constexpr std::size_t kMaxSigningKeys = 256;

}  // namespace

LocalCredentials DefaultCredentials() {
  return {.access_key_id = kDefaultAccessKeyId,
          .secret_access_key = aws::Secret(kDefaultSecretAccessKey)};
}

crypto::Sha256Digest KnownKey::SigningKeyFor(
    const aws::CredentialScope& scope) {
  std::string name = aws::WriteCredentialScope(scope);
  {
    const sync::MutexLock lock(mutex_);
    const auto found = signing_keys_.find(name);
    if (found != signing_keys_.end()) return found->second;
  }
  const crypto::Sha256Digest key =
      aws::SigningKey(credentials_.secret_access_key, scope);
  const sync::MutexLock lock(mutex_);
  if (signing_keys_.size() >= kMaxSigningKeys) signing_keys_.clear();
  signing_keys_.emplace(std::move(name), key);
  return key;
}

void CredentialSet::Add(LocalCredentials credentials) {
  std::string id = credentials.access_key_id;
  auto key = std::make_shared<KnownKey>(std::move(credentials));
  const sync::MutexLock lock(mutex_);
  keys_.insert_or_assign(std::move(id), std::move(key));
}

void CredentialSet::AddOrDefault(
    const std::vector<LocalCredentials>& credentials) {
  for (const LocalCredentials& each : credentials) Add(each);
  if (credentials.empty()) Add(DefaultCredentials());
}

void CredentialSet::Remove(absl::string_view access_key_id) {
  const sync::MutexLock lock(mutex_);
  keys_.erase(std::string(access_key_id));
}

std::shared_ptr<KnownKey> CredentialSet::Find(
    absl::string_view access_key_id) const {
  const sync::MutexLock lock(mutex_);
  const auto found = keys_.find(std::string(access_key_id));
  return found == keys_.end() ? nullptr : found->second;
}

}  // namespace byoshin::local
