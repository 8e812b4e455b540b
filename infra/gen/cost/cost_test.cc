#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/files/read_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "infra/gen/cost/generation_usage.h"
#include "infra/gen/cost/mesh_usage.h"
#include "infra/gen/cost/prices.h"
#include "infra/gen/cost/table.h"
#include "infra/gen/cost/usage.h"

namespace byoshin::infra::cost {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;

std::string* prices_path = nullptr;

PriceList Prices() {
  return ParsePrices(files::ReadFile(*prices_path).value()).value();
}

std::map<std::string, double> Quantities(const Deployment& deployment = {}) {
  std::map<std::string, double> quantities;
  for (const Usage& usage : MonthlyUsage(deployment)) {
    EXPECT_TRUE(quantities.emplace(usage.price, usage.quantity).second)
        << usage.price << " is counted twice";
  }
  return quantities;
}

TEST(Cost, IsTheQuantityTimesThePrice) {
  const Price price = {.usd = 0.4, .per = 1e6, .free = 1e6};
  EXPECT_DOUBLE_EQ(Cost(price, 2.5e6, FreeTier::kIgnored), 1.0);
  EXPECT_DOUBLE_EQ(Cost(price, 2.5e6, FreeTier::kCounted), 0.6);
}

TEST(Cost, IsNeverNegative) {
  const Price price = {.usd = 0.4, .per = 1e6, .free = 1e6};
  EXPECT_DOUBLE_EQ(Cost(price, 10, FreeTier::kCounted), 0);
}

TEST(MonthlyUsage, CountsAMonthOfFiveSecondSlots) {
  const std::map<std::string, double> quantities = Quantities();
  EXPECT_EQ(quantities.at("eventbridge_scheduled_events"), 43200);
  EXPECT_EQ(quantities.at("dynamodb_writes"), 518400);
  EXPECT_EQ(quantities.at("api_gateway_requests"), 518400);
  // The Sender once a minute, the other two once a slot.
  EXPECT_EQ(quantities.at("lambda_requests"), 43200 + 2 * 518400);
  // Two batches, twelve messages received and deleted, fifteen empty polls.
  EXPECT_EQ(quantities.at("sqs_requests"), 43200 * (2 + 24 + 15));
}

TEST(MonthlyUsage, CountsWhatTheFunctionsTakeAtTheirMemory) {
  // 128 MB get 128/1769 of a processor: 1.27 ms of work take 17.6 ms.
  const double seconds = 43200 * 0.078 + 518400 * 0.044 + 518400 * 0.008;
  EXPECT_THAT(Quantities().at("lambda_gb_seconds"),
              DoubleNear(seconds * 0.125, 0.01));
}

TEST(MonthlyUsage, CountsTheAlarmsOfTheTemplate) {
  EXPECT_EQ(Quantities().at("cloudwatch_alarms"), 16);
  EXPECT_EQ(Quantities().at("cloudwatch_dashboards"), 1);
  EXPECT_EQ(Quantities({.mock_api = Deployment::MockApi::kNone})
                .at("cloudwatch_alarms"),
            13);
}

TEST(MonthlyUsage, StoresAFewDozenBytesASlot) {
  // 63 bytes of names and values, 100 of overhead.
  EXPECT_THAT(Quantities().at("dynamodb_storage_gb"),
              DoubleNear(518400.0 * 163 / (1 << 30), 1e-9));
}

TEST(MonthlyUsage, HasNoTracesAndNoApiWhereThereAreNone) {
  const std::map<std::string, double> quantities =
      Quantities({.mock_api = Deployment::MockApi::kNone,
                  .tracing = Deployment::Tracing::kPassThrough});
  EXPECT_EQ(quantities.at("xray_traces"), 0);
  EXPECT_EQ(quantities.at("api_gateway_requests"), 0);
  EXPECT_EQ(quantities.at("lambda_requests"), 43200 + 518400);
}

TEST(CostTable, AddsUpAndShowsTheFirstEstimate) {
  PriceList prices = Prices();
  for (auto& entry : prices.prices) entry.second = {};
  prices.prices["sqs_requests"] = {.usd = 1, .per = 1e6, .free = 1e6};
  const std::string table = CostTable(prices).value();
  EXPECT_THAT(table,
              HasSubstr("| SQS | 1,771,200 | requests | 1.00 / 1,000,000 "
                        "| 1.77 | 0.77 | 0.10 |"));
  EXPECT_THAT(
      table,
      HasSubstr(
          "| the services of the first estimate | | | | 1.77 | 0.77 | 2.10 |"));
  EXPECT_THAT(table, HasSubstr("| **total** | | | | **1.77** | **0.77** | |"));
}

TEST(CostTable, NeedsEveryPrice) {
  PriceList prices = Prices();
  prices.prices.erase("kms_requests");
  const absl::Status status = CostTable(prices).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("kms_requests"));
}

TEST(GenerationUsage, CountsTheQuestionsOfAWholeChart) {
  double tokens = 0;
  double transitions = 0;
  for (const Usage& usage : GenerationUsage(10)) {
    if (usage.price == "bedrock_nova_lite_output") tokens = usage.quantity;
    if (usage.price == "states_transitions") transitions = usage.quantity;
  }
  // 1 + 8 + 64 questions and three processes a goal.
  EXPECT_EQ(tokens, 10 * 73 * 600);
  EXPECT_EQ(transitions, 10 * 3 * 4);
}

TEST(GenerationCostTable, AddsUp) {
  const absl::StatusOr<std::string> table = GenerationCostTable(Prices());
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(*table, HasSubstr("| Aurora | 360 | capacity unit hours"));
  EXPECT_THAT(*table, HasSubstr("| Secrets Manager | 3 | secrets"));
  EXPECT_THAT(*table, HasSubstr("| CloudWatch | 5 | alarms"));
  EXPECT_THAT(*table, HasSubstr("**total**"));
}

TEST(MeshUsage, DeliversEverythingToEveryone) {
  std::map<std::string, double> quantities;
  for (const Usage& usage : MeshUsage(2)) {
    quantities[usage.price] = usage.quantity;
  }
  // Two lessons of 2700 seconds: 40 nodes report every second and fire every
  // ten seconds, and each of them gets all of it.
  EXPECT_NEAR(quantities["appsync_messages"], 2 * 2700 * 40 * 1.1 * 40, 1);
  EXPECT_EQ(quantities["appsync_connection_minutes"], 2 * 40 * 45);
}

TEST(MeshCostTable, AddsUp) {
  const absl::StatusOr<std::string> table = MeshCostTable(Prices());
  ASSERT_TRUE(table.ok()) << table.status();
  EXPECT_THAT(*table, HasSubstr("| CloudWatch | 14 | alarms"));
  EXPECT_THAT(*table, HasSubstr("**total**"));
}

TEST(Prices, AreAllUsed) {
  std::set<std::string> known, used;
  for (const auto& entry : Prices().prices) known.insert(entry.first);
  for (const Usage& usage : MonthlyUsage({})) used.insert(usage.price);
  for (const Usage& usage : GenerationUsage(1)) used.insert(usage.price);
  for (const Usage& usage : MeshUsage(1)) used.insert(usage.price);
  EXPECT_EQ(known, used);
}

TEST(ParsePrices, NamesWhatIsWrong) {
  const auto error = [](const char* text) {
    return std::string(ParsePrices(text).status().message());
  };
  EXPECT_THAT(error("{"), HasSubstr("line 1"));
  EXPECT_THAT(error("[]"), HasSubstr("prices: expected an object"));
  EXPECT_THAT(error(R"({"region":"x","prices":{}})"), HasSubstr("date"));
  EXPECT_THAT(error(R"({"region":"x","date":"y","prices":{"a":{"usd":"1"}}})"),
              HasSubstr("prices.a.usd: expected a number"));
  EXPECT_THAT(error(R"({"region":"x","date":"y","prices":
                    {"a":{"usd":1,"per":0,"free":0,"source":"s"}}})"),
              HasSubstr("prices.a.per: must not be 0"));
  EXPECT_THAT(error(R"({"region":"x","date":"y","prices":
                    {"a":{"usd":1,"per":1,"free":0}}})"),
              HasSubstr("prices.a.source"));
  EXPECT_THAT(error(R"({"region":"x","date":"y","prices":{"a":1}})"),
              HasSubstr("prices.a: expected an object"));
}

}  // namespace
}  // namespace byoshin::infra::cost

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  byoshin::infra::cost::prices_path = new std::string(argv[1]);
  return RUN_ALL_TESTS();
}
