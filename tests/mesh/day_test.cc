// A day of a mesh in simulated time: programs come and go, heartbeats are sent
// and forgotten, groups reach their ends and are dissolved.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_history.h"
#include "tests/mesh/mesh_model.h"

namespace byoshin::mesh {
namespace {

constexpr absl::Duration kDay = absl::Hours(24);
constexpr absl::Duration kStep = absl::Seconds(30);
constexpr absl::Duration kBetweenChecks = absl::Minutes(20);

// How groups ended, so that a day without one kind would be noticed.
struct Ends {
  int dissolved = 0;
  int by_heartbeat = 0;
  int by_time = 0;
};

Ends CountEnds(MeshModel& model) {
  Ends ends;
  for (const ModelGroup& group : model.groups()) {
    if (group.dissolved) {
      ++ends.dissolved;
    } else if (!model.IsAlive(group)) {
      ++(group.ttl < group.expires_at ? ends.by_heartbeat : ends.by_time);
    }
  }
  return ends;
}

TEST(MeshDay, AnswersAndStoresAsTheRulesSayAndLeavesNothing) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'633'600));
  DeployedMesh mesh = DeployMesh({}, clock).value();
  MeshModel model(mesh, clock, {.intervals = kProductionIntervals});
  std::mt19937 random(20251202);
  MeshHistory history(
      model,
      [&](int count) {
        return std::uniform_int_distribution<int>(0, count - 1)(random);
      },
      "");
  const absl::Time end = clock.Now() + kDay;
  absl::Time check = clock.Now() + kBetweenChecks;
  while (clock.Now() < end) {
    // With some seconds more or less, so that nothing is in step.
    model.Advance(absl::ToInt64Seconds(kStep) +
                  std::uniform_int_distribution<int64_t>(-10, 10)(random));
    absl::Status status = history.SendHeartbeats(/*due=*/45);
    ASSERT_TRUE(status.ok()) << status;
    status = history.Mutate();
    ASSERT_TRUE(status.ok()) << status;
    if (clock.Now() < check) continue;
    check += kBetweenChecks;
    status = model.CheckStored();
    ASSERT_TRUE(status.ok()) << clock.Now() << ": " << status;
  }
  const absl::Status status = model.CheckQueries();
  EXPECT_TRUE(status.ok()) << status;
  const Ends ends = CountEnds(model);
  EXPECT_GE(ends.dissolved, 50);
  EXPECT_GE(ends.by_heartbeat, 10);
  EXPECT_GE(ends.by_time, 10);
  const absl::Status gone = model.CheckThatEverythingGoes();
  EXPECT_TRUE(gone.ok()) << gone;
  mesh.cloud->Stop();
}

}  // namespace
}  // namespace byoshin::mesh
