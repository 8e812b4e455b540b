// All secrets, in memory and in the store.
//
//   Vault vault(store);
//   if (absl::Status loaded = vault.Load(); !loaded.ok()) return loaded;
//   Secret* secret = vault.Find("us-east-1", "db");
//   secret->description = "…";
//   vault.Save(*secret);
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_VAULT_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_VAULT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/secretsmanager/secret.h"
#include "local/store/store.h"

namespace byoshin::local::secretsmanager {

// Not thread-safe. A change is written to the store at once, for its loop to
// commit.
class Vault {
 public:
  // `store` must outlive it.
  explicit Vault(Store& store) : store_(store) {}

  // Reads all again, also after a rollback. DataLoss if a record is damaged.
  absl::Status Load();

  // By name, ARN, or an ARN without its suffix. An ARN of another region finds
  // nothing. Null if there is none.
  Secret* Find(const std::string& region, absl::string_view id);
  const Secret* Find(const std::string& region, absl::string_view id) const;

  // Of one region, by name.
  std::vector<const Secret*> List(const std::string& region) const;
  const std::map<std::pair<std::string, std::string>, Secret>& all() const {
    return secrets_;
  }

  // Adds it if it is new.
  void Save(const Secret& secret);
  // `secret` is gone afterwards.
  void Remove(const Secret& secret);

 private:
  Store& store_;
  // By region and name.
  std::map<std::pair<std::string, std::string>, Secret> secrets_;
};

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_VAULT_H_
