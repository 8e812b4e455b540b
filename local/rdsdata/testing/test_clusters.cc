#include "local/rdsdata/testing/test_clusters.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/postgres/binaries.h"
#include "local/postgres/server.h"

namespace byoshin::local::rdsdata {
namespace {

constexpr char kPassword[] = "a password";

}  // namespace

TestClusters::TestClusters()
    : server_(std::make_unique<postgres::Server>(postgres::ServerOptions{
          .binaries = postgres::FindBinaries().value_or(""),
          .folder = absl::StrCat(folder_.path(), "/server"),
          .superuser_password = kPassword,
          .keep = postgres::Keep::kNothing})) {
  Set({.arn = kTestCluster,
       .identifier = "test",
       .default_database = "postgres",
       .data_api_enabled = true,
       .status = "available"});
}

rds::Login TestClusters::superuser(const std::string& database) {
  return {.user = postgres::kSuperuser,
          .password = kPassword,
          .database = database};
}

void TestClusters::Set(const rds::Cluster& cluster) {
  const sync::MutexLock lock(mutex_);
  cluster_ = cluster;
}

absl::StatusOr<rds::Cluster> TestClusters::Find(absl::string_view arn) const {
  const sync::MutexLock lock(mutex_);
  if (arn != cluster_.arn) return absl::NotFoundError("no such cluster");
  return cluster_;
}

absl::Status TestClusters::EnsureRunning(absl::string_view /*arn*/) {
  return server_->EnsureRunning().status();
}

absl::StatusOr<rds::Keywords> TestClusters::Connectable(
    absl::string_view /*arn*/, const rds::Login& login) {
  const absl::StatusOr<postgres::ServerAddress> address =
      server_->EnsureRunning();
  if (!address.ok()) return address.status();
  return rds::Keywords{{"host", address->socket_folder},
                       {"port", absl::StrCat(address->port)},
                       {"user", login.user},
                       {"password", login.password},
                       {"dbname", login.database}};
}

TestSecrets::TestSecrets() {
  const sync::MutexLock lock(mutex_);
  values_[kTestSecret] = absl::StrCat(R"({"username":")", postgres::kSuperuser,
                                      R"(","password":")", kPassword, R"("})");
}

absl::StatusOr<std::string> TestSecrets::CurrentValue(
    absl::string_view arn_or_name) const {
  const sync::MutexLock lock(mutex_);
  const auto found = values_.find(arn_or_name);
  if (found == values_.end()) {
    return absl::NotFoundError(
        "Secrets Manager can't find the specified secret.");
  }
  return found->second;
}

absl::StatusOr<std::string> TestSecrets::CreateManaged(
    const secretsmanager::ManagedSecret& secret) {
  const sync::MutexLock lock(mutex_);
  values_[secret.name] = secret.value;
  return secret.name;
}

absl::Status TestSecrets::PutManaged(absl::string_view arn,
                                     absl::string_view value) {
  const sync::MutexLock lock(mutex_);
  values_[std::string(arn)] = std::string(value);
  return absl::OkStatus();
}

absl::Status TestSecrets::DeleteManaged(absl::string_view arn) {
  const sync::MutexLock lock(mutex_);
  values_.erase(std::string(arn));
  return absl::OkStatus();
}

}  // namespace byoshin::local::rdsdata
