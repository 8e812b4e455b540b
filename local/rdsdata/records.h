// Writes results as the Data API returns them.
#ifndef BYOSHIN_LOCAL_RDSDATA_RECORDS_H_
#define BYOSHIN_LOCAL_RDSDATA_RECORDS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/json/writer.h"
#include "local/postgres_client/result.h"
#include "local/rdsdata/column_type.h"

namespace byoshin::local::rdsdata {

// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_ResultSetOptions.html
struct RecordOptions {
  enum class Decimal { kString, kDoubleOrLong } decimal = Decimal::kString;
  enum class Long { kLong, kString } integer = Long::kLong;
};

// Errors if the result is too large, or has a type that is not supported.
// `types` are those of the columns.
absl::Status CheckResult(const postgres_client::Result& result,
                         const std::vector<ColumnType>& types);

// Writes the rows as a list of lists of Field. CheckResult() must have been OK.
// UnsupportedResultException for an array of several dimensions.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_Field.html
absl::Status WriteRecords(const postgres_client::Result& result,
                          const std::vector<ColumnType>& types,
                          const RecordOptions& options, json::Writer& json);

// The rows as a JSON list of objects, for formatRecordsAs=JSON; errors as
// above, and if it is too long.
// https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/data-api-json.html
absl::StatusOr<std::string> FormatRecords(const postgres_client::Result& result,
                                          const std::vector<ColumnType>& types,
                                          const RecordOptions& options);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_RECORDS_H_
