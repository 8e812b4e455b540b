#include "infra/gen/cost/prices.h"

#include <json/json.h>

#include <algorithm>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"

namespace byoshin::infra::cost {
namespace {

absl::StatusOr<double> ReadNumber(const Json::Value& entry,
                                  absl::string_view place, const char* field) {
  const Json::Value& value = entry[field];
  if (value.isNumeric() && value.asDouble() >= 0) return value.asDouble();
  return absl::InvalidArgumentError(absl::StrCat(
      "prices.", place, ".", field,
      ": expected a number that is 0 or more, found ", json::Describe(value)));
}

absl::StatusOr<Price> ReadPrice(const Json::Value& entry,
                                absl::string_view place) {
  if (!entry.isObject()) {
    return absl::InvalidArgumentError(
        absl::StrCat("prices.", place, ": expected an object, found ",
                     json::Describe(entry)));
  }
  const absl::StatusOr<double> usd = ReadNumber(entry, place, "usd");
  if (!usd.ok()) return usd.status();
  const absl::StatusOr<double> per = ReadNumber(entry, place, "per");
  if (!per.ok()) return per.status();
  const absl::StatusOr<double> free = ReadNumber(entry, place, "free");
  if (!free.ok()) return free.status();
  if (*per == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("prices.", place, ".per: must not be 0"));
  }
  if (!entry["source"].isString()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "prices.", place, ".source: expected the address of the price"));
  }
  return Price{.usd = *usd, .per = *per, .free = *free};
}

}  // namespace

absl::StatusOr<PriceList> ParsePrices(absl::string_view json) {
  const absl::StatusOr<Json::Value> root = json::ParseValue(json);
  if (!root.ok()) return root.status();
  if (!root->isObject() || !(*root)["prices"].isObject()) {
    return absl::InvalidArgumentError("prices: expected an object");
  }
  PriceList list;
  for (const char* field : {"region", "date"}) {
    if (!(*root)[field].isString()) {
      return absl::InvalidArgumentError(absl::StrCat(
          field, ": expected text, found ", json::Describe((*root)[field])));
    }
  }
  list.region = (*root)["region"].asString();
  list.date = (*root)["date"].asString();
  for (const std::string& name : (*root)["prices"].getMemberNames()) {
    const absl::StatusOr<Price> price =
        ReadPrice((*root)["prices"][name], name);
    if (!price.ok()) return price.status();
    list.prices[name] = *price;
  }
  return list;
}

double Cost(const Price& price, double quantity, FreeTier free_tier) {
  const double free = free_tier == FreeTier::kCounted ? price.free : 0;
  return std::max(0.0, quantity - free) / price.per * price.usd;
}

}  // namespace byoshin::infra::cost
