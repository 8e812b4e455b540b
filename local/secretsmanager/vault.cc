#include "local/secretsmanager/vault.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::secretsmanager {
namespace {

constexpr char kSecretPrefix[] = "secret/";

std::string KeyOf(const Secret& secret) {
  return absl::StrCat(kSecretPrefix, secret.region, "/", secret.name);
}

}  // namespace

absl::Status Vault::Load() {
  secrets_.clear();
  absl::Status damage;
  absl::Status scanned = store_.Scan(
      PrefixRange(kSecretPrefix), Store::Direction::kForward,
      [&](absl::string_view, absl::string_view record) {
        absl::StatusOr<Secret> secret = SecretFromRecord(record);
        if (!secret.ok()) {
          damage = secret.status();
          return Store::Visit::kStop;
        }
        std::pair key(secret->region, secret->name);
        secrets_.insert_or_assign(std::move(key), *std::move(secret));
        return Store::Visit::kContinue;
      });
  scanned.Update(damage);
  return scanned;
}

const Secret* Vault::Find(const std::string& region,
                          absl::string_view id) const {
  const auto by_name = [&](absl::string_view name) -> const Secret* {
    const auto found = secrets_.find({region, std::string(name)});
    return found == secrets_.end() ? nullptr : &found->second;
  };
  if (!absl::StartsWith(id, "arn:")) return by_name(id);
  // arn:aws:secretsmanager:REGION:ACCOUNT:secret:NAME-SUFFIX
  const std::vector<absl::string_view> parts =
      absl::StrSplit(id, absl::MaxSplits(':', 6));
  if (parts.size() != 7 || parts[2] != "secretsmanager" || parts[3] != region ||
      parts[5] != "secret") {
    return nullptr;
  }
  const absl::string_view rest = parts[6];
  if (rest.size() > kArnSuffixLength) {
    const Secret* secret =
        by_name(rest.substr(0, rest.size() - kArnSuffixLength));
    if (secret != nullptr && secret->arn == id) return secret;
  }
  const Secret* secret = by_name(rest);
  return secret != nullptr && absl::StartsWith(secret->arn, id) ? secret
                                                                : nullptr;
}

Secret* Vault::Find(const std::string& region, absl::string_view id) {
  const Secret* secret = std::as_const(*this).Find(region, id);
  return secret == nullptr ? nullptr
                           : &secrets_.at({secret->region, secret->name});
}

std::vector<const Secret*> Vault::List(const std::string& region) const {
  std::vector<const Secret*> list;
  for (auto it = secrets_.lower_bound({region, ""});
       it != secrets_.end() && it->first.first == region; ++it) {
    list.push_back(&it->second);
  }
  return list;
}

// A failure of the store shows in the commit.
void Vault::Save(const Secret& secret) {
  store_.Put(KeyOf(secret), SecretToRecord(secret)).IgnoreError();
  Secret& kept = secrets_[{secret.region, secret.name}];
  if (&kept != &secret) kept = secret;
}

void Vault::Remove(const Secret& secret) {
  store_.Delete(KeyOf(secret)).IgnoreError();
  secrets_.erase({secret.region, secret.name});
}

}  // namespace byoshin::local::secretsmanager
