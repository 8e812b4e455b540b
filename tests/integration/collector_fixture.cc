#include "tests/integration/collector_fixture.h"

#include <json/json.h>

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/scheduler/constants.h"
#include "gtest/gtest.h"
#include "tests/integration/dynalite.h"
#include "tests/integration/mock_api.h"

namespace byoshin::integration {
namespace {

// Started once for all tests of the program: that takes longer than most tests.
Dynalite* SharedDynalite() {
  static auto& dynalite =
      *new absl::StatusOr<std::unique_ptr<Dynalite>>(Dynalite::Start());
  EXPECT_TRUE(dynalite.ok()) << dynalite.status();
  return dynalite.ok() ? dynalite->get() : nullptr;
}

MockApi* SharedMockApi() {
  static auto& api =
      *new absl::StatusOr<std::unique_ptr<MockApi>>(MockApi::Start());
  EXPECT_TRUE(api.ok()) << api.status();
  return api.ok() ? api->get() : nullptr;
}

}  // namespace

void CollectorTest::SetUp() {
  static int tables = 0;
  table_ = absl::StrCat("Metrics", ++tables);
  ASSERT_NE(SharedDynalite(), nullptr);
  ASSERT_NE(SharedMockApi(), nullptr);
  ASSERT_EQ(SharedDynalite()->CreateMetricsTable(table_), absl::OkStatus());
}

FunctionTest::Variables CollectorTest::CollectorVariables(
    const Surroundings& surroundings) const {
  const auto given_or = [](const std::string& given, const std::string& other) {
    return given.empty() ? other : given;
  };
  return {{scheduler::kApiBaseUrlVariable,
           given_or(surroundings.api_url, SharedMockApi()->url())},
          {scheduler::kTableNameVariable, given_or(surroundings.table, table_)},
          {"AWS_ENDPOINT_URL_DYNAMODB",
           given_or(surroundings.dynamodb_url, SharedDynalite()->url())}};
}

void CollectorTest::StartCollector(const Surroundings& surroundings) {
  StartFunction("collector", CollectorVariables(surroundings));
}

std::vector<std::string> CollectorTest::FailedRecords(
    const std::vector<SqsRecord>& records, absl::Duration time_limit) {
  const Json::Value response =
      ParseJson(Respond(SqsEvent(records), time_limit));
  std::vector<std::string> failed;
  EXPECT_TRUE(response.isObject() && response["batchItemFailures"].isArray());
  if (!response.isObject()) return failed;
  for (const Json::Value& item : response["batchItemFailures"]) {
    failed.push_back(item["itemIdentifier"].asString());
  }
  return failed;
}

std::map<std::string, std::string> CollectorTest::StoredCounts() const {
  std::map<std::string, std::string> counts;
  absl::StatusOr<std::vector<Json::Value>> items =
      SharedDynalite()->Scan(table_);
  EXPECT_TRUE(items.ok()) << items.status();
  if (!items.ok()) return counts;
  for (const Json::Value& item : *items) {
    EXPECT_EQ(item.size(), 3) << item;
    EXPECT_EQ(item[scheduler::kMetricNameKey]["S"], scheduler::kMetricName);
    const auto [it, is_new] =
        counts.emplace(item[scheduler::kSlotTimeKey]["S"].asString(),
                       item[scheduler::kCountAttribute]["N"].asString());
    EXPECT_TRUE(is_new) << "two records for " << it->first;
  }
  return counts;
}

}  // namespace byoshin::integration
