#include "local/cloudformation/deployer.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/clock.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/testing/fake_provider.h"
#include "local/store/forwarding_store.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {
namespace {

using testing::FakeProvider;
using testing::FakeWorld;
using Calls = std::vector<std::string>;

ResourceSchema ThingSchema() {
  return {.acted_on = {"Fixed", "Link", "Name", "Size"},
          .create_only = {"Fixed", "Name"},
          .attributes = {"Arn"}};
}

class DeployerTest : public ::testing::Test {
 protected:
  DeployerTest() : clock_(absl::FromUnixSeconds(1000)) {
    registry_.Add(
        std::make_unique<FakeProvider>("Test::Thing", ThingSchema(), world_));
    absl::StatusOr<std::unique_ptr<Store>> store = OpenSqliteStore({});
    EXPECT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    Open();
  }

  // As a process that starts.
  void Open() {
    deployer_.reset();
    absl::StatusOr<std::unique_ptr<Deployer>> deployer =
        Deployer::Open(*store_, clock_, registry_, {});
    ASSERT_TRUE(deployer.ok()) << deployer.status();
    deployer_ = *std::move(deployer);
  }

  // `resources` is what stands between the braces.
  absl::StatusOr<DeployResult> Deploy(absl::string_view resources,
                                      absl::string_view rest = "") {
    world_.calls.clear();
    return deployer_->Deploy(
        {.stack_name = "s",
         .template_text =
             absl::StrCat(R"({"Resources": {)", resources, "}", rest, "}")});
  }

  static std::string Thing(absl::string_view id, absl::string_view properties,
                           absl::string_view attributes = "") {
    return absl::StrCat("\"", id, R"(": {"Type": "Test::Thing", )", attributes,
                        R"("Properties": {)", properties, "}}");
  }

  std::vector<std::string> Statuses(const std::string& id) {
    std::vector<std::string> statuses;
    const Stack stack = *deployer_->Find("s");
    for (const StackEvent& event : stack.events) {
      if (event.logical_id == id) statuses.push_back(event.status);
    }
    return statuses;
  }

  time::SimulatedClock clock_;
  FakeWorld world_;
  ProviderRegistry registry_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Deployer> deployer_;
};

TEST_F(DeployerTest, CreatesWhatOthersReferToFirst) {
  const auto result = Deploy(
      absl::StrCat(Thing("A", R"("Link": {"Ref": "C"})"), ",",
                   Thing("B", "", R"("DependsOn": "A", )"), ",",
                   Thing("C", R"("Link": {"Fn::GetAtt": ["D", "Arn"]})"), ",",
                   Thing("D", R"("Size": 5)")),
      R"(, "Outputs": {"Out": {"Value": {"Ref": "D"}, "Description": "d"}})");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls,
            (Calls{"create D", "create C", "create A", "create B"}));
  EXPECT_TRUE(result->changed);
  EXPECT_EQ(result->stack.status, "CREATE_COMPLETE");
  const std::string d = result->stack.resources.at("D").state.physical_id;
  EXPECT_TRUE(absl::StartsWith(d, "s-D-")) << d;
  EXPECT_EQ(d.size(), std::string("s-D-").size() + 12);
  EXPECT_EQ(result->stack.outputs.at("Out").value, d);
  EXPECT_EQ(world_.things.at(result->stack.resources.at("C").state.physical_id),
            absl::StrCat(R"({"Link":")", d, R"(.Arn"})"));
  EXPECT_EQ(Statuses("s"), (Calls{"CREATE_IN_PROGRESS", "CREATE_COMPLETE"}));
  EXPECT_EQ(Statuses("D"), (Calls{"CREATE_IN_PROGRESS", "CREATE_COMPLETE"}));
}

TEST_F(DeployerTest, TellsListenersOfEachStackUntilTheyUnsubscribe) {
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  std::vector<std::string> told;
  const int subscription = deployer_->Subscribe([&](const Stack& stack) {
    told.push_back(absl::StrCat(stack.status, " ", stack.resources.size()));
  });
  ASSERT_TRUE(Deploy(absl::StrCat(Thing("A", ""), ",", Thing("B", ""))).ok());
  ASSERT_TRUE(deployer_->Delete("s").ok());
  EXPECT_EQ(told, (Calls{"CREATE_COMPLETE 1", "UPDATE_COMPLETE 2",
                         "DELETE_COMPLETE 0"}));
  deployer_->Unsubscribe(subscription);
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  EXPECT_EQ(told.size(), 3);
}

TEST_F(DeployerTest, TouchesNothingThatIsTheSame) {
  const std::string resources =
      absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",", Thing("B", ""));
  ASSERT_TRUE(Deploy(resources).ok());
  const std::size_t events = deployer_->Find("s")->events.size();
  const auto again = Deploy(resources);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_FALSE(again->changed);
  EXPECT_EQ(world_.calls, Calls{});
  EXPECT_EQ(again->stack.status, "CREATE_COMPLETE");
  EXPECT_EQ(again->stack.events.size(), events);
}

TEST_F(DeployerTest, UpdatesInPlaceWhatCanBeChanged) {
  ASSERT_TRUE(Deploy(absl::StrCat(Thing("A", R"("Size": 1)"), ",",
                                  Thing("B", R"("Size": 1)")))
                  .ok());
  const auto things = world_.things;
  const auto result = Deploy(absl::StrCat(Thing("A", R"("Size": 1)"), ",",
                                          Thing("B", R"("Size": 2)")));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls, Calls{"update B"});
  EXPECT_EQ(result->stack.status, "UPDATE_COMPLETE");
  EXPECT_EQ(world_.things.size(), things.size());
  EXPECT_EQ(world_.things.at(result->stack.resources.at("B").state.physical_id),
            R"({"Size":2})");
}

TEST_F(DeployerTest, UpdatesWhatIsMadeOfSomethingElseNow) {
  world_.fingerprints["A"] = "zip 1";
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  world_.fingerprints["A"] = "zip 2";
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  EXPECT_EQ(world_.calls, Calls{"update A"});
}

TEST_F(DeployerTest, ReplacesWhatCannotBeChangedAndWhoeverRefersToIt) {
  const auto resources = [](absl::string_view fixed) {
    return absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",",
                        Thing("B", absl::StrCat(R"("Fixed": ")", fixed, "\"")));
  };
  ASSERT_TRUE(Deploy(resources("x")).ok());
  const std::string old =
      deployer_->Find("s")->resources.at("B").state.physical_id;
  const auto result = Deploy(resources("y"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls, (Calls{"create B", "update A", "delete B"}));
  EXPECT_EQ(world_.things.count(old), 0u);
  EXPECT_EQ(world_.things.size(), 2u);
  EXPECT_EQ(Statuses("s").back(), "UPDATE_COMPLETE");
  EXPECT_TRUE(result->stack.obsolete.empty());
}

TEST_F(DeployerTest, DeletesWhatIsNoLongerThereLast) {
  ASSERT_TRUE(Deploy(absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",",
                                  Thing("B", ""), ",", Thing("C", "")))
                  .ok());
  const auto result = Deploy(absl::StrCat(Thing("C", ""), ",", Thing("D", "")));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls, (Calls{"create D", "delete A", "delete B"}));
  EXPECT_EQ(result->stack.resources.size(), 2u);
  EXPECT_EQ(world_.things.size(), 2u);
}

TEST_F(DeployerTest, KeepsWhatIsToBeRetained) {
  const std::string retain = R"("DeletionPolicy": "Retain",
                                "UpdateReplacePolicy": "Retain", )";
  const std::string other = absl::StrCat(",", Thing("B", ""));
  ASSERT_TRUE(
      Deploy(absl::StrCat(Thing("A", R"("Fixed": 1)", retain), other)).ok());
  ASSERT_TRUE(
      Deploy(absl::StrCat(Thing("A", R"("Fixed": 2)", retain), other)).ok());
  EXPECT_EQ(world_.calls, Calls{"create A"});
  EXPECT_EQ(world_.things.size(), 3u);
  ASSERT_TRUE(Deploy(Thing("B", "")).ok());
  EXPECT_EQ(world_.calls, Calls{});
  EXPECT_EQ(Statuses("A").back(), "DELETE_SKIPPED");
  EXPECT_EQ(world_.things.size(), 3u);
  // The name of what is left behind is not used again.
  ASSERT_TRUE(
      Deploy(absl::StrCat(Thing("A", R"("Fixed": 2)", retain), other)).ok());
  EXPECT_EQ(world_.things.size(), 4u);
}

TEST_F(DeployerTest, LeavesNothingOfACreationThatFails) {
  world_.failures = {"create C"};
  const auto result =
      Deploy(absl::StrCat(Thing("A", "", R"("DeletionPolicy": "Retain", )"),
                          ",", Thing("B", R"("Link": {"Ref": "A"})"), ",",
                          Thing("C", R"("Link": {"Ref": "B"})")));
  EXPECT_EQ(result.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(result.status().message(),
            "stack s: resource C (Test::Thing): told to fail; the deployment "
            "was rolled back");
  EXPECT_EQ(world_.calls, (Calls{"create A", "create B", "create C", "delete B",
                                 "delete A"}));
  EXPECT_TRUE(world_.things.empty());
  const Stack stack = *deployer_->Find("s");
  EXPECT_EQ(stack.status, "ROLLBACK_COMPLETE");
  EXPECT_EQ(stack.reason, "resource C (Test::Thing): told to fail");
  EXPECT_TRUE(stack.resources.empty());
  EXPECT_EQ(Statuses("C"), (Calls{"CREATE_IN_PROGRESS", "CREATE_FAILED"}));
  // And it can be tried again.
  world_.failures.clear();
  EXPECT_EQ(Deploy(Thing("A", ""))->stack.status, "CREATE_COMPLETE");
}

TEST_F(DeployerTest, TakesBackAnUpdateThatFails) {
  const std::string before = absl::StrCat(
      Thing("A", R"("Size": 1)"), ",", Thing("B", R"("Fixed": 1)"), ",",
      Thing("C", R"("Size": 1, "Link": {"Ref": "B"})"), ",", Thing("Gone", ""));
  ASSERT_TRUE(Deploy(before).ok());
  const auto things = world_.things;
  world_.failures = {"create New"};
  const auto result = Deploy(
      absl::StrCat(Thing("A", R"("Size": 2)"), ",", Thing("B", R"("Fixed": 2)"),
                   ",", Thing("C", R"("Size": 1, "Link": {"Ref": "B"})"), ",",
                   Thing("New", "", R"("DependsOn": ["A", "B", "C"], )")));
  EXPECT_EQ(result.status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(world_.calls,
            (Calls{"update A", "create B", "update C", "create New", "update C",
                   "delete B", "update A"}));
  EXPECT_EQ(world_.things, things);
  EXPECT_EQ(deployer_->Find("s")->status, "UPDATE_ROLLBACK_COMPLETE");
  // What is recorded is what it was, too.
  world_.failures.clear();
  const auto again = Deploy(before);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(world_.calls, Calls{});
  EXPECT_FALSE(again->changed);
}

TEST_F(DeployerTest, SaysWhatCouldNotBeTakenBack) {
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  world_.failures = {"create C", "delete B"};
  const auto result =
      Deploy(absl::StrCat(Thing("A", ""), ",", Thing("B", ""), ",",
                          Thing("C", "", R"("DependsOn": "B", )")));
  EXPECT_TRUE(absl::StrContains(result.status().message(),
                                "rolling back failed: B: told to fail"))
      << result.status();
  EXPECT_EQ(deployer_->Find("s")->status, "UPDATE_ROLLBACK_FAILED");
  EXPECT_EQ(deployer_->Find("s")->resources.at("B").status, "DELETE_FAILED");
}

// Every commit fails from a certain one on, as on a disk that is full.
class FullAfter final : public ForwardingStore {
 public:
  FullAfter(Store& store, int commits)
      : ForwardingStore(store), commits_(commits) {}
  absl::Status Commit() override {
    if (commits_-- > 0) return ForwardingStore::Commit();
    Rollback();
    return absl::UnavailableError(
        "cannot write s.db: the disk is full; make room and try again.");
  }

 private:
  int commits_;
};

TEST_F(DeployerTest, SaysOnceWhyNothingCouldBeTakenBack) {
  std::vector<std::string> things;
  for (int i = 0; i < 8; ++i) {
    things.push_back(Thing(absl::StrCat("T", i), ""));
  }
  FullAfter full(*store_, /*commits=*/6);
  const auto deployer = Deployer::Open(full, clock_, registry_, {});
  ASSERT_TRUE(deployer.ok());
  const auto result = (*deployer)->Deploy(
      {.stack_name = "s",
       .template_text = absl::StrCat(R"({"Resources": {)",
                                     absl::StrJoin(things, ","), "}}")});
  const std::string message(result.status().message());
  EXPECT_EQ(
      std::vector<std::string>(absl::StrSplit(message, "disk is full")).size(),
      2)
      << message;
  EXPECT_TRUE(absl::EndsWith(message, " and 2 more (for the same reason)"))
      << message;
}

TEST_F(DeployerTest, DeletesAStackFromItsEnd) {
  ASSERT_TRUE(
      Deploy(absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",",
                          Thing("B", "", R"("DeletionPolicy": "Retain", )"),
                          ",", Thing("C", R"("Link": {"Ref": "A"})")))
          .ok());
  world_.calls.clear();
  const auto deleted = deployer_->Delete("s");
  ASSERT_TRUE(deleted.ok()) << deleted.status();
  EXPECT_EQ(world_.calls, (Calls{"delete C", "delete A"}));
  EXPECT_EQ(deleted->status, "DELETE_COMPLETE");
  EXPECT_EQ(deleted->events.back().status, "DELETE_COMPLETE");
  EXPECT_FALSE(deployer_->Find("s").has_value());
  EXPECT_EQ(deployer_->Delete("s").status().code(),
            absl::StatusCode::kNotFound);
  Open();
  EXPECT_TRUE(deployer_->Names().empty());
}

TEST_F(DeployerTest, KeepsTheRestOfAStackThatCannotBeDeleted) {
  ASSERT_TRUE(Deploy(absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",",
                                  Thing("B", "")))
                  .ok());
  world_.failures = {"delete B"};
  EXPECT_EQ(deployer_->Delete("s").status().code(), absl::StatusCode::kAborted);
  EXPECT_EQ(deployer_->Find("s")->status, "DELETE_FAILED");
  EXPECT_EQ(deployer_->Find("s")->resources.size(), 1u);
  world_.failures.clear();
  EXPECT_TRUE(deployer_->Delete("s").ok());
}

TEST_F(DeployerTest, KnowsItsStacksAfterARestart) {
  ASSERT_TRUE(Deploy(absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",",
                                  Thing("B", R"("Size": 1.5)")),
                     R"(, "Outputs": {"O": {"Value": 1}})")
                  .ok());
  const Stack before = *deployer_->Find("s");
  Open();
  const Stack after = *deployer_->Find("s");
  EXPECT_EQ(WriteStackHead(after), WriteStackHead(before));
  ASSERT_EQ(after.resources.size(), 2u);
  EXPECT_EQ(WriteStackResource(after.resources.at("A")),
            WriteStackResource(before.resources.at("A")));
  ASSERT_EQ(after.events.size(), before.events.size());
  EXPECT_EQ(WriteStackEvent(after.events.back()),
            WriteStackEvent(before.events.back()));

  world_.calls.clear();
  EXPECT_TRUE(deployer_->Restore().ok());
  EXPECT_EQ(world_.calls, (Calls{"restore B", "restore A"}));
  EXPECT_EQ(world_.restored.size(), 2u);
}

TEST_F(DeployerTest, TellsWhichResourceCouldNotBeRestored) {
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  world_.failures = {"restore A"};
  EXPECT_EQ(deployer_->Restore().message(),
            "stack s: resource A could not be restored: told to fail");
}

TEST_F(DeployerTest, MakesAnewWhatCouldNotBeRestoredThoughNothingHasChanged) {
  const std::string resources =
      absl::StrCat(Thing("A", ""), ",", Thing("B", R"("Link": {"Ref": "A"})"),
                   ",", Thing("C", R"("Link": {"Ref": "B"})"));
  ASSERT_TRUE(Deploy(resources).ok());
  Open();
  world_.calls.clear();
  world_.failures = {"restore A", "restore B"};
  const absl::Status restored = deployer_->Restore();
  EXPECT_EQ(restored.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(restored.message(),
            "stack s: resource A could not be restored: told to fail (and 1 "
            "more of its resources)");
  // The rest is there.
  EXPECT_EQ(world_.calls, (Calls{"restore A", "restore B", "restore C"}));
  EXPECT_EQ(Statuses("A").back(), "UPDATE_FAILED");

  world_.failures.clear();
  Open();  // also if the process ends before anybody deploys
  const auto repaired = Deploy(resources);
  ASSERT_TRUE(repaired.ok()) << repaired.status();
  EXPECT_TRUE(repaired->changed);
  EXPECT_EQ(world_.calls, (Calls{"update A", "update B"}));
  EXPECT_EQ(repaired->stack.status, "UPDATE_COMPLETE");
  EXPECT_FALSE(Deploy(resources)->changed);
}

// A store that stops taking anything, as a process does that is killed.
class DyingStore final : public ForwardingStore {
 public:
  DyingStore(Store& store, FakeWorld& world)
      : ForwardingStore(store), world_(world) {}

  int commits_left = 1 << 30;

  absl::Status Commit() override {
    if (commits_left-- > 0) return ForwardingStore::Commit();
    Rollback();
    world_.dead = true;
    return absl::UnavailableError("dead");
  }

 private:
  FakeWorld& world_;
};

// Deploys from the store as a process that is killed at its commit number
// `commits`. True if it lived to the end.
bool DeployAndDie(Store& store, FakeWorld& world, time::Clock& clock,
                  const ProviderRegistry& registry, int commits,
                  absl::string_view resources) {
  DyingStore dying(store, world);
  auto deployer = Deployer::Open(dying, clock, registry, {});
  EXPECT_TRUE(deployer.ok());
  dying.commits_left = commits;
  const auto result = (*deployer)->Deploy(
      {.stack_name = "s",
       .template_text = absl::StrCat(R"({"Resources": {)", resources, "}}")});
  world.dead = false;
  return result.ok();
}

TEST_F(DeployerTest, CarriesOnWhereverTheFirstDeploymentWasKilled) {
  const std::string resources =
      absl::StrCat(Thing("A", R"("Name": "table", "Size": 1)"), ",",
                   Thing("B", R"("Link": {"Ref": "A"})"), ",", Thing("C", ""));
  // As it is, with other settings, under another name, and without.
  const std::string next[] = {
      resources,
      absl::StrCat(Thing("A", R"("Name": "table", "Size": 2)"), ",",
                   Thing("B", R"("Link": {"Ref": "A"})"), ",", Thing("C", "")),
      absl::StrCat(Thing("A", R"("Name": "other", "Size": 1)"), ",",
                   Thing("B", R"("Link": {"Ref": "A"})"), ",", Thing("C", "")),
      absl::StrCat(Thing("B", ""), ",", Thing("C", ""), ",", Thing("D", ""))};
  for (const std::string& second : next) {
    bool done = false;
    for (int commits = 0; !done; ++commits) {
      ASSERT_LT(commits, 20);
      world_ = {};
      store_ = *OpenSqliteStore({});
      done =
          DeployAndDie(*store_, world_, clock_, registry_, commits, resources);
      Open();
      ASSERT_TRUE(deployer_->Restore().ok());
      const auto result = Deploy(second);
      ASSERT_TRUE(result.ok()) << commits << ": " << result.status();
      EXPECT_EQ(result->stack.resources.size(), 3u) << commits;
      EXPECT_TRUE(result->stack.begun.empty()) << commits;
      EXPECT_EQ(world_.things.size(), 3u) << commits << ": " << second;
      for (const auto& [id, resource] : result->stack.resources) {
        EXPECT_EQ(world_.things.at(resource.state.physical_id),
                  json::WriteValue(resource.properties))
            << commits << ": " << id;
      }
      EXPECT_FALSE(Deploy(second)->changed) << commits;
    }
  }
}

TEST_F(DeployerTest, LeavesWhatIsSomebodyElsesWhereverItIsKilled) {
  const std::string resources =
      absl::StrCat(Thing("A", ""), ",",
                   Thing("B", R"("Name": "theirs")", R"("DependsOn": "A", )"));
  for (int commits = 0; commits < 8; ++commits) {
    world_ = {};
    world_.things["theirs"] = "data";
    store_ = *OpenSqliteStore({});
    DeployAndDie(*store_, world_, clock_, registry_, commits, resources);
    Open();
    const auto result = Deploy(resources);
    EXPECT_EQ(
        result.status().message(),
        "stack s: resource B (Test::Thing): Resource of type "
        "'Test::Thing' with identifier 'theirs' already exists. No stack has "
        "it. Give the resource another name, or deploy to another data "
        "folder (--data=FOLDER); the deployment was rolled back")
        << commits;
    EXPECT_EQ(world_.things.size(), 1u) << commits;
    EXPECT_EQ(world_.things["theirs"], "data") << commits;
  }
}

TEST_F(DeployerTest, CarriesOnWhereverARollbackWasKilled) {
  const std::string first = absl::StrCat(
      Thing("A", R"("Name": "a", "Size": 1)"), ",", Thing("B", R"("Size": 1)"));
  const std::string second = absl::StrCat(
      Thing("A", R"("Name": "b", "Size": 1)"), ",", Thing("B", R"("Size": 2)"),
      ",", Thing("C", "", R"("DependsOn": ["A", "B"], )"), ",",
      Thing("D", "", R"("DependsOn": "C", )"));
  for (const std::string& next : {first, second}) {
    for (int commits = 0; commits < 16; ++commits) {
      world_ = {};
      store_ = *OpenSqliteStore({});
      Open();
      ASSERT_TRUE(Deploy(first).ok());
      world_.failures = {"create D"};
      EXPECT_FALSE(
          DeployAndDie(*store_, world_, clock_, registry_, commits, second));
      world_.failures.clear();
      Open();
      ASSERT_TRUE(deployer_->Restore().ok());
      const auto result = Deploy(next);
      ASSERT_TRUE(result.ok()) << commits << ": " << result.status();
      EXPECT_EQ(world_.things.size(), result->stack.resources.size())
          << commits;
      for (const auto& [id, resource] : result->stack.resources) {
        EXPECT_EQ(world_.things.count(resource.state.physical_id), 1u)
            << commits << ": " << id;
      }
    }
  }
}

TEST_F(DeployerTest, DeletesWhatAKilledDeploymentHasBegun) {
  const std::string resources =
      absl::StrCat(Thing("A", ""), ",", Thing("B", ""));
  for (int commits = 1; commits < 5; ++commits) {
    world_ = {};
    store_ = *OpenSqliteStore({});
    DeployAndDie(*store_, world_, clock_, registry_, commits, resources);
    Open();
    EXPECT_TRUE(deployer_->Delete("s").ok()) << commits;
    EXPECT_TRUE(world_.things.empty()) << commits;
  }
}

TEST_F(DeployerTest, CarriesOnAfterBeingKilledAnywhere) {
  const std::string first =
      absl::StrCat(Thing("A", R"("Size": 1)"), ",", Thing("B", R"("Fixed": 1)"),
                   ",", Thing("Gone", ""));
  const std::string second =
      absl::StrCat(Thing("A", R"("Size": 2)"), ",", Thing("B", R"("Fixed": 2)"),
                   ",", Thing("C", R"("Link": {"Ref": "B"})"));
  for (int commits = 0; commits < 12; ++commits) {
    world_ = {};
    store_ = *OpenSqliteStore({});
    Open();
    ASSERT_TRUE(Deploy(first).ok());
    {
      DyingStore dying(*store_, world_);
      auto deployer = Deployer::Open(dying, clock_, registry_, {});
      ASSERT_TRUE(deployer.ok());
      dying.commits_left = commits;
      const auto result = (*deployer)->Deploy(
          {.stack_name = "s",
           .template_text = absl::StrCat(R"({"Resources": {)", second, "}}")});
      if (result.ok()) {
        EXPECT_GT(commits, 5);
        return;
      }
    }
    world_.dead = false;
    Open();
    const auto result = Deploy(second);
    ASSERT_TRUE(result.ok()) << commits << ": " << result.status();
    EXPECT_EQ(result->stack.resources.size(), 3u) << commits;
    EXPECT_EQ(
        world_.things.at(result->stack.resources.at("A").state.physical_id),
        R"({"Size":2})")
        << commits;
    // Nothing is left over, and nothing was made twice.
    EXPECT_EQ(world_.things.size(), 3u) << commits;
  }
  FAIL() << "the update takes more commits than expected";
}

TEST_F(DeployerTest, RefusesToChangeATypeOrToGoInCircles) {
  registry_.Add(
      std::make_unique<FakeProvider>("Test::Other", ThingSchema(), world_));
  ASSERT_TRUE(Deploy(Thing("A", "")).ok());
  EXPECT_TRUE(absl::StrContains(
      Deploy(R"("A": {"Type": "Test::Other"})").status().message(),
      "modifies resource type of the following resources: [A]"));
  EXPECT_EQ(Deploy(absl::StrCat(Thing("A", R"("Link": {"Ref": "B"})"), ",",
                                Thing("B", R"("Link": {"Ref": "C"})"), ",",
                                Thing("C", R"("Link": {"Ref": "B"})"), ",",
                                Thing("D", R"("Link": {"Ref": "E"})"), ",",
                                Thing("E", "")))
                .status()
                .message(),
            "stack s: Circular dependency between resources: [B, C]");
  EXPECT_EQ(world_.calls, Calls{});
}

TEST_F(DeployerTest, RefusesAnExportThatAnotherStackHas) {
  const std::string text = R"({"Resources": {"A": {"Type": "Test::Thing"}},
      "Outputs": {"O": {"Value": "v", "Export": {"Name": "shared"}}}})";
  ASSERT_TRUE(
      deployer_->Deploy({.stack_name = "one", .template_text = text}).ok());
  const auto result =
      deployer_->Deploy({.stack_name = "two", .template_text = text});
  EXPECT_TRUE(absl::StrContains(result.status().message(),
                                "output O: the export name shared"))
      << result.status();
  EXPECT_EQ(world_.things.size(), 1u);
}

TEST_F(DeployerTest, RefusesNamesThatAwsWouldNotTake) {
  for (const char* name : {"", "1a", "a_b", "a/b"}) {
    EXPECT_FALSE(
        deployer_
            ->Deploy({.stack_name = name,
                      .template_text =
                          R"({"Resources": {"A": {"Type": "Test::Thing"}}})"})
            .ok())
        << name;
  }
}

}  // namespace
}  // namespace byoshin::local::cloudformation
