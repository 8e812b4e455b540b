#include "tests/properties/generation/postgres_database.h"

#include <future>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/generation/migrator.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "gtest/gtest.h"
#include "local/gateway/service.h"
#include "local/rdsdata/data_api.h"
#include "local/rdsdata/testing/test_clusters.h"

namespace byoshin::properties {

absl::StatusOr<http::Response> ServiceClient::Send(
    const http::Request& request) {
  const absl::StatusOr<http::Url> url = http::ParseUrl(request.url);
  if (!url.ok()) return url.status();
  std::promise<local::Answer> promise;
  service_.Handle({.protocol = local::WireProtocol::kRestJson,
                   .body = request.body,
                   .path = url->path,
                   .method = request.method},
                  [&promise](local::Answer answer) {
                    promise.set_value(std::move(answer));
                  });
  local::Answer answer = promise.get_future().get();
  return http::Response{.status = answer.status,
                        .headers = std::move(answer.headers),
                        .body = std::move(answer.body)};
}

PostgresDatabase::PostgresDatabase()
    : api_(local::rdsdata::DataApi::Open(
               {.clusters = clusters_, .secrets = secrets_}, clock_)
               .value()),
      client_(
          {.http = http_,
           .clock = clock_,
           .environment = env::FromMap({{"AWS_REGION", "us-east-1"},
                                        {"AWS_ACCESS_KEY_ID", "test"},
                                        {"AWS_SECRET_ACCESS_KEY", "test"}})}),
      sql_(client_, {.resource_arn = local::rdsdata::kTestCluster,
                     .secret_arn = local::rdsdata::kTestSecret,
                     .name = "postgres"}) {
  const absl::StatusOr<generation::Migrator::Report> report =
      generation::Migrator(sql_, clock_)
          .Run(generation::MigrationFiles(), absl::InfiniteFuture());
  EXPECT_TRUE(report.ok()) << report.status();
}

void PostgresDatabase::Clear() {
  const absl::Status status =
      sql_.Run({.sql = "TRUNCATE users CASCADE"}, absl::InfiniteFuture())
          .status();
  ASSERT_TRUE(status.ok()) << status;
}

}  // namespace byoshin::properties
