// The models: deterministic, failing, and a server's.

#include <json/json.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/aws/credentials.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "local/bedrock/chat_stream.h"
#include "local/bedrock/deterministic_model.h"
#include "local/bedrock/faults.h"
#include "local/bedrock/model.h"
#include "local/bedrock/model_id.h"
#include "local/bedrock/openai_model.h"
#include "local/bedrock/tokens.h"
#include "local/gateway/error.h"

namespace byoshin::local::bedrock {
namespace {

Question UserQuestion(absl::string_view text) {
  return {.model_id = "us.amazon.nova-lite-v1:0",
          .turns = {{.role = Role::kUser, .text = std::string(text)}}};
}

absl::StatusOr<Reply> AskModel(Model& model, const Question& question) {
  return async::Await<absl::StatusOr<Reply>>(
      [&](auto done) { model.Ask(question, done); });
}

std::string TextOf(const Question& question) {
  DeterministicModel model;
  return AskModel(model, question)->text;
}

TEST(ModelId, IsAModelAProfileOrAnArn) {
  EXPECT_EQ(ParseModelId("amazon.nova-lite-v1:0")->model,
            "amazon.nova-lite-v1:0");
  const absl::StatusOr<ModelId> profile =
      ParseModelId("us.anthropic.claude-3-5-haiku-20241022-v1:0");
  EXPECT_EQ(profile->model, "anthropic.claude-3-5-haiku-20241022-v1:0");
  EXPECT_EQ(profile->profile, "us.anthropic.claude-3-5-haiku-20241022-v1:0");
  EXPECT_EQ(ParseModelId("arn:aws:bedrock:us-east-1::foundation-model/"
                         "amazon.nova-pro-v1:0")
                ->model,
            "amazon.nova-pro-v1:0");
  EXPECT_EQ(ParseModelId("arn:aws:bedrock:us-east-1:000000000000:"
                         "inference-profile/eu.amazon.nova-pro-v1:0")
                ->profile,
            "eu.amazon.nova-pro-v1:0");
}

TEST(ModelId, OfAnotherFormIsRefused) {
  for (const char* id :
       {"", "nova", ".nova", "amazon.", "Amazon.Nova", "amazon.nova lite",
        "arn:aws:bedrock", "arn:aws:sqs:us-east-1::foundation-model/a.b",
        "arn:aws:bedrock:us-east-1::foundation-model/us.amazon.nova-v1:0"}) {
    EXPECT_EQ(ErrorAnswerOf(ParseModelId(id).status()).code,
              "ValidationException")
        << id;
  }
  EXPECT_EQ(ErrorAnswerOf(ParseModelId("arn:aws:bedrock:us-east-1:1:"
                                       "provisioned-model/x")
                              .status())
                .http_status,
            404);
}

TEST(Tokens, AreFourCharactersOfAsciiOrOneOther) {
  EXPECT_EQ(CountTokens(""), 0);
  EXPECT_EQ(CountTokens("abcd"), 1);
  EXPECT_EQ(CountTokens("abcde"), 2);
  EXPECT_EQ(CountTokens("日本語"), 3);
  EXPECT_EQ(CountTokens("a日b"), 3);
}

TEST(Tokens, LimitAnAnswerAtACharacter) {
  Question question = UserQuestion("x");
  question.inference.max_tokens = 2;
  Reply reply = LimitedReply("日本語", question);
  EXPECT_EQ(reply.text, "日本");
  EXPECT_EQ(reply.stop_reason, StopReason::kMaxTokens);
  EXPECT_EQ(reply.usage.output_tokens, 2);
  EXPECT_EQ(reply.usage.input_tokens, 1);
  question.inference = {.max_tokens = 3, .stop_sequences = {"zz", "本"}};
  reply = LimitedReply("日本語", question);
  EXPECT_EQ(reply.text, "日");
  EXPECT_EQ(reply.stop_reason, StopReason::kStopSequence);
  question.inference = {.max_tokens = 3};
  EXPECT_EQ(LimitedReply("日本語", question).stop_reason, StopReason::kEndTurn);
}

TEST(Tokens, AreStreamedInWholeCharacters) {
  std::string joined;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "日a";
  const std::vector<std::string> pieces = StreamPieces(text);
  EXPECT_EQ(pieces.size(), 7u);
  for (const std::string& piece : pieces) {
    EXPECT_NE(static_cast<unsigned char>(piece[0]) & 0xC0, 0x80);
    joined += piece;
  }
  EXPECT_EQ(joined, text);
  EXPECT_TRUE(StreamPieces("").empty());
}

TEST(DeterministicModel, AnswersInTheLanguageOfTheQuestion) {
  const std::string japanese = TextOf(UserQuestion("東京の名物は何ですか？"));
  EXPECT_TRUE(absl::StartsWith(
      japanese, "「東京の名物は何ですか」についてお答えします。"));
  EXPECT_EQ(japanese, TextOf(UserQuestion("東京の名物は何ですか？")));
  const std::string english = TextOf(UserQuestion("How do I learn to swim?"));
  EXPECT_TRUE(absl::StrContains(english, "How do I learn to swim"));
  EXPECT_NE(english, TextOf(UserQuestion("How do I learn to ski?")));
}

TEST(DeterministicModel, AnswersADemandForJsonWithJson) {
  const std::string text = TextOf(UserQuestion(
      "サブゴールを8つ作ってください。\n目標: マラソン完走\n```json\n"
      R"({"type":"object","properties":{"subGoals":{"type":"array",
          "minItems":8,"items":{"type":"object","properties":{
          "title":{"type":"string"}}}}}})"
      "\n```\nJSONだけを返してください。"));
  const absl::StatusOr<Json::Value> value = json::ParseValue(text);
  ASSERT_TRUE(value.ok()) << text;
  ASSERT_EQ((*value)["subGoals"].size(), 8u);
  EXPECT_TRUE(absl::StartsWith((*value)["subGoals"][0]["title"].asString(),
                               "マラソン完走"));
}

TEST(DeterministicModel, RemembersTheShapeAndTheTopicWhenItIsCorrected) {
  Question question = UserQuestion(
      "Goal: Learn chess\n```json\n{\"type\":\"array\",\"minItems\":2,"
      "\"items\":{\"type\":\"string\"}}\n```");
  const std::string first = TextOf(question);
  question.turns.push_back({.role = Role::kAssistant, .text = first});
  question.turns.push_back(
      {.role = Role::kUser, .text = "There must be 8 elements, not 2."});
  const absl::StatusOr<Json::Value> value = json::ParseValue(TextOf(question));
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(value->size(), 2u);
  EXPECT_TRUE(absl::StrContains((*value)[0].asString(), "Learn chess"));
  EXPECT_NE(json::WriteValue(*value), first);
}

TEST(DeterministicModel, TakesAShapeFromTheSystemPrompt) {
  Question question = UserQuestion("Hello");
  question.system = "Answer as\n```json\n{\"greeting\":\"…\"}\n```";
  EXPECT_TRUE(json::ParseValue(TextOf(question))->isMember("greeting"));
}

TEST(DeterministicModel, UsesAToolThatItMustUse) {
  Question question = UserQuestion("Goal: Learn chess");
  question.tools = {
      {.name = "save",
       .schema = *json::ParseValue(
           R"({"type":"object","properties":{"n":{"type":"integer"}}})")}};
  DeterministicModel model;
  EXPECT_FALSE(AskModel(model, question)->tool_use.has_value());
  question.forced_tool = &question.tools[0];
  const absl::StatusOr<Reply> reply = AskModel(model, question);
  ASSERT_TRUE(reply->tool_use.has_value());
  EXPECT_EQ(reply->stop_reason, StopReason::kToolUse);
  EXPECT_EQ(reply->tool_use->name, "save");
  EXPECT_TRUE(reply->tool_use->input["n"].isInt());
}

TEST(DeterministicModel, HasGarbageThatIsNotJson) {
  EXPECT_FALSE(json::ParseValue(GarbageReply(UserQuestion("x")).text).ok());
}

TEST(ModelFault, IsNamedByAFlagOrAModel) {
  EXPECT_EQ(ParseFault("slow=5s")->delay, absl::Seconds(5));
  EXPECT_EQ(ParseFault("slow")->delay, kDefaultSlowness);
  EXPECT_EQ(ParseFault("hanging")->kind, Fault::Kind::kHanging);
  for (const char* text :
       {"", "quick", "slow=", "slow=x", "slow=0s", "slow=2h", "error=5s"}) {
    EXPECT_FALSE(ParseFault(text).ok()) << text;
  }
  EXPECT_TRUE(absl::StrContains(ParseFault("x").status().message(),
                                "throttling, not-ready"));
  EXPECT_EQ(FaultOfModel("byoshin.throttling-v1:0")->kind,
            Fault::Kind::kThrottling);
  EXPECT_EQ(FaultOfModel("byoshin.slow-90s-v1:0")->delay, absl::Seconds(90));
  EXPECT_EQ(FaultOfModel("byoshin.access-denied-v1:0")->kind,
            Fault::Kind::kAccessDenied);
  EXPECT_FALSE(FaultOfModel("amazon.nova-lite-v1:0").has_value());
  EXPECT_FALSE(FaultOfModel("byoshin.friendly-v1:0").has_value());
}

TEST(ModelFault, LastsForSomeCallsOrForAll) {
  Faults faults;
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kNone);
  faults.Set({.kind = Fault::Kind::kError}, 2);
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kError);
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kError);
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kNone);
  faults.Set({.kind = Fault::Kind::kGarbage});
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kGarbage);
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kGarbage);
  faults.Clear();
  EXPECT_EQ(faults.Take().kind, Fault::Kind::kNone);
}

TEST(ChatUrl, IsCompleted) {
  for (const char* url :
       {"http://127.0.0.1:11434", "http://127.0.0.1:11434/",
        "http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1/",
        "http://127.0.0.1:11434/v1/chat/completions"}) {
    EXPECT_EQ(*ChatUrl(url), "http://127.0.0.1:11434/v1/chat/completions")
        << url;
  }
  EXPECT_EQ(*ChatUrl("https://api.example.com/openai/v1"),
            "https://api.example.com/openai/v1/chat/completions");
  EXPECT_FALSE(ChatUrl("ollama").ok());
  EXPECT_FALSE(ChatUrl("http://x/?key=1").ok());
}

TEST(OpenAiModel, AsksAsOpenAisApiWantsIt) {
  Question question = UserQuestion("Hi");
  question.system = "Be brief.";
  question.turns.push_back({.role = Role::kAssistant, .text = "Yes?"});
  question.turns.push_back({.role = Role::kUser, .text = "Bye"});
  question.inference = {.max_tokens = 10,
                        .temperature = 0.5,
                        .top_p = 0.25,
                        .stop_sequences = {"END"}};
  question.tools = {{.name = "save", .schema = Json::Value(Json::objectValue)}};
  question.forced_tool = &question.tools[0];
  EXPECT_EQ(
      json::WriteValue(ChatRequest(question, "")),
      R"({"max_tokens":10,"messages":[)"
      R"({"content":"Be brief.","role":"system"},)"
      R"({"content":"Hi","role":"user"},)"
      R"({"content":"Yes?","role":"assistant"},)"
      R"({"content":"Bye","role":"user"}],)"
      R"("model":"amazon.nova-lite-v1:0","stop":["END"],"temperature":0.5,)"
      R"("tool_choice":{"function":{"name":"save"},"type":"function"},)"
      R"("tools":[{"function":{"name":"save","parameters":{}},)"
      R"("type":"function"}],"top_p":0.25})");
  EXPECT_EQ(ChatRequest(question, "qwen3")["model"], "qwen3");
}

TEST(OpenAiModel, ReadsTextToolsAndUsage) {
  const Question question = UserQuestion("Hi");
  const auto read = [&](absl::string_view body) {
    return *ReadChatAnswer({.status = 200, .body = std::string(body)},
                           question);
  };
  Reply reply = read(R"({"choices":[{"message":{"content":"Hello"},
      "finish_reason":"length"}],
      "usage":{"prompt_tokens":7,"completion_tokens":9}})");
  EXPECT_EQ(reply.text, "Hello");
  EXPECT_EQ(reply.stop_reason, StopReason::kMaxTokens);
  EXPECT_EQ(reply.usage.input_tokens, 7);
  EXPECT_EQ(reply.usage.output_tokens, 9);
  reply = read(R"({"choices":[{"message":{"content":null,"tool_calls":[
      {"id":"c1","function":{"name":"save","arguments":"{\"n\":1}"}}]},
      "finish_reason":"tool_calls"}]})");
  EXPECT_EQ(reply.stop_reason, StopReason::kToolUse);
  EXPECT_EQ(reply.tool_use->input["n"], 1);
  EXPECT_EQ(reply.usage.input_tokens, 1);
}

TEST(OpenAiModel, TurnsTheServersErrorsIntoBedrocks) {
  const Question question = UserQuestion("Hi");
  const auto code = [&](int status, const char* body = "{}") {
    return ErrorAnswerOf(
               ReadChatAnswer({.status = status, .body = body}, question)
                   .status())
        .code;
  };
  EXPECT_EQ(code(400), "ValidationException");
  EXPECT_EQ(code(401), "AccessDeniedException");
  EXPECT_EQ(code(404), "ResourceNotFoundException");
  EXPECT_EQ(code(429), "ThrottlingException");
  EXPECT_EQ(code(500), "ModelErrorException");
  EXPECT_EQ(code(503), "ServiceUnavailableException");
  EXPECT_EQ(code(504), "ModelTimeoutException");
  EXPECT_EQ(code(200, "no JSON"), "ModelErrorException");
  EXPECT_EQ(code(200, R"({"choices":[]})"), "ModelErrorException");
  EXPECT_EQ(ErrorAnswerOf(
                ReadChatAnswer({.status = 400,
                                .body = R"({"error":{"message":"too long"}})"},
                               question)
                    .status())
                .message,
            "The model server rejected the request: \"too long\"");
}

// Answers each request as the function says.
class ScriptedClient final : public http::Client {
 public:
  using Script =
      std::function<absl::StatusOr<http::Response>(const http::Request&)>;
  explicit ScriptedClient(Script script) : script_(std::move(script)) {}
  absl::StatusOr<http::Response> Send(const http::Request& request) override {
    return script_(request);
  }

 private:
  const Script script_;
};

OpenAiOptions ScriptedOptions(ScriptedClient::Script script) {
  return {.url = "http://model/v1/chat/completions",
          .api_key = aws::Secret("key"),
          .new_client = [script] {
            return std::make_unique<ScriptedClient>(script);
          }};
}

TEST(OpenAiModel, SendsTheKeyAndReturnsTheAnswer) {
  OpenAiModel model(ScriptedOptions([](const http::Request& request) {
    std::string key;
    for (const http::Header& header : request.headers) {
      if (header.name == "Authorization") key = header.value;
    }
    return http::Response{
        .status = 200,
        .body = absl::StrCat(R"({"choices":[{"message":{"content":")", key,
                             R"("}}]})")};
  }));
  EXPECT_EQ(AskModel(model, UserQuestion("Hi"))->text, "Bearer key");
}

constexpr char kChatStream[] =
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n"
    ": a comment\r\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\r\n\r\n"
    "data:{\"choices\":[{\"delta\":{\"content\":\"lo 世界\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"length\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,"
    "\"completion_tokens\":2}}\n\n"
    "data: [DONE]\n\n";

TEST(ChatStream, DoesNotCareHowBytesAreCut) {
  const Question question = UserQuestion("Hi");
  const absl::string_view bytes = kChatStream;
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    ChatStream stream(question);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < bytes.size(); i += piece) {
      for (const ReplyPiece& part : stream.Feed(bytes.substr(i, piece))) {
        texts.push_back(part.text);
      }
    }
    ASSERT_EQ(texts, (std::vector<std::string>{"Hel", "lo 世界"})) << piece;
    const absl::StatusOr<Reply> reply = stream.Finish();
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->text, "Hello 世界");
    EXPECT_EQ(reply->stop_reason, StopReason::kMaxTokens);
    EXPECT_EQ(reply->usage.input_tokens, 3);
    EXPECT_EQ(reply->usage.output_tokens, 2);
  }
}

TEST(ChatStream, FailsIfItIsOfNoUse) {
  const Question question = UserQuestion("Hi");
  for (const absl::string_view bytes :
       {"", "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n",
        "data: {\"error\":{\"message\":\"x\"}}\n\ndata: [DONE]\n\n",
        "data: garbage\n\ndata: [DONE]\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":"
        "{\"name\":\"f\",\"arguments\":\"{\"}}]},"
        "\"finish_reason\":\"tool_calls\"}]}\n\n"}) {
    ChatStream stream(question);
    stream.Feed(bytes);
    EXPECT_EQ(ErrorAnswerOf(stream.Finish().status()).code,
              "ModelErrorException")
        << bytes;
  }
}

TEST(OpenAiModel, PassesOnPiecesUntilNobodyWantsThem) {
  OpenAiModel model(ScriptedOptions(
      [](const http::Request& request) -> absl::StatusOr<http::Response> {
        const http::Response head{
            .status = 200, .headers = {{"Content-Type", "text/event-stream"}}};
        if (!request.on_body(head, kChatStream)) {
          return absl::CancelledError("not wanted");
        }
        return head;
      }));
  for (const std::size_t wanted : {2, 1}) {
    std::vector<std::string> texts;
    const absl::StatusOr<Reply> reply =
        async::Await<absl::StatusOr<Reply>>([&](auto done) {
          model.AskInPieces(
              UserQuestion("Hi"),
              [&texts, wanted](const ReplyPiece& piece) {
                texts.push_back(piece.text);
                return texts.size() < wanted || wanted == 2;
              },
              done);
        });
    EXPECT_EQ(texts.size(), wanted);
    EXPECT_EQ(reply.ok(), wanted == 2) << reply.status();
  }
}

TEST(OpenAiModel, SaysOnceThatTheServerDoesNotAnswer) {
  std::vector<std::string> notes;
  OpenAiOptions options = ScriptedOptions([](const http::Request&) {
    return absl::UnavailableError("POST http://model/: connection refused");
  });
  options.on_note = [&](const std::string& note) { notes.push_back(note); };
  OpenAiModel model(options);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ErrorAnswerOf(AskModel(model, UserQuestion("Hi")).status()).code,
              "ServiceUnavailableException");
  }
  EXPECT_EQ(notes, (std::vector<std::string>{
                       "the model server does not answer: POST http://model/: "
                       "connection refused"}));
}

TEST(OpenAiModel, CancelsWhatIsInProgressWhenItEnds) {
  absl::StatusOr<Reply> reply;
  {
    OpenAiModel model(ScriptedOptions([](const http::Request& request) {
      while (!request.cancelled()) {
      }
      return absl::CancelledError("cancelled");
    }));
    for (int i = 0; i < 20; ++i) {
      model.Ask(UserQuestion("Hi"), [&reply, i](absl::StatusOr<Reply> result) {
        if (i == 19) reply = std::move(result);
      });
    }
  }
  EXPECT_EQ(ErrorAnswerOf(reply.status()).code, "ServiceUnavailableException");
}

}  // namespace
}  // namespace byoshin::local::bedrock
