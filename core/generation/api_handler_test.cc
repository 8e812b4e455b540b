#include "core/generation/api_handler.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/process.h"
#include "core/generation/state_service.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/generation/workflow.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using testing::kAlice;
using testing::kBob;
using testing::kGoalId;

// What the client of the API sees.
struct HttpAnswer {
  int status = 0;
  Json::Value body{};

  std::string code() const { return body["error"]["code"].asString(); }
  std::string id() const { return body["data"]["processId"].asString(); }
};

class ApiHandlerTest : public ::testing::Test {
 protected:
  static Json::Value Event(absl::string_view user) {
    Json::Value event(Json::objectValue);
    event["path"] = "/";
    event["httpMethod"] = "POST";
    if (!user.empty()) {
      event["requestContext"]["authorizer"]["claims"]["sub"] =
          std::string(user);
    }
    return event;
  }
  static HttpAnswer Send(lambda::Handler& handler, const Json::Value& event) {
    const absl::StatusOr<std::string> response =
        handler.Handle({.payload = json::WriteValue(event), .request_id = "r"});
    EXPECT_TRUE(response.ok()) << response.status();
    const Json::Value json = json::ParseValue(response.value()).value();
    EXPECT_EQ(json["headers"]["Access-Control-Allow-Origin"].asString(), "*");
    return {.status = json["statusCode"].asInt(),
            .body = json::ParseValue(json["body"].asString()).value()};
  }
  HttpAnswer Generate(absl::string_view user, const std::string& body) {
    Json::Value event = Event(user);
    event["body"] = body;
    return Send(generate_, event);
  }
  HttpAnswer SendAbout(lambda::Handler& handler, absl::string_view user,
                       const std::string& id) {
    Json::Value event = Event(user);
    event["pathParameters"]["processId"] = id;
    return Send(handler, event);
  }
  std::string GenerateFailed() {
    const std::string id = Generate(kAlice, testing::SubGoalRequest()).id();
    EXPECT_TRUE(states_
                    .Move(id, ProcessStatus::kFailed,
                          ProcessErrorOf(kThrottlingFailure),
                          absl::InfiniteFuture())
                    .ok());
    return id;
  }

  testing::MemoryStore store_;
  testing::FakeWorkflow workflow_;
  time::testing::InstantClock clock_{testing::StartOfTests()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  ProcessingStateService states_{{.store = store_,
                                  .clock = clock_,
                                  .state_machine_arn = testing::kStateMachine,
                                  .new_id = testing::CountingIds()}};
  const ApiDependencies dependencies_{
      .states = states_, .logger = logger_, .config = {.allowed_origin = "*"}};
  Workflow start_{workflow_, testing::kStateMachine};
  GenerateHandler generate_{dependencies_, store_, clock_, start_};
  StatusCheckHandler status_{dependencies_, start_};
  RetryHandler retry_{dependencies_, start_};
  CancelHandler cancel_{dependencies_, workflow_};
  HistoryHandler history_{dependencies_};
};

TEST_F(ApiHandlerTest, GenerateStartsAWorkflowNamedAfterTheProcess) {
  const HttpAnswer answer = Generate(kAlice, testing::SubGoalRequest());
  EXPECT_EQ(answer.status, 202);
  EXPECT_TRUE(answer.body["success"].asBool());
  EXPECT_EQ(answer.body["data"]["status"].asString(), "PENDING");
  EXPECT_EQ(answer.body["data"]["type"].asString(), "SUBGOAL_GENERATION");
  EXPECT_EQ(answer.body["data"]["createdAt"].asString(),
            "2025-10-10T10:00:00Z");
  EXPECT_EQ(answer.body["data"]["estimatedCompletionTime"].asString(),
            "2025-10-10T10:01:00Z");
  ASSERT_EQ(workflow_.started.size(), 1u);
  EXPECT_EQ(workflow_.started[0].name, answer.id());
  EXPECT_EQ(workflow_.started[0].state_machine_arn, testing::kStateMachine);
  EXPECT_EQ(workflow_.started[0].input,
            absl::StrCat(R"({"processId":")", answer.id(),
                         R"(","type":"SUBGOAL_GENERATION"})"));
  ASSERT_EQ(sink_.metrics().size(), 1u);
  EXPECT_EQ(sink_.metrics()[0]["AsyncProcessingStarted"].asInt(), 1);
  EXPECT_EQ(sink_.metrics()[0]["QueueDepth"].asInt(), 1);
}

TEST_F(ApiHandlerTest, GenerateReadsABase64Body) {
  Json::Value event = Event(kAlice);
  event["body"] = absl::Base64Escape(testing::SubGoalRequest());
  event["isBase64Encoded"] = true;
  EXPECT_EQ(Send(generate_, event).status, 202);
  event["body"] = "***";
  EXPECT_EQ(Send(generate_, event).code(), "VALIDATION_ERROR");
}

TEST_F(ApiHandlerTest, GenerateRefusesInvalidRequestsBeforeAnythingStarts) {
  EXPECT_EQ(Generate(kAlice, "{}").code(), "INVALID_PROCESS_TYPE");
  const HttpAnswer answer =
      Generate(kAlice, R"({"type":"ACTION_GENERATION","params":{}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.code(), "VALIDATION_ERROR");
  EXPECT_EQ(answer.body["error"]["details"][0]["field"].asString(),
            "params.goalId");
  EXPECT_FALSE(answer.body["error"]["retryable"].asBool());
  EXPECT_TRUE(workflow_.started.empty());
  EXPECT_TRUE(store_.processes().empty());
}

TEST_F(ApiHandlerTest, GenerateRefusesTheGoalOfAnotherUser) {
  store_.PutGoal({.id = kGoalId, .user_id = kBob});
  EXPECT_EQ(Generate(kAlice, testing::SubGoalRequest()).code(), "FORBIDDEN");
  const std::string actions = absl::StrCat(
      R"({"type":"ACTION_GENERATION","params":{"goalId":")", kGoalId, R"("}})");
  EXPECT_EQ(Generate(kAlice, actions).status, 403);
  // Bob's goal has no sub-goals yet.
  EXPECT_EQ(Generate(kBob, actions).code(), "VALIDATION_ERROR");
  EXPECT_TRUE(workflow_.started.empty());
}

TEST_F(ApiHandlerTest, GenerateLimitsTheRateOfAUser) {
  for (int i = 0; i < kRateLimit; ++i) {
    EXPECT_EQ(Generate(kAlice, testing::SubGoalRequest()).status, 202);
  }
  const HttpAnswer answer = Generate(kAlice, testing::SubGoalRequest());
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(answer.code(), "RATE_LIMIT_EXCEEDED");
  EXPECT_TRUE(answer.body["error"]["retryable"].asBool());
  EXPECT_EQ(Generate(kBob, testing::SubGoalRequest()).status, 202);
}

TEST_F(ApiHandlerTest, AProcessThatCouldNotBeStartedIsFailed) {
  workflow_.start_status = absl::UnavailableError("inner detail");
  const HttpAnswer answer = Generate(kAlice, testing::SubGoalRequest());
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.code(), "STEP_FUNCTIONS_ERROR");
  EXPECT_EQ(json::WriteValue(answer.body).find("inner detail"),
            std::string::npos);
  ASSERT_EQ(store_.processes().size(), 1u);
  EXPECT_EQ(store_.processes().begin()->second.status, ProcessStatus::kFailed);
  EXPECT_TRUE(sink_.metrics().empty());
}

TEST_F(ApiHandlerTest, StartingTwiceIsHarmless) {
  workflow_.start_status = absl::AlreadyExistsError("ExecutionAlreadyExists");
  EXPECT_EQ(Generate(kAlice, testing::SubGoalRequest()).status, 202);
}

TEST_F(ApiHandlerTest, StatusShowsTheErrorOfAFailedProcess) {
  const std::string id = GenerateFailed();
  const HttpAnswer answer = SendAbout(status_, kAlice, id);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body["data"]["status"].asString(), "FAILED");
  EXPECT_EQ(answer.body["data"]["error"]["code"].asString(), "AI_THROTTLING");
  EXPECT_TRUE(answer.body["data"].isMember("completedAt"));
}

TEST_F(ApiHandlerTest, SpeaksTheLanguageThatTheClientPrefers) {
  const std::string id = GenerateFailed();
  Json::Value event = Event(kAlice);
  event["pathParameters"]["processId"] = id;
  const auto message = [&] {
    return Send(status_, event).body["data"]["error"]["message"].asString();
  };
  const std::string japanese = message();
  EXPECT_EQ(japanese, ProcessErrorOf(kThrottlingFailure).message);
  event["headers"]["accept-language"] = "ja-JP,ja;q=0.9,en;q=0.8";
  EXPECT_EQ(message(), japanese);
  event["headers"]["accept-language"] = "en-US,en;q=0.9,ja;q=0.8";
  EXPECT_EQ(message(), "The AI service is busy. Try again in a little while.");
  EXPECT_EQ(Send(history_, event)
                .body["data"]["processes"][0]["error"]["message"]
                .asString(),
            message());
  event["pathParameters"]["processId"] = "x";
  const Json::Value error = Send(status_, event).body["error"];
  EXPECT_EQ(error["message"].asString(), "The ID is not a UUID.");
  EXPECT_EQ(error["details"][0]["message"].asString(), "Give a UUID.");
}

TEST_F(ApiHandlerTest, EveryCallAboutAProcessIsForItsOwner) {
  const std::string id = GenerateFailed();
  for (lambda::Handler* handler : {static_cast<lambda::Handler*>(&status_),
                                   static_cast<lambda::Handler*>(&retry_),
                                   static_cast<lambda::Handler*>(&cancel_)}) {
    const HttpAnswer others = SendAbout(*handler, kBob, id);
    EXPECT_EQ(others.status, 403);
    EXPECT_EQ(others.code(), "FORBIDDEN");
    EXPECT_EQ(SendAbout(*handler, kAlice, kGoalId).body, others.body);
    EXPECT_EQ(SendAbout(*handler, kAlice, "x").code(), "INVALID_UUID");
    EXPECT_EQ(SendAbout(*handler, "", id).code(), "UNAUTHORIZED");
  }
}

TEST_F(ApiHandlerTest, RetryStartsANewProcess) {
  const std::string id = GenerateFailed();
  const HttpAnswer answer = SendAbout(retry_, kAlice, id);
  EXPECT_EQ(answer.status, 202);
  EXPECT_NE(answer.id(), id);
  EXPECT_EQ(answer.body["data"]["retryCount"].asInt(), 1);
  EXPECT_EQ(workflow_.started.back().name, answer.id());
  EXPECT_EQ(SendAbout(retry_, kAlice, answer.id()).code(), "RETRY_NOT_ALLOWED");
}

TEST_F(ApiHandlerTest, CancelStopsTheExecution) {
  const std::string id = Generate(kAlice, testing::SubGoalRequest()).id();
  const HttpAnswer answer = SendAbout(cancel_, kAlice, id);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body["data"]["status"].asString(), "CANCELLED");
  ASSERT_EQ(workflow_.stopped.size(), 1u);
  EXPECT_EQ(workflow_.stopped[0].execution_arn,
            store_.processes().at(id).execution_arn);
  clock_.Advance(absl::Seconds(1));
  const HttpAnswer again = SendAbout(cancel_, kAlice, id);
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.code(), "CANCEL_NOT_ALLOWED");
}

TEST_F(ApiHandlerTest, CancelHoldsEvenIfTheExecutionCantBeStopped) {
  const std::string id = Generate(kAlice, testing::SubGoalRequest()).id();
  workflow_.stop_status = absl::UnavailableError("no connection");
  EXPECT_EQ(SendAbout(cancel_, kAlice, id).status, 200);
  EXPECT_EQ(sink_.Messages("WARN").at(0), "execution not stopped");
}

TEST_F(ApiHandlerTest, HistoryFiltersAndPages) {
  GenerateFailed();
  Generate(kAlice, testing::SubGoalRequest());
  Json::Value event = Event(kAlice);
  event["queryStringParameters"]["status"] = "FAILED";
  const HttpAnswer answer = Send(history_, event);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body["data"]["processes"].size(), 1u);
  EXPECT_EQ(answer.body["data"]["pagination"]["total"].asInt(), 1);
  event["queryStringParameters"]["pageSize"] = "101";
  EXPECT_EQ(Send(history_, event).code(), "VALIDATION_ERROR");
  EXPECT_EQ(
      Send(history_, Event(kBob)).body["data"]["pagination"]["total"].asInt(),
      0);
}

TEST_F(ApiHandlerTest, ADatabaseThatIsGoneIsWorthAnotherTry) {
  store_.FailNext(absl::UnavailableError("inner detail"));
  const HttpAnswer answer = SendAbout(status_, kAlice, kGoalId);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.code(), "DATABASE_ERROR");
  EXPECT_TRUE(answer.body["error"]["retryable"].asBool());
}

TEST_F(ApiHandlerTest, LogsNoBodies) {
  Generate(kAlice, testing::SubGoalRequest());
  Generate(kAlice, R"({"type":"英語","params":{}})");
  EXPECT_FALSE(sink_.lines().empty());
  for (const std::string& line : sink_.lines()) {
    EXPECT_EQ(line.find("英語"), std::string::npos) << line;
  }
}

TEST_F(ApiHandlerTest, RefusesWhatIsNotAnEventOfApiGateway) {
  EXPECT_TRUE(absl::IsInvalidArgument(
      status_.Handle({.payload = "[]", .request_id = "r"}).status()));
}

}  // namespace
}  // namespace byoshin::generation
