// Where the databases of clusters are: on servers of the cloud's own
// (own_servers.h), or on one that the user runs (given_server.h).
#ifndef BYOSHIN_LOCAL_RDS_BACKEND_H_
#define BYOSHIN_LOCAL_RDS_BACKEND_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/rds/clusters.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {

// Thread-safe. All may block. Records are of clusters.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  // Creates the cluster's database and its master user. What exists already,
  // because an earlier call was interrupted, is kept; the password is set
  // anyway.
  virtual absl::Status Create(const Record& cluster,
                              absl::string_view password) = 0;
  virtual absl::Status SetMasterPassword(const Record& cluster,
                                         absl::string_view password) = 0;
  // Whether Create() has created it, and nobody has removed it since.
  virtual absl::StatusOr<bool> Exists(const Record& cluster) = 0;
  // Disconnects its clients and deletes its data. Missing data is not an error.
  virtual absl::Status Delete(const Record& cluster) = 0;

  // Unavailable, with the reason, if clients can't connect.
  virtual absl::Status EnsureRunning(const Record& cluster) = 0;
  // Disconnects its clients; EnsureRunning() undoes it.
  virtual absl::Status Stop(const Record& cluster) = 0;

  // See Clusters::Connectable(). The server runs.
  virtual absl::StatusOr<Keywords> KeywordsFor(const Record& cluster,
                                               const Login& login) = 0;
  // For statements of the cloud itself.
  virtual absl::StatusOr<Keywords> AdministratorKeywords(
      const Record& cluster) = 0;
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_BACKEND_H_
