#include "core/generation/migrator.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/generation/sql.h"
#include "core/generation/testing/fake_database.h"
#include "core/generation/testing/fixture.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kNever;
using ::testing::StartsWith;

class MigratorTest : public ::testing::Test {
 protected:
  const std::vector<MigrationFile> files_ = {
      {.name = "0002_second.sql", .sql = "CREATE TABLE b (n int);"},
      {.name = "0001_first.sql",
       .sql = "CREATE TABLE a (n int);\nINSERT INTO a VALUES (1);"}};
  testing::FakeDatabase client_;
  SqlDatabase database_{client_, {}};
  time::testing::InstantClock clock_{testing::StartOfTests()};
  Migrator migrator_{database_, clock_};
};

TEST_F(MigratorTest, AppliesEachFileInATransaction) {
  const absl::StatusOr<Migrator::Report> report = migrator_.Run(files_, kNever);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->version, 2);
  EXPECT_EQ(report->applied, 2);
  EXPECT_THAT(
      client_.statements(),
      ElementsAre(StartsWith("CREATE TABLE IF NOT EXISTS schema_migrations"),
                  StartsWith("SELECT name"), "BEGIN", StartsWith("LOCK"),
                  StartsWith("SELECT checksum"), "CREATE TABLE a (n int)",
                  "INSERT INTO a VALUES (1)",
                  StartsWith("INSERT INTO schema_migrations"), "COMMIT",
                  "BEGIN", StartsWith("LOCK"), StartsWith("SELECT checksum"),
                  "CREATE TABLE b (n int)",
                  StartsWith("INSERT INTO schema_migrations"), "COMMIT"));
}

TEST_F(MigratorTest, RollsBackAFileThatFailsAndStops) {
  client_.FailWhen("INSERT INTO a", absl::InvalidArgumentError("42601"));
  const absl::Status status = migrator_.Run(files_, kNever).status();
  EXPECT_EQ(status, absl::InvalidArgumentError("0001_first.sql: 42601"));
  EXPECT_EQ(client_.statements().back(), "ROLLBACK");
}

TEST_F(MigratorTest, RefusesAFileThatWasChanged) {
  client_.AnswerWhen("SELECT checksum", {{"another"}});
  const absl::Status status = migrator_.Run(files_, kNever).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), StartsWith("0001_first.sql: "));
}

TEST_F(MigratorTest, RefusesADatabaseThatIsNewer) {
  client_.AnswerWhen("SELECT name", {{"0003_third.sql"}});
  const absl::Status status = migrator_.Run(files_, kNever).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("0003_third.sql"));
}

TEST_F(MigratorTest, LetsAnotherRunCreateTheTable) {
  client_.FailWhen("CREATE TABLE IF NOT EXISTS",
                   absl::AlreadyExistsError("23505"));
  EXPECT_TRUE(migrator_.Run(files_, kNever).ok());
}

TEST(ReadMigrations, WantsConsecutiveNumbers) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      ReadMigrations({{.name = "0002_a.sql", .sql = ""}}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      ReadMigrations({{.name = "first.sql", .sql = ""}}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      ReadMigrations({{.name = "0001_a.sql", .sql = "SELECT '"}}).status()));
}

TEST(MigrationFiles, CanBeRead) {
  const auto migrations = ReadMigrations(MigrationFiles());
  ASSERT_TRUE(migrations.ok()) << migrations.status();
  ASSERT_EQ(migrations->size(), 3u);
  EXPECT_EQ((*migrations)[0].name, "0001_create_goals.sql");
  EXPECT_EQ((*migrations)[0].statements.size(), 6u);
  EXPECT_EQ((*migrations)[1].statements.size(), 4u);
  EXPECT_EQ((*migrations)[2].statements.size(), 7u);
}

}  // namespace
}  // namespace byoshin::generation
