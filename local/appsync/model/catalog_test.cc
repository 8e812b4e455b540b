#include "local/appsync/model/catalog.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/model/api_key.h"
#include "local/appsync/model/graphql_api.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::NotNull;
using ::testing::SizeIs;

class CatalogTest : public ::testing::Test {
 protected:
  struct Change {
    Catalog::StatePointer before;
    Catalog::StatePointer after;
    // What Find() gave when it was told.
    Catalog::StatePointer found;
  };

  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  std::vector<Change> changes_;
  Catalog catalog_{
      *store_, [this](const Catalog::StatePointer& before,
                      const Catalog::StatePointer& after) {
        changes_.push_back(
            {.before = before, .after = after, .found = catalog_.Find("api")});
      }};
};

TEST_F(CatalogTest, TellsWhatAChangeReplaces) {
  catalog_.Save(GraphqlApi{.id = "api", .region = "us-east-1"});
  catalog_.SaveSchema("api", "type Query { a: Int }");
  catalog_.SaveSchema("api", "type Query { b: Int }");
  catalog_.RemoveApi("api");
  ASSERT_THAT(changes_, SizeIs(4));
  EXPECT_THAT(changes_[0].before, IsNull());
  for (const Change& change : changes_) {
    EXPECT_EQ(change.found, change.after);
  }
  EXPECT_EQ(*changes_[2].before->schema, "type Query { a: Int }");
  EXPECT_EQ(*changes_[2].after->schema, "type Query { b: Int }");
  EXPECT_EQ(changes_[3].before, changes_[2].after);
  EXPECT_THAT(changes_[3].after, IsNull());
}

TEST_F(CatalogTest, TellsWhatIsReadAgain) {
  catalog_.Save(GraphqlApi{.id = "api", .region = "us-east-1"});
  changes_.clear();
  store_->Rollback();
  ASSERT_TRUE(catalog_.Load().ok());
  ASSERT_THAT(changes_, SizeIs(1));
  EXPECT_THAT(changes_[0].before, NotNull());
  EXPECT_THAT(changes_[0].after, IsNull());
  EXPECT_THAT(catalog_.List(), IsEmpty());
}

TEST_F(CatalogTest, ToldNothingIfThereIsNothingToRemove) {
  catalog_.RemoveApi("api");
  EXPECT_THAT(changes_, IsEmpty());
}

}  // namespace
}  // namespace byoshin::local::appsync
