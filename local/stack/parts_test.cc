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
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/dashboard/series.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/test_service.h"
#include "local/stack/cloud_source.h"
#include "local/stack/faulty_service.h"
#include "local/stack/read_file.h"
#include "local/stack/record_observer.h"
#include "local/stack/record_reader.h"
#include "local/stack/watched_store.h"
#include "local/stack/zip_folder.h"
#include "local/store/forwarding_store.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::stack {
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
  const std::optional<dashboard::SlotRecord> record =
      RecordOf(*json::ParseValue(kPut));
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->slot, absl::FromUnixSeconds(1'764'671'000));
  EXPECT_EQ(record->count, 0);
  for (const char* other :
       {"[]", "{}", R"({"Item":5})", R"({"Item":{"metricName":{"S":"x"}}})",
        R"({"Item":{"metricName":{"S":"ai_response_count"},
                    "slotTime":{"S":"soon"},"count":{"N":"1"}}})",
        R"({"Item":{"metricName":{"S":"ai_response_count"},
                    "slotTime":{"S":"2025-12-02T10:23:20Z"},
                    "count":{"S":"1"}}})"}) {
    EXPECT_FALSE(RecordOf(*json::ParseValue(other)).has_value()) << other;
  }
}

TEST(RecordObserver, TellsOfRecordsThatWereStoredAndHowLate) {
  time::SimulatedClock clock(absl::FromUnixSeconds(1'764'671'002));
  FixedService service;
  std::vector<dashboard::SlotRecord> seen;
  absl::Duration lag = absl::ZeroDuration();
  RecordObserver observer(
      service, clock, [&] { return lag; },
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
  // The same slot at the same time, but it was due later.
  service.status = 200;
  lag = absl::Seconds(1);
  put("PutItem");
  EXPECT_EQ(seen[1].lateness, absl::Seconds(1));
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
                      [&](const std::vector<dashboard::SlotRecord>& records) {
                        ASSERT_EQ(records.size(), 1);
                        EXPECT_EQ(records[0].count, 3);
                        read.push_back(records[0].slot);
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

TEST(RecordReader, EndsWaitsWhenItIsStopped) {
  PagedService service;
  RecordReader reader(service, "us-east-1",
                      [](const std::vector<dashboard::SlotRecord>&) {});
  reader.Start("t");
  service.AwaitSecondQuestion();
  std::thread stopper([&] { reader.Stop(); });
  EXPECT_TRUE(absl::IsUnavailable(reader.AwaitSince(absl::InfinitePast())));
  service.AnswerIt();
  stopper.join();
  reader.Start("t");  // has no effect any more
  EXPECT_TRUE(absl::IsUnavailable(reader.AwaitSince(absl::InfinitePast())));
}

TEST(ZipFolder, KeepsZipsUnderTheirContentAcrossRestarts) {
  const std::string folder = ::testing::TempDir();
  ZipFolder zips(folder);
  const absl::StatusOr<std::string> name = zips.Put("sender.zip", "bytes");
  ASSERT_TRUE(name.ok());
  EXPECT_TRUE(absl::StartsWith(*name, "sender-"));
  EXPECT_NE(*name, *zips.Put("sender.zip", "other bytes"));
  EXPECT_EQ(zips.Fetch({.key = "byoshin/" + *name})->bytes(), "bytes");
  ZipFolder later(folder);
  EXPECT_EQ(later.Fetch({.key = "byoshin/" + *name})->bytes(), "bytes");
  EXPECT_EQ(*later.Put("sender.zip", "bytes"), *name);
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch({.key = "none.zip"}).status()));
  EXPECT_TRUE(absl::IsUnavailable(
      ZipFolder("/nowhere/at/all").Put("a.zip", "x").status()));
}

// Fails to commit when it is told to.
class FullStore final : public ForwardingStore {
 public:
  explicit FullStore(const bool& full)
      : ForwardingStore(*OpenSqliteStore({})), full_(full) {}

  absl::Status Commit() override {
    if (!full_) return ForwardingStore::Commit();
    Rollback();
    return absl::UnavailableError("the disk is full");
  }
  bool WaitsForDisk() const override { return true; }

 private:
  const bool& full_;
};

TEST(WatchedStore, TellsOnceThatItCannotBeWrittenAndOnceThatItCanAgain) {
  bool full = false;
  std::vector<std::string> notes;
  WatchedStore store(std::make_unique<FullStore>(full),
                     [&](const std::string& note) { notes.push_back(note); });
  const auto write = [&] {
    store.Put("key", "value").IgnoreError();
    return store.Commit();
  };
  EXPECT_TRUE(write().ok());
  EXPECT_EQ(notes, std::vector<std::string>());
  full = true;
  EXPECT_FALSE(write().ok());
  EXPECT_FALSE(write().ok());
  EXPECT_EQ(notes, std::vector<std::string>{"the disk is full"});
  full = false;
  EXPECT_TRUE(store.Commit().ok());  // of nothing
  EXPECT_EQ(notes.size(), 1);
  EXPECT_TRUE(write().ok());
  ASSERT_EQ(notes.size(), 2);
  EXPECT_EQ(notes[1], "recovered; the last error was: the disk is full");
  EXPECT_EQ(**store.Get("key"), "value");
  EXPECT_TRUE(store.WaitsForDisk()) << "as the store that it watches";
}

TEST(ZipFolder, WritesAZipAgainThatIsNotWhole) {
  const std::string folder = ::testing::TempDir();
  const std::string name = *ZipFolder(folder).Put("cut.zip", "all the bytes");
  std::ofstream(folder + "/" + name) << "all";
  EXPECT_EQ(*ZipFolder(folder).Put("cut.zip", "all the bytes"), name);
  EXPECT_EQ(*ReadFile(folder + "/" + name), "all the bytes");
}

TEST(ZipFolder, NoticesAndReplacesAChangedZip) {
  const std::string folder = ::testing::TempDir();
  const std::string name = *ZipFolder(folder).Put("code.zip", "the bytes");
  std::ofstream(folder + "/" + name) << "THE BYTES";
  const absl::Status fetched = ZipFolder(folder).Fetch({.key = name}).status();
  EXPECT_TRUE(absl::IsDataLoss(fetched)) << fetched;
  EXPECT_TRUE(absl::StrContains(fetched.message(), name)) << fetched;
  EXPECT_EQ(*ZipFolder(folder).Put("code.zip", "the bytes"), name);
  EXPECT_EQ(ZipFolder(folder).Fetch({.key = name})->bytes(), "the bytes");
}

TEST(ZipFolder, RemovesWhatIsNotToBeKept) {
  const std::string folder = ::testing::TempDir() + "/pruned";
  std::filesystem::create_directory(folder);
  ZipFolder zips(folder);
  const std::string kept = *zips.Put("sender.zip", "new");
  const std::string old = *zips.Put("sender.zip", "old");
  std::ofstream(folder + "/" + old + ".unfinished") << "o";
  ASSERT_TRUE(zips.KeepOnly({{.key = "byoshin/" + kept}}, {"not there"}).ok());
  EXPECT_EQ(zips.Fetch({.key = kept})->bytes(), "new");
  EXPECT_TRUE(absl::IsNotFound(zips.Fetch({.key = old}).status()));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    left.push_back(entry.path().filename());
  }
  EXPECT_EQ(left, std::vector<std::string>{kept});
  EXPECT_TRUE(ZipFolder("").KeepOnly({}, {}).ok());
  EXPECT_FALSE(ZipFolder("/nowhere/at/all").KeepOnly({}, {}).ok());
}

TEST(ZipFolder, FindsTheCodeOfAFunctionByItsKeyAndElseByItsName) {
  ZipFolder zips("");
  zips.Give({{"orders-v3.zip", "by key"},
             {"Orders.zip", "by name"},
             {"0123abcd.zip", "hashed"}},
            "/home/me/zips");
  const auto fetch = [&](absl::string_view key, absl::string_view function) {
    return zips.Fetch({.bucket = "any",
                       .key = std::string(key),
                       .function = std::string(function)});
  };
  EXPECT_EQ(fetch("release/orders-v3.zip", "Orders")->bytes(), "by key");
  EXPECT_EQ(fetch("0123abcd", "Orders")->bytes(), "hashed");
  EXPECT_EQ(fetch("release/orders-v4.zip", "Orders")->bytes(), "by name");
  EXPECT_EQ(fetch("", "Orders")->bytes(), "by name");
  EXPECT_EQ(fetch("release/orders-v4.zip", "Other").status(),
            absl::NotFoundError(
                "no zip for s3://any/release/orders-v4.zip: there is no "
                "orders-v4.zip and no Other.zip in /home/me/zips"));
}

TEST(ZipFolder, KeepsWhatAFunctionHasUntilAnotherIsGivenUnderItsName) {
  const std::string folder = ::testing::TempDir() + "/by_name";
  std::filesystem::create_directory(folder);
  const lambda::CodeLocation orders{.key = "orders.zip", .function = "F"};
  {
    ZipFolder zips(folder);
    zips.Give({{"orders.zip", "first"}, {"unused.zip", "x"}}, "");
    ASSERT_EQ(zips.Fetch(orders)->bytes(), "first");
  }
  ZipFolder zips(folder);
  EXPECT_EQ(zips.Fetch(orders)->bytes(), "first");
  EXPECT_FALSE(zips.Fetch({.key = "unused.zip"}).ok());
  zips.Give({{"orders.zip", "other"}}, "");
  EXPECT_EQ(zips.Fetch(orders)->bytes(), "other");
  ASSERT_TRUE(zips.KeepOnly({orders}, {}).ok());
  EXPECT_EQ(ZipFolder(folder).Fetch(orders)->bytes(), "other");
}

TEST(ReadFile, SaysWhichFileCannotBeRead) {
  const std::string folder = ::testing::TempDir();
  const absl::Status missing = ReadFile(folder + "/missing").status();
  EXPECT_TRUE(absl::IsNotFound(missing)) << missing;
  EXPECT_TRUE(absl::StrContains(missing.message(), "/missing")) << missing;
  EXPECT_FALSE(ReadFile(folder).ok());
  std::ofstream(folder + "/empty");
  EXPECT_EQ(*ReadFile(folder + "/empty"), "");
}

TEST(LogGroupOf, FindsTheNameInAnArn) {
  EXPECT_EQ(LogGroupOf("arn:aws:logs:us-east-1:0:log-group:/byoshin/x:*"),
            "/byoshin/x");
  EXPECT_EQ(LogGroupOf("/byoshin/x"), "/byoshin/x");
}

}  // namespace
}  // namespace byoshin::local::stack
