// A PostgreSQL server with the schema of generation, behind the local Data API
// and Byoshin's own client of it: what a function has, without a network.
#ifndef BYOSHIN_TESTS_PROPERTIES_GENERATION_POSTGRES_DATABASE_H_
#define BYOSHIN_TESTS_PROPERTIES_GENERATION_POSTGRES_DATABASE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "core/aws/rdsdata/json_client.h"
#include "core/generation/sql.h"
#include "core/http/client.h"
#include "core/time/real_clock.h"
#include "local/gateway/service.h"
#include "local/rdsdata/data_api.h"
#include "local/rdsdata/service.h"
#include "local/rdsdata/testing/test_clusters.h"

namespace byoshin::properties {

// An http::Client that hands requests to a service. Not thread-safe.
class ServiceClient final : public http::Client {
 public:
  explicit ServiceClient(local::Service& service) : service_(service) {}

  absl::StatusOr<http::Response> Send(const http::Request& request) override;

 private:
  local::Service& service_;
};

// Not thread-safe.
class PostgresDatabase {
 public:
  PostgresDatabase();

  generation::SqlDatabase& sql() { return sql_; }
  // Removes all rows.
  void Clear();

 private:
  local::rdsdata::TestClusters clusters_;
  local::rdsdata::TestSecrets secrets_;
  time::RealClock clock_;
  const std::unique_ptr<local::rdsdata::DataApi> api_;
  local::rdsdata::RdsDataService service_{*api_};
  ServiceClient http_{service_};
  aws::rdsdata::JsonClient client_;
  generation::SqlDatabase sql_;
};

}  // namespace byoshin::properties

#endif  // BYOSHIN_TESTS_PROPERTIES_GENERATION_POSTGRES_DATABASE_H_
