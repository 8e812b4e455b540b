#include "core/generation/answer.h"

#include <json/json.h>

#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/api_error.h"
#include "core/generation/message.h"
#include "core/generation/process.h"
#include "core/generation/testing/fixture.h"
#include "core/json/value.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

Json::Value Read(const std::string& json) {
  return json::ParseValue(json).value_or(Json::Value());
}

Process SampleProcess(ProcessStatus status) {
  return {.id = "p",
          .user_id = "u",
          .type = ProcessType::kActions,
          .status = status,
          .target_id = testing::kGoalId,
          .progress = 50,
          .result = R"({"subGoals":[]})",
          .error = ProcessError{.code = kAiError, .message = "m"},
          .created_at = testing::StartOfTests(),
          .updated_at = testing::StartOfTests() + absl::Seconds(9),
          .completed_at =
              IsFinal(status)
                  ? std::optional(testing::StartOfTests() + absl::Seconds(9))
                  : std::nullopt};
}

bool IsAscii(absl::string_view text) {
  return !text.empty() && absl::c_all_of(text, absl::ascii_isascii);
}

TEST(SuccessAnswer, IsAnEnvelopeWithCorsHeaders) {
  Json::Value data(Json::objectValue);
  data["processId"] = "p";
  const Json::Value answer =
      Read(SuccessAnswer(kHttpAccepted, data, "https://app.example.com"));
  EXPECT_EQ(answer["statusCode"].asInt(), 202);
  EXPECT_EQ(answer["headers"]["Access-Control-Allow-Origin"].asString(),
            "https://app.example.com");
  EXPECT_EQ(answer["headers"]["Content-Type"].asString(),
            "application/json; charset=utf-8");
  EXPECT_EQ(answer["body"].asString(),
            R"({"data":{"processId":"p"},"success":true})");
}

TEST(ErrorAnswer, TellsUsersNothingOfTheInside) {
  const Json::Value answer = Read(
      ErrorAnswer(AsDatabaseError(absl::UnavailableError("cluster-7 is gone")),
                  "*", Language::kJapanese));
  EXPECT_EQ(answer["statusCode"].asInt(), 503);
  EXPECT_EQ(answer["body"].asString().find("cluster-7"), std::string::npos);
  const Json::Value error = Read(answer["body"].asString())["error"];
  EXPECT_EQ(error["code"].asString(), "DATABASE_ERROR");
  EXPECT_TRUE(error["retryable"].asBool());
  EXPECT_FALSE(error.isMember("details"));
}

TEST(ErrorAnswer, NamesInvalidFields) {
  const Json::Value answer = Read(
      ErrorAnswer(ToStatus({.code = ErrorCode::kValidationError,
                            .details = {{.field = "params.title",
                                         .message = {"長い", "Too long."}}}},
                           "x"),
                  "*", Language::kJapanese));
  const Json::Value body = Read(answer["body"].asString());
  EXPECT_EQ(answer["statusCode"].asInt(), 400);
  EXPECT_FALSE(body["success"].asBool());
  EXPECT_EQ(body["error"]["details"][0]["field"].asString(), "params.title");
  EXPECT_EQ(body["error"]["details"][0]["message"].asString(), "長い");
}

TEST(ErrorAnswer, SpeaksEnglishIfAsked) {
  const Json::Value answer = Read(
      ErrorAnswer(ToStatus({.code = ErrorCode::kValidationError,
                            .details = {{.field = "params.title",
                                         .message = {"長い", "Too long."}}}},
                           "x"),
                  "*", Language::kEnglish));
  EXPECT_EQ(answer["headers"]["Content-Language"].asString(), "en");
  const Json::Value error = Read(answer["body"].asString())["error"];
  EXPECT_EQ(error["code"].asString(), "VALIDATION_ERROR");
  EXPECT_EQ(error["message"].asString(), "Some of the input is invalid.");
  EXPECT_EQ(error["details"][0]["message"].asString(), "Too long.");
}

TEST(ErrorAnswer, IsAnInternalErrorForAnyOtherStatus) {
  const Json::Value answer = Read(
      ErrorAnswer(absl::InvalidArgumentError("bug"), "*", Language::kJapanese));
  EXPECT_EQ(answer["statusCode"].asInt(), 500);
}

TEST(ApiError, HasTheStatusOfItsCode) {
  const struct {
    ErrorCode code;
    absl::string_view name;
    int status;
  } kExpected[] = {
      {ErrorCode::kValidationError, "VALIDATION_ERROR", 400},
      {ErrorCode::kInvalidProcessType, "INVALID_PROCESS_TYPE", 400},
      {ErrorCode::kInvalidUuid, "INVALID_UUID", 400},
      {ErrorCode::kUnauthorized, "UNAUTHORIZED", 401},
      {ErrorCode::kForbidden, "FORBIDDEN", 403},
      {ErrorCode::kRetryNotAllowed, "RETRY_NOT_ALLOWED", 409},
      {ErrorCode::kMaxRetryExceeded, "MAX_RETRY_EXCEEDED", 409},
      {ErrorCode::kCancelNotAllowed, "CANCEL_NOT_ALLOWED", 409},
      {ErrorCode::kRateLimitExceeded, "RATE_LIMIT_EXCEEDED", 429},
      {ErrorCode::kDatabaseError, "DATABASE_ERROR", 500},
      {ErrorCode::kStepFunctionsError, "STEP_FUNCTIONS_ERROR", 500},
      {ErrorCode::kInternalError, "INTERNAL_ERROR", 500}};
  for (const auto& expected : kExpected) {
    EXPECT_EQ(NameOf(expected.code), expected.name);
    EXPECT_EQ(HttpStatusOf({.code = expected.code}), expected.status);
    EXPECT_FALSE(MessageOf(expected.code, Language::kJapanese).empty());
    EXPECT_TRUE(IsAscii(MessageOf(expected.code, Language::kEnglish)));
    const ApiError error{.code = expected.code,
                         .details = {{.field = "f", .message = {"m", "n"}}},
                         .retryable = Retryable::kYes};
    EXPECT_EQ(ApiErrorOf(ToStatus(error, "x")), error);
  }
}

TEST(AsDatabaseError, KeepsErrorsOfTheApi) {
  const absl::Status forbidden = ToStatus({.code = ErrorCode::kForbidden}, "x");
  EXPECT_EQ(AsDatabaseError(forbidden), forbidden);
  EXPECT_TRUE(AsDatabaseError(absl::OkStatus()).ok());
  EXPECT_EQ(HttpStatusOf(ApiErrorOf(
                AsDatabaseError(absl::InvalidArgumentError("wrong SQL")))),
            500);
}

TEST(ProcessJson, ShowsTimesAndTheEstimate) {
  const Json::Value json =
      ProcessJson(SampleProcess(ProcessStatus::kPending), Language::kJapanese);
  EXPECT_EQ(json["processId"].asString(), "p");
  EXPECT_EQ(json["type"].asString(), "ACTION_GENERATION");
  EXPECT_EQ(json["status"].asString(), "PENDING");
  EXPECT_EQ(json["progress"].asInt(), 50);
  EXPECT_EQ(json["createdAt"].asString(), "2025-10-10T10:00:00Z");
  EXPECT_EQ(json["updatedAt"].asString(), "2025-10-10T10:00:09Z");
  EXPECT_EQ(json["estimatedCompletionTime"].asString(), "2025-10-10T10:03:00Z");
  EXPECT_FALSE(json.isMember("completedAt"));
  EXPECT_FALSE(json.isMember("userId"));
}

TEST(ProcessJson, ShowsResultErrorAndEndWhereTheyBelong) {
  for (const ProcessStatus status : kProcessStatuses) {
    const Json::Value json =
        ProcessJson(SampleProcess(status), Language::kJapanese);
    EXPECT_EQ(json.isMember("result"), status == ProcessStatus::kCompleted);
    EXPECT_EQ(json.isMember("error"), CanRetry(status));
    EXPECT_EQ(json.isMember("completedAt"), IsFinal(status));
  }
}

TEST(HistoryJson, CountsPages) {
  const HistoryPage page{.processes = {SampleProcess(ProcessStatus::kFailed)},
                         .total = 41};
  const Json::Value json =
      HistoryJson({.page = 3, .page_size = 20}, page, Language::kJapanese);
  EXPECT_EQ(json["processes"].size(), 1u);
  EXPECT_EQ(json["pagination"]["page"].asInt(), 3);
  EXPECT_EQ(json["pagination"]["total"].asInt(), 41);
  EXPECT_EQ(json["pagination"]["totalPages"].asInt(), 3);
}

}  // namespace
}  // namespace byoshin::generation
