// Resources that a template declares under another logical id than the stack
// has them, and what a deployment does to keep data.

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "local/cloudformation/stack.h"
#include "local/cloudformation/template.h"
#include "local/cloudformation/testing/existing_resources_test_base.h"
#include "local/store/sqlite_store.h"

namespace byoshin::local::cloudformation {
namespace {

using testing::kRetain;
using testing::ThingOf;
using Notes = std::vector<std::string>;

class MovedResourcesTest : public testing::ExistingResourcesTest {
 protected:
  const std::string other_ = ThingOf("Other", "");
  const std::string tab_ =
      absl::StrCat(ThingOf("Tab", R"("Name": "t", "Size": 1)"), ",", other_);
  const std::string table_ =
      absl::StrCat(ThingOf("Table", R"("Name": "t", "Size": 2)"), ",", other_);
};

TEST_F(MovedResourcesTest, AResourceMovesToItsNewLogicalId) {
  ASSERT_TRUE(Deploy(tab_).ok());
  world_.data["t"] = "3 items";
  const auto result = Deploy(table_);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(world_.calls, Notes{"update Table"});
  EXPECT_EQ(notes_,
            Notes{"resource Table (Test::Thing): t was the resource Tab of "
                  "this stack and has moved, with its data"});
  EXPECT_EQ(result->stack.resources.count("Tab"), 0u);
  EXPECT_EQ(IdOf("Table"), "t");
  EXPECT_EQ(world_.data["t"], "3 items");
  Open();
  EXPECT_FALSE(Deploy(table_)->changed);
}

TEST_F(MovedResourcesTest, AResourceDoesNotTakeThePlaceOfAnother) {
  ASSERT_TRUE(
      Deploy(absl::StrCat(tab_, ",", ThingOf("Table", R"("Name": "u")"))).ok());
  const auto things = world_.things;
  const auto result = Deploy(table_);
  EXPECT_EQ(
      result.status().message(),
      "stack s: resource Table (Test::Thing): Resource of type 'Test::Thing' "
      "with identifier 't' already exists. It is the resource Tab of this "
      "stack, which cannot take the place of another resource. Give the "
      "resource another name, or deploy to another data folder "
      "(--data=FOLDER); the deployment was rolled back");
  EXPECT_EQ(world_.things, things);
}

TEST_F(MovedResourcesTest, AFailedDeploymentMovesItBack) {
  ASSERT_TRUE(Deploy(tab_).ok());
  const auto things = world_.things;
  world_.failures = {"create Z"};
  EXPECT_FALSE(
      Deploy(absl::StrCat(table_, ",",
                          ThingOf("Z", "", R"("DependsOn": "Table", )")))
          .ok());
  EXPECT_EQ(deployer_->Find("s")->status, "UPDATE_ROLLBACK_COMPLETE");
  EXPECT_EQ(world_.things, things);
  EXPECT_EQ(IdOf("Tab"), "t");
  Open();
  EXPECT_FALSE(Deploy(tab_)->changed);
}

TEST_F(MovedResourcesTest, NothingIsLostWhereverAMoveIsKilled) {
  for (const std::string& next : {tab_, table_}) {
    bool lived = false;
    for (int commits = 0; !lived; ++commits) {
      ASSERT_LT(commits, 20);
      world_ = {};
      store_ = *OpenSqliteStore({});
      Open();
      ASSERT_TRUE(Deploy(tab_).ok());
      world_.data["t"] = "3 items";
      lived = DeployAndDie(table_, commits);
      Open();
      const auto result = Deploy(next);
      ASSERT_TRUE(result.ok()) << commits << ": " << result.status();
      EXPECT_EQ(IdOf(next == tab_ ? "Tab" : "Table"), "t") << commits;
      EXPECT_EQ(world_.data["t"], "3 items") << commits;
    }
  }
}

TEST_F(MovedResourcesTest, SaysWhyAResourceCannotMoveAndWhatToDo) {
  ASSERT_TRUE(Deploy(tab_).ok());
  const auto things = world_.things;
  const auto result = Deploy(absl::StrCat(
      ThingOf("Table", R"("Name": "t", "Fixed": 1)"), ",", other_));
  EXPECT_EQ(
      result.status().message(),
      "stack s: resource Table (Test::Thing): Resource of type 'Test::Thing' "
      "with identifier 't' already exists. It is the resource Tab of this "
      "stack, and it cannot become what the template declares: its Fixed "
      "differs. Give the resource another name, or deploy to another data "
      "folder (--data=FOLDER); the deployment was rolled back");
  EXPECT_EQ(world_.things, things);
}

TEST_F(MovedResourcesTest, SaysWhatToDoAboutAChangeThatNeedsAnotherName) {
  ASSERT_TRUE(Deploy(ThingOf("Table", R"("Name": "t", "Fixed": 1)")).ok());
  const auto result = Deploy(ThingOf("Table", R"("Name": "t", "Fixed": 2)"));
  EXPECT_EQ(
      result.status().message(),
      "stack s: resource Table (Test::Thing): Resource of type 'Test::Thing' "
      "with identifier 't' already exists. It is this resource as it is "
      "deployed, and cannot be changed in Fixed: that requires a new resource. "
      "Give the resource another name, or deploy to another data folder "
      "(--data=FOLDER); the deployment was rolled back");
  EXPECT_EQ(world_.things["t"], R"({"Fixed":1,"Name":"t"})");
}

TEST_F(MovedResourcesTest, WhatWasRetainedOnceStaysRetained) {
  const auto table = [&](const char* attributes) {
    return absl::StrCat(ThingOf("Table", R"("Name": "t")", attributes), ",",
                        other_);
  };
  ASSERT_TRUE(Deploy(table(kRetain)).ok());
  ASSERT_TRUE(Deploy(other_).ok());
  // Under another logical id, too, and when it is deployed again or changed.
  ASSERT_TRUE(Deploy(tab_).ok());
  Open();
  ASSERT_TRUE(Deploy(tab_).ok());
  ASSERT_TRUE(Deploy(table("")).ok());
  ASSERT_TRUE(Deploy(other_).ok());
  EXPECT_EQ(world_.things.count("t"), 1u);
  // Unless the template says otherwise.
  ASSERT_TRUE(Deploy(table(R"("DeletionPolicy": "Delete", )")).ok());
  ASSERT_TRUE(Deploy(other_).ok());
  EXPECT_EQ(world_.things.count("t"), 0u);
}

TEST_F(MovedResourcesTest, WhatIsRetainedStaysRetainedWhenItMoves) {
  ASSERT_TRUE(Deploy(absl::StrCat(ThingOf("Table", R"("Name": "t")", kRetain),
                                  ",", other_))
                  .ok());
  ASSERT_TRUE(Deploy(tab_).ok());
  Open();
  ASSERT_TRUE(Deploy(tab_).ok());
  ASSERT_TRUE(Deploy(other_).ok());
  EXPECT_EQ(world_.things.count("t"), 1u);
}

TEST_F(MovedResourcesTest, ANoteTellsOfDataThatIsDeleted) {
  const std::string before = absl::StrCat(
      tab_, ",", ThingOf("Named", R"("Name": "a")"), ",", ThingOf("Empty", ""));
  ASSERT_TRUE(Deploy(before).ok());
  world_.data["t"] = "3 items";
  world_.data["a"] = "1 message";
  const auto result =
      Deploy(absl::StrCat(ThingOf("Named", R"("Name": "b")"), ",", other_));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(
      notes_,
      (Notes{"resource Tab (Test::Thing): t was deleted with its data (3 "
             "items), because it was removed from the template and its "
             "DeletionPolicy was not Retain",
             "resource Named (Test::Thing): a was deleted with its data (1 "
             "message), because it was replaced and its UpdateReplacePolicy "
             "was not Retain"}));
}

TEST_F(MovedResourcesTest, RollingBackDeletesWhatItHasMadeAlthoughProtected) {
  const std::string resources =
      absl::StrCat(ThingOf("Table", R"("Name": "t")", kRetain), ",",
                   ThingOf("Z", "", R"("DependsOn": "Table", )"));
  world_.is_protected = {"t"};
  world_.failures = {"create Z"};
  const auto result = Deploy(resources);
  EXPECT_TRUE(absl::EndsWith(result.status().message(),
                             "; the deployment was rolled back"))
      << result.status();
  EXPECT_TRUE(world_.things.empty());
}

}  // namespace
}  // namespace byoshin::local::cloudformation
