// The resolvers of Mesh v2 on the embedded engine: what they ask the table for,
// what they answer, and in which order they check.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/gen/mesh_stack.h"
#include "infra/gen/testing/deployed_template.h"
#include "local/appsync/script/runtime.h"

namespace byoshin {
namespace {

namespace script = local::appsync::script;
using ::testing::HasSubstr;

constexpr int64_t kNow = 1'767'225'600;  // 2026-01-01T00:00:00Z

const infra::testing::DeployedTemplate& Deployed() {
  static const auto* const kDeployed =
      new infra::testing::DeployedTemplate(infra::MeshStack());
  return *kDeployed;
}

Json::Value Parsed(absl::string_view text) {
  return json::ParseValue(text).value();
}

// The arguments and the stash of a call in the group g@d of the host h, which
// is alive.
Json::Value ContextOf(absl::string_view arguments) {
  Json::Value context(Json::objectValue);
  context["arguments"] = Parsed(arguments);
  context["stash"] = Parsed(absl::StrCat(
      R"({"group":{"groupId":"g","domain":"d","hostId":"h","name":"n",)"
      R"("createdAt":"2026-01-01T00:00:00.000Z","expiresAt":)",
      kNow + 1000, R"(,"ttl":)", kNow + 100, "}}"));
  return context;
}

class MeshResolversTest : public ::testing::Test {
 protected:
  script::Evaluation Run(const std::string& resource, const char* handler,
                         const Json::Value& context) {
    const script::LoadedScript loaded =
        runtime_.Load(Deployed().Properties(resource)["Code"].asString());
    EXPECT_TRUE(loaded.errors.empty())
        << resource << ": " << loaded.errors[0].value;
    if (loaded.script == nullptr) return {};
    return runtime_.Evaluate(*loaded.script, handler,
                             json::WriteValue(context));
  }
  // What the handler returns, as JSON without spaces and with sorted keys; if
  // it raises an error, its type and message.
  static std::string Said(const script::Evaluation& evaluation) {
    if (evaluation.error.has_value()) {
      return absl::StrCat(evaluation.error->error_type, ": ",
                          evaluation.error->message);
    }
    return json::WriteValue(Parsed(evaluation.result.value_or("null")));
  }
  std::string Request(const std::string& resource, const Json::Value& context) {
    return Said(Run(resource, script::kRequestHandler, context));
  }
  std::string Response(const std::string& resource, Json::Value context,
                       absl::string_view result) {
    context["result"] = Parsed(result);
    return Said(Run(resource, script::kResponseHandler, context));
  }
  std::string Failed(const std::string& resource, Json::Value context,
                     const char* type) {
    context["error"]["type"] = type;
    context["error"]["message"] = "it failed";
    return Said(Run(resource, script::kResponseHandler, context));
  }

  absl::Time now_ = absl::FromUnixSeconds(kNow) + absl::Milliseconds(250);
  script::Runtime runtime_{{.now = [this] { return now_; }, .random_bits = {}}};
};

TEST_F(MeshResolversTest, AllLoad) {
  int loaded = 0;
  for (const char* type :
       {"AWS::AppSync::Resolver", "AWS::AppSync::FunctionConfiguration"}) {
    for (const std::string& id : Deployed().Ids(type)) {
      const script::LoadedScript script =
          runtime_.Load(Deployed().Properties(id)["Code"].asString());
      ASSERT_NE(script.script, nullptr) << id << ": " << script.errors[0].value;
      EXPECT_TRUE(script.script->Has(script::kRequestHandler)) << id;
      EXPECT_TRUE(script.script->Has(script::kResponseHandler)) << id;
      ++loaded;
    }
  }
  EXPECT_GE(loaded, 20);
}

// checkGroupExists.

constexpr char kCheckGroup[] = "CheckGroupExistsPipelined";

std::string GroupItem(int64_t ttl, int64_t expires_at) {
  return absl::StrCat(R"({"groupId":"g","domain":"d","hostId":"h","ttl":)", ttl,
                      R"(,"expiresAt":)", expires_at, "}");
}

TEST_F(MeshResolversTest, ReadTheGroupConsistently) {
  EXPECT_EQ(Request(kCheckGroup, ContextOf(R"({"groupId":"g","domain":"d"})")),
            R"({"consistentRead":true,"key":{"pk":{"S":"DOMAIN#d"},)"
            R"("sk":{"S":"GROUP#g#METADATA"}},"operation":"GetItem"})");
}

TEST_F(MeshResolversTest, CheckExistenceThenTheEndThenTheHeartbeat) {
  const Json::Value context = ContextOf(R"({"groupId":"g","domain":"d"})");
  EXPECT_EQ(Response(kCheckGroup, context, "null"),
            "GroupNotFound: Group not found: g@d");
  EXPECT_EQ(Response(kCheckGroup, context, GroupItem(kNow - 1, kNow - 1)),
            "GroupNotFound: Group expired: g@d (expiresAt: "
            "2025-12-31T23:59:59.000Z)");
  EXPECT_EQ(Response(kCheckGroup, context, GroupItem(kNow - 1, kNow)),
            "GroupNotFound: Group not found: g@d (heartbeat expired)");
  EXPECT_EQ(Response(kCheckGroup, context, GroupItem(kNow, kNow)),
            json::WriteValue(Parsed(GroupItem(kNow, kNow))));
}

TEST_F(MeshResolversTest, FindNoGroupWhoseNameIsTooLongForAKey) {
  const std::string id(129, 'x');
  EXPECT_EQ(Request(kCheckGroup, ContextOf(absl::StrCat(R"({"groupId":")", id,
                                                        R"(","domain":"d"})"))),
            absl::StrCat("GroupNotFound: Group not found: ", id, "@d"));
}

TEST_F(MeshResolversTest, PassOnFailuresOfTheTable) {
  const Json::Value context = ContextOf(R"({"groupId":"g","domain":"d"})");
  EXPECT_EQ(Failed(kCheckGroup, context, "DynamoDB:X"),
            "DynamoDB:X: it failed");
}

// checkMembership.

constexpr char kCheckMembership[] = "CheckMembershipPipelined";

TEST_F(MeshResolversTest, CountTheHostAsAMemberWithoutReading) {
  const script::Evaluation evaluation =
      Run(kCheckMembership, script::kRequestHandler,
          ContextOf(R"({"groupId":"g","domain":"d","nodeId":"h"})"));
  EXPECT_TRUE(evaluation.early_return.has_value());
}

TEST_F(MeshResolversTest, TakeMembersWhoseHeartbeatIsNotMissing) {
  const Json::Value context =
      ContextOf(R"({"groupId":"g","domain":"d","nodeId":"n"})");
  EXPECT_EQ(Request(kCheckMembership, context),
            R"({"consistentRead":true,"key":{"pk":{"S":"GROUP#g@d"},)"
            R"("sk":{"S":"NODE#n"}},"operation":"GetItem"})");
  EXPECT_EQ(Response(kCheckMembership, context, "null"),
            "NodeNotFound: Node not found");
  EXPECT_EQ(Response(kCheckMembership, context,
                     absl::StrCat(R"({"ttl":)", kNow - 1, "}")),
            "NodeNotFound: Node not found");
  EXPECT_EQ(Response(kCheckMembership, context,
                     absl::StrCat(R"({"ttl":)", kNow, "}")),
            absl::StrCat(R"({"ttl":)", kNow, "}"));
}

// joinGroup.

TEST_F(MeshResolversTest, PutANodeForFiveIntervals) {
  const Json::Value context =
      ContextOf(R"({"groupId":"g","domain":"d","nodeId":"n"})");
  EXPECT_EQ(Request("PutNodePipelined", context),
            absl::StrCat(
                R"({"attributeValues":{"domain":{"S":"d"},"expiresAt":{"N":)",
                kNow + 1000,
                R"(},"groupId":{"S":"g"},"heartbeatIntervalSeconds":{"N":120},)"
                R"("name":{"S":"Node n"},"nodeId":{"S":"n"},"ttl":{"N":)",
                kNow + 600,
                R"(}},"key":{"pk":{"S":"GROUP#g@d"},"sk":{"S":"NODE#n"}},)"
                R"("operation":"PutItem"})"));
  EXPECT_EQ(Response("PutNodePipelined", context, "{}"),
            R"({"domain":"d","groupId":"g","heartbeatIntervalSeconds":120,)"
            R"("id":"n","name":"Node n"})");
}

TEST_F(MeshResolversTest, RefuseNodesWithoutAnIdOrWithATooLongOne) {
  for (const std::string& id : {std::string(), std::string(129, 'x')}) {
    EXPECT_THAT(
        Request("PutNodePipelined",
                ContextOf(absl::StrCat(
                    R"({"groupId":"g","domain":"d","nodeId":")", id, "\"}"))),
        HasSubstr("ValidationError: nodeId must have 1 to 128 characters"));
  }
}

// Heartbeats.

TEST_F(MeshResolversTest, MoveTheDeadlineOfANodeThatIsThere) {
  const Json::Value context =
      ContextOf(R"({"groupId":"g","domain":"d","nodeId":"n"})");
  const Json::Value request =
      Parsed(Request("UpdateNodeTTLPipelined", context));
  EXPECT_EQ(request["operation"], "UpdateItem");
  EXPECT_EQ(request["update"]["expressionValues"][":deadline"]["N"],
            kNow + 600);
  EXPECT_EQ(request["condition"]["expression"],
            "attribute_exists(pk) AND #ttl >= :now");
  EXPECT_EQ(request["condition"]["expressionValues"][":now"]["N"], kNow);
  EXPECT_EQ(Failed("UpdateNodeTTLPipelined", context,
                   "DynamoDB:ConditionalCheckFailedException"),
            "NodeNotFound: Node not found");
  EXPECT_EQ(Failed("UpdateNodeTTLPipelined", context, "DynamoDB:Other"),
            "DynamoDB:Other: it failed");
}

TEST_F(MeshResolversTest, AnswerTheDeadlineOfAMember) {
  Json::Value context =
      ContextOf(R"({"groupId":"g","domain":"d","nodeId":"n"})");
  context["stash"]["deadline"] = kNow + 600;
  EXPECT_EQ(Response("SendMemberHeartbeatResolver", context, "{}"),
            R"({"domain":"d","expiresAt":"2026-01-01T00:10:00.000Z",)"
            R"("groupId":"g","heartbeatIntervalSeconds":120,"nodeId":"n"})");
}

TEST_F(MeshResolversTest, AnswerTheGroupsDeadlineToTheHost) {
  const script::Evaluation evaluation =
      Run("UpdateNodeTTLPipelined", script::kRequestHandler,
          ContextOf(R"({"groupId":"g","domain":"d","nodeId":"h"})"));
  EXPECT_TRUE(evaluation.early_return.has_value());
  EXPECT_EQ(Parsed(evaluation.stash)["deadline"], kNow + 100);
}

TEST_F(MeshResolversTest, LetOnlyTheHostRenew) {
  EXPECT_EQ(Request("UpdateGroupTTLPipelined",
                    ContextOf(R"({"groupId":"g","domain":"d","hostId":"n"})")),
            "Unauthorized: Only the host can renew the heartbeat");
}

TEST_F(MeshResolversTest, RenewAGroupForFiveIntervalsButNotBeyondItsEnd) {
  Json::Value context =
      ContextOf(R"({"groupId":"g","domain":"d","hostId":"h"})");
  const auto deadline = [&] {
    return Parsed(
        Request("UpdateGroupTTLPipelined",
                context))["update"]["expressionValues"][":deadline"]["N"];
  };
  EXPECT_EQ(deadline(), kNow + 150);
  context["stash"]["group"]["expiresAt"] = kNow + 149;
  EXPECT_EQ(deadline(), kNow + 149);
  EXPECT_EQ(Response("UpdateGroupTTLPipelined", context, "{}"),
            R"({"domain":"d","expiresAt":"2026-01-01T00:02:29.000Z",)"
            R"("groupId":"g","heartbeatIntervalSeconds":30})");
  EXPECT_EQ(Failed("UpdateGroupTTLPipelined", context,
                   "DynamoDB:ConditionalCheckFailedException"),
            "GroupNotFound: Group not found: g@d (heartbeat expired)");
}

// reportDataByNode.

constexpr char kPutStatus[] = "PutStatusPipelined";

TEST_F(MeshResolversTest, PutAStatusUnderTheNodeAndUnderTheGroup) {
  const script::Evaluation evaluation =
      Run(kPutStatus, script::kRequestHandler,
          ContextOf(R"({"groupId":"g","domain":"d","nodeId":"n",)"
                    R"("data":[{"key":"k","value":"v"}]})"));
  const Json::Value items = Parsed(Said(evaluation))["tables"]["MeshV2Table"];
  ASSERT_EQ(items.size(), 2);
  EXPECT_EQ(items[0]["pk"]["S"], "NODE#n");
  EXPECT_EQ(items[0]["sk"]["S"], "STATUS#LATEST");
  EXPECT_EQ(items[1]["pk"]["S"], "GROUP#g@d");
  EXPECT_EQ(items[1]["sk"]["S"], "STATUS#n");
  for (const Json::Value& item : items) {
    EXPECT_EQ(item["timestamp"]["S"], "2026-01-01T00:00:00.250Z");
    EXPECT_EQ(item["ttl"]["N"], kNow + 1000);
  }
  Json::Value context = ContextOf("{}");
  context["stash"] = Parsed(evaluation.stash);
  EXPECT_EQ(Response(kPutStatus, context, R"({"unprocessedItems":{}})"),
            R"({"data":[{"key":"k","value":"v"}],"domain":"d","groupId":"g",)"
            R"("nodeId":"n","timestamp":"2026-01-01T00:00:00.250Z"})");
  EXPECT_THAT(Response(kPutStatus, context,
                       R"({"unprocessedItems":{"MeshV2Table":[{}]}})"),
              HasSubstr("Overloaded: "));
}

TEST_F(MeshResolversTest, ReportUpToWhatCanBePublishedAtOnce) {
  const auto report = [&](std::size_t bytes) {
    return Request(
        kPutStatus,
        ContextOf(absl::StrCat(
            R"({"groupId":"g","domain":"d","nodeId":"n","data":[{"key":"k",)"
            R"("value":")",
            std::string(bytes, 'x'), "\"}]}")));
  };
  const std::string message =
      R"({"data":{"onDataUpdateInGroup":{"nodeId":"n","groupId":"g",)"
      R"("domain":"d","data":[{"key":"k","value":"","__typename":"SensorData"}])"
      R"(,"timestamp":"2026-01-01T00:00:00.250Z","__typename":"NodeStatus"}}})";
  const std::size_t most = mesh::kMaxRealtimeBytes - message.size();
  EXPECT_THAT(report(most), HasSubstr("BatchPutItem"));
  EXPECT_THAT(report(most + 1), HasSubstr("ValidationError: the data has"));
}

// What is written too late is taken back.

constexpr char kConfirmWrite[] = "ConfirmWritePipelined";

Json::Value ReportOf(absl::string_view node_id) {
  Json::Value context = ContextOf(absl::StrCat(
      R"({"groupId":"g","domain":"d","nodeId":")", node_id, R"("})"));
  context["stash"]["status"] =
      Parsed(absl::StrCat(R"({"nodeId":")", node_id,
                          R"(","groupId":"g","domain":"d","timestamp":"t"})"));
  context["prev"]["result"]["id"] = "before";
  return context;
}

TEST_F(MeshResolversTest, ReadTheGroupAndTheNodeAgainAfterAReport) {
  const auto read = [&](const Json::Value& context) {
    const Json::Value request = Parsed(Request(kConfirmWrite, context));
    EXPECT_EQ(request["operation"], "BatchGetItem");
    EXPECT_EQ(request["tables"]["MeshV2Table"]["consistentRead"], true);
    return json::WriteValue(request["tables"]["MeshV2Table"]["keys"]);
  };
  const std::string group =
      R"({"pk":{"S":"DOMAIN#d"},"sk":{"S":"GROUP#g#METADATA"}})";
  EXPECT_EQ(read(ReportOf("n")),
            absl::StrCat("[", group,
                         R"(,{"pk":{"S":"GROUP#g@d"},"sk":{"S":"NODE#n"}}])"));
  EXPECT_EQ(read(ReportOf("h")), absl::StrCat("[", group, "]"));
  // A node that joins has just been written.
  EXPECT_EQ(read(ContextOf(R"({"groupId":"g","domain":"d","nodeId":"n"})")),
            absl::StrCat("[", group, "]"));
}

TEST_F(MeshResolversTest, RejectWhatWasWrittenTooLate) {
  const auto rejection = [&](const std::string& group,
                             const std::string& node) {
    Json::Value context = ReportOf("n");
    context["result"] = Parsed(
        absl::StrCat(R"({"data":{"MeshV2Table":[)", group, ",", node, "]}}"));
    const script::Evaluation evaluation =
        Run(kConfirmWrite, script::kResponseHandler, context);
    EXPECT_EQ(Said(evaluation), R"({"id":"before"})");
    return json::WriteValue(Parsed(evaluation.stash)["rejection"]);
  };
  EXPECT_EQ(rejection(GroupItem(kNow, kNow), "{}"), "null");
  EXPECT_EQ(rejection("null", "null"),
            R"({"message":"Group not found: g@d","type":"GroupNotFound"})");
  EXPECT_EQ(rejection(GroupItem(kNow - 1, kNow), "null"),
            R"x({"message":"Group not found: g@d (heartbeat expired)",)x"
            R"("type":"GroupNotFound"})");
  EXPECT_EQ(rejection(GroupItem(kNow, kNow), "null"),
            R"({"message":"Node not found","type":"NodeNotFound"})");
  EXPECT_EQ(Failed(kConfirmWrite, ReportOf("n"), "DynamoDB:X"),
            "DynamoDB:X: it failed");
  EXPECT_THAT(
      Response(kConfirmWrite, ReportOf("n"),
               R"({"data":{"MeshV2Table":[null,null]},)"
               R"("unprocessedKeys":{"MeshV2Table":[{"pk":"DOMAIN#d"}]}})"),
      HasSubstr("Overloaded: "));
}

TEST_F(MeshResolversTest, TakeNothingBackWithoutARejection) {
  for (const char* undo : {"UndoNodePipelined", "UndoLatestStatusPipelined",
                           "UndoStatusPipelined"}) {
    const script::Evaluation evaluation =
        Run(undo, script::kRequestHandler, ReportOf("n"));
    EXPECT_TRUE(evaluation.early_return.has_value()) << undo;
    EXPECT_EQ(Said(evaluation), R"({"id":"before"})") << undo;
  }
}

TEST_F(MeshResolversTest, TakeBackANodeThatJoinedTooLate) {
  Json::Value context = ReportOf("n");
  context["stash"]["rejection"] = Parsed(R"({"message":"m","type":"T"})");
  EXPECT_EQ(Request("UndoNodePipelined", context),
            R"({"key":{"pk":{"S":"GROUP#g@d"},"sk":{"S":"NODE#n"}},)"
            R"("operation":"DeleteItem"})");
  EXPECT_EQ(Response("UndoNodePipelined", context, "{}"), "T: m");
  EXPECT_EQ(Failed("UndoNodePipelined", context, "DynamoDB:X"),
            "DynamoDB:X: it failed");
}

TEST_F(MeshResolversTest, TakeBackTheStatusesOfOneReport) {
  Json::Value context = ReportOf("n");
  context["stash"]["rejection"] = Parsed(R"({"message":"m","type":"T"})");
  const Json::Value latest =
      Parsed(Request("UndoLatestStatusPipelined", context));
  EXPECT_EQ(latest["key"]["pk"]["S"], "NODE#n");
  EXPECT_EQ(latest["key"]["sk"]["S"], "STATUS#LATEST");
  EXPECT_EQ(latest["condition"]["expression"],
            "groupId = :groupId AND #domain = :domain AND "
            "#timestamp = :timestamp");
  const Json::Value status = Parsed(Request("UndoStatusPipelined", context));
  EXPECT_EQ(status["key"]["pk"]["S"], "GROUP#g@d");
  EXPECT_EQ(status["key"]["sk"]["S"], "STATUS#n");
  EXPECT_EQ(status["condition"]["expressionValues"][":timestamp"]["S"], "t");
  // A later report has replaced it.
  constexpr char kFalse[] = "DynamoDB:ConditionalCheckFailedException";
  EXPECT_EQ(Failed("UndoLatestStatusPipelined", context, kFalse), "{}");
  EXPECT_EQ(Failed("UndoStatusPipelined", context, kFalse), "T: m");
  EXPECT_EQ(Response("UndoLatestStatusPipelined", context, "{}"), "{}");
  EXPECT_EQ(Response("UndoStatusPipelined", context, "{}"), "T: m");
  for (const char* undo :
       {"UndoLatestStatusPipelined", "UndoStatusPipelined"}) {
    EXPECT_EQ(Failed(undo, context, "DynamoDB:X"), "DynamoDB:X: it failed");
  }
}

// Queries.

TEST_F(MeshResolversTest, QueryTheGroupsOfADomainThatAreAlive) {
  const Json::Value request = Parsed(
      Request("ListGroupsByDomainResolver", ContextOf(R"({"domain":"d"})")));
  EXPECT_EQ(request["index"], "GSI1");
  EXPECT_EQ(request["scanIndexForward"], true);
  EXPECT_EQ(request["query"]["expressionValues"][":domain"]["S"], "DOMAIN#d");
  EXPECT_EQ(request["filter"]["expressionValues"][":now"]["N"], kNow);
}

TEST_F(MeshResolversTest, AnswerAGroupOnlyWhileItIsAlive) {
  const Json::Value context = ContextOf(R"({"groupId":"g","domain":"d"})");
  EXPECT_EQ(Response("GetGroupResolver", context, "null"), "null");
  EXPECT_EQ(
      Response("GetGroupResolver", context, GroupItem(kNow - 1, kNow + 9)),
      "null");
  EXPECT_EQ(Response("GetGroupResolver", context, GroupItem(kNow, kNow + 60)),
            R"({"domain":"d","expiresAt":"2026-01-01T00:01:00.000Z",)"
            R"("fullId":"g@d","hostId":"h","id":"g"})");
}

TEST_F(MeshResolversTest, AnswerAStatusUntilItsGroupEnds) {
  const Json::Value context = ContextOf(R"({"nodeId":"n"})");
  EXPECT_EQ(Response("GetNodeStatusResolver", context,
                     absl::StrCat(R"({"nodeId":"n","ttl":)", kNow - 1, "}")),
            "null");
  EXPECT_EQ(Response("GetNodeStatusResolver", context,
                     absl::StrCat(R"({"nodeId":"n","ttl":)", kNow, "}")),
            R"({"nodeId":"n"})");
}

TEST_F(MeshResolversTest, ReadAllPagesOfStatusesAndSkipWhatIsNotNeeded) {
  Json::Value context = ContextOf(R"({"groupId":"g","domain":"d"})");
  EXPECT_EQ(Parsed(Request("QueryGroupPipelined", context))["nextToken"],
            Json::Value());
  context["result"] = Parsed(R"({"items":[{"sk":"NODE#n"}],"nextToken":"t"})");
  context["stash"] = Parsed(
      Run("QueryGroupPipelined", script::kResponseHandler, context).stash);
  EXPECT_EQ(Parsed(Request("QueryGroupPipelined", context))["nextToken"], "t");
  context["result"] = Parsed(R"({"items":[{"sk":"STATUS#n"}]})");
  context["stash"] = Parsed(
      Run("QueryGroupPipelined", script::kResponseHandler, context).stash);
  EXPECT_EQ(context["stash"]["items"].size(), 2);
  EXPECT_TRUE(Run("QueryGroupPipelined", script::kRequestHandler, context)
                  .early_return.has_value());
}

TEST_F(MeshResolversTest, ListTheStatusesOfMembersAndTheHost) {
  Json::Value context = ContextOf(R"({"groupId":"g","domain":"d"})");
  context["stash"]["items"] = Parsed(absl::StrCat(
      R"([{"sk":"NODE#alive","nodeId":"alive","ttl":)", kNow,
      R"(},{"sk":"NODE#silent","nodeId":"silent","ttl":)", kNow - 1,
      R"(},{"sk":"STATUS#alive","nodeId":"alive"},)"
      R"({"sk":"STATUS#constructor","nodeId":"constructor"},)"
      R"({"sk":"STATUS#h","nodeId":"h"},)"
      R"({"sk":"STATUS#silent","nodeId":"silent"}])"));
  EXPECT_EQ(Response("ListGroupStatusesResolver", context, "{}"),
            R"([{"nodeId":"alive"},{"nodeId":"h"}])");
  context["stash"]["nextToken"] = "t";
  EXPECT_THAT(Response("ListGroupStatusesResolver", context, "{}"),
              HasSubstr("TooManyStatuses: "));
}

// The rest.

TEST_F(MeshResolversTest, TakeTheFirstAddressForADomain) {
  Json::Value context(Json::objectValue);
  context["request"]["headers"]["x-forwarded-for"] = " 203.0.113.7 , 10.0.0.1";
  EXPECT_EQ(Request("CreateDomainResolver", context),
            R"({"payload":"203.0.113.7"})");
  context["request"]["headers"] = Json::Value(Json::objectValue);
  EXPECT_THAT(Request("CreateDomainResolver", context),
              HasSubstr("ValidationError: "));
}

TEST_F(MeshResolversTest, GiveFunctionsTheirArgumentsWithoutTheApiKey) {
  Json::Value context = ContextOf(R"({"nodeId":"n"})");
  context["info"] =
      Parsed(R"({"fieldName":"leaveGroup","parentTypeName":"Mutation"})");
  context["request"]["headers"]["x-api-key"] = "da2-secret";
  EXPECT_EQ(Request("LeaveGroupResolver", context),
            R"({"operation":"Invoke","payload":{"arguments":{"nodeId":"n"},)"
            R"("info":{"fieldName":"leaveGroup","parentTypeName":"Mutation"},)"
            R"("now":1767225600250}})");
  EXPECT_EQ(Response("LeaveGroupResolver", context, R"({"data":{"a":1}})"),
            R"({"a":1})");
  EXPECT_EQ(Response("LeaveGroupResolver", context,
                     R"({"error":{"type":"T","message":"m"}})"),
            "T: m");
  EXPECT_EQ(Failed("LeaveGroupResolver", context, "Lambda:Unhandled"),
            "Lambda:Unhandled: it failed");
}

}  // namespace
}  // namespace byoshin
