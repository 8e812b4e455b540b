#include "core/lambda/error_report.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "gtest/gtest.h"

namespace byoshin::lambda {
namespace {

TEST(ErrorType, IsTheNameOfTheStatusCode) {
  EXPECT_EQ(ErrorType(absl::InvalidArgumentError("x")),
            "Byoshin.InvalidArgument");
  EXPECT_EQ(ErrorType(absl::NotFoundError("x")), "Byoshin.NotFound");
  EXPECT_EQ(ErrorType(absl::UnavailableError("x")), "Byoshin.Unavailable");
  EXPECT_EQ(ErrorType(absl::DeadlineExceededError("x")),
            "Byoshin.DeadlineExceeded");
}

TEST(ErrorType, IsTheNameThatTheStatusWasGiven) {
  const absl::Status status =
      WithErrorType(absl::UnavailableError("x"), "DatabaseConnectionError");
  EXPECT_EQ(ErrorTypeOf(status), "DatabaseConnectionError");
  EXPECT_EQ(ErrorType(status), "DatabaseConnectionError");
  EXPECT_EQ(ErrorType(WithErrorType(status, "Other")), "Other");
  EXPECT_FALSE(ErrorTypeOf(absl::UnavailableError("x")).has_value());
}

TEST(ErrorBody, IsWhatTheRuntimeApiWants) {
  EXPECT_EQ(ErrorBody(absl::NotFoundError("no queue")),
            R"({"errorMessage":"no queue","errorType":"Byoshin.NotFound",)"
            R"("stackTrace":[]})");
}

TEST(ErrorBody, KeepsTheMessageAsItIs) {
  const std::string message = "a \"quoted\"\\ line\nand\ttab \x01 秒針";
  const absl::StatusOr<Json::Value> body =
      json::ParseValue(ErrorBody(absl::InternalError(message)));
  ASSERT_TRUE(body.ok()) << body.status();
  EXPECT_EQ((*body)["errorMessage"].asString(), message);
}

TEST(ErrorBody, IsValidJsonForAnyBytes) {
  std::string message;
  for (int byte = 0; byte < 256; ++byte) {
    message.push_back(static_cast<char>(byte));
  }
  EXPECT_TRUE(json::ParseValue(ErrorBody(absl::InternalError(message))).ok());
}

}  // namespace
}  // namespace byoshin::lambda
