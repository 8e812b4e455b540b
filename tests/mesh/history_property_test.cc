// Random histories of all operations on the deployed stack, beside a model of
// the domain: resolvers and functions as AWS would run them.
#include <gtest/gtest.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "rapidcheck.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_history.h"
#include "tests/mesh/mesh_model.h"
#include "tests/properties/check_property.h"

namespace byoshin::mesh {
namespace {

// One for all histories, each of which has names of its own.
struct Deployed {
  static Deployed& Get() {
    static auto* const deployed = new Deployed();
    return *deployed;
  }

  time::SimulatedClock clock{absl::FromUnixSeconds(1'764'670'980)};
  // In development, so that a history sees many ends.
  DeployedMesh mesh = DeployMesh({.stage = kDevelopmentStage}, clock).value();
  int histories = 0;
};

void Assert(const absl::Status& status) {
  if (!status.ok()) RC_FAIL(std::string(status.message()));
}

void CheckHistory(Removal removal) {
  Deployed& deployed = Deployed::Get();
  MeshModel model(deployed.mesh, deployed.clock,
                  {.intervals = kDevelopmentIntervals, .removal = removal});
  MeshHistory history(
      model, [](int count) { return *rc::gen::inRange(0, count); },
      absl::StrCat("-", ++deployed.histories));
  const int steps = *rc::gen::inRange(1, 25);
  for (int i = 0; i < steps; ++i) {
    history.PassTime();
    Assert(history.Mutate());
  }
  Assert(model.CheckQueries());
  Assert(model.CheckStored());
  // For the next history, too.
  Assert(model.CheckThatEverythingGoes());
}

// **Feature: mesh-v2, Property 4: Every answer of the deployed stack, over any
// history of operations and passing time, is what the rules say: groups and
// nodes end at the second they should, nobody but the host renews or dissolves,
// only members and the host report and fire, and nothing that happens in one
// group or domain shows in another. The table has what it should have and
// nothing else, and everything of a group that is dissolved or has expired
// goes.**
TEST(MeshHistoryProperty, AnswersAndStoresAsTheRulesSay) {
  properties::CheckProperty([] { CheckHistory(Removal::kAtOnce); });
}

// **Feature: mesh-v2, Property 5: The same holds if DynamoDB removes what has
// expired late, as AWS does: what is over but still there is answered like what
// is gone, with a message that says why, and its host can dissolve it.**
TEST(MeshHistoryProperty, AnswersAlikeWhileWhatIsOverIsStillThere) {
  properties::CheckProperty([] { CheckHistory(Removal::kLate); });
}

TEST(MeshDissolving, RemovesMoreThanAPageOfItems) {
  Deployed& deployed = Deployed::Get();
  MeshModel model(deployed.mesh, deployed.clock,
                  {.intervals = kDevelopmentIntervals});
  ASSERT_TRUE(model.Create({.host = "h", .domain = "d"}).ok());
  ModelGroup& group = model.groups().front();
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(model.Join(&group, absl::StrCat("n", i)).ok());
  }
  // A page of a query has 1 MB.
  const std::string value(100'000, 'x');
  for (int i = 0; i < 12; ++i) {
    ASSERT_TRUE(model.Report(&group, absl::StrCat("n", i), value).ok());
  }
  ASSERT_TRUE(model.Fire(&group, "h", 100).ok());
  ASSERT_TRUE(model.CheckStored().ok());
  ASSERT_TRUE(model.Dissolve(&group, "h").ok());
  const absl::Status stored = model.CheckStored();
  EXPECT_TRUE(stored.ok()) << stored;
}

}  // namespace
}  // namespace byoshin::mesh
