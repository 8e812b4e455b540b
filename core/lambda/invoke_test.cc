#include "core/lambda/invoke.h"

#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/lambda/handler.h"
#include "core/lambda/testing/function_handler.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::lambda {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class InvokeTest : public ::testing::Test {
 protected:
  InvocationResult InvokeFunction(testing::FunctionHandler::Function function) {
    testing::FunctionHandler handler(std::move(function));
    return Invoke(handler, {.payload = "in", .request_id = "r-1"}, logger_);
  }

  time::SimulatedClock clock_{absl::UnixEpoch()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
};

TEST_F(InvokeTest, GivesTheResponse) {
  const InvocationResult result =
      InvokeFunction([](const Invocation& i) { return i.payload + "-out"; });
  EXPECT_EQ(result.kind, InvocationResult::Kind::kResponse);
  EXPECT_EQ(result.payload, "in-out");
  EXPECT_THAT(sink_.lines(), IsEmpty());
}

TEST_F(InvokeTest, LetsTheHandlerLogUnderTheRequestId) {
  InvokeFunction([&](const Invocation&) {
    logger_.Info("at work");
    return "";
  });
  EXPECT_EQ(sink_.entries().at(0)["requestId"].asString(), "r-1");
}

TEST_F(InvokeTest, ReportsAndLogsAnError) {
  const InvocationResult result = InvokeFunction(
      [](const Invocation&) { return absl::NotFoundError("no queue"); });
  EXPECT_EQ(result.kind, InvocationResult::Kind::kError);
  EXPECT_EQ(result.payload,
            R"({"errorMessage":"no queue","errorType":"Byoshin.NotFound",)"
            R"("stackTrace":[]})");
  ASSERT_THAT(sink_.AtLevel("ERROR"), SizeIs(1));
  EXPECT_EQ(sink_.AtLevel("ERROR")[0]["requestId"].asString(), "r-1");
  EXPECT_EQ(sink_.AtLevel("ERROR")[0]["error"].asString(), "no queue");
  EXPECT_EQ(sink_.AtLevel("ERROR")[0]["errorType"].asString(),
            "Byoshin.NotFound");
}

TEST_F(InvokeTest, SurvivesAnException) {
  const InvocationResult result =
      InvokeFunction([](const Invocation&) -> std::string {
        throw std::runtime_error("a \"bad\" day");
      });
  EXPECT_EQ(result.kind, InvocationResult::Kind::kError);
  EXPECT_THAT(result.payload,
              HasSubstr(R"(unexpected exception: a \"bad\" day)"));
  EXPECT_THAT(result.payload, HasSubstr("Byoshin.Internal"));
}

TEST_F(InvokeTest, SurvivesMemoryThatRanOut) {
  const InvocationResult result = InvokeFunction(
      [](const Invocation&) -> std::string { throw std::bad_alloc(); });
  EXPECT_THAT(result.payload, HasSubstr("bad_alloc"));
}

TEST_F(InvokeTest, SurvivesAnExceptionOfAnyType) {
  const InvocationResult result =
      InvokeFunction([](const Invocation&) -> std::string { throw 5; });
  EXPECT_THAT(result.payload, HasSubstr("of an unknown type"));
}

TEST(MakeHandler, GivesTheHandlerOrWhyThereIsNone) {
  EXPECT_TRUE(MakeHandler([]() -> absl::StatusOr<std::unique_ptr<Handler>> {
                return std::make_unique<testing::FunctionHandler>(nullptr);
              }).ok());
  EXPECT_EQ(MakeHandler([]() -> absl::StatusOr<std::unique_ptr<Handler>> {
              return absl::FailedPreconditionError("QUEUE_URL is not set");
            }).status(),
            absl::FailedPreconditionError("QUEUE_URL is not set"));
  EXPECT_EQ(MakeHandler([]() -> absl::StatusOr<std::unique_ptr<Handler>> {
              throw std::runtime_error("no");
            }).status(),
            absl::InternalError("unexpected exception: no"));
}

}  // namespace
}  // namespace byoshin::lambda
