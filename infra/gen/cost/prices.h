// AWS's prices, from a dated file.
//
//   absl::StatusOr<PriceList> prices = ParsePrices(text);
//   double usd = Cost(prices->at("sqs_requests"), 1.8e6, FreeTier::kCounted);
#ifndef BYOSHIN_INFRA_GEN_COST_PRICES_H_
#define BYOSHIN_INFRA_GEN_COST_PRICES_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::infra::cost {

struct Price {
  double usd = 0;   // for
  double per = 1;   // so many units
  double free = 0;  // units a month that cost nothing
};

struct PriceList {
  std::string region;
  std::string date;
  std::map<std::string, Price> prices;
};

// InvalidArgument, with the place, if the text is not such a file.
absl::StatusOr<PriceList> ParsePrices(absl::string_view json);

enum class FreeTier { kIgnored, kCounted };

double Cost(const Price& price, double quantity, FreeTier free_tier);

}  // namespace byoshin::infra::cost

#endif  // BYOSHIN_INFRA_GEN_COST_PRICES_H_
