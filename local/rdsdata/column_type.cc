#include "local/rdsdata/column_type.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rdsdata {
namespace {

// https://docs.oracle.com/javase/8/docs/api/constant-values.html#java.sql.Types
constexpr int kJdbcBit = -7;
constexpr int kJdbcBigInt = -5;
constexpr int kJdbcBinary = -2;
constexpr int kJdbcChar = 1;
constexpr int kJdbcNumeric = 2;
constexpr int kJdbcInteger = 4;
constexpr int kJdbcSmallInt = 5;
constexpr int kJdbcReal = 7;
constexpr int kJdbcDouble = 8;
constexpr int kJdbcVarchar = 12;
constexpr int kJdbcDate = 91;
constexpr int kJdbcTime = 92;
constexpr int kJdbcTimestamp = 93;
constexpr int kJdbcOther = 1111;
constexpr int kJdbcArray = 2003;

// pg_type.typtype of an enumeration, and the name of pgvector's type.
constexpr absl::string_view kEnumeration = "e";
constexpr absl::string_view kVector = "vector";

struct BuiltIn {
  Oid type;
  // The type of arrays of it; 0 if the Data API does not return them.
  Oid array;
  const char* name;
  Representation representation;
  int jdbc;
};

// https://github.com/postgres/postgres/blob/REL_17_STABLE/src/include/catalog/pg_type.dat
constexpr BuiltIn kBuiltIns[] = {
    {kBool, 1000, "bool", Representation::kBoolean, kJdbcBit},
    {kBytea, 0, "bytea", Representation::kBlob, kJdbcBinary},
    {19, 1003, "name", Representation::kString, kJdbcVarchar},
    {kInt8, 1016, "int8", Representation::kLong, kJdbcBigInt},
    {21, 1005, "int2", Representation::kLong, kJdbcSmallInt},
    {23, 1007, "int4", Representation::kLong, kJdbcInteger},
    {kText, 1009, "text", Representation::kString, kJdbcVarchar},
    {kJson, 199, "json", Representation::kString, kJdbcOther},
    {650, 651, "cidr", Representation::kString, kJdbcOther},
    {700, 1021, "float4", Representation::kDouble, kJdbcReal},
    {kFloat8, 1022, "float8", Representation::kDouble, kJdbcDouble},
    {869, 1041, "inet", Representation::kString, kJdbcOther},
    {1042, 1014, "bpchar", Representation::kString, kJdbcChar},
    {1043, 1015, "varchar", Representation::kString, kJdbcVarchar},
    {kDate, 1182, "date", Representation::kString, kJdbcDate},
    {kTime, 1183, "time", Representation::kString, kJdbcTime},
    {kTimestamp, 1115, "timestamp", Representation::kString, kJdbcTimestamp},
    {1184, 1185, "timestamptz", Representation::kUtcTimestamp, kJdbcTimestamp},
    {1560, 1561, "bit", Representation::kString, kJdbcBit},
    {kNumeric, 1231, "numeric", Representation::kDecimal, kJdbcNumeric},
    // What functions such as pg_sleep() return.
    {2278, 0, "void", Representation::kString, kJdbcOther},
    {kUuid, 2951, "uuid", Representation::kString, kJdbcOther},
    {3802, 3807, "jsonb", Representation::kString, kJdbcOther},
};

}  // namespace

std::optional<ColumnType> FindBuiltInType(Oid type) {
  for (const BuiltIn& known : kBuiltIns) {
    if (known.type == type) {
      return ColumnType{.name = known.name,
                        .representation = known.representation,
                        .jdbc_type = known.jdbc};
    }
    if (known.array != 0 && known.array == type) {
      return ColumnType{.name = absl::StrCat("_", known.name),
                        .representation = known.representation,
                        .array = true,
                        .jdbc_type = kJdbcArray,
                        .jdbc_element_type = known.jdbc};
    }
  }
  return std::nullopt;
}

ColumnType TypeFromCatalog(absl::string_view name, absl::string_view kind,
                           absl::string_view declared,
                           absl::string_view element) {
  const bool array = !element.empty();
  if (kind != kEnumeration && (array ? element : name) != kVector) {
    return {.name = std::string(declared)};
  }
  const int jdbc = kind == kEnumeration ? kJdbcVarchar : kJdbcOther;
  return {.name = std::string(name),
          .representation = Representation::kString,
          .array = array,
          .jdbc_type = array ? kJdbcArray : jdbc,
          .jdbc_element_type = array ? jdbc : 0};
}

}  // namespace byoshin::local::rdsdata
