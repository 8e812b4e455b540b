#include "local/applications/mesh/mesh_state.h"

#include <json/json.h>

#include <sstream>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "core/json/writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::applications {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

Json::Value Parse(const std::string& text) {
  std::istringstream stream(text);
  Json::Value json;
  stream >> json;
  return json;
}

// A group that is alive until second 100, without heartbeat until `ttl`.
Json::Value GroupItem(const std::string& id, const std::string& created_at,
                      const std::string& ttl = "90") {
  return Parse(R"({"pk":{"S":"DOMAIN#d"},"sk":{"S":"GROUP#)" + id +
               R"(#METADATA"},"groupId":{"S":")" + id +
               R"("},"domain":{"S":"d"},"name":{"S":"G"},"hostId":{"S":"h"},)"
               R"("createdAt":{"S":")" +
               created_at + R"("},"expiresAt":{"N":"100"},"ttl":{"N":")" + ttl +
               R"("}})");
}

// A member of group a, which must send a heartbeat until `ttl`.
Json::Value MemberItem(const std::string& id, const std::string& ttl) {
  return Parse(R"({"pk":{"S":"GROUP#a@d"},"sk":{"S":"NODE#)" + id +
               R"("},"ttl":{"N":")" + ttl + R"("}})");
}

Json::Value StatusItem(const std::string& id) {
  return Parse(R"({"pk":{"S":"GROUP#a@d"},"sk":{"S":"STATUS#)" + id + R"("}})");
}

MeshState BuildAt(MeshStateBuilder builder, int second) {
  return std::move(builder).Build(absl::FromUnixSeconds(second));
}

TEST(MeshState, ListsGroupsThatAreAliveTheOldestFirst) {
  MeshStateBuilder builder;
  builder.Add(GroupItem("b", "2026-01-01T00:00:02.000Z"));
  builder.Add(GroupItem("a", "2026-01-01T00:00:03.000Z"));
  builder.Add(GroupItem("over", "2026-01-01T00:00:01.000Z", "49"));
  EXPECT_THAT(
      BuildAt(builder, 50).groups,
      ElementsAre(Field(&MeshGroup::id, "b"), Field(&MeshGroup::id, "a")));
  EXPECT_THAT(BuildAt(builder, 91).groups, IsEmpty());
}

TEST(MeshState, ShowsNodesWithTheirLastValues) {
  MeshStateBuilder builder;
  builder.Add(Parse(R"({"pk":{"S":"GROUP#a@d"},"sk":{"S":"STATUS#n1"},)"
                    R"("timestamp":{"S":"T"},"data":{"L":[{"M":{)"
                    R"("key":{"S":"light"},"value":{"S":"7"}}}]}})"));
  builder.Add(MemberItem("n1", "60"));
  builder.Add(MemberItem("n2", "60"));
  builder.Add(Parse(R"({"pk":{"S":"GROUP#x@d"},"sk":{"S":"NODE#other"}})"));
  builder.Add(GroupItem("a", "T"));
  const MeshState state = BuildAt(builder, 50);
  ASSERT_THAT(state.groups, SizeIs(1));
  EXPECT_THAT(state.groups[0].nodes, ElementsAre(Field(&MeshNode::id, "n1"),
                                                 Field(&MeshNode::id, "n2")));
  EXPECT_THAT(state.groups[0].nodes[0].values, ElementsAre(Pair("light", "7")));
  EXPECT_EQ(state.groups[0].nodes[0].reported_at, "T");
}

TEST(MeshState, ShowsTheHostAndMembersThatAreAlive) {
  MeshStateBuilder builder;
  builder.Add(GroupItem("a", "T"));
  for (const char* id : {"gone", "h", "left", "there"}) {
    builder.Add(StatusItem(id));
  }
  builder.Add(MemberItem("gone", "49"));
  builder.Add(MemberItem("there", "50"));
  const MeshState state = BuildAt(builder, 50);
  ASSERT_THAT(state.groups, SizeIs(1));
  EXPECT_THAT(
      state.groups[0].nodes,
      ElementsAre(Field(&MeshNode::id, "h"), Field(&MeshNode::id, "there")));
}

TEST(MeshState, ShowsTheLatestEventsTheNewestFirst) {
  MeshStateBuilder builder;
  builder.Add(GroupItem("a", "T"));
  for (int i = 10; i < 25; ++i) {
    const std::string number = std::to_string(i);
    builder.Add(Parse(R"({"pk":{"S":"GROUP#a@d"},"sk":{"S":"EVENT#)" + number +
                      R"(#id"},"eventName":{"S":"e)" + number +
                      R"("},"firedByNodeId":{"S":"n"}})"));
  }
  const MeshState state = BuildAt(builder, 50);
  ASSERT_THAT(state.groups, SizeIs(1));
  ASSERT_THAT(state.groups[0].events, SizeIs(kShownEvents));
  EXPECT_EQ(state.groups[0].events.front().name, "e24");
}

TEST(MeshState, IgnoresItemsOfOthers) {
  MeshStateBuilder builder;
  builder.Add(Parse(R"({"id":{"S":"1"}})"));
  builder.Add(Parse(R"({"pk":{"N":"1"},"sk":{"S":"GROUP#a#METADATA"}})"));
  builder.Add(Parse(R"({"pk":{"S":"NODE#n"},"sk":{"S":"STATUS#LATEST"}})"));
  EXPECT_THAT(BuildAt(builder, 50).groups, IsEmpty());
}

TEST(MeshState, IsWrittenAsJson) {
  MeshStateBuilder builder;
  builder.Add(GroupItem("a", "T"));
  json::Writer json;
  WriteMeshState(BuildAt(builder, 50), json);
  EXPECT_EQ(json.Take(),
            R"({"groups":[{"id":"a","domain":"d","name":"G","hostId":"h",)"
            R"("createdAt":"T","expiresAt":"1970-01-01T00:01:40.000Z",)"
            R"("nodes":[],"events":[]}]})");
}

}  // namespace
}  // namespace byoshin::local::applications
