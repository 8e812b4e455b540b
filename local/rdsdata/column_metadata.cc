#include "local/rdsdata/column_metadata.h"

#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::Column;
using postgres_client::Parameter;
using postgres_client::Result;

// java.sql.ResultSetMetaData
constexpr int kNoNulls = 0;
constexpr int kNullable = 1;
constexpr int kNullableUnknown = 2;

// Of types without a limit.
constexpr int kUnlimited = 2147483647;
// Before the length in the modifier of varchar(n) and numeric(p, s).
constexpr int kModifierHeader = 4;
constexpr int kDefaultFraction = 6;

struct Digits {
  int precision = kUnlimited;
  int scale = 0;
};

// As PostgreSQL's JDBC driver reports them.
Digits DigitsOf(absl::string_view type, int modifier) {
  struct Fixed {
    absl::string_view type;
    Digits digits;
  };
  static constexpr Fixed kFixed[] = {
      {"bool", {1, 0}},  {"int2", {5, 0}},          {"int4", {10, 0}},
      {"int8", {19, 0}}, {"float4", {8, 8}},        {"float8", {17, 17}},
      {"date", {13, 0}}, {"uuid", {kUnlimited, 0}},
  };
  for (const Fixed& fixed : kFixed) {
    if (fixed.type == type) return fixed.digits;
  }
  const bool limited = modifier >= 0;
  if (type == "numeric") {
    if (!limited) return {0, 0};
    const int packed = modifier - kModifierHeader;
    return {(packed >> 16) & 0xFFFF, packed & 0x7FF};
  }
  const int fraction = limited ? modifier : kDefaultFraction;
  if (type == "time") return {15, fraction};
  if (type == "timestamp") return {29, fraction};
  if (type == "timestamptz") return {35, fraction};
  if (type == "bit") return {limited ? modifier : 1, 0};
  if (limited && (type == "varchar" || type == "bpchar")) {
    return {modifier - kModifierHeader, 0};
  }
  return {};
}

bool IsSigned(const ColumnType& type) {
  return !type.array && (type.representation == Representation::kLong ||
                         type.representation == Representation::kDouble ||
                         type.representation == Representation::kDecimal);
}

bool IsCaseSensitive(const ColumnType& type) {
  if (IsSigned(type)) return false;
  for (const absl::string_view other :
       {"bool", "bit", "date", "time", "timestamp", "timestamptz"}) {
    if (type.name == other) return false;
  }
  return true;
}

// What the catalog says of a column of a table.
struct Origin {
  std::string table{};
  std::string schema{};
  int nullable = kNullableUnknown;
  bool increments = false;
};

Origin OriginOf(const Column& column, const Result* origins) {
  if (origins == nullptr || column.table == 0) return {};
  const std::string table = absl::StrCat(column.table);
  const std::string number = absl::StrCat(column.table_column);
  for (int row = 0; row < origins->rows(); ++row) {
    if (origins->Text(row, 0) != table || origins->Text(row, 1) != number) {
      continue;
    }
    return {.table = std::string(origins->Text(row, 2)),
            .schema = std::string(origins->Text(row, 3)),
            .nullable = origins->Text(row, 4) == "t" ? kNoNulls : kNullable,
            .increments = origins->Text(row, 5) == "t"};
  }
  return {};
}

}  // namespace

bool HasOrigins(const Result& result) {
  for (int column = 0; column < result.columns(); ++column) {
    if (result.column(column).table != 0) return true;
  }
  return false;
}

std::vector<Parameter> OriginParameters(const Result& result) {
  std::set<Oid> tables;
  for (int column = 0; column < result.columns(); ++column) {
    tables.insert(result.column(column).table);
  }
  return {{.value = absl::StrCat("{", absl::StrJoin(tables, ","), "}")}};
}

void WriteColumnMetadata(const Result& result,
                         const std::vector<ColumnType>& types,
                         const Result* origins, json::Writer& json) {
  json.Open('[');
  for (int i = 0; i < result.columns(); ++i) {
    const Column column = result.column(i);
    const ColumnType& type = types[i];
    const Origin origin = OriginOf(column, origins);
    const Digits digits = DigitsOf(type.name, column.type_modifier);
    json.Open('{');
    json.Key("arrayBaseColumnType").Int(type.jdbc_element_type);
    json.Key("isAutoIncrement").Bool(origin.increments);
    json.Key("isCaseSensitive").Bool(IsCaseSensitive(type));
    json.Key("isCurrency").Bool(false);
    json.Key("isSigned").Bool(IsSigned(type));
    json.Key("label").String(column.name);
    json.Key("name").String(column.name);
    json.Key("nullable").Int(origin.nullable);
    json.Key("precision").Int(digits.precision);
    json.Key("scale").Int(digits.scale);
    json.Key("schemaName").String(origin.schema);
    json.Key("tableName").String(origin.table);
    json.Key("type").Int(type.jdbc_type);
    json.Key("typeName").String(type.name);
    json.Close('}');
  }
  json.Close(']');
}

}  // namespace byoshin::local::rdsdata
