#include "core/mesh/table_store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/mesh/constants.h"
#include "core/mesh/group.h"
#include "core/mesh/keys.h"
#include "core/mesh/testing/fake_table.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mesh {
namespace {

using aws::dynamodb::Item;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Group GroupOfHost(std::string id, std::string host_id) {
  return {.key = {.group_id = std::move(id), .domain = "d"},
          .name = "class",
          .host_id = std::move(host_id),
          .created_at = "2026-01-01T00:00:00.000Z",
          .expires_at = 2000,
          .ttl = 1150};
}

class TableStoreTest : public ::testing::Test {
 protected:
  absl::Status Add(const Group& group,
                   const std::optional<std::string>& claimed = std::nullopt) {
    return store_.AddGroup(group, claimed, deadline_);
  }
  // As the resolvers write them.
  void AddNode(const Group& group, const std::string& node_id) {
    Item item = NodeItemKey(group.key, node_id);
    item[kGroupIdAttribute] = group.key.group_id;
    item[kDomainAttribute] = group.key.domain;
    item[kTtlAttribute] = int64_t{1600};
    table_.Add(item);
  }
  void AddStatus(const Group& group, const std::string& node_id) {
    for (Item item : {GroupStatusItemKey(group.key, node_id),
                      LatestStatusItemKey(node_id)}) {
      item[kGroupIdAttribute] = group.key.group_id;
      item[kDomainAttribute] = group.key.domain;
      table_.Add(item);
    }
  }
  absl::Status AddEvents(const Group& group, int count) {
    EventBatch batch = {.group = group.key, .fired_by_node_id = "n"};
    for (int i = 0; i < count; ++i) {
      batch.events.push_back(
          {.id = absl::StrCat(++ids_), .name = "e", .timestamp = "t"});
    }
    return store_.AddEvents(group, batch, deadline_);
  }
  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const auto& [key, item] : table_.items()) {
      keys.push_back(absl::StrCat(key.first, " ", key.second));
    }
    return keys;
  }

  testing::FakeTable table_;
  time::testing::InstantClock clock_{absl::FromUnixSeconds(1000)};
  absl::Time deadline_ = absl::FromUnixSeconds(1020);
  int ids_ = 0;
  TableStore store_{{.table = table_, .clock = clock_, .table_name = "t"}};
};

TEST_F(TableStoreTest, AddsAGroupUnderTheKeysOfTheLayout) {
  ASSERT_TRUE(Add(GroupOfHost("g", "h")).ok());
  EXPECT_THAT(Keys(),
              ElementsAre("DOMAIN#d GROUP#g#METADATA", "DOMAIN#d HOST#h"));
  const Item& item = table_.items().begin()->second;
  EXPECT_THAT(
      item,
      ElementsAre(
          ::testing::Pair("GSI1PK", Item::mapped_type("DOMAIN#d")),
          ::testing::Pair("GSI1SK",
                          Item::mapped_type("GROUP#2026-01-01T00:00:00.000Z")),
          ::testing::Pair("createdAt",
                          Item::mapped_type("2026-01-01T00:00:00.000Z")),
          ::testing::Pair("domain", Item::mapped_type("d")),
          ::testing::Pair("expiresAt", Item::mapped_type(int64_t{2000})),
          ::testing::Pair("groupId", Item::mapped_type("g")),
          ::testing::Pair("hostId", Item::mapped_type("h")),
          ::testing::Pair("name", Item::mapped_type("class")),
          ::testing::Pair("pk", Item::mapped_type("DOMAIN#d")),
          ::testing::Pair("sk", Item::mapped_type("GROUP#g#METADATA")),
          ::testing::Pair("ttl", Item::mapped_type(int64_t{1150}))));
}

TEST_F(TableStoreTest, FindsWhatItAdded) {
  const Group group = GroupOfHost("g", "h");
  ASSERT_TRUE(Add(group).ok());
  EXPECT_EQ(store_.FindGroup(group.key, deadline_).value(), group);
  EXPECT_EQ(store_.FindClaim("h", "d", deadline_).value(), "g");
  EXPECT_EQ(store_.FindClaim("h", "e", deadline_).value(), std::nullopt);
  EXPECT_EQ(
      store_.FindGroup({.group_id = "g", .domain = "e"}, deadline_).value(),
      std::nullopt);
}

TEST_F(TableStoreTest, AddsOneGroupForAClaim) {
  ASSERT_TRUE(Add(GroupOfHost("g1", "h")).ok());
  EXPECT_EQ(Add(GroupOfHost("g2", "h")).code(), absl::StatusCode::kAborted);
  EXPECT_TRUE(Add(GroupOfHost("g2", "h"), "g1").ok());
  EXPECT_EQ(Add(GroupOfHost("g3", "h"), "g1").code(),
            absl::StatusCode::kAborted);
  EXPECT_EQ(table_.transactions()[0].client_request_token, "g1");
}

TEST_F(TableStoreTest, AddsAGroupForAClaimThatDynamoDbHasRemoved) {
  EXPECT_TRUE(Add(GroupOfHost("g2", "h"), "g1").ok());
}

TEST_F(TableStoreTest, SaysThatAGroupIsDamaged) {
  table_.Add(GroupItemKey({.group_id = "g", .domain = "d"}));
  EXPECT_EQ(store_.FindGroup({.group_id = "g", .domain = "d"}, deadline_)
                .status()
                .code(),
            absl::StatusCode::kDataLoss);
}

TEST_F(TableStoreTest, FindsTheDeadlineOfANode) {
  const Group group = GroupOfHost("g", "h");
  AddNode(group, "n");
  EXPECT_EQ(store_.FindNode(group.key, "n", deadline_).value(), 1600);
  EXPECT_EQ(store_.FindNode(group.key, "m", deadline_).value(), std::nullopt);
}

TEST_F(TableStoreTest, RemovesANodeAndItsStatus) {
  const Group group = GroupOfHost("g", "h");
  AddNode(group, "n");
  AddStatus(group, "n");
  AddNode(group, "m");
  ASSERT_TRUE(store_.RemoveNode(group.key, "n", deadline_).ok());
  EXPECT_THAT(Keys(), ElementsAre("GROUP#g@d NODE#m"));
}

TEST_F(TableStoreTest, KeepsTheStatusOfTheGroupThatANodeReportedToSince) {
  const Group old_group = GroupOfHost("g1", "h");
  const Group new_group = GroupOfHost("g2", "h");
  AddStatus(old_group, "n");
  AddStatus(new_group, "n");
  ASSERT_TRUE(store_.RemoveNode(old_group.key, "n", deadline_).ok());
  EXPECT_THAT(Keys(),
              ElementsAre("GROUP#g2@d STATUS#n", "NODE#n STATUS#LATEST"));
  ASSERT_TRUE(store_.RemoveGroup(old_group, deadline_).ok());
  EXPECT_THAT(Keys(), SizeIs(2));
}

TEST_F(TableStoreTest, ClosesAGroupThatIsThere) {
  Group group = GroupOfHost("g", "h");
  ASSERT_TRUE(Add(group).ok());
  ASSERT_TRUE(store_.CloseGroup(group, 999, deadline_).ok());
  group.ttl = 999;
  EXPECT_EQ(store_.FindGroup(group.key, deadline_).value(), group);
  EXPECT_EQ(TextOf(table_.items().begin()->second, kIndexPartitionKey),
            std::nullopt);
}

TEST_F(TableStoreTest, DoesNotBringBackAGroupByClosingIt) {
  EXPECT_TRUE(store_.CloseGroup(GroupOfHost("g", "h"), 999, deadline_).ok());
  EXPECT_THAT(table_.items(), IsEmpty());
}

TEST_F(TableStoreTest, RemovesEverythingOfAGroupPageByPage) {
  const Group group = GroupOfHost("g", "h");
  const Group other = GroupOfHost("g2", "h2");
  for (const Group& each : {group, other}) {
    ASSERT_TRUE(Add(each).ok());
    for (int i = 0; i < 40; ++i) AddNode(each, absl::StrCat(i));
    AddStatus(each, absl::StrCat(each.key.group_id, "-1"));
    ASSERT_TRUE(AddEvents(each, 60).ok());
  }
  const std::size_t all = table_.items().size();
  table_.SetPageSize(30);
  table_.LeaveUnprocessed(7);
  const absl::StatusOr<int64_t> removed = store_.RemoveGroup(group, deadline_);
  ASSERT_TRUE(removed.ok()) << removed.status();
  EXPECT_EQ(*removed, 1 + 40 + 1 + 60);
  EXPECT_EQ(table_.items().size(), all / 2);
  for (const std::string& key : Keys()) {
    EXPECT_EQ(key.find("g@d"), std::string::npos) << key;
  }
}

TEST_F(TableStoreTest, KeepsTheClaimOfTheHostsNextGroup) {
  const Group old_group = GroupOfHost("g1", "h");
  ASSERT_TRUE(Add(old_group).ok());
  ASSERT_TRUE(Add(GroupOfHost("g2", "h"), "g1").ok());
  ASSERT_TRUE(store_.RemoveGroup(old_group, deadline_).ok());
  EXPECT_THAT(Keys(),
              ElementsAre("DOMAIN#d GROUP#g2#METADATA", "DOMAIN#d HOST#h"));
}

TEST_F(TableStoreTest, Writes25EventsAtATime) {
  ASSERT_TRUE(AddEvents(GroupOfHost("g", "h"), 60).ok());
  EXPECT_THAT(table_.batches(), ElementsAre(25, 25, 10));
  EXPECT_THAT(table_.items(), SizeIs(60));
}

TEST_F(TableStoreTest, StoresAnEventUntilTheGroupEnds) {
  const Group group = GroupOfHost("g", "h");
  const EventBatch batch = {
      .group = group.key,
      .fired_by_node_id = "n",
      .events = {{.id = "1", .name = "e", .payload = "p", .timestamp = "T1"},
                 {.id = "2", .name = "e", .timestamp = "T2"}}};
  ASSERT_TRUE(store_.AddEvents(group, batch, deadline_).ok());
  EXPECT_THAT(Keys(),
              ElementsAre("GROUP#g@d EVENT#T1#1", "GROUP#g@d EVENT#T2#2"));
  const Item& first = table_.items().begin()->second;
  EXPECT_EQ(TextOf(first, "eventName"), "e");
  EXPECT_EQ(TextOf(first, "firedByNodeId"), "n");
  EXPECT_EQ(TextOf(first, "payload"), "p");
  EXPECT_EQ(NumberOf(first, "ttl"), group.expires_at);
  EXPECT_EQ(TextOf(table_.items().rbegin()->second, "payload"), std::nullopt);
}

TEST_F(TableStoreTest, RemovesTheEventsOfOneBatch) {
  const Group group = GroupOfHost("g", "h");
  ASSERT_TRUE(AddEvents(group, 1).ok());
  EventBatch batch = {.group = group.key, .fired_by_node_id = "n"};
  for (int i = 100; i < 160; ++i) {
    batch.events.push_back(
        {.id = absl::StrCat(i), .name = "e", .timestamp = "t"});
  }
  ASSERT_TRUE(store_.AddEvents(group, batch, deadline_).ok());
  ASSERT_TRUE(store_.RemoveEvents(batch, deadline_).ok());
  EXPECT_THAT(Keys(), ElementsAre("GROUP#g@d EVENT#t#1"));
}

TEST_F(TableStoreTest, WritesUnprocessedItemsAgainAfterAPause) {
  table_.LeaveUnprocessed(20);
  table_.LeaveUnprocessed(5);
  ASSERT_TRUE(AddEvents(GroupOfHost("g", "h"), 30).ok());
  EXPECT_THAT(table_.batches(), ElementsAre(25, 20, 5, 5));
  EXPECT_THAT(table_.items(), SizeIs(30));
  EXPECT_EQ(clock_.Now(), absl::FromUnixSeconds(1000) + kBatchRetryPause +
                              2 * kBatchRetryPause);
}

TEST_F(TableStoreTest, GivesUpOnUnprocessedItemsAtTheDeadline) {
  for (int i = 0; i < 100; ++i) table_.LeaveUnprocessed(1);
  const absl::Status status = AddEvents(GroupOfHost("g", "h"), 2);
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
  EXPECT_LE(clock_.Now(), deadline_);
}

}  // namespace
}  // namespace byoshin::mesh
