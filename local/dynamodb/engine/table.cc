#include "local/dynamodb/engine/table.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {
namespace {

WarmThroughput ImpliedBy(BillingMode billing, const Throughput& provisioned) {
  if (billing == BillingMode::kPayPerRequest) return kOnDemandWarmThroughput;
  return {provisioned.read_units, provisioned.write_units};
}

}  // namespace

int Throughput::DecreasesOnDayOf(absl::Time time) const {
  if (!last_decrease) return 0;
  const absl::TimeZone utc = absl::UTCTimeZone();
  const bool same_day =
      absl::ToCivilDay(*last_decrease, utc) == absl::ToCivilDay(time, utc);
  return same_day ? decreases_that_day : 0;
}

void WarmThroughput::RaiseTo(const WarmThroughput& other) {
  read_units = std::max(read_units, other.read_units);
  write_units = std::max(write_units, other.write_units);
}

void Table::WarmUp() {
  warm.RaiseTo(ImpliedBy(billing, throughput));
  for (Index& index : indexes) {
    if (index.kind == IndexKind::kGlobal) {
      index.warm.RaiseTo(ImpliedBy(billing, index.throughput));
    }
  }
}

WarmThroughput ImpliedWarmThroughput(const Table& table) {
  return ImpliedBy(table.billing, table.throughput);
}

const Index* Table::FindIndex(absl::string_view index_name) const {
  for (const Index& index : indexes) {
    if (index.name == index_name) return &index;
  }
  return nullptr;
}

Index* Table::FindIndex(absl::string_view index_name) {
  return const_cast<Index*>(
      static_cast<const Table*>(this)->FindIndex(index_name));
}

std::string Table::IndexArn(const Index& index) const {
  return absl::StrCat(arn, "/index/", index.name);
}

}  // namespace byoshin::local::dynamodb
