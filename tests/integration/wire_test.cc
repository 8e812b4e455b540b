// The same requests from our functions and from the AWS SDK for JavaScript: a
// service must not be able to tell them apart in anything that matters.

#include "tests/integration/wire.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server.h"
#include "core/scheduler/constants.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/aws_endpoint.h"
#include "tests/integration/fake_dynamodb.h"
#include "tests/integration/fake_sqs.h"
#include "tests/integration/function_fixture.h"
#include "tests/integration/raw_server.h"
#include "tests/integration/sdk_call.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::integration {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class WireTest : public FunctionTest {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<FakeSqs>> sqs = FakeSqs::Start();
    ASSERT_TRUE(sqs.ok()) << sqs.status();
    sqs_ = *std::move(sqs);
    absl::StatusOr<std::unique_ptr<AwsEndpoint>> dynamodb = StartFakeDynamoDb();
    ASSERT_TRUE(dynamodb.ok()) << dynamodb.status();
    dynamodb_ = *std::move(dynamodb);
  }

  Json::Value SendWithSdk(const Json::Value& input) {
    return CallWithSdk(
        {"sqs", "SendMessageBatch", sqs_->endpoint().url(), input});
  }

  Json::Value PutWithSdk(const Json::Value& input) {
    return CallWithSdk({"dynamodb", "PutItem", dynamodb_->url(), input});
  }

  std::unique_ptr<FakeSqs> sqs_;
  std::unique_ptr<AwsEndpoint> dynamodb_;
};

TEST_F(WireTest, SenderSendsWhatTheSdkWouldSend) {
  StartFunction("sender", {{scheduler::kQueueUrlVariable, sqs_->queue_url()},
                           {"AWS_ENDPOINT_URL_SQS", sqs_->endpoint().url()}});
  Respond(R"({"time":"2025-12-02T10:23:00Z"})");
  const std::vector<http::ServerRequest> ours = sqs_->endpoint().requests();
  ASSERT_THAT(ours, SizeIs(2));

  for (const http::ServerRequest& request : ours) {
    const Json::Value result = SendWithSdk(ParseJson(request.body));
    ASSERT_TRUE(result.isMember("output")) << result;
    ExpectEquivalent(request, sqs_->endpoint().requests().back(), "sqs");
  }
  EXPECT_THAT(sqs_->endpoint().requests(), SizeIs(4));
  EXPECT_THAT(sqs_->endpoint().violations(), IsEmpty());
}

TEST_F(WireTest, CollectorStoresAsTheSdkWouldStore) {
  absl::StatusOr<std::unique_ptr<RawServer>> api =
      RawServer::Start([](absl::string_view) -> RawServer::Answer {
        return {.bytes =
                    "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
                    R"({"from":"2025-12-02T10:23:05Z",)"
                    R"("to":"2025-12-02T10:23:10Z","count":7})"};
      });
  ASSERT_TRUE(api.ok()) << api.status();
  StartFunction("collector",
                {{scheduler::kApiBaseUrlVariable, (*api)->url()},
                 {scheduler::kTableNameVariable, "AiResponseMetrics"},
                 {"AWS_ENDPOINT_URL_DYNAMODB", dynamodb_->url()}});
  EXPECT_EQ(Respond(SqsEvent({{"id", WindowBody("2025-12-02T10:23:05Z",
                                                "2025-12-02T10:23:10Z")}})),
            R"({"batchItemFailures":[]})");
  const std::vector<http::ServerRequest> ours = dynamodb_->requests();
  ASSERT_THAT(ours, SizeIs(1));

  const Json::Value result = PutWithSdk(ParseJson(ours[0].body));
  ASSERT_TRUE(result.isMember("output")) << result;
  ASSERT_THAT(dynamodb_->requests(), SizeIs(2));
  ExpectEquivalent(ours[0], dynamodb_->requests()[1], "dynamodb");
  EXPECT_THAT(dynamodb_->violations(), IsEmpty());
}

}  // namespace
}  // namespace byoshin::integration
