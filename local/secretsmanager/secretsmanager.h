// AWS Secrets Manager of the local cloud.
//
//   absl::StatusOr<std::unique_ptr<SecretsManager>> manager =
//       SecretsManager::Open({.store = store, .clock = clock,
//                             .region = "us-east-1"});
//   gateway.Add(**manager);
//
// A secret that is scheduled for deletion is deleted once its recovery window
// has passed on the clock. Values are written to the store only: no log, note
// or error has them.
#ifndef BYOSHIN_LOCAL_SECRETSMANAGER_SECRETSMANAGER_H_
#define BYOSHIN_LOCAL_SECRETSMANAGER_SECRETSMANAGER_H_

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/secretsmanager/operations.h"
#include "local/secretsmanager/secret.h"
#include "local/secretsmanager/secrets.h"
#include "local/secretsmanager/vault.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::secretsmanager {

// Thread-safe.
class SecretsManager final : public Service, public Secrets {
 public:
  struct World {
    // Both must outlive it.
    Store& store;
    time::Clock& clock;
    // Of names without a region, and of managed secrets.
    std::string region = "us-east-1";
    std::string account_id = kLocalAccountId;
    // Whether a resource policy is valid. If null, all are.
    std::function<absl::Status(const Json::Value& policy)> check_policy{};
    // Called with the policy of a secret when it is loaded or has changed;
    // empty if it was deleted. Must not block. May be null.
    std::function<void(const PolicyChange&)> on_policy{};
  };

  // DataLoss if the store is damaged.
  static absl::StatusOr<std::unique_ptr<SecretsManager>> Open(World world);

  SecretsManager(const SecretsManager&) = delete;
  SecretsManager& operator=(const SecretsManager&) = delete;
  ~SecretsManager() override;

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;

  absl::StatusOr<std::string> CurrentValue(
      absl::string_view arn_or_name) const override;
  absl::StatusOr<std::string> CreateManaged(
      const ManagedSecret& secret) override;
  absl::Status PutManaged(absl::string_view arn,
                          absl::string_view value) override;
  absl::Status DeleteManaged(absl::string_view arn) override;

  // The value of a version: the one with the id, else with the stage, else the
  // current one. For "{{resolve:secretsmanager:…}}" in templates. Does not
  // block.
  struct VersionRequest {
    std::string secret_id{};
    std::string stage{};
    std::string version_id{};
  };
  absl::StatusOr<std::string> ValueOf(const std::string& region,
                                      const VersionRequest& request) const;

 private:
  explicit SecretsManager(World world);

  absl::Status Load();
  // Called on the loop.
  void ScheduleDeletion(const Secret& secret);
  AfterCommit DeleteIfDue(const std::string& region, const std::string& arn);
  // Runs `change` on the loop and waits for its commit.
  absl::Status Change(absl::FunctionRef<absl::Status()> change);
  // The managed secret; null if there is none.
  Secret* FindManaged(absl::string_view arn)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The secrets that the filters of a batch match.
  std::vector<std::string> FilteredArns(const Call& call) const;
  // The ARN as a policy would name the secret.
  std::string PolicyArn(const Call& call, const std::string& id) const;

  const World world_;
  const std::function<void(const Secret&)> schedule_deletion_;
  // The loop's thread changes it; any thread may read it.
  mutable sync::Mutex mutex_;
  Vault vault_ ABSL_GUARDED_BY(mutex_);
  WorkLoop loop_;
};

}  // namespace byoshin::local::secretsmanager

#endif  // BYOSHIN_LOCAL_SECRETSMANAGER_SECRETSMANAGER_H_
