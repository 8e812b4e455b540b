// A PostgreSQL server that the tests of a program share, as a cluster, and
// secrets in memory.
#ifndef BYOSHIN_LOCAL_RDSDATA_TESTING_TEST_CLUSTERS_H_
#define BYOSHIN_LOCAL_RDSDATA_TESTING_TEST_CLUSTERS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/files/testing/test_folder.h"
#include "local/postgres/server.h"
#include "local/rds/clusters.h"
#include "local/secretsmanager/secrets.h"

namespace byoshin::local::rdsdata {

inline constexpr char kTestCluster[] =
    "arn:aws:rds:us-east-1:000000000000:cluster:test";
inline constexpr char kTestSecret[] =
    "arn:aws:secretsmanager:us-east-1:000000000000:secret:test-AbCdEf";

// Thread-safe.
class TestClusters final : public rds::Clusters {
 public:
  TestClusters();

  absl::StatusOr<rds::Cluster> Find(absl::string_view arn) const override;
  absl::Status EnsureRunning(absl::string_view arn) override;
  absl::StatusOr<rds::Keywords> Connectable(absl::string_view arn,
                                            const rds::Login& login) override;

  // Who may do everything.
  static rds::Login superuser(const std::string& database);

  // What Find() returns.
  void Set(const rds::Cluster& cluster);
  postgres::Server& server() { return *server_; }

 private:
  const TestFolder folder_;
  const std::unique_ptr<postgres::Server> server_;
  mutable sync::Mutex mutex_;
  rds::Cluster cluster_ ABSL_GUARDED_BY(mutex_);
};

// Thread-safe. Has kTestSecret, of the server's superuser.
class TestSecrets final : public secretsmanager::Secrets {
 public:
  TestSecrets();

  absl::StatusOr<std::string> CurrentValue(
      absl::string_view arn_or_name) const override;
  absl::StatusOr<std::string> CreateManaged(
      const secretsmanager::ManagedSecret& secret) override;
  absl::Status PutManaged(absl::string_view arn,
                          absl::string_view value) override;
  absl::Status DeleteManaged(absl::string_view arn) override;

 private:
  mutable sync::Mutex mutex_;
  std::map<std::string, std::string, std::less<>> values_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_TESTING_TEST_CLUSTERS_H_
