#include "local/rds/given_server.h"

#include <libpq-fe.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/result.h"

namespace byoshin::local::rds {
namespace {

using postgres_client::Connection;
using postgres_client::Result;

// https://www.postgresql.org/docs/17/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
constexpr std::size_t kMaxServerName = 63;
constexpr std::size_t kDigestLength = 8;
constexpr char kNamePrefix[] = "byoshin_";

std::string ServerName(absl::string_view text) {
  if (text.size() <= kMaxServerName) return std::string(text);
  const std::string digest = crypto::HexEncode(crypto::Sha256(text));
  return absl::StrCat(text.substr(0, kMaxServerName - kDigestLength - 1), "_",
                      digest.substr(0, kDigestLength));
}

// Marks a database as the cluster's own.
std::string CommentOf(const Record& cluster) {
  return absl::StrCat("byoshin: ", cluster.arn);
}

absl::StatusOr<std::unique_ptr<Connection>> ConnectAsAdministrator(
    const Keywords& keywords) {
  absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Connect({.keywords = keywords});
  if (connection.ok()) return connection;
  return absl::UnavailableError(
      absl::StrCat("the server of --postgres can't be used: ",
                   connection.status().message()));
}

// Says which of the rights that are needed the user of the URL lacks.
absl::Status CheckRights(Connection& connection) {
  const absl::StatusOr<Result> rights = connection.Execute(
      "SELECT current_user, rolsuper OR rolcreatedb, rolsuper OR rolcreaterole "
      "FROM pg_roles WHERE rolname = current_user");
  if (!rights.ok()) return rights.status();
  if (rights->rows() != 1) {
    return absl::PermissionDeniedError(
        "the server of --postgres does not know its own user");
  }
  const bool databases = rights->Text(0, 1) == "t";
  const bool roles = rights->Text(0, 2) == "t";
  if (databases && roles) return absl::OkStatus();
  const std::string user = connection.QuoteIdentifier(rights->Text(0, 0));
  return absl::PermissionDeniedError(absl::StrCat(
      "the user ", user, " of --postgres may not create ",
      databases ? "roles" : (roles ? "databases" : "databases and roles"),
      "; as a superuser of that server: ALTER ROLE ", user,
      databases ? "" : " CREATEDB", roles ? "" : " CREATEROLE"));
}

absl::StatusOr<bool> HasRole(Connection& connection, const std::string& role) {
  const absl::StatusOr<Result> found = connection.Execute(
      "SELECT 1 FROM pg_roles WHERE rolname = $1", {{.value = role}});
  if (!found.ok()) return found.status();
  return found->rows() > 0;
}

enum class Presence { kMissing, kOurs, kForeign };

absl::StatusOr<Presence> FindDatabase(Connection& connection,
                                      const Record& cluster) {
  const absl::StatusOr<Result> found = connection.Execute(
      "SELECT coalesce(shobj_description(oid, 'pg_database'), '') FROM "
      "pg_database WHERE datname = $1",
      {{.value = DatabaseOnServer(cluster)}});
  if (!found.ok()) return found.status();
  if (found->rows() == 0) return Presence::kMissing;
  return found->Text(0, 0) == CommentOf(cluster) ? Presence::kOurs
                                                 : Presence::kForeign;
}

absl::Status ExecuteAll(Connection& connection,
                        const std::vector<std::string>& statements) {
  for (const std::string& sql : statements) {
    const absl::Status done = connection.Execute(sql).status();
    if (!done.ok()) return done;
  }
  return absl::OkStatus();
}

absl::Status CreateRoleOnServer(Connection& connection, const Record& cluster,
                                absl::string_view password) {
  const std::string name = MasterUserOnServer(cluster);
  const std::string role = connection.QuoteIdentifier(name);
  const absl::StatusOr<bool> exists = HasRole(connection, name);
  if (!exists.ok()) return exists.status();
  if (!*exists) {
    const absl::Status created =
        connection.Execute(absl::StrCat("CREATE ROLE ", role)).status();
    if (!created.ok()) return created;
  }
  return ExecuteAll(connection,
                    {absl::StrCat("ALTER ROLE ", role, " LOGIN PASSWORD ",
                                  connection.QuoteLiteral(password)),
                     // To create a database that belongs to it.
                     absl::StrCat("GRANT ", role, " TO CURRENT_USER")});
}

}  // namespace

std::string DatabaseOnServer(const Record& cluster) {
  return ServerName(absl::StrCat(
      kNamePrefix, absl::StrReplaceAll(cluster.identifier, {{"-", "_"}})));
}

std::string MasterUserOnServer(const Record& cluster) {
  return ServerName(absl::StrCat(
      kNamePrefix, absl::StrReplaceAll(cluster.identifier, {{"-", "_"}}), "_",
      cluster.master_user()));
}

absl::StatusOr<std::unique_ptr<GivenServer>> GivenServer::Open(
    const std::string& url) {
  char* problem = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      PQconninfoParse(url.c_str(), &problem), &PQconninfoFree);
  const std::unique_ptr<char, decltype(&PQfreemem)> owned(problem, &PQfreemem);
  if (options == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--postgres: ",
        problem == nullptr ? "out of memory"
                           : absl::StripAsciiWhitespace(problem),
        "; it has the form postgresql://USER:PASSWORD@HOST:5432/DATABASE"));
  }
  Keywords keywords;
  for (const PQconninfoOption* option = options.get();
       option->keyword != nullptr; ++option) {
    if (option->val != nullptr) keywords[option->keyword] = option->val;
  }
  return std::unique_ptr<GivenServer>(new GivenServer(std::move(keywords)));
}

absl::StatusOr<Keywords> GivenServer::AdministratorKeywords(const Record&) {
  return keywords_;
}

absl::Status GivenServer::EnsureRunning(const Record&) {
  // Not ours to start. Whoever connects is told if it does not run.
  return absl::OkStatus();
}

absl::Status GivenServer::Create(const Record& cluster,
                                 absl::string_view password) {
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      ConnectAsAdministrator(keywords_);
  if (!connection.ok()) return connection.status();
  if (absl::Status allowed = CheckRights(**connection); !allowed.ok()) {
    return allowed;
  }
  const std::string name = DatabaseOnServer(cluster);
  const absl::StatusOr<Presence> presence = FindDatabase(**connection, cluster);
  if (!presence.ok()) return presence.status();
  if (*presence == Presence::kForeign) {
    return absl::AlreadyExistsError(absl::StrCat(
        "the server of --postgres has a database ", name,
        " that does not belong to the cluster ", cluster.arn,
        "; choose another DBClusterIdentifier, or drop that database"));
  }
  if (absl::Status made = CreateRoleOnServer(**connection, cluster, password);
      !made.ok()) {
    return made;
  }
  if (*presence == Presence::kOurs) return absl::OkStatus();
  const std::string database = (*connection)->QuoteIdentifier(name);
  const std::string role =
      (*connection)->QuoteIdentifier(MasterUserOnServer(cluster));
  return ExecuteAll(
      **connection,
      {absl::StrCat("CREATE DATABASE ", database, " OWNER ", role),
       absl::StrCat("COMMENT ON DATABASE ", database, " IS ",
                    (*connection)->QuoteLiteral(CommentOf(cluster))),
       absl::StrCat("REVOKE CONNECT ON DATABASE ", database, " FROM PUBLIC")});
}

absl::Status GivenServer::SetMasterPassword(const Record& cluster,
                                            absl::string_view password) {
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      ConnectAsAdministrator(keywords_);
  if (!connection.ok()) return connection.status();
  return CreateRoleOnServer(**connection, cluster, password);
}

absl::StatusOr<bool> GivenServer::Exists(const Record& cluster) {
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      ConnectAsAdministrator(keywords_);
  if (!connection.ok()) return connection.status();
  const absl::StatusOr<Presence> presence = FindDatabase(**connection, cluster);
  if (!presence.ok()) return presence.status();
  return *presence == Presence::kOurs;
}

absl::Status GivenServer::Stop(const Record& cluster) {
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      ConnectAsAdministrator(keywords_);
  if (!connection.ok()) return connection.status();
  return (*connection)
      ->Execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
          "datname = $1 AND pid <> pg_backend_pid()",
          {{.value = DatabaseOnServer(cluster)}})
      .status();
}

absl::Status GivenServer::Delete(const Record& cluster) {
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      ConnectAsAdministrator(keywords_);
  if (!connection.ok()) return connection.status();
  const absl::StatusOr<Presence> presence = FindDatabase(**connection, cluster);
  if (!presence.ok()) return presence.status();
  if (*presence == Presence::kForeign) return absl::OkStatus();
  if (*presence == Presence::kOurs) {
    const std::string database =
        (*connection)->QuoteIdentifier(DatabaseOnServer(cluster));
    const absl::Status dropped =
        (*connection)
            ->Execute(absl::StrCat("DROP DATABASE ", database, " WITH (FORCE)"))
            .status();
    if (!dropped.ok()) return dropped;
  }
  return (*connection)
      ->Execute(absl::StrCat(
          "DROP ROLE IF EXISTS ",
          (*connection)->QuoteIdentifier(MasterUserOnServer(cluster))))
      .status();
}

absl::StatusOr<Keywords> GivenServer::KeywordsFor(const Record& cluster,
                                                  const Login& login) {
  if (!login.database.empty() && login.database != cluster.database()) {
    return absl::InvalidArgumentError(
        absl::StrCat("database \"", login.database,
                     "\" does not exist: with --postgres, a "
                     "cluster has the database ",
                     cluster.database(), " only"));
  }
  Keywords keywords = keywords_;
  keywords["user"] = login.user == cluster.master_user()
                         ? MasterUserOnServer(cluster)
                         : login.user;
  keywords["password"] = login.password;
  keywords["dbname"] = DatabaseOnServer(cluster);
  return keywords;
}

}  // namespace byoshin::local::rds
