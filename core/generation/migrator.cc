#include "core/generation/migrator.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "core/generation/sql.h"
#include "core/generation/sql_split.h"

namespace byoshin::generation {
namespace {

absl::Status WithFile(const absl::Status& status, absl::string_view name) {
  return absl::Status(status.code(),
                      absl::StrCat(name, ": ", status.message()));
}

}  // namespace

absl::StatusOr<std::vector<Migration>> ReadMigrations(
    const std::vector<MigrationFile>& files) {
  std::vector<Migration> migrations;
  for (const MigrationFile& file : files) {
    Migration migration{
        .name = file.name,
        .checksum = crypto::HexEncode(crypto::Sha256(file.sql))};
    const std::size_t underscore = file.name.find('_');
    if (underscore == std::string::npos ||
        !absl::SimpleAtoi(file.name.substr(0, underscore),
                          &migration.version)) {
      return absl::InvalidArgumentError(
          absl::StrCat(file.name,
                       ": expected a name such as "
                       "\"0001_create_goals.sql\""));
    }
    absl::StatusOr<std::vector<std::string>> statements =
        SplitStatements(file.sql);
    if (!statements.ok()) return WithFile(statements.status(), file.name);
    migration.statements = *std::move(statements);
    migrations.push_back(std::move(migration));
  }
  std::sort(migrations.begin(), migrations.end(),
            [](const Migration& a, const Migration& b) {
              return a.version < b.version;
            });
  for (int i = 0; i < static_cast<int>(migrations.size()); ++i) {
    if (migrations[i].version != i + 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(migrations[i].name, ": expected number ", i + 1));
    }
  }
  return migrations;
}

absl::Status Migrator::CreateTable(absl::Time deadline) {
  const absl::Status status =
      database_
          .Run({.sql = "CREATE TABLE IF NOT EXISTS schema_migrations ("
                       "version integer PRIMARY KEY, name text NOT NULL, "
                       "checksum text NOT NULL, "
                       "applied_at timestamp(3) NOT NULL)",
                .repetition = aws::Repetition::kHarmless},
               deadline)
          .status();
  // Two runs at the same time may both try to create it.
  return absl::IsAlreadyExists(status) ? absl::OkStatus() : status;
}

absl::Status Migrator::CheckNoneIsNewer(int version, absl::Time deadline) {
  const absl::StatusOr<SqlRows> rows = database_.Run(
      {.sql = "SELECT name FROM schema_migrations WHERE version > :version "
              "ORDER BY version LIMIT 1",
       .parameters = {IntParameter("version", version)},
       .repetition = aws::Repetition::kHarmless},
      deadline);
  if (!rows.ok()) return rows.status();
  if (rows->records.empty()) return absl::OkStatus();
  SqlRow row(rows->records[0]);
  return absl::FailedPreconditionError(absl::StrCat(
      "the database has migration ", row.Text(),
      ", which this version of the function does not know; deploy a newer "
      "version"));
}

absl::StatusOr<bool> Migrator::ApplyIn(const std::string& transaction_id,
                                       const Migration& migration,
                                       absl::Time deadline) {
  const auto run = [&](std::string sql, SqlParameters parameters) {
    return database_.Run({.sql = std::move(sql),
                          .parameters = std::move(parameters),
                          .transaction_id = transaction_id},
                         deadline);
  };
  const absl::StatusOr<SqlRows> locked =
      run("LOCK TABLE schema_migrations IN EXCLUSIVE MODE", {});
  if (!locked.ok()) return locked.status();
  const absl::StatusOr<SqlRows> known =
      run("SELECT checksum FROM schema_migrations WHERE version = :version",
          {IntParameter("version", migration.version)});
  if (!known.ok()) return known.status();
  if (!known->records.empty()) {
    SqlRow row(known->records[0]);
    if (row.Text() == migration.checksum) return false;
    return absl::FailedPreconditionError(
        "the file was changed after it was applied; add a new migration "
        "instead");
  }
  for (const std::string& statement : migration.statements) {
    const absl::StatusOr<SqlRows> done = run(statement, {});
    if (!done.ok()) return done.status();
  }
  const absl::StatusOr<SqlRows> recorded =
      run("INSERT INTO schema_migrations (version, name, checksum, applied_at) "
          "VALUES (:version, :name, :checksum, :now)",
          {IntParameter("version", migration.version),
           TextParameter("name", migration.name),
           TextParameter("checksum", migration.checksum),
           TimeParameter("now", clock_.Now())});
  if (!recorded.ok()) return recorded.status();
  return true;
}

absl::StatusOr<bool> Migrator::Apply(const Migration& migration,
                                     absl::Time deadline) {
  absl::StatusOr<bool> applied = database_.InTransaction(
      [&](const std::string& id) { return ApplyIn(id, migration, deadline); },
      deadline);
  if (!applied.ok()) return WithFile(applied.status(), migration.name);
  return applied;
}

absl::StatusOr<Migrator::Report> Migrator::Run(
    const std::vector<MigrationFile>& files, absl::Time deadline) {
  const absl::StatusOr<std::vector<Migration>> migrations =
      ReadMigrations(files);
  if (!migrations.ok()) return migrations.status();
  Report report{.version = static_cast<int>(migrations->size())};
  if (absl::Status status = CreateTable(deadline); !status.ok()) return status;
  if (absl::Status status = CheckNoneIsNewer(report.version, deadline);
      !status.ok()) {
    return status;
  }
  for (const Migration& migration : *migrations) {
    const absl::StatusOr<bool> applied = Apply(migration, deadline);
    if (!applied.ok()) return applied.status();
    if (*applied) ++report.applied;
  }
  return report;
}

}  // namespace byoshin::generation
