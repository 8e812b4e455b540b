#include <gtest/gtest.h>
#include <json/json.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/applications/scheduler/record_item.h"
#include "local/applications/scheduler/record_observer.h"
#include "local/applications/scheduler/record_reader.h"
#include "local/applications/scheduler/series.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/test_service.h"

namespace byoshin::local::applications {
namespace {

constexpr char kPut[] = R"({"TableName":"t","Item":{
    "metricName":{"S":"ai_response_count"},
    "slotTime":{"S":"2025-12-02T10:23:20Z"},"count":{"N":"0"}}})";

class FixedService final : public testing::TestService {
 public:
  FixedService() : TestService("dynamodb") {}
  void Handle(Call, AnswerFunction answer) override {
    ++calls;
    answer({.status = status});
  }
  int status = 200;
  int calls = 0;
};

TEST(RecordOf, ReadsARecordAndNothingElse) {
  const std::optional<SlotRecord> record =
      RecordOf((*json::ParseValue(kPut))["Item"]);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->slot, absl::FromUnixSeconds(1'764'671'000));
  EXPECT_EQ(record->count, 0);
  for (const char* other : {"[]", "{}", "5", R"({"metricName":{"S":"x"}})",
                            R"({"metricName":5,"slotTime":5,"count":5})",
                            R"({"metricName":{"S":"ai_response_count"},
            "slotTime":{"S":"soon"},"count":{"N":"1"}})",
                            R"({"metricName":{"S":"ai_response_count"},
            "slotTime":{"S":"2025-12-02T10:23:21Z"},"count":{"N":"1"}})",
                            R"({"metricName":{"S":"ai_response_count"},
            "slotTime":{"S":"2025-12-02T19:23:20+09:00"},"count":{"N":"1"}})",
                            R"({"metricName":{"S":"ai_response_count"},
            "slotTime":{"S":"2025-12-02T10:23:20Z"},"count":{"S":"1"}})"}) {
    EXPECT_FALSE(RecordOf(*json::ParseValue(other)).has_value()) << other;
  }
}

TEST(RecordObserver, TellsOfRecordsThatWereStoredAndHowLate) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'002));
  FixedService service;
  std::vector<SlotRecord> seen;
  absl::Duration lag = absl::ZeroDuration();
  std::string table = "t";
  RecordObserver observer(
      service,
      {.clock = clock,
       .is_records_table =
           [&](absl::string_view name) { return name == table; },
       .window_lag = [&] { return lag; },
       .on_record = [&](const SlotRecord& record) { seen.push_back(record); }});
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
  // The same slot at the same time, but it was due later.
  service.status = 200;
  lag = absl::Seconds(1);
  put("PutItem");
  EXPECT_EQ(seen[1].lateness, absl::Seconds(1));
  // Another table may have items of the same form.
  table = "other";
  put("PutItem");
  EXPECT_EQ(seen.size(), 2);
}

// Has three pages of one record each; the second is answered when told to.
class PagedService final : public testing::TestService {
 public:
  PagedService() : TestService("dynamodb") {}
  void Handle(Call call, AnswerFunction answer) override {
    const Json::Value request = json::ParseValue(call.body).value();
    EXPECT_EQ(call.operation, "Query");
    EXPECT_EQ(request["TableName"], "t");
    EXPECT_EQ(request["ScanIndexForward"], false);
    const std::string after =
        request["ExclusiveStartKey"]["slotTime"]["S"].asString();
    if (after.empty()) return answer({.body = Page("30", true)});
    if (after == Time("10")) return answer({.body = Page("00", false)});
    asked_.set_value();
    go_on_.get_future().wait();
    answer({.body = Page("10", true)});
  }

  static std::string Time(absl::string_view seconds) {
    return absl::StrCat("2025-12-02T10:23:", seconds, "Z");
  }
  void AwaitSecondQuestion() { asked_.get_future().wait(); }
  void AnswerIt() { go_on_.set_value(); }

 private:
  static std::string Page(absl::string_view seconds, bool more) {
    const std::string key = absl::StrCat(
        R"({"metricName":{"S":"ai_response_count"},"slotTime":{"S":")",
        Time(seconds), R"("})");
    return absl::StrCat(
        R"({"Items":[)", key, R"(,"count":{"N":"3"}},)", key,
        R"(,"count":{"S":"no number"}}])",
        more ? absl::StrCat(R"(,"LastEvaluatedKey":)", key, "}") : "", "}");
  }

  std::promise<void> asked_;
  std::promise<void> go_on_;
};

TEST(RecordReader, ReadsTheNewestFirstAndLetsNobodyWaitForMoreThanIsWanted) {
  const absl::Time newest = absl::FromUnixSeconds(1'764'671'010);
  PagedService service;
  std::vector<absl::Time> read;
  RecordReader reader(service, "us-east-1",
                      [&](const std::vector<SlotRecord>& records) {
                        EXPECT_EQ(records.size(), 1);
                        EXPECT_EQ(records.front().count, 3);
                        read.push_back(records.front().slot);
                        return true;
                      });
  EXPECT_TRUE(reader.AwaitSince(absl::InfinitePast()).ok()) << "nothing begun";
  reader.Start("t");
  EXPECT_TRUE(reader.AwaitSince(newest).ok());
  service.AwaitSecondQuestion();
  EXPECT_EQ(read, std::vector<absl::Time>{newest});
  service.AnswerIt();
  EXPECT_TRUE(reader.AwaitSince(absl::InfinitePast()).ok());
  EXPECT_EQ(read, (std::vector<absl::Time>{newest, newest - absl::Seconds(20),
                                           newest - absl::Seconds(30)}));
}

TEST(RecordReader, ReadsNothingOlderThanWhatIsWanted) {
  PagedService service;
  int pages = 0;
  RecordReader reader(
      service, "us-east-1",
      [&](const std::vector<SlotRecord>&) { return ++pages < 2; });
  service.AnswerIt();
  reader.Start("t");
  EXPECT_TRUE(reader.AwaitSince(absl::InfinitePast()).ok());
  EXPECT_TRUE(reader.HasReadAll());
  EXPECT_EQ(pages, 2);
}

TEST(RecordReader, EndsWaitsWhenItIsStopped) {
  PagedService service;
  RecordReader reader(service, "us-east-1",
                      [](const std::vector<SlotRecord>&) { return true; });
  reader.Start("t");
  service.AwaitSecondQuestion();
  std::thread stopper([&] { reader.Stop(); });
  EXPECT_TRUE(absl::IsUnavailable(reader.AwaitSince(absl::InfinitePast())));
  service.AnswerIt();
  stopper.join();
  reader.Start("t");  // has no effect any more
  EXPECT_TRUE(absl::IsUnavailable(reader.AwaitSince(absl::InfinitePast())));
}

}  // namespace
}  // namespace byoshin::local::applications
