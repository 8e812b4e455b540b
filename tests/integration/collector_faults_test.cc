// The Collector's zip when the API or the table does not do what it should:
// only the record concerned fails, and the process lives on.

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/aws_endpoint.h"
#include "tests/integration/bad_api.h"
#include "tests/integration/collector_fixture.h"
#include "tests/integration/fake_dynamodb.h"
#include "tests/integration/function_fixture.h"
#include "tests/integration/raw_server.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::integration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr char kFirst[] = "2025-12-02T10:23:00Z";
constexpr char kBad[] = "2025-12-02T10:23:05Z";
constexpr char kLast[] = "2025-12-02T10:23:10Z";
constexpr char kEnd[] = "2025-12-02T10:23:15Z";

const SqsRecord kFirstRecord = {"first", WindowBody(kFirst, kBad)};
const SqsRecord kBadRecord = {"bad", WindowBody(kBad, kLast)};
const SqsRecord kLastRecord = {"last", WindowBody(kLast, kEnd)};

class CollectorBadApiTest
    : public CollectorTest,
      public testing::WithParamInterface<ApiMisbehaviour> {
 protected:
  void SetUp() override {
    CollectorTest::SetUp();
    absl::StatusOr<std::unique_ptr<BadApi>> api =
        BadApi::Start(GetParam(), kBad);
    ASSERT_TRUE(api.ok()) << api.status();
    api_ = *std::move(api);
    StartCollector({.api_url = api_->url()});
  }

  void ExpectOnlyGoodOnesStored() {
    const std::string count = absl::StrCat(kGoodCount);
    EXPECT_THAT(StoredCounts(),
                ElementsAre(Pair(kFirst, count), Pair(kLast, count)));
  }

  std::unique_ptr<BadApi> api_;
};

std::string NameOf(const testing::TestParamInfo<ApiMisbehaviour>& info) {
  return info.param.name;
}

using CollectorWrongApiTest = CollectorBadApiTest;

TEST_P(CollectorWrongApiTest, FailsOnlyTheRecordConcerned) {
  EXPECT_THAT(FailedRecords({kFirstRecord, kBadRecord, kLastRecord}),
              ElementsAre("bad"));
  ExpectOnlyGoodOnesStored();
  const std::vector<Json::Value> lines = LogLines("record failed");
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0]["level"], "ERROR");
  EXPECT_EQ(lines[0]["messageId"], "bad");
  EXPECT_EQ(lines[0]["from"], kBad);
  EXPECT_FALSE(lines[0]["error"].asString().empty());
  EXPECT_LT(lines[0]["error"].asString().size(), 1000);
}

INSTANTIATE_TEST_SUITE_P(Api, CollectorWrongApiTest,
                         testing::ValuesIn(AllApiMisbehaviours()), NameOf);

using CollectorEndlessApiTest = CollectorBadApiTest;

TEST_P(CollectorEndlessApiTest, FailsTheRecordAndThoseThatNoTimeIsLeftFor) {
  EXPECT_THAT(FailedRecords({kFirstRecord}), IsEmpty());
  EXPECT_THAT(FailedRecords({kBadRecord, kLastRecord}, kShortTimeLimit),
              ElementsAre("bad", "last"));
  // It is still there when they are delivered again.
  EXPECT_THAT(FailedRecords({kLastRecord}), IsEmpty());
  ExpectOnlyGoodOnesStored();
}

INSTANTIATE_TEST_SUITE_P(Api, CollectorEndlessApiTest,
                         testing::ValuesIn(EndlessApiMisbehaviours()), NameOf);

TEST_F(CollectorTest, FailsEveryRecordIfTheApiRefusesConnections) {
  absl::StatusOr<RefusingPort> port = RefusingPort::Take();
  ASSERT_TRUE(port.ok()) << port.status();
  StartCollector({.api_url = port->url()});
  EXPECT_THAT(FailedRecords({kFirstRecord, kBadRecord, kLastRecord}),
              ElementsAre("first", "bad", "last"));
  EXPECT_THAT(StoredCounts(), IsEmpty());
}

TEST_F(CollectorTest, FailsEveryRecordIfTheTableDoesNotExist) {
  StartCollector({.table = "NoSuchTable"});
  EXPECT_THAT(FailedRecords({kFirstRecord, kLastRecord}),
              ElementsAre("first", "last"));
  ASSERT_THAT(LogLines("record failed"), SizeIs(2));
  EXPECT_THAT(LogLines("record failed")[0]["error"].asString(),
              HasSubstr("ResourceNotFoundException"));
}

TEST_F(CollectorTest, FailsEveryRecordIfDynamoDbRefusesConnections) {
  absl::StatusOr<RefusingPort> port = RefusingPort::Take();
  ASSERT_TRUE(port.ok()) << port.status();
  StartCollector({.dynamodb_url = port->url()});
  EXPECT_THAT(FailedRecords({kFirstRecord}, kShortTimeLimit),
              ElementsAre("first"));
}

class CollectorFakeDynamoDbTest : public CollectorTest {
 protected:
  void SetUp() override {
    CollectorTest::SetUp();
    absl::StatusOr<std::unique_ptr<AwsEndpoint>> dynamodb = StartFakeDynamoDb();
    ASSERT_TRUE(dynamodb.ok()) << dynamodb.status();
    dynamodb_ = *std::move(dynamodb);
    StartCollector({.dynamodb_url = dynamodb_->url()});
  }

  void TearDown() override {
    CollectorTest::TearDown();
    EXPECT_THAT(dynamodb_->violations(), IsEmpty());
  }

  std::unique_ptr<AwsEndpoint> dynamodb_;
};

TEST_F(CollectorFakeDynamoDbTest, DoesNotRepeatWhatIsForbidden) {
  dynamodb_->Inject(Fault::kAccessDenied);
  EXPECT_THAT(FailedRecords({kFirstRecord, kLastRecord}), ElementsAre("first"));
  EXPECT_THAT(dynamodb_->requests(), SizeIs(2));
  ASSERT_THAT(LogLines("record failed"), SizeIs(1));
  EXPECT_THAT(LogLines("record failed")[0]["error"].asString(),
              HasSubstr("AccessDeniedException"));
}

TEST_F(CollectorFakeDynamoDbTest, UsesOneConnectionForManyInvocations) {
  EXPECT_THAT(FailedRecords({kFirstRecord, kBadRecord}), IsEmpty());
  EXPECT_THAT(FailedRecords({kLastRecord}), IsEmpty());
  const std::vector<http::ServerRequest> requests = dynamodb_->requests();
  ASSERT_THAT(requests, SizeIs(3));
  EXPECT_EQ(requests[0].remote, requests[2].remote);
}

TEST_F(CollectorFakeDynamoDbTest, GivesUpOnATableThatHangsBeforeItsDeadline) {
  dynamodb_->InjectAlways(Fault::kHang);
  EXPECT_THAT(FailedRecords({kFirstRecord}, kShortTimeLimit),
              ElementsAre("first"));
  dynamodb_->Recover();
  EXPECT_THAT(FailedRecords({kFirstRecord}), IsEmpty());
}

class CollectorTableFaultTest : public CollectorFakeDynamoDbTest,
                                public testing::WithParamInterface<FaultCase> {
};

TEST_P(CollectorTableFaultTest, IsOvercomeIfItPasses) {
  dynamodb_->Inject(GetParam().fault, 2);
  EXPECT_THAT(FailedRecords({kFirstRecord, kLastRecord}), IsEmpty());
}

TEST_P(CollectorTableFaultTest, FailsTheRecordButNotTheProcessIfItLasts) {
  dynamodb_->InjectAlways(GetParam().fault);
  EXPECT_THAT(FailedRecords({kFirstRecord}, kShortTimeLimit),
              ElementsAre("first"));
  dynamodb_->Recover();
  EXPECT_THAT(FailedRecords({kFirstRecord}), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    DynamoDb, CollectorTableFaultTest,
    testing::Values(FaultCase{"Throttling", Fault::kThrottle},
                    FaultCase{"InternalError", Fault::kInternalError},
                    FaultCase{"Unavailable", Fault::kUnavailable},
                    FaultCase{"Reset", Fault::kReset},
                    FaultCase{"Garbage", Fault::kGarbage},
                    FaultCase{"EmptyBody", Fault::kEmptyBody}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace byoshin::integration
