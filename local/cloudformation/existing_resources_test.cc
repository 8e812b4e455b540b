// Resources that are there without a stack, and stacks without their resources.

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/cloudformation/driver.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/testing/existing_resources_test_base.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::cloudformation {
namespace {

using testing::ExistingResourcesTest;
using testing::kRetain;
using testing::ThingOf;
using Calls = std::vector<std::string>;

TEST_F(ExistingResourcesTest, WhatIsMissingIsCreatedAgainUnderItsName) {
  const std::string resources = absl::StrCat(
      ThingOf("A", R"("Size": 1)"), ",",
      ThingOf("B", R"("Link": {"Ref": "A"})"), ",", ThingOf("C", ""));
  ASSERT_TRUE(Deploy(resources).ok());
  const auto things = world_.things;
  const std::string id = IdOf("A");
  world_.things.erase(id);
  Open();
  const auto result = Deploy(resources);
  ASSERT_TRUE(result.ok()) << result.status();
  // What depends on it may have left something in it.
  EXPECT_EQ(world_.calls, (Calls{"create A", "update B"}));
  EXPECT_EQ(world_.things, things);
  EXPECT_EQ(
      notes_,
      (Calls{absl::StrCat("resource A (Test::Thing): ", id,
                          " was missing and has been created again, empty")}));
  EXPECT_FALSE(Deploy(resources)->changed);
}

TEST_F(ExistingResourcesTest, WhatDependsOnTheMissingIsUpdatedThroughOthers) {
  const std::string resources = absl::StrCat(
      ThingOf("A", ""), ",", ThingOf("B", R"("Link": {"Ref": "A"})"), ",",
      ThingOf("C", "", R"("DependsOn": "B", )"), ",", ThingOf("D", ""));
  ASSERT_TRUE(Deploy(resources).ok());
  world_.things.erase(IdOf("A"));
  Open();
  ASSERT_TRUE(Deploy(resources).ok());
  EXPECT_EQ(world_.calls, (Calls{"create A", "update B", "update C"}));
  EXPECT_FALSE(Deploy(resources)->changed);
}

TEST_F(ExistingResourcesTest, WhatIsMissingIsCreatedWhereverThatWasKilled) {
  const std::string before = ThingOf("A", R"("Size": 1)", kRetain);
  const std::string after = ThingOf("A", R"("Size": 2)", kRetain);
  for (const std::string& next : {before, after}) {
    bool lived = false;
    for (int commits = 0; !lived; ++commits) {
      ASSERT_LT(commits, 20);
      world_ = {};
      store_ = *OpenSqliteStore({});
      Open();
      ASSERT_TRUE(Deploy(before).ok());
      world_.things.clear();
      Open();
      lived = DeployAndDie(after, commits);
      Open();
      ASSERT_TRUE(Deploy(next).ok()) << commits;
      ASSERT_EQ(world_.things.size(), 1u) << commits;
      EXPECT_EQ(world_.things[IdOf("A")],
                next == before ? R"({"Size":1})" : R"({"Size":2})")
          << commits;
    }
  }
}

TEST_F(ExistingResourcesTest, AFailedDeploymentKeepsWhatItHasCreatedAgain) {
  ASSERT_TRUE(Deploy(ThingOf("A", R"("Size": 1)")).ok());
  const std::string id = IdOf("A");
  world_.things.clear();
  Open();
  world_.failures = {"create B"};
  EXPECT_FALSE(Deploy(absl::StrCat(ThingOf("A", R"("Size": 2)"), ",",
                                   ThingOf("B", "", R"("DependsOn": "A", )")))
                   .ok());
  EXPECT_EQ(world_.things[id], R"({"Size":1})");
  EXPECT_EQ(deployer_->Find("s")->status, "UPDATE_ROLLBACK_COMPLETE");
  // It has lost its data all the same.
  EXPECT_EQ(
      notes_,
      (Calls{absl::StrCat("resource A (Test::Thing): ", id,
                          " was missing and has been created again, empty")}));
  EXPECT_FALSE(Deploy(ThingOf("A", R"("Size": 1)"))->changed);
}

TEST_F(ExistingResourcesTest, WhatWasRetainedIsTakenUpAgainUnderItsName) {
  const std::string table =
      ThingOf("Table", R"("Name": "table", "Size": 1)", kRetain);
  const std::string other = ThingOf("Other", "");
  ASSERT_TRUE(Deploy(absl::StrCat(table, ",", other)).ok());
  ASSERT_TRUE(Deploy(other).ok());
  Open();
  const auto result = Deploy(absl::StrCat(
      ThingOf("Table", R"("Name": "table", "Size": 2)", kRetain), ",", other));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls, Calls{"update Table"});
  EXPECT_EQ(notes_,
            Calls{"resource Table (Test::Thing): table was left by an earlier "
                  "template of this stack and is part of it again, with its "
                  "data"});
  EXPECT_TRUE(result->stack.retained.empty());
  EXPECT_EQ(world_.things["table"], R"({"Name":"table","Size":2})");
}

TEST_F(ExistingResourcesTest, WhatIsTakenUpInVainIsNotReported) {
  const std::string table = ThingOf("Table", R"("Name": "table")", kRetain);
  const std::string other = ThingOf("Other", "");
  ASSERT_TRUE(Deploy(absl::StrCat(table, ",", other)).ok());
  ASSERT_TRUE(Deploy(other).ok());
  world_.failures = {"create Third"};
  EXPECT_FALSE(
      Deploy(absl::StrCat(table, ",", other, ",",
                          ThingOf("Third", "", R"("DependsOn": "Table", )")))
          .ok());
  EXPECT_EQ(notes_, Calls{});
}

TEST_F(ExistingResourcesTest, ANameMayBeChangedAndChangedBack) {
  const auto named = [](absl::string_view name) {
    return ThingOf("Table", absl::StrCat(R"("Name": ")", name, "\""), kRetain);
  };
  for (const char* name : {"a", "b", "a", "b", "c", "a"}) {
    const auto result = Deploy(named(name));
    ASSERT_TRUE(result.ok()) << name << ": " << result.status();
    EXPECT_EQ(IdOf("Table"), name);
    Open();
  }
  EXPECT_EQ(world_.things.size(), 3u);
}

TEST_F(ExistingResourcesTest, WhatCouldNotBeDeletedIsTakenUpAgain) {
  const std::string table = ThingOf("Table", R"("Name": "table")");
  const std::string other = ThingOf("Other", "");
  ASSERT_TRUE(Deploy(absl::StrCat(table, ",", other)).ok());
  world_.failures = {"delete Table"};
  ASSERT_TRUE(Deploy(other).ok());
  EXPECT_TRUE(Deploy(absl::StrCat(table, ",", other)).ok());
}

TEST_F(ExistingResourcesTest, AFailedDeploymentLeavesWhatItHasTakenUp) {
  const std::string named = ThingOf("Table", R"("Name": "a")", kRetain);
  const std::string failing = ThingOf("Z", "", R"("DependsOn": "Table", )");
  for (const char* between : {"", R"("Name": "b")"}) {
    world_ = {};
    store_ = *OpenSqliteStore({});
    Open();
    ASSERT_TRUE(Deploy(absl::StrCat(named, ",", ThingOf("X", ""))).ok());
    ASSERT_TRUE(Deploy(*between == 0
                           ? ThingOf("X", "")
                           : absl::StrCat(ThingOf("Table", between, kRetain),
                                          ",", ThingOf("X", "")))
                    .ok());
    const auto things = world_.things;
    world_.failures = {"create Z"};
    EXPECT_FALSE(
        Deploy(absl::StrCat(named, ",", ThingOf("X", ""), ",", failing)).ok());
    EXPECT_EQ(world_.things, things);
    world_.failures.clear();
    Open();
    const auto result =
        Deploy(absl::StrCat(named, ",", ThingOf("X", ""), ",", failing));
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(IdOf("Table"), "a");
  }
}

TEST_F(ExistingResourcesTest, TakesUpWhatWasRetainedWhereverThatWasKilled) {
  const std::string first =
      absl::StrCat(ThingOf("Table", R"("Name": "a", "Size": 1)", kRetain), ",",
                   ThingOf("X", ""));
  const std::string second =
      absl::StrCat(ThingOf("Table", R"("Name": "b", "Size": 1)", kRetain), ",",
                   ThingOf("X", ""));
  for (const std::string& next : {first, second}) {
    bool lived = false;
    for (int commits = 0; !lived; ++commits) {
      ASSERT_LT(commits, 20);
      world_ = {};
      store_ = *OpenSqliteStore({});
      Open();
      ASSERT_TRUE(Deploy(first).ok());
      ASSERT_TRUE(Deploy(second).ok());
      lived = DeployAndDie(first, commits);
      Open();
      const auto result = Deploy(next);
      ASSERT_TRUE(result.ok()) << commits << ": " << result.status();
      EXPECT_EQ(IdOf("Table"), next == first ? "a" : "b") << commits;
      // Neither was deleted, and the other can still be taken up.
      EXPECT_EQ(world_.things.size(), 3u) << commits;
      EXPECT_TRUE(Deploy(next == first ? second : first).ok()) << commits;
    }
  }
}

TEST_F(ExistingResourcesTest, SaysWhyWhatWasRetainedCannotBeTakenUp) {
  const std::string other = ThingOf("Other", "");
  const auto table = [&](int fixed) {
    return absl::StrCat(
        ThingOf("Table", absl::StrCat(R"("Name": "t", "Fixed": )", fixed),
                kRetain),
        ",", other);
  };
  ASSERT_TRUE(Deploy(table(1)).ok());
  ASSERT_TRUE(Deploy(other).ok());
  const auto things = world_.things;
  const auto result = Deploy(table(2));
  EXPECT_EQ(
      result.status().message(),
      "stack s: resource Table (Test::Thing): Resource of type 'Test::Thing' "
      "with identifier 't' already exists. An earlier template of this stack "
      "has retained it, and it cannot become what the template declares: its "
      "Fixed "
      "differs. Give the resource another name, or deploy to another data "
      "folder (--data=FOLDER); the deployment was rolled back");
  EXPECT_EQ(world_.things, things);
  EXPECT_TRUE(Deploy(table(1)).ok());
}

TEST_F(ExistingResourcesTest, WhatSomebodyElseHasMadeIsRefused) {
  ASSERT_TRUE(Deploy(ThingOf("A", R"("Name": "a")", kRetain)).ok());
  world_.things["theirs"] = "{}";
  const auto result = Deploy(ThingOf("A", R"("Name": "theirs")", kRetain));
  EXPECT_TRUE(
      absl::StrContains(result.status().message(), "'theirs' already exists."))
      << result.status();
  EXPECT_EQ(world_.things["theirs"], "{}");
}

TEST_F(ExistingResourcesTest, ALostStackTakesUpWhatItHadNamedOrNot) {
  const std::string resources = absl::StrCat(
      ThingOf("A", R"("Name": "a", "Size": 1)"), ",", ThingOf("B", ""));
  ASSERT_TRUE(Deploy(resources).ok());
  const auto things = world_.things;
  LoseStacks();
  EXPECT_FALSE(Deploy(resources).ok());
  EXPECT_EQ(world_.things, things);
  const auto result = Deploy(resources, ExistingResources::kTakeUp);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.things, things);
  EXPECT_EQ(notes_.size(), 2u);
  EXPECT_EQ(notes_[0],
            "resource A (Test::Thing): a was there without a stack and is part "
            "of this one now, with its data");
  EXPECT_FALSE(Deploy(resources)->changed);
}

TEST_F(ExistingResourcesTest, ALostStackLosesNothingWhereverItIsKilled) {
  const std::string resources =
      absl::StrCat(ThingOf("A", R"("Name": "a", "Size": 1)"), ",",
                   ThingOf("B", "", R"("DependsOn": "A", )"));
  const std::string failing =
      absl::StrCat(resources, ",", ThingOf("C", "", R"("DependsOn": "B", )"));
  bool lived = false;
  for (int commits = 0; !lived; ++commits) {
    ASSERT_LT(commits, 20);
    world_ = {};
    store_ = *OpenSqliteStore({});
    Open();
    ASSERT_TRUE(Deploy(resources).ok());
    const auto things = world_.things;
    LoseStacks();
    lived = DeployAndDie(resources, commits, ExistingResources::kTakeUp);
    Open();
    world_.failures = {"create C"};
    EXPECT_FALSE(Deploy(failing, ExistingResources::kTakeUp).ok());
    EXPECT_EQ(world_.things, things) << commits;
    world_.failures.clear();
    const auto result = Deploy(resources, ExistingResources::kTakeUp);
    ASSERT_TRUE(result.ok()) << commits << ": " << result.status();
    EXPECT_EQ(world_.things, things) << commits;
  }
}

TEST_F(ExistingResourcesTest, WhatAStackHasIsNotTakenUpByAnotherResource) {
  const std::string a = ThingOf("A", R"("Name": "same")");
  const std::string b =
      ThingOf("B", R"("Name": "same")", R"("DependsOn": "A", )");
  for (const ExistingResources existing :
       {ExistingResources::kRefuse, ExistingResources::kTakeUp}) {
    const auto result = Deploy(absl::StrCat(a, ",", b), existing);
    EXPECT_EQ(result.status().message(),
              "stack s: resource B (Test::Thing): Resource of type "
              "'Test::Thing' with identifier 'same' already exists. It is the "
              "resource A of the same stack. Give one of the two another "
              "name; the deployment was rolled back");
    EXPECT_TRUE(world_.things.empty());
  }
}

}  // namespace
}  // namespace byoshin::local::cloudformation
