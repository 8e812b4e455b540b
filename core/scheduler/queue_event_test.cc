#include "core/scheduler/queue_event.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/time/iso8601.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<QueueRecord> Parsed(absl::string_view payload) {
  absl::StatusOr<std::vector<QueueRecord>> records = ParseQueueEvent(payload);
  EXPECT_TRUE(records.ok()) << records.status();
  return records.ok() ? *records : std::vector<QueueRecord>();
}

std::string QueueEventError(absl::string_view payload) {
  const absl::Status status = ParseQueueEvent(payload).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  return std::string(status.message());
}

std::string WindowError(const QueueRecord& record) {
  return std::string(record.window.status().message());
}

TEST(ParseQueueEvent, ReadsAnEventOfAws) {
  const std::vector<QueueRecord> records = Parsed(
      R"({"Records":[{"messageId":"059f36b4","receiptHandle":"AQEB",)"
      R"("body":"{\"from\":\"2025-12-02T10:23:00Z\",)"
      R"(\"to\":\"2025-12-02T10:23:05Z\"}","attributes":)"
      R"({"ApproximateReceiveCount":"2","SentTimestamp":"1545082649183"},)"
      R"("messageAttributes":{},"md5OfBody":"e4e6","eventSource":"aws:sqs",)"
      R"("eventSourceARN":"arn:aws:sqs:us-east-2:1:q","awsRegion":"x"}]})");
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_EQ(records[0].message_id, "059f36b4");
  EXPECT_EQ(records[0].receive_count, "2");
  ASSERT_TRUE(records[0].window.ok()) << records[0].window.status();
  EXPECT_EQ(time::FormatIso8601(records[0].window->from),
            "2025-12-02T10:23:00Z");
}

TEST(ParseQueueEvent, TakesAnEmptyList) {
  EXPECT_THAT(Parsed(R"({"Records":[]})"), IsEmpty());
}

TEST(ParseQueueEvent, RefusesWhatHasNoListOfRecords) {
  EXPECT_THAT(QueueEventError("{"),
              StartsWith("the event is not one of an SQS queue: line 1"));
  EXPECT_THAT(QueueEventError("[]"),
              HasSubstr("expected an object, found an array"));
  EXPECT_THAT(QueueEventError("{}"), HasSubstr("Records: expected an array"));
  EXPECT_THAT(QueueEventError(R"({"Records":{"0":{}}})"),
              HasSubstr("Records: expected an array, found an object"));
  EXPECT_THAT(QueueEventError(R"({"Records":null})"), HasSubstr("found null"));
}

TEST(ParseQueueEvent, KeepsTheNameOfARecordThatIsMalformedOtherwise) {
  const std::vector<QueueRecord> records =
      Parsed(R"({"Records":[{"messageId":"a"},{"messageId":"b","body":5},)"
             R"({"messageId":"c","body":"x"}]})");
  ASSERT_THAT(records, SizeIs(3));
  EXPECT_EQ(records[0].message_id, "a");
  EXPECT_EQ(WindowError(records[0]), "body: required, but missing");
  EXPECT_EQ(records[1].message_id, "b");
  EXPECT_THAT(WindowError(records[1]), StartsWith("body: "));
  EXPECT_EQ(records[2].message_id, "c");
  EXPECT_THAT(WindowError(records[2]), StartsWith("body: line 1, column 1"));
}

TEST(ParseQueueEvent, LeavesTheNameEmptyWhereThereIsNone) {
  const std::vector<QueueRecord> records =
      Parsed(R"({"Records":[5,{},{"messageId":5,"body":"{}"},)"
             R"({"messageId":"","body":"{\"from\":\"2025-12-02T10:23:00Z\",)"
             R"(\"to\":\"2025-12-02T10:23:05Z\"}"}]})");
  ASSERT_THAT(records, SizeIs(4));
  for (const QueueRecord& record : records) {
    EXPECT_EQ(record.message_id, "");
    EXPECT_FALSE(record.window.ok());
  }
  EXPECT_EQ(WindowError(records[1]), "messageId: required, but missing");
  EXPECT_EQ(WindowError(records[3]), "messageId: empty");
}

}  // namespace
}  // namespace byoshin::scheduler
