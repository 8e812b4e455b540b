#include "local/postgres/server.h"

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <ios>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"
#include "local/postgres/binaries.h"
#include "local/postgres/prepared.h"
#include "local/postgres_client/connection.h"

namespace byoshin::local::postgres {
namespace {

using postgres_client::Connection;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kPassword[] = "a password";

class ServerTest : public ::testing::Test {
 protected:
  ServerOptions Options(Keep keep = Keep::kData) {
    return {.binaries = *FindBinaries(),
            .folder = absl::StrCat(folder_.path(), "/server"),
            .name = "the test",
            .superuser_password = kPassword,
            .keep = keep,
            .on_note = [this](const std::string& note) {
              const std::lock_guard<std::mutex> lock(mutex_);
              notes_.push_back(note);
            }};
  }
  static absl::StatusOr<std::unique_ptr<Connection>> Connect(
      Server& server, const std::string& password = kPassword) {
    const absl::StatusOr<ServerAddress> address = server.EnsureRunning();
    if (!address.ok()) return address.status();
    return Connection::Connect(
        {.keywords = {{"host", address->socket_folder},
                      {"port", absl::StrCat(address->port)},
                      {"user", kSuperuser},
                      {"password", password},
                      {"dbname", "postgres"}}});
  }
  static std::string Ask(Server& server, const std::string& sql) {
    absl::StatusOr<std::unique_ptr<Connection>> connection = Connect(server);
    if (!connection.ok()) return connection.status().ToString();
    const absl::StatusOr<postgres_client::Result> result =
        (*connection)->Execute(sql);
    if (!result.ok()) return result.status().ToString();
    if (result->rows() == 0) return std::string(result->command());
    return std::string(result->Text(0, 0));
  }
  std::vector<std::string> notes() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return notes_;
  }

  const TestFolder folder_;

 private:
  std::mutex mutex_;
  std::vector<std::string> notes_;
};

// Kills a process and returns when it has ended.
void KillAndAwait(pid_t pid) {
  const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  ASSERT_GE(descriptor, 0);
  ASSERT_EQ(kill(pid, SIGKILL), 0);
  pollfd end = {descriptor, POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, -1), 1);
  close(descriptor);
}

TEST_F(ServerTest, IsPostgreSql17WithUtf8AndLinguisticSorting) {
  Server server(Options(Keep::kNothing));
  EXPECT_THAT(Ask(server, "SHOW server_version"), HasSubstr("17."));
  EXPECT_EQ(Ask(server, "SHOW server_encoding"), "UTF8");
  EXPECT_EQ(Ask(server,
                "SELECT string_agg(x, '' ORDER BY x) FROM "
                "(VALUES ('c'), ('B'), ('a'), ('é'), ('f')) AS t(x)"),
            "aBcéf");
  EXPECT_EQ(Ask(server, "SELECT upper('straße é')"), "STRASSE É");
}

TEST_F(ServerTest, IsTheSameFromAPreparedCopy) {
  ServerOptions options = Options(Keep::kNothing);
  options.prepared = FindPrepared(options.binaries);
  ASSERT_NE(options.prepared, "");
  Server server(options);
  EXPECT_TRUE(absl::IsUnauthenticated(Connect(server).status()));
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connect(server, kPreparedPassword);
  ASSERT_TRUE(connection.ok()) << connection.status();
  const absl::StatusOr<postgres_client::Result> sorting =
      (*connection)
          ->Execute(
              "SELECT datlocprovider, datlocale, pg_encoding_to_char("
              "encoding) FROM pg_database WHERE datname = 'postgres'");
  ASSERT_TRUE(sorting.ok()) << sorting.status();
  EXPECT_EQ(sorting->Text(0, 0), "i");
  EXPECT_EQ(sorting->Text(0, 1), "en-US");
  EXPECT_EQ(sorting->Text(0, 2), "UTF8");
}

TEST_F(ServerTest, IsReachedByItsSocketOnly) {
  Server server(Options(Keep::kNothing));
  EXPECT_EQ(Ask(server, "SHOW listen_addresses"), "");
  const absl::StatusOr<ServerAddress> address = server.EnsureRunning();
  ASSERT_TRUE(address.ok()) << address.status();
  struct stat folder = {};
  ASSERT_EQ(stat(address->socket_folder.c_str(), &folder), 0);
  EXPECT_EQ(folder.st_mode & 0777, 0700);
}

TEST_F(ServerTest, WantsThePasswordOfTheSuperuser) {
  Server server(Options(Keep::kNothing));
  EXPECT_TRUE(Connect(server).ok());
  EXPECT_TRUE(absl::IsUnauthenticated(Connect(server, "wrong").status()));
  EXPECT_TRUE(absl::IsUnauthenticated(Connect(server, "").status()));
  std::error_code error;
  EXPECT_FALSE(std::filesystem::exists(
      absl::StrCat(folder_.path(), "/server/initial-password"), error));
}

TEST_F(ServerTest, NeverRunsAsRootAndSaysSoOnce) {
  Server server(Options(Keep::kNothing));
  const std::string user =
      Ask(server,
          "SELECT substring(pg_read_file('/proc/self/status') "
          "FROM 'Uid:\\s+(\\d+)')");
  const std::string capabilities =
      Ask(server,
          "SELECT substring(pg_read_file('/proc/self/status') "
          "FROM 'CapEff:\\s+(\\w+)')");
  EXPECT_NE(user, "0");
  EXPECT_EQ(capabilities, "0000000000000000");
  server.Stop();
  EXPECT_TRUE(server.EnsureRunning().ok());
  if (geteuid() == 0) {
    EXPECT_THAT(notes(),
                ElementsAre(HasSubstr("PostgreSQL does not run as root")));
  } else {
    EXPECT_THAT(notes(), ElementsAre());
  }
}

// The state in pg_control: how the server has ended.
int StateInControlFile(const std::string& folder) {
  // After the identifier of the system and two versions.
  constexpr std::streamoff kOffset = 16;
  std::ifstream file(absl::StrCat(folder, "/data/global/pg_control"),
                     std::ios::binary);
  std::int32_t state = -1;
  file.seekg(kOffset).read(reinterpret_cast<char*>(&state), sizeof(state));
  return state;
}

TEST_F(ServerTest, EndsWithoutWritingEverythingIfThatTakesTooLong) {
  // Values of PostgreSQL's DBState.
  constexpr int kShutDown = 1;
  constexpr int kInProduction = 6;
  ServerOptions options = Options(Keep::kData);
  {
    Server server(options);
    EXPECT_EQ(Ask(server, "CREATE TABLE t AS SELECT 1 AS x"), "SELECT 1");
  }
  EXPECT_EQ(StateInControlFile(options.folder), kShutDown);
  options.shutdown_limit = absl::ZeroDuration();
  {
    Server server(options);
    EXPECT_EQ(Ask(server, "INSERT INTO t VALUES (2)"), "INSERT 0 1");
  }
  EXPECT_EQ(StateInControlFile(options.folder), kInProduction);
  Server server(options);
  EXPECT_EQ(Ask(server, "SELECT sum(x) FROM t"), "3");
}

TEST_F(ServerTest, DoesNotWaitForTheStartWhenItIsStopped) {
  // A server that is never ready.
  ServerOptions options = Options(Keep::kData);
  options.binaries = absl::StrCat(folder_.path(), "/binaries");
  std::filesystem::create_directories(options.binaries + "/bin");
  const std::string program = options.binaries + "/bin/postgres";
  std::ofstream(program) << "#!/bin/bash\n[[ $1 == --version ]] && exit\n"
                            "exec sleep infinity\n";
  std::filesystem::permissions(program, std::filesystem::perms::all);
  std::filesystem::create_directories(options.folder + "/data");
  std::ofstream(options.folder + "/data/PG_VERSION") << "17\n";

  Server server(options);
  std::future<absl::Status> started = std::async(
      std::launch::async, [&] { return server.EnsureRunning().status(); });
  // It may not have begun when it is stopped first.
  while (started.wait_for(std::chrono::seconds(0)) !=
         std::future_status::ready) {
    server.Stop();
    std::this_thread::yield();
  }
  EXPECT_THAT(std::string(started.get().message()),
              HasSubstr("it is being stopped"));
}

TEST_F(ServerTest, KeepsItsDataAcrossAStop) {
  {
    Server server(Options());
    EXPECT_EQ(Ask(server, "CREATE TABLE kept AS SELECT 7 AS x"), "SELECT 1");
    server.Stop();
    EXPECT_EQ(server.pid(), std::nullopt);
    EXPECT_EQ(Ask(server, "SELECT x FROM kept"), "7");
  }
  Server server(Options());
  EXPECT_EQ(Ask(server, "SELECT x FROM kept"), "7");
}

class KilledServerTest : public ServerTest,
                         public ::testing::WithParamInterface<Keep> {};

TEST_P(KilledServerTest, LosesNothingCommittedAndIsStartedAgain) {
  Server server(Options(GetParam()));
  EXPECT_EQ(Ask(server, "CREATE TABLE kept AS SELECT 7 AS x"), "SELECT 1");
  const std::optional<pid_t> pid = server.pid();
  ASSERT_TRUE(pid.has_value());
  KillAndAwait(*pid);
  // The end is noticed by another thread; a call before that is told that the
  // connection failed, and never that the data is gone.
  std::string answer;
  do {
    answer = Ask(server, "SELECT x FROM kept");
  } while (absl::StrContains(answer, "UNAVAILABLE"));
  EXPECT_EQ(answer, "7");
  EXPECT_NE(server.pid(), pid);
  EXPECT_THAT(notes(), Contains(HasSubstr("PostgreSQL of the test has ended "
                                          "(signal 9)")));
}

INSTANTIATE_TEST_SUITE_P(Kept, KilledServerTest,
                         ::testing::Values(Keep::kData));
INSTANTIATE_TEST_SUITE_P(InMemory, KilledServerTest,
                         ::testing::Values(Keep::kNothing));

TEST_F(ServerTest, RecoversByItselfAfterOneOfItsProcessesWasKilled) {
  Server server(Options(Keep::kNothing));
  absl::StatusOr<std::unique_ptr<Connection>> connection = Connect(server);
  ASSERT_TRUE(connection.ok()) << connection.status();
  ASSERT_TRUE(
      (*connection)->Execute("CREATE TABLE kept AS SELECT 7 AS x").ok());
  const std::optional<pid_t> pid = server.pid();
  KillAndAwait((*connection)->backend_pid());
  std::string answer;
  do {
    answer = Ask(server, "SELECT x FROM kept");
  } while (absl::StrContains(answer, "UNAVAILABLE"));
  EXPECT_EQ(answer, "7");
  EXPECT_EQ(server.pid(), pid);
}

TEST_F(ServerTest, EndsProcessesThatAKilledServerHasLeft) {
  Server server(Options());
  absl::StatusOr<std::unique_ptr<Connection>> connection = Connect(server);
  ASSERT_TRUE(connection.ok()) << connection.status();
  ASSERT_TRUE(
      (*connection)->Execute("CREATE TABLE kept AS SELECT 7 AS x").ok());
  // A process that is stopped does not notice that the server is gone, and
  // keeps its memory in use, which another server refuses.
  const pid_t backend = (*connection)->backend_pid();
  ASSERT_EQ(kill(backend, SIGSTOP), 0);
  KillAndAwait(*server.pid());
  std::string answer;
  do {
    answer = Ask(server, "SELECT x FROM kept");
  } while (absl::StrContains(answer, "UNAVAILABLE: connection"));
  EXPECT_EQ(answer, "7");
}

// Inserts rows until it is killed, and writes a byte for each that is
// committed.
[[noreturn]] void InsertUntilKilled(const ServerOptions& options, int report) {
  Server server(options);
  const absl::StatusOr<ServerAddress> address = server.EnsureRunning();
  if (!address.ok()) _exit(1);
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Connect({.keywords = {{"host", address->socket_folder},
                                        {"user", kSuperuser},
                                        {"password", kPassword},
                                        {"dbname", "postgres"}}});
  if (!connection.ok()) _exit(2);
  while (true) {
    if (!(*connection)->Execute("INSERT INTO kept DEFAULT VALUES").ok() ||
        write(report, "x", 1) != 1) {
      _exit(3);
    }
  }
}

TEST_F(ServerTest, LosesNothingCommittedWhenItsParentIsKilled) {
  ServerOptions options = Options();
  options.on_note = nullptr;
  {
    Server server(options);
    ASSERT_EQ(Ask(server, "CREATE TABLE kept (id serial)"), "CREATE TABLE");
  }
  int committed = 0;
  for (const int rows : {1, 100, 17, 300}) {
    int report[2];
    ASSERT_EQ(pipe(report), 0);
    const pid_t parent = fork();
    if (parent == 0) InsertUntilKilled(options, report[1]);
    close(report[1]);
    char byte;
    for (int i = 0; i < rows; ++i) ASSERT_EQ(read(report[0], &byte, 1), 1);
    ASSERT_EQ(kill(parent, SIGKILL), 0);
    // Those that were written before the kill count, too.
    committed += rows;
    while (read(report[0], &byte, 1) == 1) ++committed;
    close(report[0]);
    ASSERT_EQ(waitpid(parent, nullptr, 0), parent);
    Server server(options);
    EXPECT_GE(std::stoi(Ask(server, "SELECT count(*) FROM kept")), committed);
  }
}

// PostgreSQL takes a limit of the size of files for a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    EXPECT_EQ(getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit limit = {bytes, before_.rlim_max};
    EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FullDisk() { EXPECT_EQ(setrlimit(RLIMIT_FSIZE, &before_), 0); }

 private:
  rlimit before_ = {};
};

TEST_F(ServerTest, RefusesWhatDoesNotFitOnTheDiskAndKeepsTheRest) {
  {
    Server server(Options());
    ASSERT_EQ(Ask(server, "CREATE TABLE kept AS SELECT 7 AS x"), "SELECT 1");
  }
  // A segment of the log still fits.
  const FullDisk full(rlim_t{20} << 20);
  Server server(Options());
  EXPECT_THAT(Ask(server,
                  "CREATE TABLE large AS SELECT repeat(md5(i::text), 32) AS x "
                  "FROM generate_series(1, 60000) AS i"),
              HasSubstr("could not extend file"));
  EXPECT_EQ(Ask(server, "SELECT x FROM kept"), "7");
  EXPECT_EQ(Ask(server, "INSERT INTO kept VALUES (8)"), "INSERT 0 1");
}

TEST_F(ServerTest, SaysThatTheDiskIsFullAndGoesOnOnceThereIsRoom) {
  {
    Server server(Options());
    ASSERT_EQ(Ask(server, "CREATE TABLE kept AS SELECT 7 AS x"), "SELECT 1");
    // Killed, so that the next start has something to write.
    KillAndAwait(*server.pid());
  }
  Server server(Options());
  {
    const FullDisk full(rlim_t{8} << 10);
    const absl::Status status = server.EnsureRunning().status();
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("File too large"));
  }
  EXPECT_EQ(Ask(server, "SELECT x FROM kept"), "7");
}

TEST_F(ServerTest, StartsDespiteThePidFileOfAnotherProcess) {
  {
    Server server(Options());
    ASSERT_TRUE(server.EnsureRunning().ok());
  }
  // As after a kill, when the number belongs to a process that is running.
  std::ofstream(absl::StrCat(folder_.path(), "/server/data/postmaster.pid"))
      << getppid() << "\n";
  Server server(Options());
  EXPECT_EQ(Ask(server, "SELECT 1"), "1");
}

TEST_F(ServerTest, BeginsAnewAfterAnInterruptedInitialization) {
  std::filesystem::create_directories(
      absl::StrCat(folder_.path(), "/server/unfinished/base"));
  Server server(Options(Keep::kNothing));
  EXPECT_EQ(Ask(server, "SELECT 1"), "1");
}

TEST_F(ServerTest, WorksInAFolderThatIsTooDeepForASocket) {
  ServerOptions options = Options(Keep::kNothing);
  options.folder = absl::StrCat(folder_.path(), "/", std::string(90, 'a'), "/",
                                std::string(90, 'b'));
  Server server(options);
  EXPECT_EQ(Ask(server, "SELECT 1"), "1");
}

TEST_F(ServerTest, SaysWhyItCannotBeStartedAndTriesAgain) {
  {
    Server server(Options());
    EXPECT_EQ(Ask(server, "CREATE TABLE kept AS SELECT 7 AS x"), "SELECT 1");
  }
  const std::string hba =
      absl::StrCat(folder_.path(), "/server/data/pg_hba.conf");
  std::filesystem::rename(hba, hba + ".moved");
  Server server(Options());
  const absl::Status status = server.EnsureRunning().status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()),
              ::testing::AllOf(HasSubstr("PostgreSQL of the test can't be "
                                         "started"),
                               HasSubstr("could not load")));
  std::filesystem::rename(hba + ".moved", hba);
  EXPECT_EQ(Ask(server, "SELECT x FROM kept"), "7");
}

TEST_F(ServerTest, SaysWhyItCannotBeInitialized) {
  ServerOptions options = Options();
  options.binaries = folder_.path();
  Server server(options);
  const absl::Status status = server.EnsureRunning().status();
  EXPECT_TRUE(absl::IsUnavailable(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr(folder_.path()));
}

TEST(FindBinaries, SaysThatANamedFolderHasNone) {
  const absl::Status status = FindBinaries("/usr").status();
  EXPECT_TRUE(absl::IsNotFound(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("/usr"));
}

}  // namespace
}  // namespace byoshin::local::postgres
