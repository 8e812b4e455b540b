#include "local/rds/own_servers.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/sync/mutex.h"
#include "local/files/folders.h"
#include "local/files/private_file.h"
#include "local/postgres/binaries.h"
#include "local/postgres/prepared.h"
#include "local/postgres/server.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/result.h"
#include "local/rds/password.h"

namespace byoshin::local::rds {
namespace {

using postgres_client::Connection;
using postgres_client::Result;

// The cloud stops within a second, even if the disk is slow.
constexpr absl::Duration kShutdownLimit = absl::Milliseconds(400);
// In the cluster's folder.
constexpr char kSuperuserFile[] = "superuser-password";
// The database that every server has.
constexpr char kFirstDatabase[] = "postgres";
// Roles that RDS has on every cluster.
// https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Appendix.PostgreSQL.CommonDBATasks.Roles.html
constexpr char kMasterRole[] = "rds_superuser";
constexpr char kIamRole[] = "rds_iam";

// The password of the superuser, which is chosen at the first use.
absl::StatusOr<std::string> SuperuserPassword(const std::string& folder) {
  const std::string path = absl::StrCat(folder, "/", kSuperuserFile);
  absl::StatusOr<std::string> kept = files::ReadFile(path);
  if (!absl::IsNotFound(kept.status())) return kept;
  absl::StatusOr<std::string> password = NewPassword();
  if (!password.ok()) return password;
  if (absl::Status written = ReplacePrivateFile(path, *password);
      !written.ok()) {
    return written;
  }
  return password;
}

absl::StatusOr<bool> HasRow(Connection& connection, const std::string& sql,
                            absl::string_view name) {
  const absl::StatusOr<Result> result =
      connection.Execute(sql, {{.value = std::string(name)}});
  if (!result.ok()) return result.status();
  return result->rows() > 0;
}

absl::Status EnsureRole(Connection& connection, absl::string_view name) {
  const absl::StatusOr<bool> exists =
      HasRow(connection, "SELECT 1 FROM pg_roles WHERE rolname = $1", name);
  if (!exists.ok()) return exists.status();
  if (*exists) return absl::OkStatus();
  return connection
      .Execute(absl::StrCat("CREATE ROLE ", connection.QuoteIdentifier(name)))
      .status();
}

absl::Status SetPassword(Connection& connection, absl::string_view user,
                         absl::string_view password) {
  return connection
      .Execute(absl::StrCat("ALTER ROLE ", connection.QuoteIdentifier(user),
                            " PASSWORD ", connection.QuoteLiteral(password)))
      .status();
}

// As the superuser, who has another password on a server from a prepared copy
// until now.
absl::StatusOr<std::unique_ptr<Connection>> ConnectAtFirst(Keywords keywords) {
  absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Connect({.keywords = keywords});
  if (!absl::IsUnauthenticated(connection.status())) return connection;
  const std::string password =
      std::exchange(keywords["password"], postgres::kPreparedPassword);
  connection = Connection::Connect({.keywords = keywords});
  if (!connection.ok()) return connection;
  if (absl::Status set =
          SetPassword(**connection, postgres::kSuperuser, password);
      !set.ok()) {
    return set;
  }
  return connection;
}

// The roles of a cluster, with the rights that the master user has on RDS.
absl::Status CreateRoles(Connection& connection, const Record& cluster,
                         absl::string_view password) {
  for (const std::string& role :
       {std::string(kMasterRole), std::string(kIamRole),
        cluster.master_user()}) {
    if (absl::Status made = EnsureRole(connection, role); !made.ok()) {
      return made;
    }
  }
  const std::string master = connection.QuoteIdentifier(cluster.master_user());
  for (const std::string& sql :
       {absl::StrCat("GRANT pg_monitor, pg_signal_backend, pg_checkpoint, ",
                     "pg_read_all_stats TO ", kMasterRole,
                     " WITH ADMIN OPTION"),
        absl::StrCat("ALTER ROLE ", master, " LOGIN CREATEDB CREATEROLE"),
        absl::StrCat("GRANT ", kMasterRole, " TO ", master,
                     " WITH ADMIN OPTION"),
        absl::StrCat("GRANT ", kIamRole, " TO ", master,
                     " WITH ADMIN OPTION, INHERIT FALSE")}) {
    const absl::Status done = connection.Execute(sql).status();
    if (!done.ok()) return done;
  }
  return SetPassword(connection, cluster.master_user(), password);
}

absl::Status CreateDatabase(Connection& connection, const Record& cluster) {
  const std::string master = connection.QuoteIdentifier(cluster.master_user());
  const std::string database = connection.QuoteIdentifier(cluster.database());
  const absl::StatusOr<bool> exists =
      HasRow(connection, "SELECT 1 FROM pg_database WHERE datname = $1",
             cluster.database());
  if (!exists.ok()) return exists.status();
  if (!*exists) {
    const absl::Status created =
        connection
            .Execute(
                absl::StrCat("CREATE DATABASE ", database, " OWNER ", master))
            .status();
    if (!created.ok()) return created;
  }
  // Also the one that every cluster has.
  for (const std::string& owned :
       {database, connection.QuoteIdentifier(kFirstDatabase)}) {
    const absl::Status given =
        connection
            .Execute(
                absl::StrCat("ALTER DATABASE ", owned, " OWNER TO ", master))
            .status();
    if (!given.ok()) return given;
  }
  return absl::OkStatus();
}

}  // namespace

std::string OwnServers::FolderOf(const Record& cluster) const {
  return absl::StrCat(options_.folder, "/", cluster.identifier);
}

absl::StatusOr<OwnServers::Running> OwnServers::Find(const Record& cluster) {
  const sync::MutexLock lock(mutex_);
  if (const auto found = servers_.find(cluster.identifier);
      found != servers_.end()) {
    return found->second;
  }
  if (deleted_.contains(cluster.resource_id)) {
    return absl::UnavailableError(
        absl::StrCat("the cluster ", cluster.identifier, " is deleted"));
  }
  absl::StatusOr<std::string> binaries = postgres::FindBinaries();
  if (!binaries.ok())
    return absl::UnavailableError(binaries.status().message());
  const std::string folder = FolderOf(cluster);
  if (absl::Status made = MakePrivateFolder(folder); !made.ok()) return made;
  absl::StatusOr<std::string> password = SuperuserPassword(folder);
  if (!password.ok()) return password.status();
  const bool keeps = options_.keep == postgres::Keep::kData;
  Running running{
      .server = std::make_shared<postgres::Server>(postgres::ServerOptions{
          .binaries = *binaries,
          .folder = folder,
          .name = absl::StrCat("the cluster ", cluster.identifier),
          .superuser_password = *password,
          .prepared = keeps ? "" : postgres::FindPrepared(*binaries),
          .keep = options_.keep,
          .shutdown_limit = kShutdownLimit,
          .on_note = options_.on_note}),
      .superuser_password = *password};
  servers_.emplace(cluster.identifier, running);
  return running;
}

absl::Status OwnServers::EnsureRunning(const Record& cluster) {
  const absl::StatusOr<Running> running = Find(cluster);
  if (!running.ok()) return running.status();
  return running->server->EnsureRunning().status();
}

absl::StatusOr<Keywords> OwnServers::KeywordsFor(const Record& cluster,
                                                 const Login& login) {
  const absl::StatusOr<Running> running = Find(cluster);
  if (!running.ok()) return running.status();
  const absl::StatusOr<postgres::ServerAddress> address =
      running->server->EnsureRunning();
  if (!address.ok()) return address.status();
  return Keywords{
      {"host", address->socket_folder},
      {"port", absl::StrCat(address->port)},
      {"user", login.user},
      {"password", login.password},
      {"dbname", login.database.empty() ? cluster.database() : login.database}};
}

absl::StatusOr<Keywords> OwnServers::AdministratorKeywords(
    const Record& cluster) {
  const absl::StatusOr<Running> running = Find(cluster);
  if (!running.ok()) return running.status();
  return KeywordsFor(cluster, {.user = postgres::kSuperuser,
                               .password = running->superuser_password,
                               .database = kFirstDatabase});
}

absl::Status OwnServers::Create(const Record& cluster,
                                absl::string_view password) {
  const absl::StatusOr<Keywords> keywords = AdministratorKeywords(cluster);
  if (!keywords.ok()) return keywords.status();
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      ConnectAtFirst(*keywords);
  if (!connection.ok()) return connection.status();
  if (absl::Status made = CreateRoles(**connection, cluster, password);
      !made.ok()) {
    return made;
  }
  return CreateDatabase(**connection, cluster);
}

absl::Status OwnServers::SetMasterPassword(const Record& cluster,
                                           absl::string_view password) {
  const absl::StatusOr<Keywords> keywords = AdministratorKeywords(cluster);
  if (!keywords.ok()) return keywords.status();
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Connect({.keywords = *keywords});
  if (!connection.ok()) return connection.status();
  return SetPassword(**connection, cluster.master_user(), password);
}

absl::StatusOr<bool> OwnServers::Exists(const Record& cluster) {
  std::error_code error;
  return std::filesystem::exists(absl::StrCat(FolderOf(cluster), "/data"),
                                 error);
}

absl::Status OwnServers::Stop(const Record& cluster) {
  std::shared_ptr<postgres::Server> server;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = servers_.find(cluster.identifier);
    if (found == servers_.end()) return absl::OkStatus();
    server = found->second.server;
  }
  server->Stop();
  return absl::OkStatus();
}

absl::Status OwnServers::Delete(const Record& cluster) {
  std::shared_ptr<postgres::Server> server;
  {
    const sync::MutexLock lock(mutex_);
    deleted_.insert(cluster.resource_id);
    if (const auto found = servers_.find(cluster.identifier);
        found != servers_.end()) {
      server = found->second.server;
      servers_.erase(found);
    }
  }
  if (server != nullptr) server->Retire();
  return RemoveTree(FolderOf(cluster));
}

}  // namespace byoshin::local::rds
