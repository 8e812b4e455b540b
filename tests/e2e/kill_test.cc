// Kills the whole cloud with SIGKILL, again and again, wherever it is:
// starting, deploying, in the middle of a minute. Each time it is started again
// on what is left, and in the end every slot is stored, once.
//
//   ./bazelw test //tests/e2e:kill_test
//   ./bazelw run //tests/e2e:kill_test -- --kills=1000 --seed=7
//
// It runs on the simulated clock, so that an hour of kills takes seconds:
// `byoshin simulate --data` goes on from where it was killed, so no minute
// passes while nothing runs, and none may be missing.

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "core/time/real_clock.h"
#include "local/cli/simulation_state.h"
#include "local/dynamodb/dynamodb.h"
#include "local/files/testing/test_folder.h"
#include "local/gateway/in_process.h"
#include "local/sqs/sqs.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "tests/e2e/folder_changes.h"
#include "tests/integration/process.h"

ABSL_FLAG(int, kills, 12,
          "How often the cloud is killed; under faults a third of it, in its "
          "first deployment a fifth.");
ABSL_FLAG(int, seed, 1, "Decides when, counted in writes to its folder.");

namespace byoshin::e2e {
namespace {

constexpr char kRegion[] = "us-east-1";
// Killed runs have no end of their own.
constexpr char kEndless[] = "--for=10000h";
// One kill in so many comes without waiting for anything to be done: while the
// cloud starts, or deploys.
constexpr int kEarlyKills = 2;
// They are spread over what a start writes, and some more.
constexpr double kEarlySpan = 1.5;
// The others come after so much of simulated time at most, and so many writes
// more, which is about what a slot takes.
constexpr int kMaxSlots = 36;
constexpr int kMaxWrites = 20;

// A simulation over a folder, in processes one after the other. Not
// thread-safe.
class Simulation {
 public:
  Simulation(std::string folder, std::vector<std::string> flags)
      : folder_(std::move(folder)), flags_(std::move(flags)) {}

  // How far it has come; before it has begun, an instant before its start.
  absl::StatusOr<local::cli::SimulationState> State() const {
    absl::StatusOr<std::optional<local::cli::SimulationState>> state =
        local::cli::ReadState(folder_);
    if (!state.ok()) return state.status();
    return state->value_or(local::cli::SimulationState{
        .start = absl::InfinitePast(), .now = absl::InfinitePast()});
  }

  absl::Status Start(const std::string& span) { return Start(span, flags_); }

  absl::Status Start(const std::string& span,
                     const std::vector<std::string>& flags) {
    absl::StatusOr<std::unique_ptr<FolderChanges>> changes =
        FolderChanges::Watch(folder_);
    if (!changes.ok()) return changes.status();
    changes_ = *std::move(changes);
    writes_ = 0;
    std::vector<std::string> argv = {"./byoshin", "simulate",
                                     absl::StrCat("--data=", folder_), span};
    argv.insert(argv.end(), flags.begin(), flags.end());
    absl::StatusOr<std::unique_ptr<integration::Process>> process =
        integration::Process::Start({.argv = std::move(argv)});
    if (!process.ok()) return process.status();
    process_ = *std::move(process);
    return absl::OkStatus();
  }

  // Until so many more slots have had their time.
  absl::Status AwaitSlots(int slots) {
    absl::Time target = absl::InfinitePast();
    while (true) {
      const absl::StatusOr<local::cli::SimulationState> state = State();
      if (!state.ok()) return state.status();
      if (target == absl::InfinitePast()) {
        target = state->now + slots * scheduler::kSlotInterval;
      } else if (state->now >= target) {
        return absl::OkStatus();
      }
      const absl::Status written = AwaitWrite();
      if (!written.ok()) return written;
    }
  }

  // Until it has written so often since it was started.
  absl::Status AwaitWrites(int writes) {
    while (writes_ < writes) {
      const absl::Status written = AwaitWrite();
      if (!written.ok()) return written;
    }
    return absl::OkStatus();
  }

  // How often it has written since it was started, as far as was waited for.
  int writes() const { return writes_; }

  absl::Status Kill() {
    process_->Kill();
    const absl::StatusOr<std::string> exit = process_->AwaitExit();
    if (!exit.ok()) return exit.status();
    if (*exit == "signal 9") return absl::OkStatus();
    return absl::InternalError(
        absl::StrCat("it had ended before: ", *exit, "\n",
                     absl::StrJoin(process_->lines(), "\n")));
  }

  struct Report {
    std::string exit{};
    std::map<std::string, std::string> lines{};  // "missing" to "0"
    std::string text{};
  };
  // Runs it to the end of the minute that it is in, undisturbed: without its
  // flags, since under faults a message would always be left to wait for.
  absl::StatusOr<Report> Finish() {
    const absl::StatusOr<local::cli::SimulationState> state = State();
    if (!state.ok()) return state.status();
    const std::int64_t minutes =
        absl::ToInt64Minutes(state->now - state->start) + 1;
    absl::Status started = Start(absl::StrCat("--for=", minutes, "m"), {});
    if (!started.ok()) return started;
    absl::StatusOr<std::string> exit = process_->AwaitExit();
    // The guard is for what hangs; this may be slow.
    while (process_->running()) exit = process_->AwaitExit();
    if (!exit.ok()) return exit.status();
    Report report{.exit = *exit};
    for (const std::string& line : process_->lines()) {
      absl::StrAppend(&report.text, line, "\n");
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(line, absl::MaxSplits("  ", 1));
      report.lines[std::string(parts.first)] =
          std::string(absl::StripLeadingAsciiWhitespace(parts.second));
    }
    return report;
  }

 private:
  absl::Status AwaitWrite() {
    const absl::StatusOr<int> writes = changes_->Await(process_->pid());
    if (!writes.ok()) return writes.status();
    writes_ += *writes;
    if (*writes > 0) return absl::OkStatus();
    return absl::InternalError(absl::StrCat(
        "the simulation has ended: ", absl::StrJoin(process_->lines(), "\n")));
  }

  const std::string folder_;
  const std::vector<std::string> flags_;
  std::unique_ptr<FolderChanges> changes_;
  int writes_ = 0;
  std::unique_ptr<integration::Process> process_;
};

// How often a new cloud writes until its first slot has had its time.
absl::StatusOr<int> CountWritesOfStart() {
  const local::TestFolder folder;
  Simulation simulation(folder.path(), {});
  absl::Status status = simulation.Start(kEndless);
  if (status.ok()) status = simulation.AwaitSlots(1);
  const int writes = simulation.writes();
  if (status.ok()) status = simulation.Kill();
  if (!status.ok()) return status;
  return writes;
}

// The same, counted once.
const absl::StatusOr<int>& WritesOfStart() {
  static const absl::StatusOr<int> writes = CountWritesOfStart();
  return writes;
}

int UpTo(int most, std::mt19937& random) {
  return std::uniform_int_distribution<int>(0, most)(random);
}

// Until a moment in which a cloud that was started just now is starting.
absl::Status AwaitPartOfStart(Simulation& simulation, std::mt19937& random) {
  const absl::StatusOr<int>& writes = WritesOfStart();
  if (!writes.ok()) return writes.status();
  return simulation.AwaitWrites(
      UpTo(static_cast<int>(kEarlySpan * *writes), random));
}

absl::Status KillOnce(Simulation& simulation, std::mt19937& random) {
  absl::Status status = simulation.Start(kEndless);
  if (!status.ok()) return status;
  if (UpTo(kEarlyKills - 1, random) == 0) {
    status = AwaitPartOfStart(simulation, random);
  } else {
    status = simulation.AwaitSlots(1 + UpTo(kMaxSlots - 1, random));
    if (!status.ok()) return status;
    status =
        simulation.AwaitWrites(simulation.writes() + UpTo(kMaxWrites, random));
  }
  if (!status.ok()) return status;
  return simulation.Kill();
}

absl::Status KillAgainAndAgain(Simulation& simulation, int kills) {
  std::mt19937 random(absl::GetFlag(FLAGS_seed));
  for (int i = 1; i <= kills; ++i) {
    const absl::Status status = KillOnce(simulation, random);
    if (!status.ok()) {
      return absl::Status(status.code(), absl::StrCat("kill ", i, " of --seed=",
                                                      absl::GetFlag(FLAGS_seed),
                                                      ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

// A service over the data that a simulation has left.
template <typename S>
struct Opened {
  time::RealClock clock;
  std::unique_ptr<local::Store> store;
  std::unique_ptr<S> service;
};

template <typename S>
absl::Status Open(const std::string& path, Opened<S>& opened) {
  absl::StatusOr<std::unique_ptr<local::Store>> store =
      local::OpenSqliteStore({.path = path});
  if (!store.ok()) return store.status();
  opened.store = *std::move(store);
  absl::StatusOr<std::unique_ptr<S>> service =
      S::Open(*opened.store, opened.clock, {});
  if (!service.ok()) return service.status();
  opened.service = *std::move(service);
  return absl::OkStatus();
}

// Looks into the table, without asking the simulation: the number of records
// with a slot from `from` up to `to`.
absl::StatusOr<std::int64_t> CountRecords(const std::string& folder,
                                          absl::Time from, absl::Time to) {
  Opened<local::dynamodb::DynamoDb> opened;
  absl::Status status = Open(absl::StrCat(folder, "/dynamodb.db"), opened);
  if (!status.ok()) return status;
  const auto call = [&](const char* operation, const Json::Value& request) {
    return local::CallInProcess(
        *opened.service, {.operation = operation, .region = kRegion}, request);
  };
  const absl::StatusOr<Json::Value> tables =
      call("ListTables", Json::Value(Json::objectValue));
  if (!tables.ok()) return tables.status();
  Json::Value query;
  query["TableName"] = (*tables)["TableNames"][0];
  query["Select"] = "COUNT";
  query["KeyConditionExpression"] = "#m = :m AND #s BETWEEN :from AND :to";
  query["ExpressionAttributeNames"]["#m"] = scheduler::kMetricNameKey;
  query["ExpressionAttributeNames"]["#s"] = scheduler::kSlotTimeKey;
  Json::Value& values = query["ExpressionAttributeValues"];
  values[":m"]["S"] = scheduler::kMetricName;
  values[":from"]["S"] = time::FormatIso8601(from);
  values[":to"]["S"] = time::FormatIso8601(to - absl::Seconds(1));
  std::int64_t count = 0;
  while (true) {
    const absl::StatusOr<Json::Value> page = call("Query", query);
    if (!page.ok()) return page.status();
    count += (*page)["Count"].asInt64();
    if ((*page)["LastEvaluatedKey"].isNull()) return count;
    query["ExclusiveStartKey"] = (*page)["LastEvaluatedKey"];
  }
}

// Takes all messages out of the queues.
absl::Status LoseMessages(const std::string& folder) {
  Opened<local::sqs::Sqs> opened;
  absl::Status status = Open(absl::StrCat(folder, "/sqs.db"), opened);
  if (!status.ok()) return status;
  const auto call = [&](const char* operation, const Json::Value& request) {
    return local::CallInProcess(*opened.service,
                                {.operation = operation,
                                 .region = kRegion,
                                 .endpoint = "http://localhost"},
                                request);
  };
  const absl::StatusOr<Json::Value> queues =
      call("ListQueues", Json::Value(Json::objectValue));
  if (!queues.ok()) return queues.status();
  for (const Json::Value& url : (*queues)["QueueUrls"]) {
    Json::Value request;
    request["QueueUrl"] = url;
    status.Update(call("PurgeQueue", request).status());
  }
  return status;
}

void ExpectAllIsThere(Simulation& simulation, const std::string& folder) {
  const absl::StatusOr<Simulation::Report> report = simulation.Finish();
  ASSERT_TRUE(report.ok()) << report.status();
  // Without that there is no report to look into.
  ASSERT_EQ(report->exit, "exit status 0") << report->text;
  ASSERT_EQ(report->lines.count("slots expected"), 1u) << report->text;
  EXPECT_EQ(report->lines.at("missing"), "0") << report->text;
  EXPECT_EQ(report->lines.at("duplicate"), "0") << report->text;
  const std::string& expected = report->lines.at("slots expected");
  EXPECT_EQ(report->lines.at("stored"), expected) << report->text;

  const absl::StatusOr<local::cli::SimulationState> state = simulation.State();
  ASSERT_TRUE(state.ok()) << state.status();
  const absl::StatusOr<std::int64_t> records = CountRecords(
      folder, state->start,
      state->start + std::stoll(expected) * scheduler::kSlotInterval);
  ASSERT_TRUE(records.ok()) << records.status();
  EXPECT_EQ(absl::StrCat(*records), expected);
  testing::Test::RecordProperty("slots", expected);
}

TEST(KilledCloud, LosesNoSlotAndStoresNoneTwice) {
  const local::TestFolder folder;
  Simulation simulation(folder.path(), {});
  const absl::Status status =
      KillAgainAndAgain(simulation, absl::GetFlag(FLAGS_kills));
  ASSERT_TRUE(status.ok()) << status;
  ExpectAllIsThere(simulation, folder.path());
}

TEST(KilledCloud, LosesNoneUnderFaultsEither) {
  const local::TestFolder folder;
  Simulation simulation(folder.path(),
                        {"--faults=api:0.2,sqs:0.03,crash:0.02"});
  const absl::Status status =
      KillAgainAndAgain(simulation, absl::GetFlag(FLAGS_kills) / 3);
  ASSERT_TRUE(status.ok()) << status;
  ExpectAllIsThere(simulation, folder.path());
}

TEST(KilledCloud, ComesUpWhereverItsFirstDeploymentWasCutOff) {
  std::mt19937 random(absl::GetFlag(FLAGS_seed));
  for (int i = 0; i < absl::GetFlag(FLAGS_kills) / 5; ++i) {
    const local::TestFolder folder;
    Simulation simulation(folder.path(), {});
    absl::Status status = simulation.Start(kEndless);
    ASSERT_TRUE(status.ok()) << status;
    // Until the folder is there; then the cloud is started.
    status = simulation.AwaitSlots(0);
    ASSERT_TRUE(status.ok()) << status;
    status = AwaitPartOfStart(simulation, random);
    ASSERT_TRUE(status.ok()) << status;
    status = simulation.Kill();
    ASSERT_TRUE(status.ok()) << status;
    ExpectAllIsThere(simulation, folder.path());
  }
}

// What the tests above rest on: a cloud that does lose something is found out.
TEST(KilledCloud, IsFoundOutIfItLosesMessages) {
  const local::TestFolder folder;
  Simulation simulation(folder.path(), {});
  ASSERT_TRUE(simulation.Start(kEndless).ok());
  // Into the middle of a minute: its first slots are stored, the others wait.
  absl::Status status = simulation.AwaitSlots(scheduler::kSlotsPerMinute / 2);
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_TRUE(simulation.Kill().ok());
  status = LoseMessages(folder.path());
  ASSERT_TRUE(status.ok()) << status;
  const absl::StatusOr<Simulation::Report> report = simulation.Finish();
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->exit, "exit status 1") << report->text;
  EXPECT_NE(report->lines.at("missing"), "0") << report->text;
}

}  // namespace
}  // namespace byoshin::e2e

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
