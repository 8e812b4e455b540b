#include "local/gateway/gateway.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/crypto/crc32.h"
#include "core/http/client.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/testing/socket_client.h"
#include "core/time/clock.h"
#include "core/time/simulated_clock.h"
#include "local/gateway/compression.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/testing/echo_service.h"
#include "local/gateway/testing/signed_request.h"
#include "local/gateway/testing/test_service.h"

namespace byoshin::local {
namespace {

using http::testing::SocketClient;
using testing::EchoService;
using testing::RequestToSign;
using testing::SignedRequest;

const absl::Time kGatewayNow = absl::FromUnixSeconds(1794816000);

// Stands still, and counts the Holds on it. Thread-safe.
class CountingClock final : public time::Clock {
 public:
  absl::Time Now() const override { return kGatewayNow; }
  std::unique_ptr<time::Wakeup> NewWakeup() override {
    return clock_.NewWakeup();
  }

  int holds() {
    std::lock_guard lock(mutex_);
    return holds_;
  }
  void AwaitNoHolds() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return holds_ == 0; });
  }

 private:
  void BeginHold() override { Change(1); }
  void EndHold() override { Change(-1); }
  void Change(int by) {
    std::lock_guard lock(mutex_);
    holds_ += by;
    changed_.notify_all();
  }

  time::SimulatedClock clock_{kGatewayNow};
  std::mutex mutex_;
  std::condition_variable changed_;
  int holds_ = 0;
};

class GatewayTest : public ::testing::Test {
 protected:
  GatewayTest() {
    credentials_.Add(
        {.access_key_id = "test", .secret_access_key = aws::Secret("test")});
    auto gateway = Gateway::Start({.port = 0,
                                   .take_other =
                                       [](const http::ServerRequest& request,
                                          const http::Responder& respond) {
                                         if (request.path != "/page") {
                                           return false;
                                         }
                                         respond({.body = "a page"});
                                         return true;
                                       },
                                   .on_request =
                                       [this](const AccessRecord& record) {
                                         std::lock_guard lock(mutex_);
                                         records_.push_back(record);
                                       }},
                                  {&dynamodb_, &sqs_}, credentials_, clock_);
    EXPECT_TRUE(gateway.ok()) << gateway.status();
    gateway_ = *std::move(gateway);
    host_ = absl::StrCat("127.0.0.1:", gateway_->port());
  }

  RequestToSign Json(std::string target, std::string body = "{}") {
    return {
        .host = host_,
        .service = absl::StartsWith(target, "AmazonSQS") ? "sqs" : "dynamodb",
        .headers = {{"Content-Type", "application/x-amz-json-1.0"},
                    {"X-Amz-Target", std::move(target)}},
        .body = std::move(body),
        .time = kGatewayNow};
  }

  RequestToSign Query(std::string body) {
    return {.host = host_,
            .service = "sqs",
            .headers = {{"Content-Type",
                         "application/x-www-form-urlencoded; charset=utf-8"}},
            .body = std::move(body),
            .time = kGatewayNow};
  }

  http::Response Ask(const RequestToSign& request) {
    return AskPlainly(SignedRequest(request));
  }

  http::Response AskPlainly(absl::string_view bytes) {
    SocketClient client(gateway_->port());
    client.Send(bytes);
    return client.ReadResponse();
  }

  CountingClock clock_;
  CredentialSet credentials_;
  EchoService dynamodb_{"dynamodb"};
  EchoService sqs_{"sqs"};
  std::mutex mutex_;
  std::vector<AccessRecord> records_;
  std::unique_ptr<Gateway> gateway_;
  std::string host_;
};

TEST_F(GatewayTest, TakesUnsignedRequestsForOperationsThatNeedNoSignature) {
  const auto unsigned_request = [&](absl::string_view operation,
                                    absl::string_view more = "") {
    return AskPlainly(absl::StrCat(
        "POST / HTTP/1.1\r\nHost: ", host_,
        "\r\nContent-Type: application/x-amz-json-1.1\r\nX-Amz-Target: "
        "DynamoDB_20120810.",
        operation, "\r\n", more, "Content-Length: 2\r\n\r\n{}"));
  };
  EXPECT_EQ(unsigned_request(testing::kUnsignedOperation).status, 200);
  EXPECT_EQ(unsigned_request("ListTables").status, 400);
  // One that is there must be right.
  EXPECT_EQ(unsigned_request(testing::kUnsignedOperation,
                             "Authorization: AWS4-HMAC-SHA256 wrong\r\n")
                .status,
            400);
  EXPECT_EQ(
      Ask(Json(absl::StrCat("DynamoDB_20120810.", testing::kUnsignedOperation)))
          .status,
      200);
}

TEST_F(GatewayTest, RoutesByTarget) {
  const http::Response tables =
      Ask(Json("DynamoDB_20120810.ListTables", "{ }"));
  EXPECT_EQ(tables.status, 200);
  EXPECT_EQ(tables.body,
            absl::StrCat("dynamodb ListTables eu-central-1 http://", host_,
                         " / { }"));
  EXPECT_EQ(tables.FindHeader("Content-Type"), "application/x-amz-json-1.0");
  EXPECT_EQ(tables.FindHeader("x-amz-crc32"),
            absl::StrCat(crypto::Crc32(tables.body)));
  EXPECT_EQ(tables.FindHeader("Date"), "Mon, 16 Nov 2026 08:00:00 GMT");
  EXPECT_TRUE(absl::StartsWith(Ask(Json("AmazonSQS.ListQueues")).body,
                               "sqs ListQueues"));
}

TEST_F(GatewayTest, NamesEveryRequestAsTheServiceWould) {
  std::set<std::string> ids;
  for (int i = 0; i < 20; ++i) {
    const std::string upper(Ask(Json("DynamoDB_20120810.ListTables"))
                                .FindHeader("x-amzn-RequestId"));
    EXPECT_EQ(upper.size(), 52);
    EXPECT_EQ(upper.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
              std::string::npos);
    const std::string uuid(
        Ask(Json("AmazonSQS.ListQueues")).FindHeader("x-amzn-RequestId"));
    ASSERT_EQ(uuid.size(), 36);
    EXPECT_EQ(uuid[8], '-');
    EXPECT_EQ(uuid[14], '4');
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos);
    ids.insert({upper, uuid});
  }
  EXPECT_EQ(ids.size(), 40);
}

TEST_F(GatewayTest, RoutesTheQueryProtocolByTheSignaturesService) {
  RequestToSign request = Query("Version=2012-11-05&Action=Send%4dessage&a=b");
  request.target = "/000000000000/orders?x=y";
  const http::Response response = Ask(request);
  EXPECT_EQ(response.body,
            absl::StrCat("sqs SendMessage eu-central-1 http://", host_,
                         " /000000000000/orders "
                         "x=y&Version=2012-11-05&Action=Send%4dessage&a=b"));
  EXPECT_EQ(response.FindHeader("Content-Type"), "text/xml");
  EXPECT_TRUE(response.FindHeader("x-amz-crc32").empty());

  const http::Response get = Ask({.method = "GET",
                                  .target = "/?Action=ListQueues",
                                  .host = host_,
                                  .service = "sqs",
                                  .time = kGatewayNow});
  EXPECT_TRUE(absl::StartsWith(get.body, "sqs ListQueues")) << get.body;
}

TEST_F(GatewayTest, RefusesWhatNoServiceHereIsAsked) {
  const http::Response target = Ask(Json("Kinesis_20131202.ListStreams"));
  EXPECT_EQ(target.status, 400);
  EXPECT_EQ(target.body,
            R"({"__type":"com.amazon.coral.service#UnknownService",)"
            R"("message":"No operation of a service here is named by the )"
            R"(X-Amz-Target \"Kinesis_20131202.ListStreams\"; the services )"
            R"(are dynamodb, sqs."})");
  EXPECT_TRUE(target.FindHeader("x-amzn-query-error").empty());
  EXPECT_EQ(Ask(Json("DynamoDB_20120810.")).status, 400);
  EXPECT_EQ(Ask(Json("DynamoDB_20120810")).status, 400);

  RequestToSign other = Query("Action=ListTopics");
  other.service = "sns";
  const http::Response query = Ask(other);
  EXPECT_EQ(query.status, 400);
  EXPECT_EQ(query.FindHeader("Content-Type"), "text/xml");
  EXPECT_TRUE(absl::StrContains(query.body, "<Code>UnknownService</Code>"));

  // REST: method and path name the operation.
  RequestToSign rest = {.method = "GET",
                        .target = "/2015-02-01/file-systems",
                        .host = host_,
                        .service = "elasticfilesystem",
                        .time = kGatewayNow};
  const http::Response json = Ask(rest);
  EXPECT_EQ(json.status, 400);
  EXPECT_EQ(json.FindHeader("Content-Type"), "application/json");
  EXPECT_EQ(json.body,
            R"({"__type":"com.amazon.coral.service#UnknownService",)"
            R"("message":"The request is signed for the service )"
            R"(\"elasticfilesystem\", which is not here; the services are )"
            R"(dynamodb, sqs."})");
  // With XML.
  rest.service = "s3";
  EXPECT_TRUE(absl::StrContains(Ask(rest).body, "<Code>UnknownService</Code>"));

  const http::Response none = Ask(Query("Version=2012-11-05"));
  EXPECT_EQ(none.status, 400);
  EXPECT_TRUE(absl::StrContains(none.body, "<Code>MissingAction</Code>"));
}

TEST_F(GatewayTest, PassesOnlyTheHeadersThatServicesRead) {
  RequestToSign request = Json("AmazonSQS.Headers");
  request.headers.push_back({"X-Amzn-Trace-Id", "Root=1"});
  request.headers.push_back({"X-Other", "x"});
  EXPECT_EQ(absl::AsciiStrToLower(Ask(request).body),
            "x-amzn-trace-id=root=1;");
}

TEST_F(GatewayTest, DecompressesRequestsForDynamoDb) {
  const std::string text = absl::StrCat("{}", std::string(5000, ' '), "end");
  RequestToSign request =
      Json("DynamoDB_20120810.PutItem", Compress(text, ContentCoding::kGzip));
  request.headers.push_back({"Content-Encoding", "gzip"});
  EXPECT_TRUE(absl::EndsWith(Ask(request).body, text));
  // The signature is of the compressed body.
  request.body = "{}";
  EXPECT_EQ(Ask(request).status, 500);
  request.headers.back().value = "br";
  EXPECT_EQ(Ask(request).status, 500);
  request.headers.back().value = "gzip";
  request.body =
      Compress(std::string(kMaxBodyBytes + 1, ' '), ContentCoding::kGzip);
  EXPECT_EQ(Ask(request).status, 413);
}

TEST_F(GatewayTest, CompressesLongAnswersOfDynamoDb) {
  RequestToSign request =
      Json("DynamoDB_20120810.GetItem", std::string(5000, 'x'));
  EXPECT_EQ(Ask(request).FindHeader("Content-Encoding"), "");
  request.headers.push_back({"Accept-Encoding", "gzip, deflate"});
  const http::Response response = Ask(request);
  EXPECT_EQ(response.FindHeader("Content-Encoding"), "gzip");
  EXPECT_EQ(response.FindHeader("x-amz-crc32"),
            absl::StrCat(crypto::Crc32(response.body)));
  EXPECT_TRUE(absl::EndsWith(*Gunzip(response.body, kMaxBodyBytes),
                             std::string(5000, 'x')));
  request.body = std::string(1000, 'x');
  EXPECT_EQ(Ask(request).FindHeader("Content-Encoding"), "");
  RequestToSign other = Json("AmazonSQS.SendMessage", std::string(5000, 'x'));
  other.headers.push_back({"Accept-Encoding", "gzip"});
  EXPECT_EQ(Ask(other).FindHeader("Content-Encoding"), "");
}

TEST_F(GatewayTest, AnswersAsTheFrontEndOfDynamoDb) {
  RequestToSign request = Json("DynamoDB_20120810.GetItem");
  EXPECT_EQ(Ask(request).FindHeader("Server"), "Server");
  EXPECT_EQ(Ask(request).FindHeader("Content-Type"),
            "application/x-amz-json-1.0");
  request.headers[0].value = "application/json; charset=utf-8";
  EXPECT_EQ(Ask(request).FindHeader("Content-Type"), "application/json");
  RequestToSign other = Json("AmazonSQS.SendMessage");
  other.headers[0].value = "application/json";
  EXPECT_EQ(Ask(other).FindHeader("Content-Type"),
            "application/x-amz-json-1.0");
  EXPECT_EQ(Ask(other).FindHeader("Server"), "");
}

TEST_F(GatewayTest, RefusesJsonThatIsNotAnnouncedAsSuch) {
  RequestToSign request = Json("DynamoDB_20120810.ListTables");
  request.headers[0].value = "text/plain";
  EXPECT_EQ(Ask(request).status, 404);
  request.headers[0].value = "Application/JSON; charset=utf-8";
  EXPECT_EQ(Ask(request).status, 200);
  request.method = "PUT";
  EXPECT_EQ(Ask(request).status, 404);
}

TEST_F(GatewayTest, TellsInJsonWhatDynamoDbDoesNotSpeak) {
  RequestToSign request = Query("Action=ListTables");
  request.service = "dynamodb";
  const http::Response response = Ask(request);
  EXPECT_EQ(response.status, 404);
  EXPECT_TRUE(absl::StrContains(response.body, "UnknownOperationException"));
}

TEST_F(GatewayTest, TurnsAwayWhoIsNotKnownInTheWordsOfTheProtocol) {
  RequestToSign json = Json("DynamoDB_20120810.ListTables");
  json.credentials.access_key_id = "unknown";
  http::Response response = Ask(json);
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(
      response.body,
      R"({"__type":"com.amazon.coral.service#UnrecognizedClientException",)"
      R"("message":"The security token included in the request is invalid."})");
  EXPECT_EQ(response.FindHeader("x-amz-crc32"),
            absl::StrCat(crypto::Crc32(response.body)));
  EXPECT_TRUE(response.FindHeader("x-amzn-query-error").empty());

  json = Json("AmazonSQS.ListQueues");
  json.credentials.access_key_id = "unknown";
  EXPECT_EQ(Ask(json).FindHeader("x-amzn-query-error"),
            "InvalidClientTokenId;Sender");

  RequestToSign query = Query("Action=ListQueues");
  query.credentials.access_key_id = "unknown";
  response = Ask(query);
  EXPECT_EQ(response.status, 403);
  EXPECT_TRUE(
      absl::StrContains(response.body, "<Code>InvalidClientTokenId</Code>"));
  EXPECT_TRUE(absl::StrContains(
      response.body,
      absl::StrCat("<RequestId>", response.FindHeader("x-amzn-RequestId"))));
}

TEST_F(GatewayTest, WantsASignatureForTheServiceThatIsAsked) {
  RequestToSign request = Json("DynamoDB_20120810.ListTables");
  request.service = "sqs";
  EXPECT_TRUE(absl::StrContains(
      Ask(request).body,
      "Credential should be scoped to correct service: 'dynamodb'. "));
}

TEST_F(GatewayTest, WantsASignatureAtAll) {
  const http::Response response = AskPlainly(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
  EXPECT_EQ(response.status, 403);
  EXPECT_TRUE(absl::StrContains(response.body,
                                "<Code>MissingAuthenticationToken</Code>"));
}

TEST_F(GatewayTest, TellsServicesUnderWhichNameItWasReached) {
  RequestToSign request = Json("DynamoDB_20120810.ListTables");
  request.host = "LocalHost:4566";
  EXPECT_TRUE(absl::StrContains(Ask(request).body, " http://localhost:4566 "));
}

TEST_F(GatewayTest, TellsThatItIsWell) {
  const http::Response response =
      AskPlainly("GET /_byoshin/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, R"({"services":["dynamodb","sqs"],"status":"ok"})");
  EXPECT_EQ(
      AskPlainly("DELETE /_byoshin/health HTTP/1.1\r\nHost: localhost\r\n\r\n")
          .status,
      405);
}

TEST_F(GatewayTest, LeavesToOthersWhatIsNotForAService) {
  EXPECT_EQ(AskPlainly("GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n").body,
            "a page");
}

TEST_F(GatewayTest, ServesOneConnectionInTheOrderOfItsRequests) {
  SocketClient client(gateway_->port());
  client.Send(SignedRequest(Json("AmazonSQS.Hold", "1")) +
              SignedRequest(Json("AmazonSQS.SendMessage", "2")));
  sqs_.AwaitHeld(1);
  sqs_.AnswerHeld();
  EXPECT_TRUE(absl::EndsWith(client.ReadResponse().body, " 1"));
  EXPECT_TRUE(absl::EndsWith(client.ReadResponse().body, " 2"));
}

TEST_F(GatewayTest, HoldsTimeUntilAnAnswerUnlessTheServiceLetsItPass) {
  SocketClient holding(gateway_->port());
  holding.Send(SignedRequest(Json("AmazonSQS.Hold")));
  sqs_.AwaitHeld(1);
  EXPECT_EQ(clock_.holds(), 1);
  sqs_.AnswerHeld();
  EXPECT_EQ(holding.ReadResponse().status, 200);
  clock_.AwaitNoHolds();

  SocketClient polling(gateway_->port());
  polling.Send(SignedRequest(Json("AmazonSQS.Poll")));
  sqs_.AwaitHeld(1);
  EXPECT_EQ(clock_.holds(), 0);
  sqs_.AnswerHeld();
  EXPECT_EQ(polling.ReadResponse().status, 200);

  // One that is never answered ends with its connection's.
  SocketClient dropped(gateway_->port());
  dropped.Send(SignedRequest(Json("AmazonSQS.Drop")));
  EXPECT_EQ(dropped.ReadUntilEnd(), "");
  clock_.AwaitNoHolds();
}

TEST_F(GatewayTest, RecordsWhatWasAskedAndByWhom) {
  Ask(Json("AmazonSQS.SendMessage", "12345"));
  RequestToSign refused = Json("AmazonSQS.Fail");
  Ask(refused);
  refused.credentials.access_key_id = "unknown";
  Ask(refused);
  std::lock_guard lock(mutex_);
  ASSERT_EQ(records_.size(), 3);
  EXPECT_EQ(records_[0].service, "sqs");
  EXPECT_EQ(records_[0].operation, "SendMessage");
  EXPECT_EQ(records_[0].access_key_id, "test");
  EXPECT_EQ(records_[0].status, 200);
  EXPECT_EQ(records_[0].request_bytes, 5);
  EXPECT_GT(records_[0].response_bytes, 5);
  EXPECT_TRUE(absl::StartsWith(records_[0].remote, "127.0.0.1:"));
  EXPECT_EQ(records_[1].status, 400);
  EXPECT_EQ(records_[2].access_key_id, "");
}

TEST_F(GatewayTest, StopsWithoutWaitingForWhoDoesNotAnswer) {
  SocketClient polling(gateway_->port());
  polling.Send(SignedRequest(Json("AmazonSQS.Poll")));
  sqs_.AwaitHeld(1);
  gateway_->Stop();
  EXPECT_TRUE(sqs_.long_polls_ended());
  EXPECT_EQ(polling.ReadUntilEnd(), "");
  gateway_ = nullptr;
  sqs_.AnswerHeld();  // goes nowhere, and does no harm
}

TEST_F(GatewayTest, IsNotStartedWithAServiceTwiceOrOnAUsedPort) {
  EXPECT_EQ(Gateway::Start({.port = 0}, {&sqs_, &sqs_}, credentials_, clock_)
                .status()
                .code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      Gateway::Start({.port = gateway_->port()}, {&sqs_}, credentials_, clock_)
          .status()
          .code(),
      absl::StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace byoshin::local
