#include "core/aws/sqs/json_client.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/aws/sqs/client.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::aws::sqs {
namespace {

using ::byoshin::http::testing::HeaderOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

const absl::Time kStart = absl::FromUnixSeconds(1764670980);
const absl::Time kDeadline = kStart + absl::Seconds(20);
constexpr char kQueueUrl[] =
    "https://sqs.eu-west-1.amazonaws.com/123456789012/slots";

// An element of "Successful" about an entry with this body.
std::string Success(const std::string& id, const std::string& body) {
  return absl::StrCat(R"({"Id":")", id, R"(","MessageId":"m-)", id,
                      R"(","MD5OfMessageBody":")",
                      crypto::HexEncode(crypto::Md5(body)), R"("})");
}

std::string Failure(const std::string& id) {
  return absl::StrCat(R"({"Id":")", id,
                      R"(","Code":"InternalError","Message":"oops",)",
                      R"("SenderFault":false})");
}

class SqsJsonClientTest : public ::testing::Test {
 protected:
  absl::StatusOr<SendMessageBatchResult> Send() {
    JsonClient client({.http = http_,
                       .clock = clock_,
                       .environment = env::FromMap(variables_),
                       .random = [] { return 0.5; }});
    return client.SendMessageBatch(request_, kDeadline);
  }

  // What comes of an answer, an HTTP 200 with this body.
  absl::StatusOr<SendMessageBatchResult> SendAndGet(std::string body) {
    http_.Answer({.status = 200, .body = std::move(body)});
    return Send();
  }

  SendMessageBatchRequest request_{
      .queue_url = kQueueUrl,
      .entries = {{.id = "a", .body = R"({"from":"1"})"},
                  {.id = "b", .body = "two", .delay = absl::Seconds(55)}}};
  const std::string a_ = Success("a", R"({"from":"1"})");
  const std::string b_ = Success("b", "two");
  std::map<std::string, std::string> variables_ = {
      {"AWS_ACCESS_KEY_ID", "AKID"},
      {"AWS_SECRET_ACCESS_KEY", "hush"},
      {"AWS_REGION", "eu-west-1"}};
  http::testing::FakeClient http_;
  time::testing::InstantClock clock_{kStart};
};

std::vector<std::string> IdsOf(
    const std::vector<SendMessageBatchResult::Sent>& sent) {
  std::vector<std::string> ids;
  for (const auto& entry : sent) ids.push_back(entry.id);
  return ids;
}

TEST_F(SqsJsonClientTest, SendsTheBatch) {
  const absl::StatusOr<SendMessageBatchResult> result =
      SendAndGet(absl::StrCat(R"({"Successful":[)", a_, ",", b_, "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(IdsOf(result->sent), ElementsAre("a", "b"));
  EXPECT_EQ(result->sent[0].message_id, "m-a");
  EXPECT_THAT(result->failed, IsEmpty());

  ASSERT_THAT(http_.requests(), SizeIs(1));
  const http::Request& request = http_.requests()[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://sqs.eu-west-1.amazonaws.com/");
  EXPECT_EQ(HeaderOf(request, "x-amz-target"), "AmazonSQS.SendMessageBatch");
  EXPECT_EQ(HeaderOf(request, "x-amzn-query-mode"), "true");
  EXPECT_THAT(HeaderOf(request, "authorization"),
              HasSubstr("/eu-west-1/sqs/aws4_request"));
  EXPECT_EQ(
      request.body,
      R"({"Entries":[)"
      R"({"DelaySeconds":0,"Id":"a","MessageBody":"{\"from\":\"1\"}"},)"
      R"({"DelaySeconds":55,"Id":"b","MessageBody":"two"}],)"
      R"("QueueUrl":"https://sqs.eu-west-1.amazonaws.com/123456789012/slots"})");
}

TEST_F(SqsJsonClientTest, SendsToTheHostOfTheQueue) {
  request_.queue_url = "http://localhost:4566/000000000000/slots";
  EXPECT_TRUE(
      SendAndGet(absl::StrCat(R"({"Successful":[)", a_, ",", b_, "]}")).ok());
  EXPECT_EQ(http_.requests()[0].url, "http://localhost:4566/");
}

TEST_F(SqsJsonClientTest, SendsToTheConfiguredEndpointIfThereIsOne) {
  variables_["AWS_ENDPOINT_URL_SQS"] = "http://127.0.0.1:9324";
  EXPECT_TRUE(
      SendAndGet(absl::StrCat(R"({"Successful":[)", a_, ",", b_, "]}")).ok());
  EXPECT_EQ(http_.requests()[0].url, "http://127.0.0.1:9324/");
  EXPECT_THAT(http_.requests()[0].body, HasSubstr(kQueueUrl));
}

TEST_F(SqsJsonClientTest, TellsSentFromFailedEntries) {
  const absl::StatusOr<SendMessageBatchResult> result = SendAndGet(absl::StrCat(
      R"({"Failed":[{"Id":"a","Code":"InvalidParameterValue","Message":"no",)"
      R"("SenderFault":true}],"Successful":[)",
      b_, "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(IdsOf(result->sent), ElementsAre("b"));
  ASSERT_THAT(result->failed, SizeIs(1));
  EXPECT_EQ(result->failed[0].id, "a");
  EXPECT_EQ(result->failed[0].code, "InvalidParameterValue");
  EXPECT_EQ(result->failed[0].message, "no");
  EXPECT_TRUE(result->failed[0].sender_fault);
}

TEST_F(SqsJsonClientTest, TakesABatchThatFailsEntirely) {
  const absl::StatusOr<SendMessageBatchResult> result = SendAndGet(absl::StrCat(
      R"({"Successful":[],"Failed":[)", Failure("b"), ",", Failure("a"), "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->sent, IsEmpty());
  ASSERT_THAT(result->failed, SizeIs(2));
  EXPECT_FALSE(result->failed[0].sender_fault);
  EXPECT_EQ(result->failed[0].code, "InternalError");
}

TEST_F(SqsJsonClientTest, TakesAFailureWithoutDetails) {
  const absl::StatusOr<SendMessageBatchResult> result = SendAndGet(
      absl::StrCat(R"({"Successful":[)", a_,
                   R"(],"Failed":[{"Id":"b","Code":5,"SenderFault":"yes"}]})"));
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_THAT(result->failed, SizeIs(1));
  EXPECT_EQ(result->failed[0].code, "");
  EXPECT_FALSE(result->failed[0].sender_fault);
}

TEST_F(SqsJsonClientTest, CountsAnEntryThatArrivedDifferentlyAsFailed) {
  const absl::StatusOr<SendMessageBatchResult> result = SendAndGet(absl::StrCat(
      R"({"Successful":[)", Success("a", "something else"), ",", b_, "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(IdsOf(result->sent), ElementsAre("b"));
  ASSERT_THAT(result->failed, SizeIs(1));
  EXPECT_EQ(result->failed[0].id, "a");
  EXPECT_EQ(result->failed[0].code, kChecksumMismatch);
  EXPECT_FALSE(result->failed[0].sender_fault);
}

TEST_F(SqsJsonClientTest, CountsAnEntryWithoutChecksumAsFailed) {
  for (const char* entry :
       {R"({"Id":"a","MessageId":"m"})",
        R"({"Id":"a","MessageId":"m","MD5OfMessageBody":null})",
        R"({"Id":"a","MessageId":"m","MD5OfMessageBody":[1]})",
        R"({"Id":"a","MessageId":"m","MD5OfMessageBody":""})"}) {
    const absl::StatusOr<SendMessageBatchResult> result =
        SendAndGet(absl::StrCat(R"({"Successful":[)", entry, ",", b_, "]}"));
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_THAT(result->failed, SizeIs(1));
    EXPECT_EQ(result->failed[0].code, kChecksumMismatch);
  }
}

TEST_F(SqsJsonClientTest, CountsAnEntryThatSqsDoesNotMentionAsFailed) {
  const absl::StatusOr<SendMessageBatchResult> result =
      SendAndGet(absl::StrCat(R"({"Successful":[)", b_, "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(IdsOf(result->sent), ElementsAre("b"));
  ASSERT_THAT(result->failed, SizeIs(1));
  EXPECT_EQ(result->failed[0].id, "a");
  EXPECT_EQ(result->failed[0].code, kNoAnswer);
  EXPECT_FALSE(result->failed[0].sender_fault);
}

TEST_F(SqsJsonClientTest, CountsAllEntriesAsFailedWhenSqsSaysNothing) {
  for (const char* answer : {"{}", R"({"Successful":null,"Failed":null})",
                             R"({"Successful":[],"Failed":[],"Unknown":1})"}) {
    const absl::StatusOr<SendMessageBatchResult> result = SendAndGet(answer);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_THAT(result->sent, IsEmpty());
    EXPECT_THAT(result->failed, SizeIs(2));
  }
}

TEST_F(SqsJsonClientTest, RefusesAnAnswerAboutOtherEntries) {
  for (const std::string& answer :
       {absl::StrCat(R"({"Successful":[)", Success("c", "x"), "]}"),
        absl::StrCat(R"({"Successful":[)", a_, ",", a_, "]}"),
        absl::StrCat(R"({"Successful":[)", a_, R"(],"Failed":[)", Failure("a"),
                     "]}"),
        std::string(R"({"Successful":[{"MessageId":"m"}]})"),
        std::string(R"({"Successful":[{"Id":7}]})"),
        std::string(R"({"Successful":["a"]})"),
        std::string(R"({"Failed":[null]})"),
        std::string(R"({"Successful":{"Id":"a"}})"),
        std::string(R"({"Failed":"a"})"), std::string(R"({"Failed":5})")}) {
    const absl::Status status = SendAndGet(answer).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << answer;
    EXPECT_THAT(std::string(status.message()),
                StartsWith("SQS SendMessageBatch: in the answer, "));
  }
}

TEST_F(SqsJsonClientTest, GivesTheErrorThatSqsAnswered) {
  http_.Answer({.status = 400,
                .headers = {{"x-amzn-query-error",
                             "AWS.SimpleQueueService.NonExistentQueue;Sender"}},
                .body = R"({"__type":"com.amazonaws.sqs#QueueDoesNotExist",)"
                        R"("message":"The specified queue does not exist."})"});
  const absl::Status status = Send().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ErrorOf(status)->code, "QueueDoesNotExist");
}

TEST_F(SqsJsonClientTest, TriesAgainWhenThrottled) {
  http_.Answer({.status = 403, .body = R"({"__type":"x#RequestThrottled"})"});
  const absl::StatusOr<SendMessageBatchResult> result =
      SendAndGet(absl::StrCat(R"({"Successful":[)", a_, ",", b_, "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->sent, SizeIs(2));
  EXPECT_THAT(http_.requests(), SizeIs(2));
}

// What AWS would refuse is refused here, before anything is sent.
class SqsJsonClientRefusalTest : public SqsJsonClientTest {
 protected:
  void ExpectRefusal(const std::string& reason) {
    const absl::Status status = Send().status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(reason));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
    EXPECT_THAT(http_.requests(), IsEmpty());
  }
};

TEST_F(SqsJsonClientRefusalTest, RefusesAQueueUrlThatIsNone) {
  for (const char* url :
       {"", "slots", "ftp://x/1/slots", "https://u:secret@x/1/slots"}) {
    request_.queue_url = url;
    ExpectRefusal("the queue URL");
  }
}

TEST_F(SqsJsonClientRefusalTest, RefusesBatchesOfTheWrongSize) {
  request_.entries.clear();
  ExpectRefusal("no entries");
  for (int i = 0; i < 11; ++i) {
    request_.entries.push_back({.id = absl::StrCat(i), .body = "x"});
  }
  ExpectRefusal("11 entries");
}

TEST_F(SqsJsonClientRefusalTest, RefusesIdsThatDoNotTellEntriesApart) {
  request_.entries[1].id = "a";
  ExpectRefusal("two entries have the id \"a\"");
  request_.entries[1].id = "";
  ExpectRefusal("no id");
}

TEST_F(SqsJsonClientRefusalTest, RefusesDelaysThatSqsDoesNotKnow) {
  for (const absl::Duration delay :
       {absl::Seconds(-1), absl::Milliseconds(500), absl::Seconds(901),
        absl::Milliseconds(5001), absl::InfiniteDuration()}) {
    request_.entries[1].delay = delay;
    ExpectRefusal("the delay of entry \"b\"");
  }
}

TEST_F(SqsJsonClientTest, TakesTenEntriesAndTheLongestDelay) {
  request_.entries.clear();
  std::string successes;
  for (int i = 0; i < 10; ++i) {
    request_.entries.push_back(
        {.id = absl::StrCat(i), .body = "x", .delay = absl::Minutes(15)});
    absl::StrAppend(&successes, i ? "," : "", Success(absl::StrCat(i), "x"));
  }
  const absl::StatusOr<SendMessageBatchResult> result =
      SendAndGet(absl::StrCat(R"({"Successful":[)", successes, "]}"));
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_THAT(result->sent, SizeIs(10));
  EXPECT_THAT(http_.requests()[0].body, HasSubstr(R"("DelaySeconds":900)"));
}

}  // namespace
}  // namespace byoshin::aws::sqs
