#include "local/dynamodb/engine/capacity.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int64_t kReadUnitBytes = 4096;

// "CapacityUnits":5.0, and again by kind.
void AppendUnits(double units, CapacityKind kind, std::string& out) {
  out += "\"CapacityUnits\":";
  json::AppendNumber(units, out);
  if (kind == CapacityKind::kPlain) return;
  out += kind == CapacityKind::kRead ? ",\"ReadCapacityUnits\":"
                                     : ",\"WriteCapacityUnits\":";
  json::AppendNumber(units, out);
}

}  // namespace

double ReadUnits(int64_t bytes, Consistency consistency) {
  const int64_t units =
      std::max<int64_t>(1, (bytes + kReadUnitBytes - 1) / kReadUnitBytes);
  switch (consistency) {
    case Consistency::kEventual:
      return units * 0.5;
    case Consistency::kStrong:
      return units;
    case Consistency::kTransaction:
      return units * 2.0;
  }
  return units;
}

CapacityDetail ParseCapacityDetail(absl::string_view text) {
  if (text == "TOTAL") return CapacityDetail::kTotal;
  if (text == "INDEXES") return CapacityDetail::kIndexes;
  return CapacityDetail::kNone;
}

void Capacity::AddIndex(absl::string_view name, IndexKind kind, double units) {
  (kind == IndexKind::kGlobal ? global_ : local_)[std::string(name)] += units;
}

void Capacity::AddWrite(const WriteUnits& units, double factor) {
  AddTable(units.table * factor);
  for (const WriteUnits::OfIndex& index : units.indexes) {
    AddIndex(index.name, index.kind, index.units * factor);
  }
}

double Capacity::total() const {
  double total = table_;
  for (const auto& [name, units] : global_) total += units;
  for (const auto& [name, units] : local_) total += units;
  return total;
}

void Capacity::AppendJson(absl::string_view table_name, CapacityDetail detail,
                          CapacityKind kind, std::string& out) const {
  out += "{\"TableName\":";
  json::AppendQuoted(table_name, out);
  out += ',';
  AppendUnits(total(), kind, out);
  if (detail == CapacityDetail::kIndexes) {
    out += ",\"Table\":{";
    AppendUnits(table_, kind, out);
    out += '}';
    for (const Units* units : {&local_, &global_}) {
      if (units->empty()) continue;
      out += units == &local_ ? ",\"LocalSecondaryIndexes\":{"
                              : ",\"GlobalSecondaryIndexes\":{";
      for (const auto& [name, of_index] : *units) {
        json::AppendQuoted(name, out);
        out += ":{";
        AppendUnits(of_index, kind, out);
        out += "},";
      }
      out.back() = '}';
    }
  }
  out += '}';
}

void AppendCapacityMember(const Capacity& capacity,
                          absl::string_view table_name, CapacityDetail detail,
                          std::string& out) {
  if (detail == CapacityDetail::kNone) return;
  out += "\"ConsumedCapacity\":";
  capacity.AppendJson(table_name, detail, CapacityKind::kPlain, out);
  out += ',';
}

}  // namespace byoshin::local::dynamodb
