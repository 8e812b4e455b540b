// Kills the local cloud with SIGKILL in the middle of its work, again and
// again: every acknowledged write is there afterwards, nothing half-written.
//
//   ./bazelw test //tests/crash:crash_test
//   ./bazelw run //tests/crash:crash_test -- --kills=1000 --seed=7

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"
#include "tests/crash/local_cloud.h"
#include "tests/crash/writers.h"

ABSL_FLAG(int, kills, 12, "How often each test kills the server.");
ABSL_FLAG(int, seed, 1, "Decides when.");

namespace byoshin::crash {
namespace {

// Of each kind. They share commits, so that a kill meets many at once.
constexpr int kWriters = 2;
// A round ends after so many acknowledged writes at most, and some microseconds
// more, so that the kill falls into any part of a commit.
constexpr int kMaxWrites = 300;
constexpr int kMaxMicroseconds = 2000;

// Counts acknowledged writes, so that rounds are as long on a slow machine.
class Progress {
 public:
  void Add() {
    std::lock_guard<std::mutex> lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  void Stop() {
    std::lock_guard<std::mutex> lock(mutex_);
    --running_;
    changed_.notify_all();
  }
  // Until there are `count`, or all `running` writers have stopped.
  void Await(int count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= count || running_ == 0; });
  }
  explicit Progress(int running) : running_(running) {}

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
  int running_;
};

std::vector<std::unique_ptr<Writer>> MakeWriters() {
  std::vector<std::unique_ptr<Writer>> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.push_back(MakePutter(i));
    writers.push_back(MakeCounter(i));
    writers.push_back(MakeTransactor(i));
  }
  writers.push_back(MakeMessenger());
  writers.push_back(MakeOrderedMessenger());
  return writers;
}

// Writes until the server is gone. Any other end is an error.
absl::Status WriteUntilDeath(int port, Writer& writer, Progress& progress) {
  absl::StatusOr<std::unique_ptr<Client>> client = Client::Connect(port);
  absl::Status status = client.status();
  while (status.ok()) {
    status = writer.Write(**client);
    if (status.ok()) progress.Add();
  }
  progress.Stop();
  return absl::IsUnavailable(status) ? absl::OkStatus() : status;
}

void BusyWait(absl::Duration duration) {
  const absl::Time end = absl::Now() + duration;
  while (absl::Now() < end) {
  }
}

void RunRound(LocalCloud& cloud,
              const std::vector<std::unique_ptr<Writer>>& writers,
              std::mt19937& random) {
  Progress progress(static_cast<int>(writers.size()));
  std::vector<std::thread> threads;
  std::vector<absl::Status> results(writers.size());
  for (std::size_t i = 0; i < writers.size(); ++i) {
    threads.emplace_back([&, i] {
      results[i] = WriteUntilDeath(cloud.port(), *writers[i], progress);
    });
  }
  progress.Await(std::uniform_int_distribution<int>(1, kMaxWrites)(random));
  BusyWait(absl::Microseconds(
      std::uniform_int_distribution<int>(0, kMaxMicroseconds)(random)));
  cloud.KillNow();
  for (std::thread& thread : threads) thread.join();
  for (const absl::Status& result : results) {
    EXPECT_TRUE(result.ok()) << result;
  }
}

void CheckAll(LocalCloud& cloud,
              const std::vector<std::unique_ptr<Writer>>& writers) {
  absl::StatusOr<std::unique_ptr<Client>> client =
      Client::Connect(cloud.port());
  ASSERT_TRUE(client.ok()) << client.status();
  for (const std::unique_ptr<Writer>& writer : writers) {
    const absl::Status status = writer->Check(**client);
    EXPECT_TRUE(status.ok()) << status;
  }
}

void KillAgainAndAgain(const std::vector<std::string>& flags) {
  const local::TestFolder folder;
  LocalCloud cloud(folder.path(), flags);
  ASSERT_TRUE(cloud.Start().ok());
  {
    absl::StatusOr<std::unique_ptr<Client>> client =
        Client::Connect(cloud.port());
    ASSERT_TRUE(client.ok()) << client.status();
    absl::Status status = MakeResources(**client);
    if (status.ok()) status = MakeOrderedQueue(**client);
    ASSERT_TRUE(status.ok()) << status;
  }
  const std::vector<std::unique_ptr<Writer>> writers = MakeWriters();
  std::mt19937 random(absl::GetFlag(FLAGS_seed));
  const int kills = absl::GetFlag(FLAGS_kills);
  for (int i = 1; i <= kills && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(
        absl::StrCat("kill ", i, " of --seed=", absl::GetFlag(FLAGS_seed)));
    RunRound(cloud, writers, random);
    const absl::Status status = cloud.Start();
    ASSERT_TRUE(status.ok()) << status;
    CheckAll(cloud, writers);
  }
  absl::StatusOr<std::unique_ptr<Client>> client =
      Client::Connect(cloud.port());
  ASSERT_TRUE(client.ok()) << client.status();
  const absl::Status status = CheckIndex(**client);
  EXPECT_TRUE(status.ok()) << status;
}

TEST(Crash, KeepsEveryAcknowledgedWriteAndNothingHalfWritten) {
  KillAgainAndAgain({});
}

TEST(Crash, KeepsThemTooWhenEachCommitWaitsForTheDisk) {
  KillAgainAndAgain({"--durability=full"});
}

}  // namespace
}  // namespace byoshin::crash

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
