#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "local/dashboard/series.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/stack/cloud_source.h"
#include "local/stack/faulty_service.h"
#include "local/stack/record_observer.h"
#include "local/stack/zip_folder.h"

namespace byoshin::local::stack {
namespace {

constexpr char kPut[] = R"({"TableName":"t","Item":{
    "metricName":{"S":"ai_response_count"},
    "slotTime":{"S":"2025-12-02T10:23:20Z"},"count":{"N":"0"}}})";

class FixedService final : public Service {
 public:
  absl::string_view name() const override { return "dynamodb"; }
  void Handle(Call, AnswerFunction answer) override {
    ++calls;
    answer({.status = status});
  }
  int status = 200;
  int calls = 0;
};

TEST(RecordOf, ReadsARecordAndNothingElse) {
  const std::optional<dashboard::SlotRecord> record = RecordOf(kPut);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->slot, absl::FromUnixSeconds(1'764'671'000));
  EXPECT_EQ(record->count, 0);
  for (const char* other :
       {"", "[]", "{}", R"({"Item":5})", R"({"Item":{"metricName":{"S":"x"}}})",
        R"({"Item":{"metricName":{"S":"ai_response_count"},
                    "slotTime":{"S":"soon"},"count":{"N":"1"}}})",
        R"({"Item":{"metricName":{"S":"ai_response_count"},
                    "slotTime":{"S":"2025-12-02T10:23:20Z"},
                    "count":{"S":"1"}}})"}) {
    EXPECT_FALSE(RecordOf(other).has_value()) << other;
  }
}

TEST(RecordObserver, TellsOfRecordsThatWereStoredAndHowLate) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'002));
  FixedService service;
  std::vector<dashboard::SlotRecord> seen;
  RecordObserver observer(
      service, clock,
      [&](const dashboard::SlotRecord& record) { seen.push_back(record); });
  const auto put = [&](absl::string_view operation) {
    observer.Handle({.operation = std::string(operation), .body = kPut},
                    [](Answer) {});
  };
  put("PutItem");
  put("GetItem");
  service.status = 400;  // it was there already
  put("PutItem");
  ASSERT_EQ(seen.size(), 1);
  EXPECT_EQ(seen[0].lateness, absl::Seconds(2));
  EXPECT_EQ(service.calls, 3);
}

TEST(FaultyService, FailsBeforeAnythingIsDone) {
  FixedService service;
  bool fail = true;
  FaultyService faulty(
      service, [&](absl::string_view name, absl::string_view operation) {
        EXPECT_EQ(name, "dynamodb");
        EXPECT_EQ(operation, "PutItem");
        return fail ? ServiceError({.code = "Broken", .http_status = 503})
                    : absl::OkStatus();
      });
  int status = 0;
  const auto call = [&] {
    faulty.Handle({.operation = "PutItem"},
                  [&](Answer answer) { status = answer.status; });
  };
  call();
  EXPECT_EQ(status, 503);
  EXPECT_EQ(service.calls, 0);
  fail = false;
  call();
  EXPECT_EQ(status, 200);
}

TEST(ZipFolder, KeepsZipsUnderTheirContentAcrossRestarts) {
  const std::string folder = testing::TempDir();
  ZipFolder zips(folder);
  const absl::StatusOr<std::string> name = zips.Put("sender.zip", "bytes");
  ASSERT_TRUE(name.ok());
  EXPECT_TRUE(absl::StartsWith(*name, "sender-"));
  EXPECT_NE(*name, *zips.Put("sender.zip", "other bytes"));
  EXPECT_EQ(*zips.Fetch(kLocalBucket, "byoshin/" + *name), "bytes");
  EXPECT_EQ(*ZipFolder(folder).Fetch(kLocalBucket, "byoshin/" + *name),
            "bytes");
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch(kLocalBucket, "none.zip").status()));
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch("elsewhere", *name).status()));
  EXPECT_TRUE(absl::IsUnavailable(
      ZipFolder("/nowhere/at/all").Put("a.zip", "x").status()));
}

TEST(LogGroupOf, FindsTheNameInAnArn) {
  EXPECT_EQ(LogGroupOf("arn:aws:logs:us-east-1:0:log-group:/byoshin/x:*"),
            "/byoshin/x");
  EXPECT_EQ(LogGroupOf("/byoshin/x"), "/byoshin/x");
}

}  // namespace
}  // namespace byoshin::local::stack
