// Brings the database's schema up to date with numbered SQL files.
//
//   Migrator migrator(database, clock);
//   absl::StatusOr<Migrator::Report> report =
//       migrator.Run(MigrationFiles(), deadline);
//
// Each file is applied once, in one transaction, and recorded with its
// checksum. Several runs at the same time wait for each other.
#ifndef BYOSHIN_CORE_GENERATION_MIGRATOR_H_
#define BYOSHIN_CORE_GENERATION_MIGRATOR_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/sql.h"
#include "core/time/clock.h"

namespace byoshin::generation {

struct MigrationFile {
  // A number, an underscore and a description: "0001_create_goals.sql".
  std::string name{};
  std::string sql{};
};

// The files in migrations/, which are part of the program.
const std::vector<MigrationFile>& MigrationFiles();

struct Migration {
  int version = 0;
  std::string name{};
  // SHA-256 of the file.
  std::string checksum{};
  std::vector<std::string> statements{};
};

// Sorted by version. InvalidArgument if a name has no number, the numbers are
// not 1, 2, 3 …, or a file can't be split into statements.
absl::StatusOr<std::vector<Migration>> ReadMigrations(
    const std::vector<MigrationFile>& files);

// Not thread-safe. The database and the clock must outlive it.
class Migrator {
 public:
  Migrator(SqlDatabase& database, const time::Clock& clock)
      : database_(database), clock_(clock) {}

  struct Report {
    int version = 0;
    int applied = 0;
  };

  // FailedPrecondition if a file was changed after it was applied, or the
  // database has migrations that are not among the files. Other errors are
  // those of the database; what was applied before stays applied.
  absl::StatusOr<Report> Run(const std::vector<MigrationFile>& files,
                             absl::Time deadline);

 private:
  absl::Status CreateTable(absl::Time deadline);
  absl::Status CheckNoneIsNewer(int version, absl::Time deadline);
  // Whether it was applied now.
  absl::StatusOr<bool> Apply(const Migration& migration, absl::Time deadline);
  absl::StatusOr<bool> ApplyIn(const std::string& transaction_id,
                               const Migration& migration, absl::Time deadline);

  SqlDatabase& database_;
  const time::Clock& clock_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_MIGRATOR_H_
