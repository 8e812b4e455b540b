#include "core/aws/error.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws {
namespace {

using ::testing::HasSubstr;

absl::StatusCode CodeOf(const std::string& code, int http_status) {
  return ToStatus({.code = code, .http_status = http_status}, "X").code();
}

TEST(Error, IsCarriedInsideAStatus) {
  const Error error{.code = "ThrottlingException",
                    .message = "Rate \"exceeded\"\n\xe7\xa7\x92",
                    .http_status = 400,
                    .request_id = "0f-1"};
  const std::optional<Error> carried = ErrorOf(ToStatus(error, "X"));
  ASSERT_TRUE(carried.has_value());
  EXPECT_EQ(carried->code, error.code);
  EXPECT_EQ(carried->message, error.message);
  EXPECT_EQ(carried->http_status, 400);
  EXPECT_EQ(carried->request_id, "0f-1");
}

TEST(Error, SurvivesCopyingTheStatus) {
  const absl::Status status = ToStatus({.code = "A", .http_status = 400}, "X");
  const absl::Status copy = status;
  EXPECT_EQ(ErrorOf(copy)->code, "A");
}

TEST(Error, IsAbsentFromOtherStatuses) {
  EXPECT_EQ(ErrorOf(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(ErrorOf(absl::UnavailableError("refused")), std::nullopt);
}

TEST(Error, MessageSaysWhatWasAskedAndWhatWasAnswered) {
  const absl::Status status = ToStatus({.code = "AccessDeniedException",
                                        .message = "not you",
                                        .http_status = 400,
                                        .request_id = "0f-1"},
                                       "SQS SendMessageBatch");
  EXPECT_EQ(status.message(),
            "SQS SendMessageBatch: AccessDeniedException: not you (HTTP 400, "
            "request id 0f-1)");
}

TEST(Error, MessageLeavesOutWhatIsNotThere) {
  EXPECT_EQ(ToStatus({.code = "A", .http_status = 400}, "X").message(),
            "X: A (HTTP 400)");
}

TEST(Error, CodeFollowsFromTheName) {
  EXPECT_EQ(CodeOf("QueueDoesNotExist", 400), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf("AWS.SimpleQueueService.NonExistentQueue", 400),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf("ResourceNotFoundException", 400),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf("AccessDeniedException", 400),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("ExpiredTokenException", 400),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("RequestTimeTooSkewed", 400),
            absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("ThrottlingException", 400),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("ProvisionedThroughputExceededException", 400),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("RequestThrottled", 403),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("SlowDown", 503), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("ConditionalCheckFailedException", 400),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeOf("InternalServerError", 500), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf("RequestTimeout", 400), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf("ValidationException", 400),
            absl::StatusCode::kInvalidArgument);
}

TEST(Error, CodeFollowsFromTheNamesOfDataApiStatesAndModels) {
  EXPECT_EQ(CodeOf("DatabaseResumingException", 400),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf("StatementTimeoutException", 400),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(CodeOf("TransactionNotFoundException", 404),
            absl::StatusCode::kAborted);
  EXPECT_EQ(CodeOf("SecretsErrorException", 400),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeOf("ExecutionAlreadyExists", 400),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(CodeOf("ExecutionDoesNotExist", 400), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf("TaskTimedOut", 400), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeOf("ModelTimeoutException", 408),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(CodeOf("ModelErrorException", 424), absl::StatusCode::kInternal);
  EXPECT_EQ(CodeOf("ModelNotReadyException", 429),
            absl::StatusCode::kResourceExhausted);
}

TEST(Error, IsKeptWhenTheCodeOfItsStatusChanges) {
  const absl::Status status =
      WithCode(absl::StatusCode::kAborted,
               ToStatus({.code = "A", .http_status = 400}, "X"));
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(status.message(), "X: A (HTTP 400)");
  EXPECT_EQ(ErrorOf(status)->code, "A");
}

TEST(Error, CodeOfAnUnknownNameFollowsFromTheHttpStatus) {
  EXPECT_EQ(CodeOf("Unheard", 400), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf("Unheard", 302), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf("Unheard", 401), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("Unheard", 403), absl::StatusCode::kPermissionDenied);
  EXPECT_EQ(CodeOf("Unheard", 404), absl::StatusCode::kNotFound);
  EXPECT_EQ(CodeOf("Unheard", 408), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf("Unheard", 429), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf("Unheard", 500), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf("Unheard", 503), absl::StatusCode::kUnavailable);
  EXPECT_EQ(CodeOf("", 599), absl::StatusCode::kUnavailable);
}

TEST(Error, IsNeverOkWhateverItHolds) {
  EXPECT_FALSE(ToStatus({}, "").ok());
  EXPECT_FALSE(ToStatus({.http_status = 200}, "X").ok());
}

TEST(Error, BytesThatAreNoTextDoNotHideTheError) {
  const std::optional<Error> carried = ErrorOf(
      ToStatus({.code = "A\xff", .message = std::string("\0\xc3", 2)}, "X"));
  ASSERT_TRUE(carried.has_value());
  EXPECT_THAT(carried->code, HasSubstr("A"));
}

}  // namespace
}  // namespace byoshin::aws
