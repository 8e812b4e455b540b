// Bedrock Runtime's API on a simulated clock.

#include "local/bedrock/service.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/crc32.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/bedrock/call_ledger.h"
#include "local/bedrock/deterministic_model.h"
#include "local/bedrock/faults.h"
#include "local/bedrock/stack_limits.h"
#include "local/gateway/service.h"

namespace byoshin::local::bedrock {
namespace {

constexpr char kNova[] = "amazon.nova-lite-v1:0";
constexpr char kRole[] = "arn:aws:iam::000000000000:role/worker";
constexpr char kHello[] =
    R"({"messages":[{"role":"user","content":[{"text":"Hello"}]}]})";

class BedrockServiceTest : public ::testing::Test {
 protected:
  Call CallOf(absl::string_view model, absl::string_view operation,
              absl::string_view body) {
    return {
        .protocol = WireProtocol::kRestJson,
        .body = std::string(body),
        .path = absl::StrCat(
            "/model/", absl::StrReplaceAll(model, {{":", "%3A"}, {"/", "%2F"}}),
            "/", operation),
        .region = "us-east-1",
        .caller = {.access_key_id = "key", .account_id = "000000000000"}};
  }
  void Start(absl::string_view model, absl::string_view operation,
             absl::string_view body) {
    answer_.reset();
    service_->Handle(CallOf(model, operation, body), [this](Answer answer) {
      answer_ = std::make_unique<Answer>(std::move(answer));
    });
  }
  Answer Ask(absl::string_view model, absl::string_view operation,
             absl::string_view body) {
    Start(model, operation, body);
    return answer_ == nullptr ? Answer{.status = 0} : *answer_;
  }
  Json::Value Converse(absl::string_view body) {
    const Answer answer = Ask(kNova, "converse", body);
    EXPECT_EQ(answer.status, 200) << answer.body;
    return *json::ParseValue(answer.body);
  }
  // "CODE: MESSAGE"
  static std::string ErrorIn(const Answer& answer) {
    std::string code;
    for (const http::Header& header : answer.headers) {
      if (header.name == "x-amzn-ErrorType") code = header.value;
    }
    return absl::StrCat(
        code, ": ",
        json::TextMember(*json::ParseValue(answer.body), "message"));
  }
  std::string ErrorOf(absl::string_view body) {
    return ErrorIn(Ask(kNova, "converse", body));
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'800'000'000)};
  DeterministicModel model_;
  Faults faults_;
  StackLimits limits_{clock_};
  CallLedger ledger_;
  std::unique_ptr<Answer> answer_;
  std::string role_;
  std::unique_ptr<BedrockService> service_ =
      std::make_unique<BedrockService>(BedrockService::World{
          .model = model_,
          .clock = clock_,
          .faults = faults_,
          .limits = limits_,
          .ledger = ledger_,
          .role_of = [this](const std::string&) { return role_; }});
};

TEST_F(BedrockServiceTest, AnswersConverse) {
  const Json::Value answer = Converse(kHello);
  EXPECT_EQ(answer["output"]["message"]["role"], "assistant");
  EXPECT_TRUE(absl::StartsWith(
      answer["output"]["message"]["content"][0]["text"].asString(),
      "Here is an answer about Hello."));
  EXPECT_EQ(answer["stopReason"], "end_turn");
  EXPECT_EQ(answer["usage"]["inputTokens"], 2);
  EXPECT_EQ(answer["usage"]["totalTokens"].asInt(),
            answer["usage"]["outputTokens"].asInt() + 2);
  EXPECT_EQ(answer["metrics"]["latencyMs"], 0);
  // A profile and an ARN are the same model.
  for (const char* id :
       {"us.amazon.nova-lite-v1:0",
        "arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0"}) {
    EXPECT_EQ(Ask(id, "converse", kHello).body, json::WriteValue(answer));
  }
}

TEST_F(BedrockServiceTest, StopsAtMaxTokensAndStopSequences) {
  const std::string messages = std::string(kHello).substr(1);
  Json::Value answer = Converse(
      absl::StrCat(R"({"inferenceConfig":{"maxTokens":2},)", messages));
  EXPECT_EQ(answer["output"]["message"]["content"][0]["text"], "Here is ");
  EXPECT_EQ(answer["stopReason"], "max_tokens");
  EXPECT_EQ(answer["usage"]["outputTokens"], 2);
  answer = Converse(absl::StrCat(
      R"({"inferenceConfig":{"stopSequences":["answer"]},)", messages));
  EXPECT_EQ(answer["output"]["message"]["content"][0]["text"], "Here is an ");
  EXPECT_EQ(answer["stopReason"], "stop_sequence");
}

TEST_F(BedrockServiceTest, AnswersAForcedToolWithAnInput) {
  const Json::Value answer = Converse(
      R"({"messages":[{"role":"user","content":[{"text":"Goal: chess"}]}],
          "toolConfig":{"tools":[{"toolSpec":{"name":"save","inputSchema":
            {"json":{"type":"object","properties":{
              "title":{"type":"string"}}}}}}],
           "toolChoice":{"tool":{"name":"save"}}}})");
  EXPECT_EQ(answer["stopReason"], "tool_use");
  const Json::Value& use = answer["output"]["message"]["content"][0]["toolUse"];
  EXPECT_EQ(use["name"], "save");
  EXPECT_TRUE(absl::StrContains(use["input"]["title"].asString(), "chess"));
}

TEST_F(BedrockServiceTest, RefusesAnInvalidConversation) {
  const auto messages = [&](absl::string_view list) {
    return ErrorOf(absl::StrCat(R"({"messages":)", list, "}"));
  };
  EXPECT_EQ(messages(R"([{"role":"assistant","content":[{"text":"x"}]}])"),
            "ValidationException: A conversation must start with a user "
            "message. Try again with a conversation that starts with a user "
            "message.");
  EXPECT_EQ(messages(R"([{"role":"user","content":[{"text":"x"}]},
                         {"role":"user","content":[{"text":"y"}]}])"),
            "ValidationException: A conversation must alternate between user "
            "and assistant roles. Make sure the conversation alternates "
            "between user and assistant roles and try again.");
  EXPECT_EQ(messages(R"([{"role":"user","content":[{"text":" "}]}])"),
            "ValidationException: The text field in the ContentBlock object at "
            "messages.0.content.0 is blank. Add text to the text field, and "
            "try again.");
  EXPECT_EQ(messages(R"([{"role":"user","content":[]}])"),
            "ValidationException: The content field in the Message object at "
            "messages.0 is empty. Add a ContentBlock object to the content "
            "field and try again.");
  EXPECT_TRUE(absl::StrContains(messages("[]"), "messages field is empty"));
  EXPECT_TRUE(absl::StrContains(
      messages(R"([{"role":"system","content":[{"text":"x"}]}])"),
      "enum value set: [user, assistant]"));
  EXPECT_TRUE(absl::StrContains(
      messages(R"([{"role":"user","content":[{"image":{}}]}])"),
      "This model doesn't support the image field."));
  for (const char* list : {"5", "[5]", R"([{"role":"user","content":"x"}])",
                           R"([{"role":"user","content":[{"text":5}]}])"}) {
    EXPECT_TRUE(absl::StrContains(messages(list), "Malformed input request"))
        << list;
  }
  EXPECT_TRUE(absl::StrContains(ErrorOf("{"), "Malformed input request"));
}

TEST_F(BedrockServiceTest, RefusesInferenceOutOfRange) {
  const auto inference = [&](absl::string_view config) {
    return ErrorOf(absl::StrCat(R"({"inferenceConfig":{)", config, "},",
                                std::string(kHello).substr(1)));
  };
  EXPECT_EQ(inference(R"("temperature":1.5)"),
            "ValidationException: 1 validation error detected: Value '1.5' at "
            "'inferenceConfig.temperature' failed to satisfy constraint: "
            "Member must have value less than or equal to 1");
  EXPECT_TRUE(absl::StrContains(inference(R"("topP":-1)"),
                                "greater than or equal to 0"));
  EXPECT_TRUE(absl::StrContains(inference(R"("maxTokens":0)"),
                                "greater than or equal to 1"));
  EXPECT_TRUE(
      absl::StrContains(inference(R"("stopSequences":[""])"), "Malformed"));
}

TEST_F(BedrockServiceTest, AnswersInvokeModelInTheShapeOfTheModel) {
  const Answer nova =
      Ask(kNova, "invoke",
          R"({"schemaVersion":"messages-v1","system":[{"text":"Be brief."}],
          "messages":[{"role":"user","content":[{"text":"Hello"}]}],
          "inferenceConfig":{"maxTokens":3}})");
  ASSERT_EQ(nova.status, 200) << nova.body;
  const Json::Value body = *json::ParseValue(nova.body);
  EXPECT_EQ(body["stopReason"], "max_tokens");
  EXPECT_FALSE(body.isMember("metrics"));
  std::map<std::string, std::string> headers;
  for (const http::Header& header : nova.headers) {
    headers[header.name] = header.value;
  }
  EXPECT_EQ(headers["x-amzn-bedrock-input-token-count"], "5");
  EXPECT_EQ(headers["x-amzn-bedrock-output-token-count"], "3");
  EXPECT_EQ(headers["x-amzn-bedrock-invocation-latency"], "0");

  const Json::Value claude = *json::ParseValue(
      Ask("anthropic.claude-3-haiku-20240307-v1:0", "invoke",
          R"({"anthropic_version":"bedrock-2023-05-31","max_tokens":100,
              "system":"Be brief.",
              "messages":[{"role":"user","content":"Hello"}]})")
          .body);
  EXPECT_EQ(claude["type"], "message");
  EXPECT_EQ(claude["stop_reason"], "end_turn");
  EXPECT_EQ(claude["usage"]["input_tokens"], 5);
  EXPECT_TRUE(
      absl::StrContains(claude["content"][0]["text"].asString(), "Hello"));
  EXPECT_TRUE(
      absl::StrContains(ErrorIn(Ask("amazon.titan-text-express-v1", "invoke",
                                    R"({"inputText":"Hello"})")),
                        "Use Converse for other models."));
  EXPECT_TRUE(absl::StrContains(
      ErrorIn(Ask("anthropic.claude-3-haiku-20240307-v1:0", "invoke", kHello)),
      "anthropic_version"));
}

// The payloads of the messages of an event stream, by their type.
using StreamParts = std::vector<std::pair<std::string, Json::Value>>;
StreamParts DecodeStream(absl::string_view stream) {
  StreamParts parts;
  const auto number = [&](std::size_t at, int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      value = value << 8 | static_cast<unsigned char>(stream[at + i]);
    }
    return value;
  };
  while (!stream.empty()) {
    const std::size_t total = number(0, 4);
    const std::size_t headers = number(4, 4);
    EXPECT_EQ(number(8, 4), crypto::Crc32(stream.substr(0, 8)));
    EXPECT_EQ(number(total - 4, 4), crypto::Crc32(stream.substr(0, total - 4)));
    // ":event-type" is the first header.
    EXPECT_EQ(stream.substr(13, 11), ":event-type");
    parts.emplace_back(
        std::string(stream.substr(27, number(25, 2))),
        *json::ParseValue(stream.substr(12 + headers, total - headers - 16)));
    stream.remove_prefix(total);
  }
  return parts;
}

TEST_F(BedrockServiceTest, StreamsWithLengthsAndChecksums) {
  const Answer answer = Ask(kNova, "converse-stream", kHello);
  EXPECT_EQ(answer.content_type, "application/vnd.amazon.eventstream");
  const StreamParts parts = DecodeStream(answer.body);
  ASSERT_GE(parts.size(), 5u);
  EXPECT_EQ(parts[0].first, "messageStart");
  std::string text;
  for (const auto& [type, payload] : parts) {
    if (type == "contentBlockDelta")
      text += payload["delta"]["text"].asString();
  }
  EXPECT_EQ(
      text,
      Converse(kHello)["output"]["message"]["content"][0]["text"].asString());
  EXPECT_EQ(parts[parts.size() - 2].first, "messageStop");
  EXPECT_EQ(parts.back().first, "metadata");
  EXPECT_EQ(parts.back().second["usage"]["inputTokens"], 2);

  const StreamParts chunks =
      DecodeStream(Ask(kNova, "invoke-with-response-stream", kHello).body);
  EXPECT_EQ(chunks.size(), parts.size());
  EXPECT_EQ(chunks[0].first, "chunk");
}

TEST_F(BedrockServiceTest, FailsAsItIsTold) {
  using Kind = Fault::Kind;
  const std::pair<Kind, std::string> expected[] = {
      {Kind::kThrottling,
       "429 ThrottlingException: Too many requests, please wait before trying "
       "again."},
      {Kind::kTimeout,
       "408 ModelTimeoutException: Model has timed out in processing the "
       "request. Try your request again."},
      {Kind::kError,
       "424 ModelErrorException: The system encountered an unexpected error "
       "during processing. Try your request again."},
      {Kind::kUnavailable,
       "503 ServiceUnavailableException: Bedrock is unable to process your "
       "request."},
      {Kind::kInternal,
       "500 InternalServerException: The system encountered an unexpected "
       "error during processing. Try your request again."},
      {Kind::kNotReady,
       "429 ModelNotReadyException: The model specified in the request is not "
       "ready to serve inference requests."},
      {Kind::kAccessDenied,
       "403 AccessDeniedException: You don't have access to the model with the "
       "specified model ID."}};
  for (const auto& [kind, error] : expected) {
    faults_.Set({.kind = kind}, 1);
    const Answer answer = Ask(kNova, "converse", kHello);
    EXPECT_EQ(absl::StrCat(answer.status, " ", ErrorIn(answer)), error);
  }
  EXPECT_EQ(Ask(kNova, "converse", kHello).status, 200);
  EXPECT_EQ(Ask("byoshin.throttling-v1:0", "converse", kHello).status, 429);
  EXPECT_EQ(Ask("us.byoshin.error-v1:0", "converse", kHello).status, 424);
  EXPECT_TRUE(absl::StrContains(
      Ask("byoshin.garbage-v1:0", "converse", kHello).body, "Lorem ipsum"));
  EXPECT_EQ(Ask("byoshin.none-v1:0", "invoke", kHello).status, 200);
}

TEST_F(BedrockServiceTest, TakesItsTimeOnTheClock) {
  Start("byoshin.slow-90s-v1:0", "converse", kHello);
  clock_.RunUntil(clock_.Now() + absl::Seconds(89));
  EXPECT_EQ(answer_, nullptr);
  clock_.RunUntil(clock_.Now() + absl::Seconds(1));
  ASSERT_NE(answer_, nullptr);
  EXPECT_EQ((*json::ParseValue(answer_->body))["metrics"]["latencyMs"], 90000);

  Start("byoshin.hanging-v1:0", "converse", kHello);
  clock_.RunUntil(clock_.Now() + absl::Minutes(59));
  EXPECT_EQ(answer_, nullptr);
  clock_.RunUntil(clock_.Now() + absl::Minutes(1));
  ASSERT_NE(answer_, nullptr);
  EXPECT_EQ(answer_->status, 408);
}

TEST_F(BedrockServiceTest, TellsTheModelWhenNobodyWaits) {
  class WaitingModel final : public Model {
   public:
    void Ask(const Question& question, OnReply done) override {
      wanted_ = question.wanted;
      done_ = std::move(done);
    }
    bool wanted() const { return wanted_(); }
    void Answer() { done_(Reply{.text = "late"}); }

   private:
    std::function<bool()> wanted_;
    OnReply done_;
  };
  WaitingModel model;
  BedrockService service({.model = model,
                          .clock = clock_,
                          .faults = faults_,
                          .limits = limits_,
                          .ledger = ledger_,
                          .role_of = [](const std::string&) { return ""; }});
  for (const char* id : {kNova, "byoshin.slow-90s-v1:0"}) {
    bool connected = true;
    Call call = CallOf(id, "converse-stream", kHello);
    call.connected = [&connected] { return connected; };
    service.Handle(std::move(call), [](const Answer&) {});
    EXPECT_TRUE(model.wanted()) << id;
    connected = false;
    EXPECT_FALSE(model.wanted()) << id;
    model.Answer();
  }
}

TEST_F(BedrockServiceTest, AnswersWhatHangsWhenTheCloudStops) {
  Start("byoshin.hanging-v1:0", "converse", kHello);
  EXPECT_EQ(answer_, nullptr);
  service_->EndLongPolls();
  ASSERT_NE(answer_, nullptr);
  EXPECT_EQ(answer_->status, 408);
}

TEST_F(BedrockServiceTest, LimitsTheRequestsOfAStackAMinute) {
  limits_.SetStack("app", {.requests_per_minute = 2}, {kRole});
  const auto status = [&] { return Ask(kNova, "converse", kHello).status; };
  role_ = kRole;
  EXPECT_EQ(status(), 200);
  clock_.RunUntil(clock_.Now() + absl::Seconds(30));
  EXPECT_EQ(status(), 200);
  EXPECT_EQ(ErrorOf(kHello),
            "ThrottlingException: Too many requests, please wait before trying "
            "again.");
  // Others are not concerned.
  role_ = "arn:aws:iam::000000000000:role/other";
  EXPECT_EQ(status(), 200);
  role_ = "";
  EXPECT_EQ(status(), 200);
  role_ = kRole;
  clock_.RunUntil(clock_.Now() + absl::Seconds(30));
  EXPECT_EQ(status(), 200);
  EXPECT_EQ(status(), 429);
  limits_.SetStack("app", {}, {kRole});
  EXPECT_EQ(status(), 200);
}

TEST_F(BedrockServiceTest, LimitsTheTokensOfAStackAMinute) {
  role_ = kRole;
  limits_.SetStack("app", {.tokens_per_minute = 120}, {kRole});
  const std::string small = absl::StrCat(
      R"({"inferenceConfig":{"maxTokens":50},)", std::string(kHello).substr(1));
  // 2 + 512 at most.
  EXPECT_EQ(ErrorOf(kHello),
            "ThrottlingException: Too many tokens, please wait before trying "
            "again.");
  // 2 + 50 at most; afterwards what was used counts.
  EXPECT_EQ(Ask(kNova, "converse", small).status, 200);
  EXPECT_EQ(Ask(kNova, "converse", small).status, 200);
  EXPECT_EQ(Ask(kNova, "converse", small).status, 429);
  clock_.RunUntil(clock_.Now() + absl::Minutes(1));
  EXPECT_EQ(Ask(kNova, "converse", small).status, 200);
  limits_.SetStack("app", {}, {});
  EXPECT_EQ(Ask(kNova, "converse", kHello).status, 200);
}

TEST_F(BedrockServiceTest, KeepsALedgerWithoutPrompts) {
  role_ = kRole;
  Converse(kHello);
  faults_.Set({.kind = Fault::Kind::kError}, 1);
  Ask(kNova, "converse-stream", kHello);
  const std::vector<ModelCall> calls = ledger_.Latest();
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].operation, "Converse");
  EXPECT_EQ(calls[0].usage.input_tokens, 2);
  EXPECT_EQ(calls[0].role_arn, kRole);
  EXPECT_EQ(calls[1].error, "ModelErrorException");
  const ModelTotals totals = ledger_.Totals().at(kNova);
  EXPECT_EQ(totals.calls, 2);
  EXPECT_EQ(totals.errors.at("ModelErrorException"), 1);
  role_ = "";
  Converse(kHello);
  EXPECT_EQ(ledger_.Totals().at(kNova).calls, 3);
  ASSERT_EQ(ledger_.TotalsByRole().size(), 1u);
  EXPECT_EQ(ledger_.TotalsByRole().at(kRole).calls, 2);
  EXPECT_EQ(ledger_.TotalsByRole().at(kRole).usage.input_tokens, 2);
  for (std::size_t i = 0; i < kLedgerSize; ++i) ledger_.Add({.model_id = "m"});
  EXPECT_EQ(ledger_.Latest().size(), kLedgerSize);
  EXPECT_EQ(ledger_.Totals().at(kNova).calls, 3);
}

TEST_F(BedrockServiceTest, NeedsPermissionsOnModelAndProfile) {
  using Permissions = std::vector<NeededPermission>;
  const std::string model =
      "arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0";
  EXPECT_EQ(service_->PermissionsFor(CallOf(kNova, "converse", "")),
            (Permissions{{"bedrock:InvokeModel", model}}));
  EXPECT_EQ(
      service_->PermissionsFor(
          CallOf("us.amazon.nova-lite-v1:0", "converse-stream", "")),
      (Permissions{{"bedrock:InvokeModelWithResponseStream",
                    "arn:aws:bedrock:us-east-1:000000000000:inference-profile/"
                    "us.amazon.nova-lite-v1:0"},
                   {"bedrock:InvokeModelWithResponseStream", model}}));
  EXPECT_EQ(service_->PermissionsFor(CallOf("?", "invoke", "")),
            (Permissions{{"bedrock:InvokeModel", "*"}}));
}

TEST_F(BedrockServiceTest, HasNoOtherOperations) {
  EXPECT_EQ(Ask(kNova, "count-tokens", kHello).status, 404);
  EXPECT_EQ(Ask("nova", "converse", kHello).status, 400);
}

}  // namespace
}  // namespace byoshin::local::bedrock
