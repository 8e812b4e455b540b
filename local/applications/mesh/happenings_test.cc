#include "local/applications/mesh/happenings.h"

#include <json/json.h>

#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/mesh/table_writes.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What is said of a call.
std::vector<std::string> Said(const std::string& operation,
                              const std::string& body) {
  std::vector<std::string> said;
  for (const TableWrite& write :
       WritesOf(Call{.operation = operation, .body = body})) {
    EXPECT_EQ(write.table, "T");
    if (const auto text = Describe(write)) said.push_back(*text);
  }
  return said;
}

constexpr char kNodeItem[] =
    R"({"pk":{"S":"GROUP#g@d"},"sk":{"S":"NODE#n1"},"nodeId":{"S":"n1"},)"
    R"("groupId":{"S":"g"},"domain":{"S":"d"}})";

TEST(Happenings, SayThatAGroupWasCreated) {
  EXPECT_THAT(
      Said(
          "TransactWriteItems",
          R"({"TransactItems":[{"Put":{"TableName":"T","Item":{)"
          R"("pk":{"S":"DOMAIN#d"},"sk":{"S":"GROUP#g#METADATA"},)"
          R"("GSI1PK":{"S":"DOMAIN#d"},"name":{"S":"class"},"hostId":{"S":"h"},"groupId":{"S":"g"},)"
          R"("domain":{"S":"d"}}}},{"Put":{"TableName":"T","Item":{)"
          R"("pk":{"S":"DOMAIN#d"},"sk":{"S":"HOST#h"}}}}]})"),
      ElementsAre("group \"class\" created by h (g@d)"));
}

TEST(Happenings, SayWhoJoinsAndLeaves) {
  EXPECT_THAT(Said("PutItem", std::string(R"({"TableName":"T","Item":)") +
                                  kNodeItem + "}"),
              ElementsAre("n1 joined g@d"));
  EXPECT_THAT(
      Said("DeleteItem", R"({"TableName":"T","Key":{"pk":{"S":"GROUP#g@d"},)"
                         R"("sk":{"S":"NODE#n1"}}})"),
      ElementsAre("n1 left g@d"));
}

TEST(Happenings, SayWhatIsFiredAndThatAGroupIsDissolved) {
  EXPECT_THAT(
      Said("BatchWriteItem",
           R"({"RequestItems":{"T":[{"PutRequest":{"Item":{)"
           R"("pk":{"S":"GROUP#g@d"},"sk":{"S":"EVENT#t#1"},)"
           R"("eventName":{"S":"clap"},"firedByNodeId":{"S":"n1"},)"
           R"("groupId":{"S":"g"},"domain":{"S":"d"}}}},)"
           R"({"DeleteRequest":{"Key":{"pk":{"S":"DOMAIN#d"},)"
           R"("sk":{"S":"GROUP#g#METADATA"}}}}]}})"),
      ElementsAre("event \"clap\" of n1 in g@d", "group dissolved (g@d)"));
}

TEST(Happenings, SayNothingOfAGroupThatIsClosedBeforeItIsRemoved) {
  EXPECT_THAT(Said("PutItem", R"({"TableName":"T","Item":{)"
                              R"("pk":{"S":"DOMAIN#d"},)"
                              R"("sk":{"S":"GROUP#g#METADATA"}}})"),
              IsEmpty());
}

TEST(Happenings, SayNothingOfReportsAndHeartbeats) {
  EXPECT_THAT(
      Said("UpdateItem", R"({"TableName":"T","Key":{"pk":{"S":"GROUP#g@d"},)"
                         R"("sk":{"S":"NODE#n1"}}})"),
      IsEmpty());
  EXPECT_THAT(Said("PutItem", R"({"TableName":"T","Item":{"pk":{"S":"NODE#n"},)"
                              R"("sk":{"S":"STATUS#LATEST"}}})"),
              IsEmpty());
}

TEST(Happenings, EscapeWhatATerminalWouldObey) {
  EXPECT_THAT(
      Said("PutItem", R"({"TableName":"T","Item":{"pk":{"S":"GROUP#g@d"},)"
                      R"("sk":{"S":"NODE#x"},"nodeId":{"S":"\u001b[2J名"},)"
                      R"("groupId":{"S":"g"},"domain":{"S":"d"}}})"),
      ElementsAre("\\033[2J名 joined g@d"));
}

TEST(Happenings, IgnoreReadsAndMalformedCalls) {
  EXPECT_THAT(WritesOf(Call{.operation = "GetItem", .body = "{}"}), IsEmpty());
  EXPECT_THAT(WritesOf(Call{.operation = "PutItem", .body = "["}), IsEmpty());
  for (const char* body :
       {R"({"RequestItems":[]})", R"({"RequestItems":{"T":[1,{}]}})"}) {
    EXPECT_THAT(WritesOf(Call{.operation = "BatchWriteItem", .body = body}),
                IsEmpty());
  }
  EXPECT_THAT(WritesOf(Call{.operation = "TransactWriteItems",
                            .body = R"({"TransactItems":[1,{"Put":2}]})"}),
              IsEmpty());
}

}  // namespace
}  // namespace byoshin::local::applications
