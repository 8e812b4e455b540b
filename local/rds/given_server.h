// Clusters on a PostgreSQL server that the user runs (--postgres=URL): a
// database and a role for each. On such a server, names are shared by all, so a
// cluster's database and master user have longer ones than in the template.
//
//   absl::StatusOr<std::unique_ptr<GivenServer>> server =
//       GivenServer::Open("postgresql://postgres@localhost:5432");
#ifndef BYOSHIN_LOCAL_RDS_GIVEN_SERVER_H_
#define BYOSHIN_LOCAL_RDS_GIVEN_SERVER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/rds/backend.h"
#include "local/rds/clusters.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {

class GivenServer final : public Backend {
 public:
  // Does not connect. InvalidArgument if the URL is wrong.
  static absl::StatusOr<std::unique_ptr<GivenServer>> Open(
      const std::string& url);

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
  explicit GivenServer(Keywords keywords) : keywords_(std::move(keywords)) {}

  // What the URL says.
  const Keywords keywords_;
};

// The names on the server: "byoshin_orders", "byoshin_orders_app". Too long
// ones end with a digest.
std::string DatabaseOnServer(const Record& cluster);
std::string MasterUserOnServer(const Record& cluster);

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_GIVEN_SERVER_H_
