// The database clusters of the cloud, as other services use them: whether there
// is a cluster, and how to connect to it.
//
//   absl::StatusOr<Cluster> cluster = clusters.Find(resource_arn);
//   if (!cluster.ok()) return cluster.status();  // NotFound
//   if (!cluster->data_api_enabled) ...
//   // Starts the server if it has died; may block.
//   absl::StatusOr<Keywords> keywords = clusters.Connectable(
//       cluster->arn, {.user = "app", .password = "secret", .database = ""});
//   if (!keywords.ok()) return keywords.status();  // Unavailable: says why
//   ... PQconnectdbParams(...) ...
#ifndef BYOSHIN_LOCAL_RDS_CLUSTERS_H_
#define BYOSHIN_LOCAL_RDS_CLUSTERS_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rds {

// A cluster, as it is at the moment of the call.
struct Cluster {
  // "arn:aws:rds:us-east-1:000000000000:cluster:orders"
  std::string arn{};
  std::string identifier{};      // "orders"
  std::string resource_id{};     // "cluster-ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  std::string engine{};          // "aurora-postgresql"
  std::string engine_version{};  // as the template says
  // The database of a call that names none: DatabaseName, or else "postgres".
  std::string default_database{};
  std::string master_user{};
  // EnableHttpEndpoint.
  bool data_api_enabled = false;
  // As DescribeDBClusters reports it: "available", "stopped".
  std::string status{};
  // What templates and descriptions have. Nothing listens there: see
  // Connectable().
  std::string endpoint{};
  std::string port{};
};

// Who connects, to which database.
struct Login {
  std::string user{};
  std::string password{};
  // Empty for the cluster's default database.
  std::string database{};
};

// Keywords and values for PQconnectdbParams() with expand_dbname = 0: host,
// port, user, password, dbname, and others that a given server needs.
// https://www.postgresql.org/docs/17/libpq-connect.html#LIBPQ-PARAMKEYWORDS
using Keywords = std::map<std::string, std::string>;

// Thread-safe.
class Clusters {
 public:
  Clusters() = default;
  Clusters(const Clusters&) = delete;
  Clusters& operator=(const Clusters&) = delete;
  virtual ~Clusters() = default;

  // NotFound if no cluster has this ARN. Does not block.
  virtual absl::StatusOr<Cluster> Find(absl::string_view arn) const = 0;

  // Starts the cluster's server unless it runs, and waits until it accepts
  // connections: after a crash, that includes recovery. Quick if the server
  // runs. FailedPrecondition if the cluster is stopped; Unavailable, with the
  // reason, if the server can't be started.
  virtual absl::Status EnsureRunning(absl::string_view arn) = 0;

  // EnsureRunning(), and how to connect. On a server of the user's own
  // (--postgres), the names of user and database differ from the cluster's;
  // InvalidArgument if the cluster does not have the database there.
  virtual absl::StatusOr<Keywords> Connectable(absl::string_view arn,
                                               const Login& login) = 0;
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_CLUSTERS_H_
