// How the Data API returns a value of a PostgreSQL type.
//
//   std::optional<ColumnType> type = FindBuiltInType(result.column(0).type);
//   if (!type.has_value()) ... // ask the server: kTypeQuery
#ifndef BYOSHIN_LOCAL_RDSDATA_COLUMN_TYPE_H_
#define BYOSHIN_LOCAL_RDSDATA_COLUMN_TYPE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "local/postgres_client/result.h"

namespace byoshin::local::rdsdata {

using postgres_client::Oid;

// OIDs of types that are parameters.
inline constexpr Oid kBool = 16;
inline constexpr Oid kBytea = 17;
inline constexpr Oid kInt8 = 20;
inline constexpr Oid kText = 25;
inline constexpr Oid kJson = 114;
inline constexpr Oid kFloat8 = 701;
inline constexpr Oid kDate = 1082;
inline constexpr Oid kTime = 1083;
inline constexpr Oid kTimestamp = 1114;
inline constexpr Oid kNumeric = 1700;
inline constexpr Oid kUuid = 2950;

// The member of a Field that a value becomes.
enum class Representation {
  kUnsupported,
  kBoolean,
  kLong,
  kDouble,
  kDecimal,       // as resultSetOptions say
  kString,        // as PostgreSQL prints it
  kUtcTimestamp,  // as PostgreSQL prints it in UTC, without the offset
  kBlob,
};

struct ColumnType {
  // As in pg_type: "int4". For a type that is not supported, as in a
  // declaration: "regtype".
  std::string name{};
  Representation representation = Representation::kUnsupported;
  // The value is an array of such values.
  bool array = false;
  // As java.sql.Types numbers it, in ColumnMetadata.
  int jdbc_type = 0;
  // Of an array's elements; 0 if it is none.
  int jdbc_element_type = 0;
};

// The types that the Data API supports and that all databases have.
// https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/data-api-operations.html
std::optional<ColumnType> FindBuiltInType(Oid type);

// Returns a row with the four arguments of TypeFromCatalog() for the type with
// the OID $1.
inline constexpr char kTypeQuery[] =
    "SELECT t.typname, coalesce(e.typtype, t.typtype), "
    "pg_catalog.format_type(t.oid, NULL), coalesce(e.typname, '') "
    "FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e "
    "ON e.oid = t.typelem AND t.typcategory = 'A' "
    "WHERE t.oid = $1";

// A type that a user or an extension has created. `kind` is its typtype, or its
// elements' if it is an array; `declared` is how it is declared; `element` is
// the name of the elements' type, empty if it is no array.
ColumnType TypeFromCatalog(absl::string_view name, absl::string_view kind,
                           absl::string_view declared,
                           absl::string_view element);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_COLUMN_TYPE_H_
