// Describes the columns of a result.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_ColumnMetadata.html
#ifndef BYOSHIN_LOCAL_RDSDATA_COLUMN_METADATA_H_
#define BYOSHIN_LOCAL_RDSDATA_COLUMN_METADATA_H_

#include <vector>

#include "core/json/writer.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/result.h"
#include "local/rdsdata/column_type.h"

namespace byoshin::local::rdsdata {

// Finds the tables of columns. Parameters: OriginParameters().
inline constexpr char kOriginQuery[] =
    "SELECT c.oid, a.attnum, c.relname, n.nspname, a.attnotnull, "
    "a.attidentity <> '' OR coalesce(pg_catalog.pg_get_expr("
    "d.adbin, d.adrelid) LIKE 'nextval(%', false) "
    "FROM pg_catalog.pg_attribute a "
    "JOIN pg_catalog.pg_class c ON c.oid = a.attrelid "
    "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
    "LEFT JOIN pg_catalog.pg_attrdef d "
    "ON d.adrelid = a.attrelid AND d.adnum = a.attnum "
    "WHERE a.attrelid = ANY($1::oid[]) AND a.attnum > 0";

// Whether a column of the result belongs to a table.
bool HasOrigins(const postgres_client::Result& result);
std::vector<postgres_client::Parameter> OriginParameters(
    const postgres_client::Result& result);

// Writes a list of ColumnMetadata. `origins` is the result of kOriginQuery;
// null if no column belongs to a table.
void WriteColumnMetadata(const postgres_client::Result& result,
                         const std::vector<ColumnType>& types,
                         const postgres_client::Result* origins,
                         json::Writer& json);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_COLUMN_METADATA_H_
