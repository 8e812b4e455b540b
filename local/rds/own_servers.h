// A PostgreSQL server for each cluster, in a folder of its own.
//
//   OwnServers servers({.folder = "/data/rds", .keep = postgres::Keep::kData});
//   absl::Status created = servers.Create(cluster, password);
#ifndef BYOSHIN_LOCAL_RDS_OWN_SERVERS_H_
#define BYOSHIN_LOCAL_RDS_OWN_SERVERS_H_

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/postgres/server.h"
#include "local/rds/backend.h"
#include "local/rds/clusters.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {

struct OwnServersOptions {
  // Absolute, exists.
  std::string folder{};
  postgres::Keep keep = postgres::Keep::kData;
  // May be null.
  std::function<void(const std::string&)> on_note = nullptr;
};

class OwnServers final : public Backend {
 public:
  explicit OwnServers(OwnServersOptions options)
      : options_(std::move(options)) {}

  absl::Status Create(const Record& cluster,
                      absl::string_view password) override;
  absl::Status SetMasterPassword(const Record& cluster,
                                 absl::string_view password) override;
  absl::StatusOr<bool> Exists(const Record& cluster) override;
  absl::Status Delete(const Record& cluster) override;
  absl::Status EnsureRunning(const Record& cluster) override;
  absl::Status Stop(const Record& cluster) override;
  absl::StatusOr<Keywords> KeywordsFor(const Record& cluster,
                                       const Login& login) override;
  absl::StatusOr<Keywords> AdministratorKeywords(
      const Record& cluster) override;

 private:
  // A server, and how the cloud itself connects to it.
  struct Running {
    std::shared_ptr<postgres::Server> server;
    std::string superuser_password;
  };

  std::string FolderOf(const Record& cluster) const;
  // The server, which need not run yet.
  absl::StatusOr<Running> Find(const Record& cluster);

  const OwnServersOptions options_;
  sync::Mutex mutex_;
  // By identifier; those that were used so far.
  std::map<std::string, Running> servers_ ABSL_GUARDED_BY(mutex_);
  // Resource ids of deleted clusters, for calls that found one before.
  std::set<std::string> deleted_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_OWN_SERVERS_H_
