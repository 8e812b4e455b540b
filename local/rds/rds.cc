#include "local/rds/rds.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "core/time/clock.h"
#include "local/cloudformation/properties.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/result.h"
#include "local/rds/cluster_checks.h"
#include "local/rds/describe_xml.h"
#include "local/rds/password.h"

namespace byoshin::local::rds {
namespace {

constexpr char kPassword[] = "MasterUserPassword";
constexpr char kManaged[] = "ManageMasterUserPassword";
constexpr absl::string_view kResourceIdLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::size_t kResourceIdLength = 26;

std::string NewResourceId(absl::string_view prefix) {
  std::string id = absl::StrCat(prefix, "-");
  for (std::size_t i = 0; i < kResourceIdLength; ++i) {
    id.push_back(
        kResourceIdLetters[random::Bits() % kResourceIdLetters.size()]);
  }
  return id;
}

std::string ArnOf(const std::string& region, const std::string& account,
                  absl::string_view kind, absl::string_view identifier) {
  return absl::StrCat("arn:aws:rds:", region, ":", account, ":", kind, ":",
                      identifier);
}

absl::Status WrongState(const Record& cluster, absl::string_view wanted) {
  return absl::FailedPreconditionError(absl::StrCat(
      "DbCluster ", cluster.identifier, " is in ", cluster.status(),
      " state but expected it to be one of ", wanted, "."));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Rds>> Rds::Open(Store& store, time::Clock& clock,
                                               RdsOptions options) {
  std::unique_ptr<Rds> rds(new Rds(store, clock, std::move(options)));
  // No work was submitted yet, so the store is this thread's.
  if (absl::Status loaded = rds->catalog_.Load(); !loaded.ok()) return loaded;
  rds->RestoreSecrets();
  return rds;
}

Rds::Rds(Store& store, time::Clock& clock, RdsOptions options)
    : clock_(clock),
      options_(std::move(options)),
      catalog_(store),
      loop_(store, clock, {.on_rollback = [this] { (void)catalog_.Load(); }}) {}

absl::StatusOr<Record> Rds::RequiredCluster(
    absl::string_view identifier) const {
  std::optional<Record> cluster = catalog_.Find(kClusterKind, identifier);
  if (cluster.has_value()) return *std::move(cluster);
  return absl::NotFoundError(
      absl::StrCat("DBCluster ", identifier, " not found."));
}

absl::StatusOr<Record> Rds::ClusterOf(absl::string_view arn) const {
  std::optional<Record> record = catalog_.FindArn(arn);
  if (record.has_value() && record->kind == kClusterKind) {
    return *std::move(record);
  }
  return absl::NotFoundError(absl::StrCat("there is no cluster ", arn));
}

absl::StatusOr<Cluster> Rds::Find(absl::string_view arn) const {
  const absl::StatusOr<Record> record = ClusterOf(arn);
  if (!record.ok()) return record.status();
  return Cluster{
      .arn = record->arn,
      .identifier = record->identifier,
      .resource_id = record->resource_id,
      .engine = record->Text("Engine"),
      .engine_version = record->Text("EngineVersion", kDefaultEngineVersion),
      .default_database = record->database(),
      .master_user = record->master_user(),
      .data_api_enabled = record->Flag("EnableHttpEndpoint"),
      .status = record->status(),
      .endpoint = EndpointOf(*record),
      .port = PortOf(*record)};
}

absl::Status Rds::EnsureRunning(absl::string_view arn) {
  const absl::StatusOr<Record> record = ClusterOf(arn);
  if (!record.ok()) return record.status();
  if (record->stopped) return WrongState(*record, "available");
  return options_.backend.EnsureRunning(*record);
}

absl::StatusOr<Keywords> Rds::Connectable(absl::string_view arn,
                                          const Login& login) {
  const absl::StatusOr<Record> record = ClusterOf(arn);
  if (!record.ok()) return record.status();
  if (record->stopped) return WrongState(*record, "available");
  if (absl::Status running = options_.backend.EnsureRunning(*record);
      !running.ok()) {
    return running;
  }
  return options_.backend.KeywordsFor(*record, login);
}

void Rds::Submit(Change change,
                 std::function<void(absl::StatusOr<Record>)> done) {
  loop_.Submit([this, change = std::move(change),
                done = std::move(done)]() -> AfterCommit {
    absl::StatusOr<Record> result = change(*this);
    return [done, result = std::move(result)](const absl::Status& committed) {
      done(committed.ok() ? result : committed);
    };
  });
}

absl::StatusOr<Record> Rds::Run(const Change& change) {
  return async::Await<absl::StatusOr<Record>>(
      [&](auto done) { Submit(change, done); });
}

absl::StatusOr<Record> Rds::CreateCluster(const std::string& identifier,
                                          const std::string& region,
                                          Json::Value properties) {
  absl::Status status = CheckIdentifier("DBClusterIdentifier", identifier);
  if (status.ok()) {
    status = CheckCluster(properties, MasterPassword::kNeeded);
  }
  if (!status.ok()) return status;
  if (catalog_.Find(kClusterKind, identifier).has_value()) {
    return absl::AlreadyExistsError("DB Cluster already exists");
  }
  Record cluster{
      .kind = kClusterKind,
      .identifier = identifier,
      .arn = ArnOf(region, options_.account_id, kClusterKind, identifier),
      .resource_id = NewResourceId("cluster"),
      .created = clock_.Now()};
  cluster.properties = properties;
  cluster.properties.removeMember(kPassword);
  // Nobody knows it, until ApplyPassword() sets the one that is to be used.
  absl::StatusOr<std::string> password = NewPassword();
  if (!password.ok()) return password.status();
  status = options_.backend.Create(cluster, *password);
  if (!status.ok()) return status;
  status = ApplyPassword(properties, cluster);
  if (!status.ok()) {
    (void)options_.backend.Delete(cluster);
    return status;
  }
  catalog_.Put(cluster);
  return cluster;
}

absl::Status Rds::CreateSecret(absl::string_view password, Record& cluster) {
  if (options_.secrets == nullptr) {
    return absl::UnimplementedError(
        "ManageMasterUserPassword needs Secrets Manager, which this cloud "
        "does not have");
  }
  Json::Value value(Json::objectValue);
  value["username"] = cluster.master_user();
  value["password"] = std::string(password);
  absl::StatusOr<std::string> arn = options_.secrets->CreateManaged(
      {.name = absl::StrCat("rds!cluster-", random::NewUuid()),
       .description = absl::StrCat("The secret associated with the primary RDS "
                                   "DB cluster: ",
                                   cluster.arn),
       .owning_service = "rds",
       .value = json::WriteValue(value),
       .tags = {{"aws:rds:primaryDBClusterArn", cluster.arn}},
       .arn = cluster.secret_arn});
  if (!arn.ok()) return arn.status();
  cluster.secret_arn = *std::move(arn);
  return absl::OkStatus();
}

absl::Status Rds::ApplyPassword(const Json::Value& properties,
                                Record& cluster) {
  const bool managed =
      cloudformation::BoolProperty(properties, kManaged, false).value_or(false);
  if (!managed) {
    const std::string given =
        cloudformation::TextProperty(properties, kPassword).value_or("");
    if (!given.empty()) {
      if (absl::Status set = options_.backend.SetMasterPassword(cluster, given);
          !set.ok()) {
        return set;
      }
    }
    if (cluster.secret_arn.empty()) return absl::OkStatus();
    const std::string former = std::exchange(cluster.secret_arn, "");
    return options_.secrets == nullptr
               ? absl::OkStatus()
               : options_.secrets->DeleteManaged(former);
  }
  return cluster.secret_arn.empty() ? ManagePassword(cluster)
                                    : absl::OkStatus();
}

absl::Status Rds::ManagePassword(Record& cluster) {
  const absl::StatusOr<std::string> password = NewPassword();
  if (!password.ok()) return password.status();
  if (absl::Status set = options_.backend.SetMasterPassword(cluster, *password);
      !set.ok()) {
    return set;
  }
  return CreateSecret(*password, cluster);
}

void Rds::RestoreSecrets() {
  if (options_.secrets == nullptr) return;
  for (const Record& cluster : catalog_.All(kClusterKind)) {
    if (cluster.secret_arn.empty() ||
        !absl::IsNotFound(
            options_.secrets->CurrentValue(cluster.secret_arn).status())) {
      continue;
    }
    const absl::StatusOr<bool> exists = options_.backend.Exists(cluster);
    // A cluster whose data was lost, too, is deployed again with a new secret.
    if (exists.ok() && !*exists) continue;
    const absl::Status restored =
        exists.ok() ? RestoreSecret(cluster) : exists.status();
    if (!options_.on_note) continue;
    options_.on_note(
        restored.ok()
            ? absl::StrCat("the secret with the master user's password of the ",
                           "cluster ", cluster.identifier,
                           " was missing and has been created again, with a "
                           "new password")
            : absl::StrCat("the secret with the master user's password of the ",
                           "cluster ", cluster.identifier,
                           " is missing and could not be created again; the "
                           "next start tries again: ",
                           restored.message()));
  }
}

absl::Status Rds::RestoreSecret(Record cluster) {
  absl::Status restored = ManagePassword(cluster);
  // Setting the password has started it.
  if (cluster.stopped) restored.Update(options_.backend.Stop(cluster));
  return restored;
}

absl::StatusOr<Record> Rds::ChangeCluster(absl::string_view identifier,
                                          Json::Value properties) {
  absl::StatusOr<Record> cluster = RequiredCluster(identifier);
  if (!cluster.ok()) return cluster;
  if (cluster->stopped) return WrongState(*cluster, "available");
  // A managed password is not known to the user, so another must replace it.
  const bool managed =
      cloudformation::BoolProperty(properties, kManaged, false).value_or(false);
  if (!cluster->secret_arn.empty() && !managed &&
      !properties.isMember(kPassword)) {
    return absl::InvalidArgumentError(
        "You must specify MasterUserPassword when you turn off "
        "ManageMasterUserPassword.");
  }
  if (absl::Status status = CheckCluster(properties, MasterPassword::kSet);
      !status.ok()) {
    return status;
  }
  if (absl::Status applied = ApplyPassword(properties, *cluster);
      !applied.ok()) {
    return applied;
  }
  properties.removeMember(kPassword);
  cluster->properties = std::move(properties);
  catalog_.Put(*cluster);
  return cluster;
}

absl::StatusOr<Record> Rds::DeleteCluster(absl::string_view identifier,
                                          Protection protection) {
  absl::StatusOr<Record> cluster = RequiredCluster(identifier);
  if (!cluster.ok()) return cluster;
  if (protection == Protection::kHonor && cluster->Flag("DeletionProtection")) {
    return absl::FailedPreconditionError(
        "Cannot delete protected Cluster, please disable deletion protection "
        "and try again.");
  }
  // First, so that no call finds it any more.
  catalog_.Remove(kClusterKind, identifier);
  if (absl::Status deleted = options_.backend.Delete(*cluster); !deleted.ok()) {
    catalog_.Put(*cluster);
    return deleted;
  }
  if (!cluster->secret_arn.empty() && options_.secrets != nullptr) {
    if (absl::Status deleted =
            options_.secrets->DeleteManaged(cluster->secret_arn);
        !deleted.ok()) {
      catalog_.Put(*cluster);
      return deleted;
    }
  }
  return cluster;
}

absl::StatusOr<Record> Rds::StopCluster(absl::string_view identifier) {
  absl::StatusOr<Record> cluster = RequiredCluster(identifier);
  if (!cluster.ok()) return cluster;
  if (cluster->stopped) return WrongState(*cluster, "available");
  cluster->stopped = true;
  // No call starts it from now on.
  catalog_.Put(*cluster);
  if (absl::Status stopped = options_.backend.Stop(*cluster); !stopped.ok()) {
    cluster->stopped = false;
    catalog_.Put(*cluster);
    return stopped;
  }
  return cluster;
}

absl::StatusOr<Record> Rds::StartCluster(absl::string_view identifier) {
  absl::StatusOr<Record> cluster = RequiredCluster(identifier);
  if (!cluster.ok()) return cluster;
  if (!cluster->stopped) return WrongState(*cluster, "stopped");
  if (absl::Status started = options_.backend.EnsureRunning(*cluster);
      !started.ok()) {
    return started;
  }
  cluster->stopped = false;
  catalog_.Put(*cluster);
  return cluster;
}

absl::StatusOr<Record> Rds::PutResource(Record record,
                                        const std::string& region) {
  if (const std::optional<Record> before =
          catalog_.Find(record.kind, record.identifier);
      before.has_value()) {
    record.arn = before->arn;
    record.resource_id = before->resource_id;
    record.created = before->created;
  } else {
    record.arn =
        ArnOf(region, options_.account_id, record.kind, record.identifier);
    record.created = clock_.Now();
    if (record.kind == kInstanceKind) record.resource_id = NewResourceId("db");
  }
  catalog_.Put(record);
  return record;
}

absl::StatusOr<Record> Rds::RemoveResource(absl::string_view kind,
                                           absl::string_view identifier) {
  std::optional<Record> record = catalog_.Find(kind, identifier);
  if (!record.has_value()) {
    return absl::NotFoundError(absl::StrCat("there is no ", identifier));
  }
  catalog_.Remove(kind, identifier);
  return *std::move(record);
}

absl::StatusOr<bool> Rds::HasData(const Record& cluster) {
  return options_.backend.Exists(cluster);
}

std::string Rds::DescribeData(const Record& cluster) {
  constexpr char kUnknown[] = "a database that can't be read";
  absl::StatusOr<Keywords> keywords =
      options_.backend.AdministratorKeywords(cluster);
  if (!keywords.ok()) return kUnknown;
  const absl::StatusOr<Keywords> target =
      options_.backend.KeywordsFor(cluster, {});
  if (!target.ok()) return kUnknown;
  (*keywords)["dbname"] = target->at("dbname");
  const absl::StatusOr<std::unique_ptr<postgres_client::Connection>>
      connection =
          postgres_client::Connection::Connect({.keywords = *keywords});
  if (absl::IsNotFound(connection.status())) return "";
  if (!connection.ok()) return kUnknown;
  const absl::StatusOr<postgres_client::Result> result =
      (*connection)
          ->Execute(
              "SELECT count(*) FROM pg_catalog.pg_tables WHERE "
              "schemaname NOT IN ('pg_catalog', 'information_schema')");
  if (!result.ok()) return kUnknown;
  std::int64_t tables = 0;
  if (!absl::SimpleAtoi(result->Text(0, 0), &tables)) return kUnknown;
  if (tables == 0) return "";
  return absl::StrCat(tables, tables == 1 ? " table" : " tables");
}

}  // namespace byoshin::local::rds
