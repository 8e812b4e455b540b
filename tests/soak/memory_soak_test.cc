// The memory of a cloud with all stacks: what it keeps of its work is bounded,
// and what a big request took is returned.
//
//   ./bazelw test //tests/soak:memory_soak_test
//   ./bazelw run //tests/soak:memory_soak_test -- --rounds=2000
//
// A round is a simulated minute of everything. `byoshin up` does with freed
// memory what this test does.
#include <gtest/gtest.h>
#include <json/json.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/host/memory.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/simulated_clock.h"
#include "local/files/testing/test_folder.h"
#include "tests/e2e/all_stacks.h"

ABSL_FLAG(int, rounds, 12, "Simulated minutes of everything.");

namespace byoshin::tests {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
const absl::Time kStart = absl::FromUnixSeconds(1'764'670'980);

// In use before anything is done, and whatever was done.
constexpr std::size_t kMaxIdle = 32 * kMiB;
constexpr std::size_t kMaxInUse = 96 * kMiB;
// Until caches and histories are full.
constexpr std::size_t kMaxPerRound = kMiB / 2;
// Resident beyond that: stacks of threads, pages that are used in part.
constexpr std::size_t kMaxUnused = 24 * kMiB;
// The most that a big request may leave.
constexpr std::size_t kMaxLeft = 24 * kMiB;

class MemorySoak : public testing::Test {
 protected:
  // As it is once freed memory was returned.
  host::MemoryUse Measure(absl::string_view when) {
    free_memory_.ReturnIfMuch();
    host::MemoryUse use = host::ReadMemoryUse();
    // The allocator of a sanitizer keeps what is freed: then only the load is
    // of interest.
    if (use.in_use == 0) use.resident = 0;
    std::printf("%s: %zu KiB in use, %zu KiB resident\n",
                std::string(when).c_str(), use.in_use >> 10,
                use.resident >> 10);
    return use;
  }

  host::FreeMemory free_memory_;
  time::SimulatedClock clock_{kStart - absl::Seconds(1)};
  const local::TestFolder folder_;
};

TEST_F(MemorySoak, AllStacksKeepABoundedAmount) {
  e2e::AllStacks stacks(clock_, {.data_directory = folder_.path()});
  const int rounds = absl::GetFlag(FLAGS_rounds);
  for (int round = 0; round <= rounds; ++round) {
    if (round % std::max(1, rounds / 12) == 0) {
      const host::MemoryUse use = Measure(absl::StrCat("round ", round));
      EXPECT_LT(use.in_use,
                std::min(kMaxInUse, kMaxIdle + static_cast<std::size_t>(round) *
                                                   kMaxPerRound));
      EXPECT_LT(use.resident, use.in_use + kMaxUnused);
    }
    for (const absl::Status& used :
         {stacks.UseScheduler(), stacks.UseGeneration(), stacks.UseMesh()}) {
      ASSERT_TRUE(used.ok()) << used;
    }
  }
}

TEST_F(MemorySoak, BigVariablesAreNotKept) {
  e2e::AllStacks stacks(clock_, {});
  const auto send = [&](int items) {
    Json::Value variables(Json::objectValue);
    for (int i = 0; i < items; ++i) {
      Json::Value& item = variables["x"].append(Json::objectValue);
      item["key"] = i;
      item["value"] = "value";
    }
    const absl::Status sent =
        stacks.Mesh("mutation { createDomain }", variables).status();
    EXPECT_TRUE(sent.ok()) << sent;
  };
  send(1);
  const host::MemoryUse before = Measure("before");
  // 10 MB, and many times as much once it is read.
  send(300'000);
  const host::MemoryUse after = Measure("after");
  EXPECT_LT(after.resident, before.resident + kMaxLeft);
}

TEST_F(MemorySoak, BigAnswersOfAModelAreNotKept) {
  constexpr std::size_t kAnswerBytes = 100'000'000;
  std::atomic<int> asked = 0;
  const absl::StatusOr<std::unique_ptr<http::Server>> model =
      http::Server::Start(
          {}, [&](const http::ServerRequest&, const http::Responder& respond) {
            ++asked;
            respond({.status = 200, .body = std::string(kAnswerBytes, 'x')});
          });
  ASSERT_TRUE(model.ok()) << model.status();
  e2e::AllStacks stacks(clock_, {.bedrock = {.server_url = (*model)->url(),
                                             .server_model = "m"}});
  const absl::Status mesh = stacks.UseMesh();
  ASSERT_TRUE(mesh.ok()) << mesh;
  const host::MemoryUse before = Measure("before");
  // Each answer is cut off; the workflow tries four times.
  EXPECT_FALSE(stacks.UseGeneration().ok());
  clock_.RunUntil(clock_.Now() + absl::Minutes(1));
  EXPECT_GE(asked, 4);
  const host::MemoryUse after = Measure("after");
  EXPECT_LT(after.resident, before.resident + kMaxLeft);
}

}  // namespace
}  // namespace byoshin::tests

int main(int argc, char** argv) {
  byoshin::host::KeepLittleFreeMemory();
  testing::InitGoogleTest(&argc, argv);
  absl::ParseCommandLine(argc, argv);
  return RUN_ALL_TESTS();
}
