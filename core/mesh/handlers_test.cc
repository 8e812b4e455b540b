#include "core/mesh/handlers.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/mesh/config.h"
#include "core/mesh/constants.h"
#include "core/mesh/service.h"
#include "core/mesh/testing/memory_store.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::mesh {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// As AppSync sends it to a direct Lambda resolver.
std::string EventOf(absl::string_view field, absl::string_view arguments) {
  return absl::StrCat(
      R"({"arguments":)", arguments,
      R"(,"identity":null,"source":null,"request":{"headers":)"
      R"({"x-api-key":"da2-secret"},"domainName":null},"prev":null,)"
      R"("info":{"selectionSetList":["id"],"selectionSetGraphQL":"{\n id\n}",)"
      R"("fieldName":")",
      field, R"(","parentTypeName":"Mutation","variables":{}},"stash":{}})");
}

class MeshHandlersTest : public ::testing::Test {
 protected:
  template <typename Handler>
  absl::StatusOr<std::string> Handle(absl::string_view field,
                                     absl::string_view arguments) {
    Handler handler({.service = service_, .logger = logger_, .clock = clock_});
    return handler.Handle({.payload = EventOf(field, arguments),
                           .request_id = "r",
                           .deadline = clock_.Now() + absl::Seconds(10)});
  }
  template <typename Handler>
  Json::Value Answer(absl::string_view field, absl::string_view arguments) {
    const absl::StatusOr<std::string> answer =
        Handle<Handler>(field, arguments);
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? json::ParseValue(*answer).value() : Json::Value();
  }
  void Create() {
    Answer<CreateGroupHandler>("createGroup",
                               R"({"name":"n","hostId":"h","domain":"d"})");
  }

  testing::MemoryStore store_;
  time::testing::InstantClock clock_{absl::FromUnixSeconds(1'767'225'600)};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  Service service_{{.store = store_,
                    .clock = clock_,
                    .config = {.table_name = "t"},
                    .new_id = [] { return "g"; }}};
};

TEST_F(MeshHandlersTest, CreatesAGroup) {
  const Json::Value answer = Answer<CreateGroupHandler>(
      "createGroup", R"({"name":"n","hostId":"h","domain":"d",)"
                     R"("maxConnectionTimeSeconds":60})");
  EXPECT_EQ(json::WriteValue(answer),
            R"({"data":{"createdAt":"2026-01-01T00:00:00.000Z","domain":"d",)"
            R"("expiresAt":"2026-01-01T00:01:00.000Z","fullId":"g@d",)"
            R"("hostId":"h","id":"g","name":"n"}})");
}

TEST_F(MeshHandlersTest, TakesNullForAnArgumentThatWasNotGiven) {
  const Json::Value answer = Answer<CreateGroupHandler>(
      "createGroup", R"({"name":"n","hostId":"h","domain":"d",)"
                     R"("maxConnectionTimeSeconds":null})");
  EXPECT_EQ(answer["data"]["expiresAt"], "2026-01-01T00:50:00.000Z");
}

TEST_F(MeshHandlersTest, AnswersErrorsThatTheClientCausedWithTheirType) {
  const Json::Value answer = Answer<CreateGroupHandler>(
      "createGroup", R"({"name":"n","hostId":"h","domain":"d",)"
                     R"("maxConnectionTimeSeconds":3001})");
  EXPECT_EQ(json::WriteValue(answer),
            R"({"error":{"message":"maxConnectionTimeSeconds must be from 1 )"
            R"(to 3000, not 3001","type":"ValidationError"}})");
}

TEST_F(MeshHandlersTest, FailsIfTheStoreFails) {
  store_.FailCall(1, absl::UnavailableError("no connection"));
  EXPECT_EQ(Handle<CreateGroupHandler>(
                "createGroup", R"({"name":"n","hostId":"h","domain":"d"})")
                .status(),
            absl::UnavailableError("no connection"));
}

TEST_F(MeshHandlersTest, Leaves) {
  Create();
  EXPECT_EQ(json::WriteValue(Answer<LeaveGroupHandler>(
                "leaveGroup", R"({"groupId":"g","domain":"d","nodeId":"n"})")),
            R"({"data":{"domain":"d","groupId":"g",)"
            R"("message":"Peer n successfully left group g","peerId":"n"}})");
}

TEST_F(MeshHandlersTest, Dissolves) {
  Create();
  EXPECT_EQ(
      json::WriteValue(Answer<DissolveGroupHandler>(
          "dissolveGroup", R"({"groupId":"g","domain":"d","hostId":"h"})")),
      R"({"data":{"domain":"d","groupId":"g","message":)"
      R"("Group g@d has been dissolved successfully."}})");
  EXPECT_EQ(
      Answer<DissolveGroupHandler>(
          "dissolveGroup",
          R"({"groupId":"g","domain":"d","hostId":"h"})")["error"]["type"],
      kGroupNotFound);
}

TEST_F(MeshHandlersTest, Fires) {
  Create();
  const Json::Value answer = Answer<FireEventsHandler>(
      "fireEventsByNode",
      R"({"groupId":"g","domain":"d","nodeId":"h","events":[)"
      R"({"eventName":"a","firedAt":"2026-01-01T00:00:00.5Z","payload":""},)"
      R"({"eventName":"b","firedAt":"2026-01-01T00:00:00Z","payload":"p"}]})");
  EXPECT_EQ(json::WriteValue(answer),
            R"({"data":{"domain":"d","events":[)"
            R"({"domain":"d","firedByNodeId":"h","groupId":"g","name":"a",)"
            R"("payload":null,"timestamp":"2026-01-01T00:00:00.5Z"},)"
            R"({"domain":"d","firedByNodeId":"h","groupId":"g","name":"b",)"
            R"("payload":"p","timestamp":"2026-01-01T00:00:00Z"}],)"
            R"("firedByNodeId":"h","groupId":"g",)"
            R"("timestamp":"2026-01-01T00:00:00.000Z"}})");
}

TEST_F(MeshHandlersTest, RefusesWhatIsNoEventOfAppSyncForTheField) {
  EXPECT_THAT(Handle<LeaveGroupHandler>("joinGroup", "{}").status().message(),
              HasSubstr("not one of AppSync for the field leaveGroup"));
  LeaveGroupHandler handler(
      {.service = service_, .logger = logger_, .clock = clock_});
  for (const char* payload : {"", "[]", "{}", R"({"info":3})"}) {
    EXPECT_EQ(
        handler.Handle({.payload = payload, .request_id = "r"}).status().code(),
        absl::StatusCode::kInvalidArgument)
        << payload;
  }
}

TEST_F(MeshHandlersTest, TakesTheTimeOfTheCallFromTheResolver) {
  CreateGroupHandler handler(
      {.service = service_, .logger = logger_, .clock = clock_});
  const auto create = [&](absl::string_view now) {
    return handler.Handle(
        {.payload = absl::StrCat(
             R"({"info":{"fieldName":"createGroup"},"arguments":{"name":"n",)"
             R"("hostId":"h","domain":"d"},"now":)",
             now, "}"),
         .request_id = "r"});
  };
  const absl::StatusOr<std::string> answer = create("1767225661007");
  ASSERT_TRUE(answer.ok()) << answer.status();
  EXPECT_THAT(*answer, HasSubstr(R"("createdAt":"2026-01-01T00:01:01.007Z")"));
  EXPECT_EQ(create("\"today\"").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(MeshHandlersTest, NamesTheArgumentThatIsWrong) {
  EXPECT_EQ(
      Handle<LeaveGroupHandler>("leaveGroup", R"({"groupId":"g","domain":1})")
          .status()
          .message(),
      "arguments.domain is 1; expected text");
  EXPECT_EQ(Handle<FireEventsHandler>(
                "fireEventsByNode",
                R"({"groupId":"g","domain":"d","nodeId":"h","events":[3]})")
                .status()
                .message(),
            "arguments.events[0] is 3; expected an object, as in an event of "
            "AppSync");
}

TEST_F(MeshHandlersTest, LogsNeitherArgumentsNorTheApiKey) {
  Create();
  Answer<DissolveGroupHandler>(
      "dissolveGroup",
      R"({"groupId":"g","domain":"203.0.113.7","hostId":"secret-host"})");
  const std::string lines = absl::StrJoin(sink_.lines(), "\n");
  EXPECT_THAT(lines, HasSubstr("GroupNotFound"));
  EXPECT_THAT(lines, Not(HasSubstr("da2-secret")));
  EXPECT_THAT(lines, Not(HasSubstr("secret-host")));
  EXPECT_THAT(lines, Not(HasSubstr("203.0.113.7")));
}

TEST(MeshConfig, HasTheIntervalsOfProductionByDefault) {
  const absl::StatusOr<Config> config =
      LoadConfig(env::FromMap({{"MESH_TABLE_NAME", "t"}}));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->table_name, "t");
  EXPECT_EQ(config->host_interval, absl::Seconds(30));
  EXPECT_EQ(config->max_connection_time, absl::Minutes(50));
}

TEST(MeshConfig, TakesIntervalsFromTheEnvironment) {
  const absl::StatusOr<Config> config =
      LoadConfig(env::FromMap({{"MESH_TABLE_NAME", "t"},
                               {"MESH_HOST_HEARTBEAT_INTERVAL_SECONDS", "15"},
                               {"MESH_MAX_CONNECTION_TIME_SECONDS", "600"}}));
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->host_interval, absl::Seconds(15));
  EXPECT_EQ(config->max_connection_time, absl::Minutes(10));
}

TEST(MeshConfig, NamesTheVariableThatIsWrong) {
  EXPECT_THAT(LoadConfig(env::FromMap({})).status().message(),
              HasSubstr("MESH_TABLE_NAME"));
  for (const char* value : {"0", "-1", "x", "86401"}) {
    EXPECT_THAT(
        LoadConfig(env::FromMap({{"MESH_TABLE_NAME", "t"},
                                 {"MESH_MAX_CONNECTION_TIME_SECONDS", value}}))
            .status()
            .message(),
        HasSubstr("MESH_MAX_CONNECTION_TIME_SECONDS is invalid"))
        << value;
  }
}

}  // namespace
}  // namespace byoshin::mesh
