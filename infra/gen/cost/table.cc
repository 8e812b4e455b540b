#include "infra/gen/cost/table.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "infra/gen/cost/generation_usage.h"
#include "infra/gen/cost/mesh_usage.h"
#include "infra/gen/cost/prices.h"
#include "infra/gen/cost/usage.h"

namespace byoshin::infra::cost {
namespace {

// The first estimate, made before the stack existed, in USD per month.
const std::map<std::string, double>& FirstEstimate() {
  static const auto* const kEstimate =
      new std::map<std::string, double>{{"Lambda", 0.50},
                                        {"DynamoDB", 1.00},
                                        {"SQS", 0.10},
                                        {"API Gateway", 0.50}};
  return *kEstimate;
}

// Of one item of a deployment's usage.
struct Line {
  Usage usage;
  Price price;
  double list = 0;
  double after_free_tier = 0;
};

absl::StatusOr<std::vector<Line>> Lines(const PriceList& prices,
                                        const std::vector<Usage>& usages) {
  std::vector<Line> lines;
  for (const Usage& usage : usages) {
    const auto price = prices.prices.find(usage.price);
    if (price == prices.prices.end()) {
      return absl::NotFoundError(
          absl::StrCat("the price list has no price \"", usage.price, "\""));
    }
    lines.push_back(
        {.usage = usage,
         .price = price->second,
         .list = Cost(price->second, usage.quantity, FreeTier::kIgnored),
         .after_free_tier =
             Cost(price->second, usage.quantity, FreeTier::kCounted)});
  }
  return lines;
}

Line Total(const std::vector<Line>& lines) {
  Line total;
  for (const Line& line : lines) {
    total.list += line.list;
    total.after_free_tier += line.after_free_tier;
  }
  return total;
}

// 1,080,000 or 0.75.
std::string Quantity(double quantity) {
  if (quantity != static_cast<int64_t>(quantity) && quantity < 100) {
    return absl::StrFormat("%.2f", quantity);
  }
  std::string digits = absl::StrFormat("%.0f", quantity);
  for (int at = static_cast<int>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(at, ",");
  }
  return digits;
}

std::string UnitPrice(const Price& price) {
  if (price.usd == 0) return "free";
  // With at least two decimals, and without further trailing zeros.
  std::string usd = absl::StrFormat("%.10f", price.usd);
  while (usd.back() == '0' && usd[usd.size() - 3] != '.') usd.pop_back();
  return price.per == 1 ? usd : absl::StrCat(usd, " / ", Quantity(price.per));
}

// Shown once per service, in its first line.
std::string Estimate(const std::string& service, std::string& previous) {
  const auto found = FirstEstimate().find(service);
  const bool first = service != std::exchange(previous, service);
  if (!first || found == FirstEstimate().end()) return "";
  return absl::StrFormat("%.2f", found->second);
}

std::string MainTable(const std::vector<Line>& lines) {
  std::string table =
      "| service | quantity | | unit price | list | after free tier | "
      "first estimate |\n"
      "|---|--:|---|--:|--:|--:|--:|\n";
  std::string previous;
  for (const Line& line : lines) {
    absl::StrAppendFormat(&table, "| %s | %s | %s | %s | %.2f | %.2f | %s |\n",
                          line.usage.service, Quantity(line.usage.quantity),
                          line.usage.what, UnitPrice(line.price), line.list,
                          line.after_free_tier,
                          Estimate(line.usage.service, previous));
  }
  double estimate = 0;
  for (const auto& entry : FirstEstimate()) estimate += entry.second;
  std::vector<Line> estimated;
  for (const Line& line : lines) {
    if (FirstEstimate().count(line.usage.service) > 0) {
      estimated.push_back(line);
    }
  }
  const Line subtotal = Total(estimated);
  absl::StrAppendFormat(
      &table,
      "| the services of the first estimate | | | | %.2f | %.2f | %.2f |\n",
      subtotal.list, subtotal.after_free_tier, estimate);
  const Line total = Total(lines);
  absl::StrAppendFormat(&table, "| **total** | | | | **%.2f** | **%.2f** | |\n",
                        total.list, total.after_free_tier);
  return table;
}

struct Variant {
  const char* name;
  Deployment deployment;
};

const std::vector<Variant>& Variants() {
  using MockApi = Deployment::MockApi;
  using Tracing = Deployment::Tracing;
  static const auto* const kVariants = new std::vector<Variant>{
      {"as above", {}},
      {"Tracing=PassThrough",
       {.mock_api = MockApi::kDeployed, .tracing = Tracing::kPassThrough}},
      {"an API of one's own, MockApiAccess=none",
       {.mock_api = MockApi::kNone, .tracing = Tracing::kActive}},
      {"both", {.mock_api = MockApi::kNone, .tracing = Tracing::kPassThrough}}};
  return *kVariants;
}

// Without an estimate beside it.
absl::StatusOr<std::string> PlainTable(const PriceList& prices,
                                       const std::vector<Usage>& usages,
                                       const std::string& title) {
  const absl::StatusOr<std::vector<Line>> lines = Lines(prices, usages);
  if (!lines.ok()) return lines.status();
  std::string table = absl::StrCat(
      title,
      "\n\n| service | quantity | | unit price | list | after free tier |\n"
      "|---|--:|---|--:|--:|--:|\n");
  for (const Line& line : *lines) {
    absl::StrAppendFormat(&table, "| %s | %s | %s | %s | %.2f | %.2f |\n",
                          line.usage.service, Quantity(line.usage.quantity),
                          line.usage.what, UnitPrice(line.price), line.list,
                          line.after_free_tier);
  }
  const Line total = Total(*lines);
  absl::StrAppendFormat(&table, "| **total** | | | | **%.2f** | **%.2f** |\n",
                        total.list, total.after_free_tier);
  return table;
}

}  // namespace

absl::StatusOr<std::string> CostTable(const PriceList& prices) {
  const absl::StatusOr<std::vector<Line>> lines =
      Lines(prices, MonthlyUsage(Deployment()));
  if (!lines.ok()) return lines.status();
  std::string text = absl::StrFormat("USD for 30 days, %s, prices of %s.\n\n",
                                     prices.region, prices.date);
  absl::StrAppend(&text, MainTable(*lines));
  absl::StrAppend(&text,
                  "\n| deployment | list | after free tier |\n|---|--:|--:|\n");
  for (const Variant& variant : Variants()) {
    const absl::StatusOr<std::vector<Line>> of_variant =
        Lines(prices, MonthlyUsage(variant.deployment));
    if (!of_variant.ok()) return of_variant.status();
    const Line total = Total(*of_variant);
    absl::StrAppendFormat(&text, "| %s | %.2f | %.2f |\n", variant.name,
                          total.list, total.after_free_tier);
  }
  return text;
}

absl::StatusOr<std::string> GenerationCostTable(const PriceList& prices) {
  constexpr double kGoals = 1000;
  return PlainTable(
      prices, GenerationUsage(kGoals),
      absl::StrCat("Asynchronous generation: USD a month for ",
                   Quantity(kGoals), " goals that become whole charts."));
}

absl::StatusOr<std::string> MeshCostTable(const PriceList& prices) {
  constexpr double kLessons = 20;
  return PlainTable(
      prices, MeshUsage(kLessons),
      absl::StrCat("Mesh v2: USD a month for ", Quantity(kLessons),
                   " lessons of 45 minutes with 40 nodes, which "
                   "report once a second."));
}

}  // namespace byoshin::infra::cost
