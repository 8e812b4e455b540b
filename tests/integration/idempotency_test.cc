// Property 9 for real: several processes of the Collector's zip, dynalite as
// the table, and an API that never answers the same twice, so that a second
// write would show.

#include <json/json.h>

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/integration/collector_fixture.h"
#include "tests/integration/function_fixture.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/runtime_api.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::integration {
namespace {

constexpr int kProcesses = 3;
constexpr int kMinCases = 100;

// Answers every request with another count, and remembers which.
class CountingApi {
 public:
  CountingApi()
      : server_(
            http::Server::Start({}, [this](const http::ServerRequest& request,
                                           const http::Responder& respond) {
              respond(Answer(request));
            })) {}

  std::string url() const { return (*server_)->url(); }
  bool ok() const { return server_.ok(); }

  // All counts that were ever answered about the slot.
  std::set<std::string> Answered(const std::string& from) const {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto it = answered_.find(from);
    return it == answered_.end() ? std::set<std::string>() : it->second;
  }

 private:
  http::ServerResponse Answer(const http::ServerRequest& request) {
    Json::Value body;
    const auto query = http::ParseQuery(request.query);
    if (!query.ok()) return {.status = 400};
    for (const http::QueryParameter& parameter : *query) {
      body[parameter.name] = parameter.value;
    }
    std::lock_guard<std::mutex> lock(mutex_);
    body["count"] = ++count_;
    answered_[body["from"].asString()].insert(absl::StrCat(count_));
    return {.body = json::WriteValue(body)};
  }

  mutable std::mutex mutex_;
  int count_ = 0;
  std::map<std::string, std::set<std::string>> answered_;
  absl::StatusOr<std::unique_ptr<http::Server>> server_;
};

class IdempotencyTest : public CollectorTest {
 protected:
  void SetUp() override {
    CollectorTest::SetUp();
    ASSERT_TRUE(api_.ok());
    for (int i = 0; i < kProcesses; ++i) {
      processes_.push_back(
          NewProcess("collector", CollectorVariables({.api_url = api_.url()})));
      ASSERT_NE(processes_.back(), nullptr);
    }
  }

  // Delivers the message `times` times to each process, to all at once.
  void DeliverConcurrently(const std::string& body, int times) {
    const std::string event =
        SqsEvent(std::vector<SqsRecord>(times, SqsRecord{"id", body}));
    std::vector<std::string> ids;
    for (const auto& process : processes_) {
      ids.push_back(process->api().Submit({.payload = event}));
    }
    for (int i = 0; i < kProcesses; ++i) {
      const absl::StatusOr<RuntimeApi::Outcome> outcome =
          processes_[i]->api().Await(ids[i]);
      RC_ASSERT(outcome.ok());
      RC_ASSERT(outcome->payload == R"({"batchItemFailures":[]})");
    }
  }

  CountingApi api_;
  std::vector<std::unique_ptr<LambdaProcess>> processes_;
};

// **Feature: data-collection-scheduler, Property 9: For any metric record, writing the same record (same metricName and slotTime) several times leaves exactly one record with consistent data in the table**
TEST_F(IdempotencyTest, ConcurrentAndRepeatedWritesLeaveOneRecord) {
  std::map<std::string, std::string> expected;
  int cases = 0;
  const bool holds = rc::check([&] {
    ++cases;
    // A small range, so that slots come back in later cases too.
    const int64_t slot = *rc::gen::inRange<int64_t>(0, 500);
    const int times = *rc::gen::inRange(1, 4);
    const int rounds = *rc::gen::inRange(1, 3);
    const absl::Time from =
        absl::FromUnixSeconds(1764670980) + slot * scheduler::kSlotInterval;
    const std::string slot_time = time::FormatIso8601(from);

    for (int round = 0; round < rounds; ++round) {
      DeliverConcurrently(SlotBody(from), times);

      const std::map<std::string, std::string> stored = StoredCounts();
      // The first record that was ever stored stays, as it was...
      if (!expected.contains(slot_time)) {
        RC_ASSERT(stored.contains(slot_time));
        expected[slot_time] = stored.at(slot_time);
        // ... and it is what the API answered to somebody.
        RC_ASSERT(api_.Answered(slot_time).contains(stored.at(slot_time)));
      }
      RC_ASSERT(stored == expected);
    }
  });
  EXPECT_TRUE(holds) << "the property does not hold; see above";
  EXPECT_GE(cases, kMinCases);
  // Otherwise nothing was written twice, and nothing was shown.
  for (const auto& [slot_time, count] : expected) {
    EXPECT_GE(api_.Answered(slot_time).size(), kProcesses);
  }
}

}  // namespace
}  // namespace byoshin::integration
