#include "tests/integration/sqs_event.h"

#include <json/json.h>

#include "absl/strings/str_cat.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/json/value.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"

namespace byoshin::integration {

// https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event
std::string SqsEvent(const std::vector<SqsRecord>& records) {
  Json::Value event;
  event["Records"] = Json::arrayValue;
  for (const SqsRecord& record : records) {
    Json::Value json;
    json["messageId"] = record.message_id;
    json["receiptHandle"] = "AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a";
    json["body"] = record.body;
    json["attributes"]["ApproximateReceiveCount"] = "1";
    json["attributes"]["SentTimestamp"] = "1545082649183";
    json["attributes"]["SenderId"] = "AIDAIENQZJOLO23YVJ4VO";
    json["attributes"]["ApproximateFirstReceiveTimestamp"] = "1545082649185";
    json["messageAttributes"] = Json::objectValue;
    json["md5OfBody"] = crypto::HexEncode(crypto::Md5(record.body));
    json["eventSource"] = "aws:sqs";
    json["eventSourceARN"] = "arn:aws:sqs:us-east-1:123456789012:schedule";
    json["awsRegion"] = "us-east-1";
    event["Records"].append(json);
  }
  return json::WriteValue(event);
}

std::string WindowBody(absl::string_view from, absl::string_view to) {
  return absl::StrCat(R"({"from":")", from, R"(","to":")", to, R"("})");
}

std::string SlotBody(absl::Time from) {
  return WindowBody(time::FormatIso8601(from),
                    time::FormatIso8601(from + scheduler::kSlotInterval));
}

}  // namespace byoshin::integration
