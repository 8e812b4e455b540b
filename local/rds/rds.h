// RDS without HTTP: Aurora PostgreSQL clusters, their instances and groups.
//
//   absl::StatusOr<std::unique_ptr<Rds>> rds = Rds::Open(
//       store, clock, {.backend = backend, .secrets = &secrets});
//   absl::StatusOr<Record> cluster = (*rds)->Run([&](Rds& rds) {
//     return rds.CreateCluster("orders", "us-east-1", properties);
//   });
#ifndef BYOSHIN_LOCAL_RDS_RDS_H_
#define BYOSHIN_LOCAL_RDS_RDS_H_

#include <json/json.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/gateway/credential_set.h"
#include "local/rds/backend.h"
#include "local/rds/catalog.h"
#include "local/rds/clusters.h"
#include "local/rds/record.h"
#include "local/secretsmanager/secrets.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::rds {

struct RdsOptions {
  // Outlives the Rds.
  Backend& backend;
  // For ManageMasterUserPassword, which is refused if it is null. Outlives the
  // Rds.
  secretsmanager::Secrets* secrets = nullptr;
  std::string account_id = kLocalAccountId;
  // Called with messages for the user. May be null.
  std::function<void(const std::string&)> on_note = nullptr;
};

// Thread-safe, except where it says otherwise.
class Rds final : public Clusters {
 public:
  // `store` and `clock` outlive it. Managed secrets that were lost with the
  // data of Secrets Manager are created again, with new passwords.
  static absl::StatusOr<std::unique_ptr<Rds>> Open(Store& store,
                                                   time::Clock& clock,
                                                   RdsOptions options);

  absl::StatusOr<Cluster> Find(absl::string_view arn) const override;
  absl::Status EnsureRunning(absl::string_view arn) override;
  absl::StatusOr<Keywords> Connectable(absl::string_view arn,
                                       const Login& login) override;

  const Catalog& catalog() const { return catalog_; }
  const std::string& account_id() const { return options_.account_id; }

  // Changes something, on an internal thread, one change at a time.
  using Change = std::function<absl::StatusOr<Record>(Rds& rds)>;
  // `done` is called after the commit.
  void Submit(Change change, std::function<void(absl::StatusOr<Record>)> done);
  // Waits for it.
  absl::StatusOr<Record> Run(const Change& change);

  // The next are for a Change; they may block. `properties` are those of
  // AWS::RDS::DBCluster. Errors: InvalidArgument, AlreadyExists, NotFound,
  // FailedPrecondition (the cluster's state), Unavailable (its server).

  absl::StatusOr<Record> CreateCluster(const std::string& identifier,
                                       const std::string& region,
                                       Json::Value properties);
  // Replaces the properties; the password is set if they have one.
  absl::StatusOr<Record> ChangeCluster(absl::string_view identifier,
                                       Json::Value properties);
  enum class Protection { kHonor, kIgnore };
  absl::StatusOr<Record> DeleteCluster(absl::string_view identifier,
                                       Protection protection);
  absl::StatusOr<Record> StopCluster(absl::string_view identifier);
  absl::StatusOr<Record> StartCluster(absl::string_view identifier);

  // An instance or a group; replaces one that exists. `record` needs kind,
  // identifier and properties.
  absl::StatusOr<Record> PutResource(Record record, const std::string& region);
  absl::StatusOr<Record> RemoveResource(absl::string_view kind,
                                        absl::string_view identifier);

  // The following may block, on any thread.

  // Whether the cluster's data exists.
  absl::StatusOr<bool> HasData(const Record& cluster);
  // "3 tables"; empty if there is none.
  std::string DescribeData(const Record& cluster);

 private:
  Rds(Store& store, time::Clock& clock, RdsOptions options);

  absl::StatusOr<Record> RequiredCluster(absl::string_view identifier) const;
  absl::StatusOr<Record> ClusterOf(absl::string_view arn) const;
  // Creates or deletes the managed secret, or sets the given password, as
  // `properties` say.
  absl::Status ApplyPassword(const Json::Value& properties, Record& cluster);
  // Sets a new password, and keeps it in a secret: in that with the ARN of the
  // cluster's, if it has one.
  absl::Status ManagePassword(Record& cluster);
  absl::Status CreateSecret(absl::string_view password, Record& cluster);
  void RestoreSecrets();
  absl::Status RestoreSecret(Record cluster);

  time::Clock& clock_;
  const RdsOptions options_;
  Catalog catalog_;
  // Last: its thread uses the rest.
  WorkLoop loop_;
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_RDS_H_
